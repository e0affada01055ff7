//! `density`: for every ship afloat, all the places where it still fits; the cell with most of them.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::parts::random_choice::any_target;
use crate::parts::placement_count::{Counter, Pick, Question};

pub(crate) struct Density {
    rng: SeededRng,
    counter: Option<Counter>,
}

impl Density {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), counter: None }
    }
}

impl Bot for Density {
    fn start(&mut self, rules: &Rules) {
        self.counter = Some(Counter::new(rules));
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let question =
            Question { water: &view.enemy().misses(), among: &view.targets(), on_hits: false, pick: Pick::Most };
        let best = self.counter.as_mut().and_then(|counter| counter.best(view, &question, &mut self.rng));
        best.unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
