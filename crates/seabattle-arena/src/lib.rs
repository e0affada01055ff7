//! Games between players, refereed.

mod duel;

pub use duel::{Fault, duel};
