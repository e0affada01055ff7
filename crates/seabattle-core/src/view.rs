//! Everything that one side may see when it chooses a shot.

use std::borrow::Cow;

use crate::{Cell, CellSet, Fleet, Knowledge, Rules};

/// Everything that one side may see: its own fleet, the shots at it, and the answers to its own shots.
///
/// No function that builds a view takes the enemy's fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    enemy: &'a Knowledge,
    own: Option<OwnBoard<'a>>,
    aimed: &'a [Cell],
}

/// A side's own fleet, and the enemy's shots at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnBoard<'a> {
    /// The side's own fleet.
    pub fleet: &'a Fleet,
    /// The enemy's shots at this fleet with their answers.
    pub incoming: &'a Knowledge,
}

impl<'a> View<'a> {
    /// The view of a player with a fleet.
    #[inline]
    pub fn new(own: OwnBoard<'a>, enemy: &'a Knowledge) -> Self {
        Self { enemy, own: Some(own), aimed: &[] }
    }

    /// The view of a solo game: its player has no fleet.
    #[inline]
    pub fn solo(enemy: &'a Knowledge) -> Self {
        Self { enemy, own: None, aimed: &[] }
    }

    /// The same view with shots of the same volley that are chosen, but not fired yet.
    #[inline]
    pub fn aiming(self, aimed: &'a [Cell]) -> Self {
        Self { aimed, ..self }
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &'a Rules {
        self.enemy.rules()
    }

    /// The side's own fleet and the shots at it; `None` in a solo game.
    pub fn own(&self) -> Option<OwnBoard<'a>> {
        self.own
    }

    /// What the side knows of the enemy's board.
    #[inline]
    pub fn enemy(&self) -> &'a Knowledge {
        self.enemy
    }

    /// The shots of this volley that are chosen already. Their answers come after the last one.
    #[inline]
    pub fn aimed(&self) -> &'a [Cell] {
        self.aimed
    }

    /// The cells where a shot is legal: neither shot at nor chosen for this volley.
    #[inline]
    pub fn targets(&self) -> Cow<'a, CellSet> {
        if self.aimed.is_empty() {
            return Cow::Borrowed(self.enemy.open());
        }
        let mut targets = self.enemy.open().clone();
        for &cell in self.aimed {
            targets.remove(cell);
        }
        Cow::Owned(targets)
    }

    /// Whether a shot at a cell is legal.
    #[inline]
    pub fn is_target(&self, cell: Cell) -> bool {
        self.enemy.open().contains(cell) && !self.aimed.contains(&cell)
    }
}
