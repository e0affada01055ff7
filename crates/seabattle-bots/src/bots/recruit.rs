//! `recruit`: a human-like player that sees one part of the board, often fires carelessly, and remembers few misses.

use seabattle_core::Seed;

use crate::parts::human_like::{HumanLike, SkillProfile};

pub(crate) fn recruit(seed: &Seed) -> HumanLike {
    HumanLike::new(
        seed,
        SkillProfile { remembered_misses: 8, focus_radius: 3, refocus_percent: 20, careful_percent: 60 },
    )
}
