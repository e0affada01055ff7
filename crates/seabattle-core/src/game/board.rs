//! A fleet under fire: which shots at it are legal, and what each does.

use super::FireError;
use crate::fleet::ShotEffect;
use crate::{Cell, Fleet, Knowledge, Outcome, Shot};

/// A fleet with the shots at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) fleet: Fleet,
    /// The shots at the fleet with their answers.
    pub(crate) shots: Knowledge,
    /// The number of ships afloat, whether or not sinkings are announced.
    pub(crate) afloat: usize,
    pub(crate) afloat_at_round: usize,
}

impl Board {
    pub(crate) fn new(fleet: Fleet) -> Self {
        let ships = fleet.rules().ship_count();
        Self { shots: Knowledge::new(fleet.rules()), afloat: ships, afloat_at_round: ships, fleet }
    }

    /// Whether a volley may be fired at this board.
    #[inline]
    pub(crate) fn check(&self, cells: &[Cell], due: usize) -> Result<(), FireError> {
        let given = cells.len();
        if due != given {
            return Err(FireError::WrongCount { due, given });
        }
        let open = self.shots.open();
        let size = open.size();
        for (at, &cell) in cells.iter().enumerate() {
            if !size.contains(cell) {
                return Err(FireError::Outside { cell, size });
            }
            if !open.has(size.index(cell)) || cells[..at].contains(&cell) {
                return Err(FireError::Repeated { cell });
            }
        }
        Ok(())
    }

    /// Applies a shot that has been checked.
    #[inline]
    pub(crate) fn take(&mut self, cell: Cell) -> Outcome {
        let effect = self.fleet.effect(cell, self.shots.hits());
        if let ShotEffect::Hit { sunk: true, .. } = effect {
            self.afloat -= 1;
        }
        let outcome = self.fleet.announce(effect);
        self.shots.fold(Shot { cell, outcome });
        outcome
    }
}
