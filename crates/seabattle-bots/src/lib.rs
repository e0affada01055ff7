//! Computer players, one file each, simplest first, and the catalog that finds them by name.

mod adjacent;
mod catalog;
mod chance;
mod random;

pub use catalog::{Entry, UnknownBot, catalog, find};
