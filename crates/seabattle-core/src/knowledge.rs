//! What a shooter knows of the enemy's waters: a fold over announced shots, and nothing else.

mod deduction;
mod position;

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::{Announce, Cell, CellSet, ClassId, Outcome, Rules, Shot, Size};

pub use position::ParsePositionError;

/// All shots at one fleet with their answers, and the facts that follow from them.
///
/// It is built from announced shots alone: no function here takes a fleet. Its text form is
/// the position line, rules and then shots: `classic E5. D4x D5#destroyer`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    rules: Rules,
    shots: Vec<Shot>,
    open: CellSet,
    hits: CellSet,
    sunk: CellSet,
    sinkings: Vec<Sinking>,
}

/// An announced sinking and what is certain about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sinking {
    /// The shot that sank the ship.
    pub cell: Cell,
    /// Which ship it was, if that was announced or follows.
    pub class: Option<ClassId>,
    /// Where the whole ship lies, if that follows.
    pub cells: Option<CellSet>,
}

/// Why a shot cannot belong to a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShotError {
    /// Off the board.
    #[error("{cell} is outside the {size} board")]
    Outside {
        /// Of the shot.
        cell: Cell,
        /// Of the board.
        size: Size,
    },
    /// Shot at before.
    #[error("{cell} has been shot at before")]
    Repeated {
        /// Of the shot.
        cell: Cell,
    },
    /// The rules do not announce such an answer.
    #[error("{cell}: with announce={announce} {expected}")]
    NotAnnounced {
        /// Of the shot.
        cell: Cell,
        /// The switch of the rules.
        announce: Announce,
        /// What is announced instead.
        expected: &'static str,
    },
    /// More ships of a class sunk than there are.
    #[error("{cell}: no {ship} is afloat any more")]
    SunkBefore {
        /// Of the shot.
        cell: Cell,
        /// Name of the ship.
        ship: String,
    },
    /// More hits than the fleet has cells.
    #[error("{cell}: all {cells} cells of the fleet have been hit before")]
    TooManyHits {
        /// Of the shot.
        cell: Cell,
        /// Cells of a fleet.
        cells: usize,
    },
    /// The answer contradicts the hits around it.
    #[error("{cell}: no ship fits this answer and the hits before it")]
    Contradiction {
        /// Of the shot.
        cell: Cell,
    },
    /// More misses than the board has water.
    #[error("{cell}: all {cells} cells without a ship have been shot at before")]
    TooManyMisses {
        /// Of the shot.
        cell: Cell,
        /// Cells of the board that no ship covers.
        cells: usize,
    },
    /// All cells hit without all ships sunk, or the other way round.
    #[error("{cell}: {ships} ships are sunk with {hits} of {cells} cells hit")]
    NotAllSunk {
        /// Of the shot.
        cell: Cell,
        /// Ships announced as sunk with this shot.
        ships: usize,
        /// Cells hit with this shot.
        hits: usize,
        /// Cells of a fleet.
        cells: usize,
    },
}

impl Knowledge {
    /// Before the first shot.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.clone(),
            shots: Vec::with_capacity(rules.size().area()),
            open: CellSet::full(rules.size()),
            hits: CellSet::empty(rules.size()),
            sunk: CellSet::empty(rules.size()),
            sinkings: Vec::with_capacity(rules.ship_count()),
        }
    }

    /// Adds a shot with its answer, or changes nothing and says why it cannot be.
    pub fn add(&mut self, shot: Shot) -> Result<(), ShotError> {
        self.check(shot)?;
        self.fold(shot);
        Ok(())
    }

    /// Adds a shot that is known to be possible.
    #[inline(always)]
    pub(crate) fn fold(&mut self, shot: Shot) {
        let index = self.rules.size().index(shot.cell);
        self.shots.push(shot);
        self.open.drop(index);
        if shot.outcome.is_hit() {
            self.hits.put(index);
            if let Outcome::Sunk(class) = shot.outcome {
                self.deduce_sinking(shot.cell, class);
            }
        }
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All shots with their answers, oldest first.
    #[inline]
    pub fn shots(&self) -> &[Shot] {
        &self.shots
    }

    /// The newest shot.
    #[inline]
    pub fn last(&self) -> Option<Shot> {
        self.shots.last().copied()
    }

    /// Cells not shot at.
    #[inline]
    pub fn open(&self) -> &CellSet {
        &self.open
    }

    /// Cells where a ship was hit.
    #[inline]
    pub fn hits(&self) -> &CellSet {
        &self.hits
    }

    /// Cells where there is water.
    pub fn misses(&self) -> CellSet {
        &!&self.open - &self.hits
    }

    /// The announced sinkings, oldest first.
    pub fn sinkings(&self) -> &[Sinking] {
        &self.sinkings
    }

    /// The cells that certainly belong to sunk ships.
    pub fn sunk_cells(&self) -> &CellSet {
        &self.sunk
    }

    /// Hits that are not certainly part of a sunk ship.
    pub fn open_hits(&self) -> CellSet {
        &self.hits - &self.sunk
    }

    /// Whether every ship of the fleet is sunk.
    pub fn is_fleet_sunk(&self) -> bool {
        self.hits.len() == self.rules.fleet_cells()
    }

    /// Ships known to be sunk; `None` where the rules do not announce sinkings and the fleet still fights.
    pub fn ships_sunk(&self) -> Option<usize> {
        if self.is_fleet_sunk() {
            return Some(self.rules.ship_count());
        }
        (self.rules.announce() >= Announce::Sunk).then_some(self.sinkings.len())
    }

    /// How many ships of a class are afloat: at least, and at most.
    pub fn afloat(&self, class: ClassId) -> RangeInclusive<u16> {
        if self.is_fleet_sunk() {
            return 0..=0;
        }
        if self.rules.announce() == Announce::Hit {
            return 0..=self.rules.class(class).count();
        }
        self.not_yet_sunk(class)
    }

    fn not_yet_sunk(&self, class: ClassId) -> RangeInclusive<u16> {
        let count = self.rules.class(class).count();
        let sunk = self.sinkings.iter().filter(|sinking| sinking.class == Some(class)).count();
        let unnamed = self.sinkings.iter().filter(|sinking| sinking.class.is_none()).count();
        let most = count.saturating_sub(sunk as u16);
        most.saturating_sub(unnamed as u16)..=most
    }

    /// Whether a ship of the class may be afloat.
    pub fn may_be_afloat(&self, class: ClassId) -> bool {
        *self.afloat(class).end() > 0
    }

    fn check(&self, shot: Shot) -> Result<(), ShotError> {
        let Shot { cell, outcome } = shot;
        let size = self.rules.size();
        if !size.contains(cell) {
            return Err(ShotError::Outside { cell, size });
        }
        if !self.open.contains(cell) {
            return Err(ShotError::Repeated { cell });
        }
        let announce = self.rules.announce();
        if let Some(expected) = not_announced(announce, outcome) {
            return Err(ShotError::NotAnnounced { cell, announce, expected });
        }
        if outcome.is_hit() && self.is_fleet_sunk() {
            return Err(ShotError::TooManyHits { cell, cells: self.rules.fleet_cells() });
        }
        if let Outcome::Hit(Some(class)) | Outcome::Sunk(Some(class)) = outcome
            && !self.may_be_afloat(class)
        {
            let ship = self.rules.class(class).name().to_owned();
            return Err(ShotError::SunkBefore { cell, ship });
        }
        self.check_counts(shot)?;
        if self.contradicts(shot) { Err(ShotError::Contradiction { cell }) } else { Ok(()) }
    }

    /// Water and ships cannot be more than there are, and a fleet is hit all over exactly when its last ship sinks.
    fn check_counts(&self, shot: Shot) -> Result<(), ShotError> {
        let Shot { cell, outcome } = shot;
        let fleet = self.rules.fleet_cells();
        if !outcome.is_hit() {
            let water = self.rules.size().area() - fleet;
            let misses = self.shots.len() - self.hits.len();
            return if misses < water { Ok(()) } else { Err(ShotError::TooManyMisses { cell, cells: water }) };
        }
        let hits = self.hits.len() + 1;
        let ships = self.sinkings.len() + usize::from(outcome.is_sunk());
        let announced = self.rules.announce() >= Announce::Sunk;
        if announced && (hits == fleet) != (ships == self.rules.ship_count()) {
            return Err(ShotError::NotAllSunk { cell, ships, hits, cells: fleet });
        }
        Ok(())
    }
}

/// What is announced instead, if rules that announce so much would never answer so.
fn not_announced(announce: Announce, outcome: Outcome) -> Option<&'static str> {
    match (announce, outcome) {
        (_, Outcome::Miss)
        | (Announce::Named, Outcome::Hit(Some(_)) | Outcome::Sunk(Some(_)))
        | (Announce::Hit | Announce::Sunk | Announce::Which, Outcome::Hit(None))
        | (Announce::Sunk, Outcome::Sunk(None))
        | (Announce::Which, Outcome::Sunk(Some(_))) => None,
        (Announce::Named, Outcome::Hit(None)) => Some("a hit names its ship, as in B7x:NAME"),
        (Announce::Hit, Outcome::Sunk(_)) => Some("no sinking is announced"),
        (Announce::Sunk, Outcome::Sunk(Some(_))) => Some("the ship that sinks is not named"),
        (Announce::Which | Announce::Named, Outcome::Sunk(None)) => Some("the ship that sinks is named, as in B7#NAME"),
        (_, Outcome::Hit(Some(_))) => Some("a hit does not name its ship"),
    }
}
