//! One file for each bot.

pub(crate) mod adjacent;
pub(crate) mod admiral;
pub(crate) mod blocks;
pub(crate) mod captain;
pub(crate) mod champion;
pub(crate) mod checkerboard;
pub(crate) mod density;
pub(crate) mod hunter;
pub(crate) mod lattice;
pub(crate) mod quadrant;
pub(crate) mod random;
pub(crate) mod recruit;
pub(crate) mod sailor;
pub(crate) mod star;
pub(crate) mod swift_example;
pub(crate) mod swift_locating;
pub(crate) mod swift_sinking;
