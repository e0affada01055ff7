//! `recruit`: looks at one part of the board for a while, often fires without thought, keeps few misses in mind.

use seabattle_core::Seed;

use crate::parts::human_like::{HumanLike, SkillProfile};

pub(crate) fn recruit(seed: &Seed) -> HumanLike {
    HumanLike::new(
        seed,
        SkillProfile { remembered_misses: 8, focus_radius: 3, refocus_percent: 20, careful_percent: 60 },
    )
}
