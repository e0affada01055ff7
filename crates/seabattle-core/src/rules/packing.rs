//! Whether a fleet fits the board: a bounded search that finds one layout or proves that there is none.

use std::collections::HashSet;

use super::{ClassId, ShipClass, Touching};
use crate::{CellSet, Orientation, Ship, Size};

/// The most decisions before the search gives up, unless the caller sets another limit.
pub(super) const MAX_STEPS: usize = 200_000;

/// The result of the search.
pub(super) enum Packing {
    Fits(Vec<Ship>),
    Impossible,
    TooManySteps { steps: usize },
}

/// Searches cell by cell, row by row: the first undecided cell starts a ship, longest first, or stays water.
pub(super) fn pack(size: Size, touching: Touching, classes: &[ShipClass], max_steps: usize) -> Packing {
    let mut search = Search {
        touching,
        classes,
        left: classes.iter().map(|class| class.count).collect(),
        cells_left: classes.iter().map(|class| usize::from(class.length) * usize::from(class.count)).sum(),
        placed: Vec::new(),
        dead_ends: HashSet::new(),
    };
    let mut path = vec![Decision::new(CellSet::full(size))];
    for _ in 0..max_steps {
        if search.cells_left == 0 {
            return Packing::Fits(search.placed);
        }
        let Some(decision) = path.last_mut() else {
            return Packing::Impossible;
        };
        search.take_back(decision);
        match search.next_choice(decision) {
            Some(undecided) if search.is_hopeless(&undecided) => {}
            Some(undecided) => path.push(Decision::new(undecided)),
            None => {
                let decision = path.pop();
                search.dead_ends.extend(decision.map(|decision| (decision.undecided, search.left.clone())));
            }
        }
    }
    Packing::TooManySteps { steps: max_steps }
}

/// The state of the search: a depth-first search with a table of dead ends.
struct Search<'a> {
    touching: Touching,
    classes: &'a [ShipClass],
    left: Vec<u16>,
    cells_left: usize,
    placed: Vec<Ship>,
    /// States of the search that are known to fail: undecided cells and remaining ships.
    dead_ends: HashSet<(CellSet, Vec<u16>)>,
}

/// A choice for the first undecided cell.
struct Decision {
    undecided: CellSet,
    next_option: usize,
    ship: Option<ClassId>,
}

impl Decision {
    fn new(undecided: CellSet) -> Self {
        Self { undecided, next_option: 0, ship: None }
    }
}

impl Search<'_> {
    fn take_back(&mut self, decision: &mut Decision) {
        if let Some(class) = decision.ship.take() {
            self.left[class.index()] += 1;
            self.cells_left += usize::from(self.classes[class.index()].length);
            self.placed.pop();
        }
    }

    /// Makes the next choice for a cell and returns the cells that are still undecided.
    fn next_choice(&mut self, decision: &mut Decision) -> Option<CellSet> {
        let start = decision.undecided.first()?;
        while decision.next_option < 2 * self.classes.len() {
            let option = decision.next_option;
            decision.next_option += 1;
            let class = ClassId((option / 2) as u8);
            let orientation = Orientation::ALL[option % 2];
            let length = self.classes[class.index()].length;
            let ship = Ship::new(class, length, start, orientation);
            let repeats_a_point = length == 1 && orientation == Orientation::Down;
            let fits =
                ship.cells().all(|cell| decision.undecided.contains(cell)) && ship.is_within(decision.undecided.size());
            if self.left[class.index()] == 0 || repeats_a_point || !fits {
                continue;
            }
            self.left[class.index()] -= 1;
            self.cells_left -= usize::from(length);
            self.placed.push(ship);
            decision.ship = Some(class);
            return Some(&decision.undecided - &ship.claim(decision.undecided.size(), self.touching));
        }
        let water = 2 * self.classes.len();
        (decision.next_option == water).then(|| {
            decision.next_option += 1;
            let mut undecided = decision.undecided.clone();
            undecided.remove(start);
            undecided
        })
    }

    fn is_hopeless(&self, undecided: &CellSet) -> bool {
        undecided.len() < self.cells_left || self.dead_ends.contains(&(undecided.clone(), self.left.clone()))
    }
}
