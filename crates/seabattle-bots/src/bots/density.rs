//! `density`: counts the placements that are still possible for every ship afloat, and fires at the cell with the most.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::parts::placement_counter::{CellChoice, PlacementCounter, PlacementQuery};
use crate::parts::random_choice::any_target;

pub(crate) struct Density {
    rng: SeededRng,
    counter: Option<PlacementCounter>,
}

impl Density {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), counter: None }
    }
}

impl Bot for Density {
    fn start(&mut self, rules: &Rules) {
        self.counter = Some(PlacementCounter::new(rules));
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let query = PlacementQuery {
            water: &view.enemy().misses(),
            candidates: &view.targets(),
            on_hits: false,
            choice: CellChoice::Highest,
        };
        let best = self.counter.as_mut().and_then(|counter| counter.best(view, &query, &mut self.rng));
        best.unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
