//! What a shooter knows of the enemy's board: a fold over announced shots, and nothing else.

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

/// An announced sinking, and what follows about it with certainty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sinking {
    /// The shot that sank the ship.
    pub cell: Cell,
    /// The class of the ship, if that was announced or follows.
    pub class: Option<ClassId>,
    /// All cells of the ship, if they follow.
    pub cells: Option<CellSet>,
}

/// Why a shot cannot belong to a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShotError {
    /// Off the board.
    #[error("{cell} is outside the {size} board")]
    Outside {
        /// The cell of the shot.
        cell: Cell,
        /// The size of the board.
        size: Size,
    },
    /// The cell was shot at before.
    #[error("{cell} has been shot at before")]
    Repeated {
        /// The cell of the shot.
        cell: Cell,
    },
    /// The rules do not announce such an answer.
    #[error("{cell}: with announce={announce} {expected}")]
    NotAnnounced {
        /// The cell of the shot.
        cell: Cell,
        /// What the rules announce.
        announce: Announce,
        /// What is announced instead.
        expected: &'static str,
    },
    /// More ships of a class are sunk than the fleet has.
    #[error("{cell}: no {ship} is afloat any more")]
    SunkBefore {
        /// The cell of the shot.
        cell: Cell,
        /// The name of the ship.
        ship: String,
    },
    /// There are more hits than the fleet has cells.
    #[error("{cell}: all {cells} cells of the fleet have been hit before")]
    TooManyHits {
        /// The cell of the shot.
        cell: Cell,
        /// The number of cells of a fleet.
        cells: usize,
    },
    /// The answer contradicts the hits around it.
    #[error("{cell}: no ship fits this answer and the hits before it")]
    Contradiction {
        /// The cell of the shot.
        cell: Cell,
    },
    /// There are more misses than the board has cells without a ship.
    #[error("{cell}: all {cells} cells without a ship have been shot at before")]
    TooManyMisses {
        /// The cell of the shot.
        cell: Cell,
        /// The number of cells of the board that no ship covers.
        cells: usize,
    },
    /// All cells are hit, but not all ships are sunk, or the other way round.
    #[error("{cell}: {ships} ships are sunk with {hits} of {cells} cells hit")]
    NotAllSunk {
        /// The cell of the shot.
        cell: Cell,
        /// The number of ships sunk after this shot.
        ships: usize,
        /// The number of cells hit after this shot.
        hits: usize,
        /// The number of cells of a fleet.
        cells: usize,
    },
}

impl Knowledge {
    /// The knowledge before the first shot.
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

    /// Adds a shot with its answer. If that is impossible, it changes nothing and says why.
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

    /// The last shot.
    #[inline]
    pub fn last(&self) -> Option<Shot> {
        self.shots.last().copied()
    }

    /// The cells that have not been shot at.
    #[inline]
    pub fn open(&self) -> &CellSet {
        &self.open
    }

    /// The cells where a ship was hit.
    #[inline]
    pub fn hits(&self) -> &CellSet {
        &self.hits
    }

    /// The cells where a shot missed.
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

    /// The hits that do not certainly belong to a sunk ship.
    pub fn open_hits(&self) -> CellSet {
        &self.hits - &self.sunk
    }

    /// Whether every ship of the fleet is sunk.
    pub fn is_fleet_sunk(&self) -> bool {
        self.hits.len() == self.rules.fleet_cells()
    }

    /// The number of ships known to be sunk. It is `None` before the end if the rules do not announce sinkings.
    pub fn ships_sunk(&self) -> Option<usize> {
        if self.is_fleet_sunk() {
            return Some(self.rules.ship_count());
        }
        (self.rules.announce() >= Announce::Sunk).then_some(self.sinkings.len())
    }

    /// The least and the greatest number of ships of a class that may be afloat.
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

    /// Whether a ship of a class may be afloat.
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

    /// Checks the numbers of hits, misses and sunk ships. The last ship sinks exactly when all cells of the fleet are hit.
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

/// What the rules announce instead, if they never give such an answer.
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
