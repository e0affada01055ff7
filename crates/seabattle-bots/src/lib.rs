//! Computer players, one file each, simplest first, and the catalog that finds them by name.

mod bots;
mod catalog;
mod parts;

pub use catalog::{BotInfo, Group, UnknownBot, bots_of, catalog, default_opponent, documents, find, levels};
pub use parts::{learning, placing};

/// One number for each bot that changes when it plays differently: programs with equal ones play the same games.
pub const FINGERPRINTS: &str = include_str!("../fingerprints.txt");
