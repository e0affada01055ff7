//! What one side may know when it is asked for a shot.

use std::borrow::Cow;

use crate::{Cell, CellSet, Fleet, Knowledge, Rules};

/// What one side sees: its own fleet, the shots at it, and the answers to its own shots.
///
/// No function that builds a view takes the enemy's fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    enemy: &'a Knowledge,
    own: Option<Own<'a>>,
    aimed: &'a [Cell],
}

/// The half of a view that only its own side sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Own<'a> {
    /// One's own fleet.
    pub fleet: &'a Fleet,
    /// The enemy's shots at it, as they were announced.
    pub incoming: &'a Knowledge,
}

impl<'a> View<'a> {
    /// The view of a player with a fleet.
    #[inline]
    pub fn new(own: Own<'a>, enemy: &'a Knowledge) -> Self {
        Self { enemy, own: Some(own), aimed: &[] }
    }

    /// The view of a player who shoots alone, with no fleet to lose.
    #[inline]
    pub fn solo(enemy: &'a Knowledge) -> Self {
        Self { enemy, own: None, aimed: &[] }
    }

    /// The same view with shots of this turn already chosen but not fired.
    #[inline]
    pub fn aiming(self, aimed: &'a [Cell]) -> Self {
        Self { aimed, ..self }
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &'a Rules {
        self.enemy.rules()
    }

    /// One's own fleet and the shots at it; `None` when shooting alone.
    pub fn own(&self) -> Option<Own<'a>> {
        self.own
    }

    /// What is known of the enemy's waters.
    #[inline]
    pub fn enemy(&self) -> &'a Knowledge {
        self.enemy
    }

    /// Shots of this turn already chosen, whose answers come with the last one.
    #[inline]
    pub fn aimed(&self) -> &'a [Cell] {
        self.aimed
    }

    /// Where a shot is legal: cells neither shot at nor aimed at.
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

    /// Whether a shot at the cell is legal.
    #[inline]
    pub fn is_target(&self, cell: Cell) -> bool {
        self.enemy.open().contains(cell) && !self.aimed.contains(&cell)
    }
}
