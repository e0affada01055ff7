//! Solo games: one player shoots at a fleet that does not shoot back.

use crate::game::{Board, volley};
use crate::{Cell, FireError, Fleet, Knowledge, Shot, View};

/// A solo game: one player shoots at a fleet until it is sunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solo {
    board: Board,
}

impl Solo {
    /// Starts a solo game against a fleet.
    pub fn new(fleet: Fleet) -> Self {
        Self { board: Board::new(fleet) }
    }

    /// Whether the fleet is sunk.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.board.afloat == 0
    }

    /// The number of shots in the next volley; 0 when the game is over. Where it depends on the ships afloat,
    /// all ships of the shooter count.
    #[inline]
    pub fn shots_due(&self) -> usize {
        let rules = self.board.fleet.rules();
        if self.is_over() { 0 } else { volley(rules, rules.ship_count(), self.board.shots.open().len()) }
    }

    /// Fires a volley and returns its answers. If it is illegal, it changes nothing and says why.
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

    /// Everything that the shooter may see.
    #[inline]
    pub fn view(&self) -> View<'_> {
        View::solo(&self.board.shots)
    }

    /// What the shooter knows of the fleet.
    pub fn knowledge(&self) -> &Knowledge {
        &self.board.shots
    }

    /// The fleet that is shot at.
    pub fn fleet(&self) -> &Fleet {
        &self.board.fleet
    }
}
