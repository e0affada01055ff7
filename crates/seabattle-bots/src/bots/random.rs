//! `random`: fires at any cell that was not fired at before.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout, uniform_below};

use crate::parts::random_choice::any_target;

pub(crate) struct Random {
    rng: SeededRng,
    /// The cells that were not drawn yet in this game.
    undrawn: Vec<Cell>,
}

impl Random {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), undrawn: Vec::new() }
    }
}

impl Bot for Random {
    fn start(&mut self, rules: &Rules) {
        self.undrawn.clear();
        self.undrawn.extend(rules.size().cells());
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        while !self.undrawn.is_empty() {
            let cell = self.undrawn.swap_remove(uniform_below(&mut self.rng, self.undrawn.len()));
            if view.is_target(cell) {
                return cell;
            }
        }
        any_target(view, &mut self.rng)
    }
}
