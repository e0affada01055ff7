//! What the two bots of the contest share: a hunt along a fixed hunt, and a ship sunk between and beyond its hits.

use seabattle_core::{Bot, Cell, CellSet, Fleet, Outcome, Rules, Seed, SeededRng, Shot, Size, Touching, View, layout};

use crate::parts::direction::Direction;
use crate::parts::random_choice::any_target;
use crate::parts::shot_cursor::ShotCursor;

/// The order of the hunt; cells that are known already are passed over.
pub(crate) trait HuntOrder: Iterator<Item = Cell> {
    fn new(size: Size) -> Self;
}

pub(crate) struct ContestBot<H> {
    rng: SeededRng,
    cursor: ShotCursor,
    hunt: Option<H>,
    /// Hits on the ship that is being sunk.
    open_hits: Vec<Cell>,
    /// Certainly water, around ships that were sunk.
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

    /// Cells that may hold a ship, as far as this bot can tell.
    fn unknown_cells(&self, view: &View<'_>) -> CellSet {
        let targets = view.targets();
        self.impossible.as_ref().map_or_else(|| targets.clone().into_owned(), |impossible| &*targets - impossible)
    }

    /// The next shot at the open_hits ship.
    fn target_shot(&mut self, view: &View<'_>, unknown_cells: &CellSet) -> Option<Cell> {
        let size = unknown_cells.size();
        let cell = match *self.open_hits {
            [] => return None,
            [single_hit] => {
                let mut around =
                    Direction::CLOCKWISE.into_iter().filter_map(|direction| direction.neighbour_of(single_hit, size));
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

/// Where a ship with these hits can go on: between them, then before the first, then after the last.
fn line_shot(hits: &[Cell], unknown_cells: &CellSet) -> Option<Cell> {
    let (&first, &last) = (hits.iter().min()?, hits.iter().max()?);
    let size = unknown_cells.size();
    let (forward, back) = if first.row() == last.row() {
        (Direction::East, Direction::West)
    } else {
        (Direction::South, Direction::North)
    };
    let between =
        std::iter::successors(Some(first), |&cell| forward.neighbour_of(cell, size)).take_while(|&cell| cell < last);
    between
        .chain(back.neighbour_of(first, size))
        .chain(forward.neighbour_of(last, size))
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
