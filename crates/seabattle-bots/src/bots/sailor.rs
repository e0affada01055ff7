//! `sailor`: a human-like player that sees half of the board and remembers only its latest misses.

use seabattle_core::Seed;

use crate::parts::human_like::{HumanLike, SkillProfile};

pub(crate) fn sailor(seed: &Seed) -> HumanLike {
    HumanLike::new(
        seed,
        SkillProfile { remembered_misses: 20, focus_radius: 4, refocus_percent: 30, careful_percent: 85 },
    )
}
