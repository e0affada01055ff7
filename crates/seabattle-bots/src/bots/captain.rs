//! `captain`: sees most of the board and looks for room nearly always, but loses sight of old misses.

use seabattle_core::Seed;

use crate::parts::human_like::{Habits, Person};

pub(crate) fn captain(seed: &Seed) -> Person {
    Person::new(seed, Habits { memory: 33, sight: 5, restlessness: 30, care: 90 })
}
