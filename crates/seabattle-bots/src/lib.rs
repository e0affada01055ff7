//! Computer players, one file each, simplest first, and the catalog that finds them by name.

mod adjacent;
mod blocks;
mod catalog;
mod chance;
mod checkerboard;
mod compass;
mod contest;
mod density;
mod follow;
mod lattice;
pub mod learning;
pub mod placing;
mod planes;
mod quadrant;
mod random;
mod star;
mod swift_example;
mod swift_locating;
mod swift_sinking;
mod watch;

pub use catalog::{Entry, UnknownBot, catalog, find};
