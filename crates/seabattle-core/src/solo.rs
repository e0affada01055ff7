//! One shooter against a fleet that does not shoot back.

use crate::game::{Board, volley};
use crate::{Cell, FireError, Fleet, Knowledge, Shot, View};

/// A game alone: how many shots does it take to sink the fleet?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solo {
    board: Board,
}

impl Solo {
    /// A fleet to be sunk.
    pub fn new(fleet: Fleet) -> Self {
        Self { board: Board::new(fleet) }
    }

    /// Whether the fleet is sunk.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.board.afloat == 0
    }

    /// How many shots the next volley has; 0 when the game is over. Where the rules count ships afloat, all are:
    /// nobody shoots back.
    #[inline]
    pub fn shots_due(&self) -> usize {
        let rules = self.board.fleet.rules();
        if self.is_over() { 0 } else { volley(rules, rules.ship_count(), self.board.shots.open().len()) }
    }

    /// Fires a volley and answers it, or changes nothing and says why not.
    #[inline]
    pub fn fire(&mut self, cells: &[Cell]) -> Result<&[Shot], FireError> {
        if self.is_over() {
            return Err(FireError::Over);
        }
        self.board.check(cells, self.shots_due())?;
        for &cell in cells {
            self.board.take(cell);
        }
        let shots = self.board.shots.shots();
        Ok(&shots[shots.len() - cells.len()..])
    }

    /// What the shooter may know.
    #[inline]
    pub fn view(&self) -> View<'_> {
        View::solo(&self.board.shots)
    }

    /// What the shooter knows of the fleet.
    pub fn knowledge(&self) -> &Knowledge {
        &self.board.shots
    }

    /// The fleet: the truth.
    pub fn fleet(&self) -> &Fleet {
        &self.board.fleet
    }
}
