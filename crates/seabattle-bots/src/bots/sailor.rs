//! `sailor`: looks for room in the half of the board in sight, and forgets all but the latest misses.

use seabattle_core::Seed;

use crate::parts::human_like::{HumanLike, SkillProfile};

pub(crate) fn sailor(seed: &Seed) -> HumanLike {
    HumanLike::new(seed, SkillProfile { remembered_misses: 20, sight: 4, restlessness: 30, care: 85 })
}
