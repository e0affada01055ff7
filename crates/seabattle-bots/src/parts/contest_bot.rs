//! The common part of the two contest bots: a hunt in a fixed order, and three ways to finish a ship that was hit.

use seabattle_core::{Bot, Cell, CellSet, Fleet, Outcome, Rules, Seed, SeededRng, Shot, Size, Touching, View, layout};

use crate::parts::direction::Direction;
use crate::parts::random_choice::any_target;
use crate::parts::shot_cursor::ShotCursor;

/// The order of the cells in a hunt. The bot skips cells that cannot hold a ship.
pub(crate) trait HuntOrder: Iterator<Item = Cell> {
    fn new(size: Size) -> Self;
}

pub(crate) struct ContestBot<H> {
    rng: SeededRng,
    cursor: ShotCursor,
    hunt: Option<H>,
    /// The hits on the ship to finish.
    open_hits: Vec<Cell>,
    /// Cells around sunk ships, which cannot hold another ship.
    impossible: Option<CellSet>,
}

impl<H: HuntOrder> ContestBot<H> {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), cursor: ShotCursor::default(), hunt: None, open_hits: Vec::new(), impossible: None }
    }

    fn learn(&mut self, shot: Shot, rules: &Rules) {
        match shot.outcome {
            Outcome::Miss => {}
            Outcome::Hit(_) => self.open_hits.push(shot.cell),
            Outcome::Sunk(_) => {
                self.open_hits.push(shot.cell);
                let ship = CellSet::of(rules.size(), self.open_hits.drain(..));
                if let (Some(impossible), Touching::Forbidden) = (&mut self.impossible, rules.touching()) {
                    *impossible |= &ship.grown();
                }
            }
        }
    }

    /// The targets that may still hold a ship.
    fn unknown_cells(&self, view: &View<'_>) -> CellSet {
        let targets = view.targets();
        self.impossible.as_ref().map_or_else(|| targets.clone().into_owned(), |impossible| &*targets - impossible)
    }

    /// The next shot at the ship that was hit, if there is one.
    fn target_shot(&mut self, view: &View<'_>, unknown_cells: &CellSet) -> Option<Cell> {
        let size = unknown_cells.size();
        let cell = match *self.open_hits {
            [] => return None,
            [single_hit] => {
                let mut around =
                    Direction::CLOCKWISE.into_iter().filter_map(|direction| direction.neighbor_of(single_hit, size));
                around.find(|&cell| unknown_cells.contains(cell))
            }
            [..] => line_shot(&self.open_hits, unknown_cells),
        };
        if cell.is_none() && view.aimed().is_empty() {
            self.open_hits.clear();
        }
        cell
    }
}

/// The next shot at a ship with several hits: between them, then before the first, then after the last.
fn line_shot(hits: &[Cell], unknown_cells: &CellSet) -> Option<Cell> {
    let (&first, &last) = (hits.iter().min()?, hits.iter().max()?);
    let size = unknown_cells.size();
    let (forward, back) = if first.row() == last.row() {
        (Direction::East, Direction::West)
    } else {
        (Direction::South, Direction::North)
    };
    let between =
        std::iter::successors(Some(first), |&cell| forward.neighbor_of(cell, size)).take_while(|&cell| cell < last);
    between
        .chain(back.neighbor_of(first, size))
        .chain(forward.neighbor_of(last, size))
        .find(|&cell| unknown_cells.contains(cell))
}

impl<H: HuntOrder> Bot for ContestBot<H> {
    fn start(&mut self, rules: &Rules) {
        self.cursor = ShotCursor::default();
        self.hunt = Some(H::new(rules.size()));
        self.open_hits.clear();
        self.impossible = Some(CellSet::empty(rules.size()));
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        for &shot in self.cursor.new_shots(view) {
            self.learn(shot, view.rules());
        }
        let unknown_cells = self.unknown_cells(view);
        self.target_shot(view, &unknown_cells)
            .or_else(|| self.hunt.as_mut()?.find(|&cell| unknown_cells.contains(cell)))
            .or_else(|| view.targets().first())
            .unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
