//! Whose turn it is, how many shots it has, and when the game is over: the order of play without any fleet.

use super::{End, Termination};
use crate::{BySide, Ending, Outcome, Rules, Side, Turn};

/// The order of play, driven by what was announced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TurnOrder {
    first: Side,
    /// Whether the other side never fires.
    solo: bool,
    side_to_move: Side,
    sunk: BySide<bool>,
    end: Option<End>,
}

/// The number of shots in a volley: never more than there are open cells.
#[inline]
pub(crate) fn volley(rules: &Rules, afloat: usize, open: usize) -> usize {
    match rules.turn() {
        Turn::Alternate | Turn::AgainOnHit => 1,
        Turn::Salvo(shots) => usize::from(shots).min(open),
        Turn::SalvoOfShipsAfloat => afloat.min(open),
    }
}

impl TurnOrder {
    pub(crate) fn new(first: Side) -> Self {
        Self { first, solo: false, side_to_move: first, sunk: BySide::default(), end: None }
    }

    /// The order of play of a solo game, in which only the first side fires.
    pub(crate) fn solo(first: Side) -> Self {
        Self { solo: true, ..Self::new(first) }
    }

    #[inline]
    pub(crate) fn first(&self) -> Side {
        self.first
    }

    #[inline]
    pub(crate) fn is_solo(&self) -> bool {
        self.solo
    }

    /// The side to fire; `None` when the game is over.
    #[inline]
    pub(crate) fn side_to_move(&self) -> Option<Side> {
        self.end.is_none().then_some(self.side_to_move)
    }

    #[inline]
    pub(crate) fn end(&self) -> Option<End> {
        self.end
    }

    pub(crate) fn stop(&mut self, end: End) {
        self.end = self.end.or(Some(end));
    }

    /// Records that the side to move has fired a volley. `sunk` says whether it sank the last ship of the enemy.
    #[inline]
    pub(crate) fn advance(&mut self, rules: &Rules, last: Outcome, sunk: bool) {
        let shooter = self.side_to_move;
        if self.solo {
            self.end = sunk.then_some(End { winner: Some(shooter), termination: Termination::Sunk });
            return;
        }
        self.sunk[shooter.other()] = sunk;
        let turn_continues = rules.turn() == Turn::AgainOnHit && last.is_hit() && !sunk;
        if turn_continues {
            return;
        }
        let round_is_full = shooter != self.first;
        let decided = match rules.ending() {
            Ending::AtOnce => sunk,
            Ending::EqualTurns => round_is_full && (self.sunk.a || self.sunk.b),
        };
        if decided {
            self.end = Some(End { winner: self.survivor(), termination: Termination::Sunk });
        }
        self.side_to_move = shooter.other();
    }

    fn survivor(&self) -> Option<Side> {
        match (self.sunk.a, self.sunk.b) {
            (true, true) | (false, false) => None,
            (true, false) => Some(Side::B),
            (false, true) => Some(Side::A),
        }
    }
}
