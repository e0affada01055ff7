//! `swift-sinking`: fires at random; after a hit, at the cell to the east.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::parts::direction::Direction;
use crate::parts::random_choice::any_target;

pub(crate) struct SwiftSinking {
    rng: SeededRng,
}

impl SwiftSinking {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng() }
    }
}

impl Bot for SwiftSinking {
    fn start(&mut self, _rules: &Rules) {}

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let hit = view.enemy().last().filter(|shot| shot.outcome.is_hit());
        let east = hit.and_then(|shot| Direction::East.neighbor_of(shot.cell, view.rules().size()));
        east.filter(|&cell| view.is_target(cell)).unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
