//! Computer players, one file each, simplest first, and the catalog that finds them by name.

mod adjacent;
mod admiral;
mod blocks;
mod catalog;
mod chance;
mod checkerboard;
mod compass;
mod contest;
mod density;
mod endgame;
mod follow;
mod foresight;
mod habit;
mod hunter;
mod lattice;
mod lookout;
mod planes;
mod quadrant;
mod random;
mod star;
mod swift_example;
mod swift_locating;
mod swift_sinking;
mod watch;

pub use catalog::{Entry, UnknownBot, catalog, find};
