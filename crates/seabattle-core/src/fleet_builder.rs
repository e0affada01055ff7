//! Building a fleet ship by ship, each legal beside the others.

use crate::fleet::validate;
use crate::{Cell, ClassId, Fleet, FleetError, Placement, Rules, Ship, Violation, ViolationKind};

/// A fleet that is being built. Its ships are always legal together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetBuilder {
    rules: Rules,
    ships: Vec<Ship>,
}

impl FleetBuilder {
    /// A builder without ships.
    pub fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), ships: Vec::new() }
    }

    /// The rules of the fleet.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The ships placed so far, in the order of placing.
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// How many ships of a class are still to be placed.
    pub fn missing(&self, class: ClassId) -> u16 {
        let placed = self.ships.iter().filter(|ship| ship.class() == class).count();
        self.rules.class(class).count().saturating_sub(placed as u16)
    }

    /// Whether every ship is placed.
    pub fn is_complete(&self) -> bool {
        self.ships.len() == self.rules.ship_count()
    }

    /// What is wrong with a placement; empty if the ship can be placed.
    pub fn violations(&self, placement: &Placement) -> Vec<Violation> {
        self.validate(placement).err().map_or_else(Vec::new, |refused| refused.violations)
    }

    /// Places a ship. If that is not possible, it changes nothing and returns what is wrong.
    pub fn place(&mut self, placement: &Placement) -> Result<Ship, FleetError> {
        let ship = self.validate(placement)?;
        self.ships.push(ship);
        Ok(ship)
    }

    /// Removes the ship on a cell.
    pub fn remove(&mut self, cell: Cell) -> Option<Ship> {
        let at = self.ships.iter().position(|ship| ship.covers(cell))?;
        Some(self.ships.remove(at))
    }

    /// Removes the ship that was placed last.
    pub fn take_back(&mut self) -> Option<Ship> {
        self.ships.pop()
    }

    /// Removes all ships.
    pub fn clear(&mut self) {
        self.ships.clear();
    }

    /// The finished fleet, or the ships that are missing.
    pub fn fleet(&self) -> Result<Fleet, FleetError> {
        if self.is_complete() {
            return Ok(Fleet::of_legal(&self.rules, self.ships.clone()));
        }
        let missing = self.rules.class_ids().map(|id| (id, self.missing(id))).filter(|(_, count)| *count > 0);
        let violations = missing.map(|(id, count)| self.violation(id, ViolationKind::Missing { count })).collect();
        Err(FleetError { violations })
    }

    fn validate(&self, placement: &Placement) -> Result<Ship, FleetError> {
        let surplus = self.missing(placement.class) == 0;
        validate(&self.rules, &self.ships, placement, surplus).map_err(|refused| FleetError {
            violations: refused.kinds.into_iter().map(|kind| self.violation(placement.class, kind)).collect(),
        })
    }

    fn violation(&self, class: ClassId, kind: ViolationKind) -> Violation {
        Violation { ship: self.rules.class(class).name().to_owned(), kind }
    }
}

impl From<&Fleet> for FleetBuilder {
    fn from(fleet: &Fleet) -> Self {
        Self { rules: fleet.rules().clone(), ships: fleet.ships().to_vec() }
    }
}
