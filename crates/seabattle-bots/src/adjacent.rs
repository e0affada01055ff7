//! `adjacent`: random shots; after a hit, the cells beside it first.

use seabattle_core::{Bot, Cell, CellSet, Fleet, Rules, Seed, Stream, View, layout};

use crate::chance::{any_of, any_target};

pub(crate) struct Adjacent {
    rng: Stream,
}

impl Adjacent {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.stream() }
    }
}

impl Bot for Adjacent {
    fn start(&mut self, _rules: &Rules) {}

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let targets = view.targets();
        let size = view.rules().size();
        let hits = view.enemy().shots().iter().rev().filter(|shot| shot.outcome.is_hit());
        let beside =
            hits.map(|hit| &CellSet::of(size, [hit.cell]).beside() & &*targets).find(|cells| !cells.is_empty());
        beside.and_then(|cells| any_of(&cells, &mut self.rng)).unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
