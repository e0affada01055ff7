//! Computer players, one file each, simplest first, and the catalog that finds them by name.

mod adjacent;
mod admiral;
mod blocks;
mod captain;
mod catalog;
mod champion;
mod chance;
mod checkerboard;
mod compass;
mod contest;
mod density;
mod endgame;
mod follow;
mod habit;
mod hunter;
mod lattice;
pub mod learning;
mod lookout;
mod person;
mod places;
pub mod placing;
mod planes;
mod quadrant;
mod random;
mod recruit;
mod sailor;
mod star;
mod swift_example;
mod swift_locating;
mod swift_sinking;
mod watch;
mod wounds;

pub use catalog::{Entry, Group, UnknownBot, bots_of, catalog, default_opponent, documents, find, levels};

/// One number for each bot that changes when it plays differently: programs with equal ones play the same games.
pub const FINGERPRINTS: &str = include_str!("../fingerprints.txt");
