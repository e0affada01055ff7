//! `star`: scans every fourth diagonal, then the diagonals between. It searches around every hit in all four
//! directions.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, Size, View, layout};

use crate::parts::direction::Direction;
use crate::parts::random_choice::any_target;

/// The remainders `(row + col) mod 4` in the order of the scan. The last two are needed for ships of one cell only.
const DIAGONALS: [u8; 4] = [3, 1, 0, 2];

pub(crate) struct Star {
    rng: SeededRng,
    scan: Scan,
}

impl Star {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), scan: Scan::default() }
    }
}

impl Bot for Star {
    fn start(&mut self, _rules: &Rules) {
        self.scan = Scan::default();
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        self.scan.next(view).or_else(|| view.targets().first()).unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}

/// A position in the scan. A cell is finished once it was a miss, or a hit whose star is complete.
#[derive(Default)]
struct Scan {
    pass: usize,
    row: u8,
    col: Option<u8>,
}

impl Scan {
    fn next(&mut self, view: &View<'_>) -> Option<Cell> {
        let size = view.rules().size();
        // In a salvo, shots without an answer stay unfinished, so a copy of the scan looks past them.
        let mut lookahead = Self { ..*self };
        loop {
            let cell = lookahead.cell(size)?;
            if view.is_target(cell) {
                return Some(cell);
            }
            if view.enemy().hits().contains(cell)
                && let Some(arm) = star_shot(view, cell)
            {
                return Some(arm);
            }
            lookahead.advance();
            if view.aimed().is_empty() {
                *self = Self { ..lookahead };
            }
        }
    }

    /// The cell at the current position of the scan. At the end of a row or pass it moves to the next one.
    fn cell(&mut self, size: Size) -> Option<Cell> {
        loop {
            let diagonal = *DIAGONALS.get(self.pass)?;
            let col = *self.col.get_or_insert((diagonal + 4 - self.row % 4) % 4);
            if col < size.width() {
                return Some(Cell::new(col, self.row));
            }
            self.col = None;
            self.row += 1;
            if self.row == size.height() {
                self.row = 0;
                self.pass += 1;
            }
        }
    }

    fn advance(&mut self) {
        self.col = self.col.map(|col| col + 4);
    }
}

/// The next shot of a star search. From a hit it goes out in each direction, across other hits, to the first cell that
/// can be fired at.
fn star_shot(view: &View<'_>, center: Cell) -> Option<Cell> {
    let size = view.rules().size();
    Direction::CLOCKWISE.into_iter().find_map(|direction| {
        let mut arm =
            std::iter::successors(direction.neighbor_of(center, size), |&cell| direction.neighbor_of(cell, size));
        arm.find(|&cell| !view.enemy().hits().contains(cell)).filter(|&cell| view.is_target(cell))
    })
}
