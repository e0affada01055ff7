//! `checkerboard`: fires at random cells of one color; after a hit, at its neighbors, depth first.

use seabattle_core::{Bot, Cell, CellSet, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::parts::direction::Direction;
use crate::parts::random_choice::{any_of, any_target};
use crate::parts::shot_cursor::ShotCursor;

/// The order in which neighbors are pushed on the stack. They are fired at in the opposite order.
const NEIGHBORS: [Direction; 4] = [Direction::West, Direction::East, Direction::North, Direction::South];

pub(crate) struct Checkerboard {
    rng: SeededRng,
    cursor: ShotCursor,
    stack: Vec<Cell>,
    odd_cells: Option<CellSet>,
}

impl Checkerboard {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), cursor: ShotCursor::default(), stack: Vec::new(), odd_cells: None }
    }

    fn next_neighbor(&mut self, view: &View<'_>) -> Option<Cell> {
        let size = view.rules().size();
        for shot in self.cursor.new_shots(view).iter().filter(|shot| shot.outcome.is_hit()) {
            let neighbors = NEIGHBORS.iter().filter_map(|direction| direction.neighbor_of(shot.cell, size));
            self.stack.extend(neighbors.filter(|&cell| view.is_target(cell)));
        }
        while let Some(cell) = self.stack.pop() {
            if view.is_target(cell) {
                return Some(cell);
            }
        }
        None
    }
}

impl Bot for Checkerboard {
    fn start(&mut self, rules: &Rules) {
        self.cursor = ShotCursor::default();
        self.stack.clear();
        if self.odd_cells.as_ref().is_none_or(|odd_cells| odd_cells.size() != rules.size()) {
            let odd_cells = rules.size().cells().filter(|cell| (cell.col() + cell.row()) % 2 == 1);
            self.odd_cells = Some(CellSet::of(rules.size(), odd_cells));
        }
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        if let Some(cell) = self.next_neighbor(view) {
            return cell;
        }
        let candidates = self.odd_cells.as_ref().map(|odd_cells| odd_cells & &*view.targets());
        candidates.and_then(|cells| any_of(&cells, &mut self.rng)).unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
