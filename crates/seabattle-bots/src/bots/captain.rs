//! `captain`: a human-like player that sees most of the board and rarely fires carelessly, but forgets old misses.

use seabattle_core::Seed;

use crate::parts::human_like::{HumanLike, SkillProfile};

pub(crate) fn captain(seed: &Seed) -> HumanLike {
    HumanLike::new(
        seed,
        SkillProfile { remembered_misses: 33, focus_radius: 5, refocus_percent: 30, careful_percent: 90 },
    )
}
