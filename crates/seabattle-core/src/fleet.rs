//! Legal fleets: made from proposed placements, and hit by shots.

mod placement;

use std::fmt;

use crate::{Announce, Cell, CellSet, ClassId, Outcome, Rules, Ship};

pub(crate) use placement::validate;
pub use placement::{FleetError, ParsePlacementError, Placement, Shape, Violation, ViolationKind};

/// A legal fleet: all ships on their cells. It is the only secret of a game.
///
/// Ships are sorted by class, then by place, so equal layouts are equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fleet {
    rules: Rules,
    ships: Box<[Ship]>,
    occupied: CellSet,
}

/// The effect of a shot, whether or not the rules announce it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShotEffect {
    Miss,
    Hit { ship: Ship, sunk: bool },
}

impl Fleet {
    /// Makes a fleet from placements, or returns everything that is wrong with them.
    ///
    /// ```
    /// use seabattle_core::{Fleet, Placement, Rules};
    ///
    /// let rules: Rules = "4x4:3,2".parse()?;
    /// let placements = [
    ///     Placement::parse(&rules, "3 A1 across")?,
    ///     Placement::parse(&rules, "2 C1 down")?,
    /// ];
    /// let refused = Fleet::new(&rules, &placements).unwrap_err();
    /// assert_eq!(refused.to_string(), "2: C1 is taken by the 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rules: &Rules, placements: &[Placement]) -> Result<Self, FleetError> {
        placement::check(rules, placements).map(|ships| Self::of_legal(rules, ships))
    }

    /// Makes a fleet from ships, or returns everything that is wrong with them.
    pub fn of_ships(rules: &Rules, ships: Vec<Ship>) -> Result<Self, FleetError> {
        let is_counted = |class: ClassId| {
            let count = ships.iter().filter(|ship| ship.class() == class).count();
            count == usize::from(rules.class(class).count())
        };
        let apart = |(at, ship): (usize, &Ship)| {
            ship.is_within(rules.size()) && !ships[..at].iter().any(|other| ship.conflicts(other, rules.touching()))
        };
        let same_lengths = ships.iter().all(|ship| ship.length() == rules.class(ship.class()).length());
        if same_lengths && rules.class_ids().all(is_counted) && ships.iter().enumerate().all(apart) {
            return Ok(Self::of_legal(rules, ships));
        }
        let placements: Vec<Placement> =
            ships.iter().map(|ship| Placement::cells(ship.class(), ship.cells())).collect();
        Self::new(rules, &placements)
    }

    /// Parses a fleet: ships separated by commas, as in `carrier A1 across, destroyer C3 down`.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, ParseFleetError> {
        let placements = placement::parse_list(rules, text)?;
        Ok(Self::new(rules, &placements)?)
    }

    /// Makes a fleet from ships that are known to be legal together.
    pub(crate) fn of_legal(rules: &Rules, mut ships: Vec<Ship>) -> Self {
        ships.sort_unstable();
        let mut occupied = CellSet::empty(rules.size());
        for ship in &ships {
            occupied |= &CellSet::of_ship(rules.size(), ship);
        }
        Self { rules: rules.clone(), ships: ships.into(), occupied }
    }

    /// The rules of the fleet.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All ships of the fleet, sorted by class, then by place.
    #[inline]
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// The cells that the fleet covers.
    #[inline]
    pub fn occupied(&self) -> &CellSet {
        &self.occupied
    }

    /// The ship on a cell, if there is one.
    #[inline]
    pub fn ship_at(&self, cell: Cell) -> Option<&Ship> {
        self.occupied.contains(cell).then(|| self.ships.iter().find(|ship| ship.covers(cell))).flatten()
    }

    /// The ships that are afloat after these hits.
    pub fn afloat(&self, hits: &CellSet) -> impl Iterator<Item = &Ship> {
        self.ships.iter().filter(|ship| !is_sunk(ship, hits))
    }

    /// The cells of the ships that are sunk after these hits.
    pub fn sunk_cells(&self, hits: &CellSet) -> CellSet {
        let sunk = self.ships.iter().filter(|ship| is_sunk(ship, hits));
        CellSet::of(self.rules.size(), sunk.flat_map(Ship::cells))
    }

    /// The answer to a shot at a cell after these hits. No other function answers shots.
    pub fn answer(&self, cell: Cell, hits: &CellSet) -> Outcome {
        let effect = if self.occupied.contains(cell) { self.hit_ship(cell, hits) } else { ShotEffect::Miss };
        self.announce(effect)
    }

    /// The effect of a shot at a cell of the board.
    #[inline]
    pub(crate) fn effect(&self, cell: Cell, hits: &CellSet) -> ShotEffect {
        let is_occupied = self.occupied.has(hits.size().index(cell));
        if is_occupied { self.hit_ship(cell, hits) } else { ShotEffect::Miss }
    }

    fn hit_ship(&self, cell: Cell, hits: &CellSet) -> ShotEffect {
        let Some(&ship) = self.ships.iter().find(|ship| ship.covers(cell)) else {
            return ShotEffect::Miss;
        };
        let mut unhit = &CellSet::of_ship(hits.size(), &ship) - hits;
        unhit.remove(cell);
        ShotEffect::Hit { ship, sunk: unhit.is_empty() }
    }

    #[inline]
    pub(crate) fn announce(&self, effect: ShotEffect) -> Outcome {
        let ShotEffect::Hit { ship, sunk } = effect else {
            return Outcome::Miss;
        };
        let announce = self.rules.announce();
        if sunk && announce >= Announce::Sunk {
            Outcome::Sunk((announce >= Announce::Which).then_some(ship.class()))
        } else {
            Outcome::Hit((announce == Announce::Named).then_some(ship.class()))
        }
    }
}

fn is_sunk(ship: &Ship, hits: &CellSet) -> bool {
    CellSet::of_ship(hits.size(), ship).is_subset(hits)
}

/// Prints the ships as they are typed, separated by commas: `carrier A1 across, destroyer C3 down`.
impl fmt::Display for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, ship) in self.ships.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            let name = self.rules.class(ship.class()).name();
            write!(f, "{separator}{name} {} {}", ship.start(), ship.orientation())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fleet({self})")
    }
}

/// Why a text is not a fleet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseFleetError {
    /// A ship cannot be read.
    #[error(transparent)]
    Placement(#[from] ParsePlacementError),
    /// The ships do not make a legal fleet.
    #[error(transparent)]
    Illegal(#[from] FleetError),
}
