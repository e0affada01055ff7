//! `adjacent`: fires at random; after a hit, at the cells next to it.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout, uniform_below};

use crate::parts::direction::Direction;
use crate::parts::random_choice::any_target;

/// The four neighbors of a cell, in row order.
const NEIGHBORS: [Direction; 4] = [Direction::North, Direction::West, Direction::East, Direction::South];

pub(crate) struct Adjacent {
    rng: SeededRng,
}

impl Adjacent {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng() }
    }
}

impl Bot for Adjacent {
    fn start(&mut self, _rules: &Rules) {}

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let size = view.rules().size();
        let open_beside = |cell: Cell| {
            let beside = NEIGHBORS.into_iter().filter_map(move |direction| direction.neighbor_of(cell, size));
            beside.filter(|&cell| view.is_target(cell))
        };
        let newest_first = view.enemy().shots().iter().rev().filter(|shot| shot.outcome.is_hit());
        for hit in newest_first {
            let open = open_beside(hit.cell).count();
            if open > 0 {
                let chosen = open_beside(hit.cell).nth(uniform_below(&mut self.rng, open));
                return chosen.unwrap_or(hit.cell);
            }
        }
        any_target(view, &mut self.rng)
    }
}
