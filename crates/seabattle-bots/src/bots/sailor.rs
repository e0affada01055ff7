//! `sailor`: looks for room in the half of the board in sight, and forgets all but the latest misses.

use seabattle_core::Seed;

use crate::parts::human_like::{Habits, Person};

pub(crate) fn sailor(seed: &Seed) -> Person {
    Person::new(seed, Habits { memory: 20, sight: 4, restlessness: 30, care: 85 })
}
