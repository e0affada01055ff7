//! A fleet in the making: ships placed one by one, each legal beside the others.

use crate::fleet::examine;
use crate::{Cell, ClassId, Fleet, FleetError, Placement, Reason, Refusal, Rules, Ship};

/// Ships placed so far. What is in it is always legal; what is missing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetBuilder {
    rules: Rules,
    ships: Vec<Ship>,
}

impl FleetBuilder {
    /// No ship yet.
    pub fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), ships: Vec::new() }
    }

    /// The rules that the ships obey.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The ships placed, in the order of placing.
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

    /// All the reasons why a ship cannot be placed so; none if it can.
    pub fn refusals(&self, placement: &Placement) -> Vec<Refusal> {
        self.examine(placement).err().map_or_else(Vec::new, |refused| refused.refusals)
    }

    /// Places a ship, or changes nothing and says why not.
    pub fn place(&mut self, placement: &Placement) -> Result<Ship, FleetError> {
        let ship = self.examine(placement)?;
        self.ships.push(ship);
        Ok(ship)
    }

    /// Takes the ship on a cell back.
    pub fn remove(&mut self, cell: Cell) -> Option<Ship> {
        let at = self.ships.iter().position(|ship| ship.covers(cell))?;
        Some(self.ships.remove(at))
    }

    /// Takes the ship placed last back.
    pub fn take_back(&mut self) -> Option<Ship> {
        self.ships.pop()
    }

    /// Takes all ships back.
    pub fn clear(&mut self) {
        self.ships.clear();
    }

    /// The fleet, if it is complete.
    pub fn fleet(&self) -> Result<Fleet, FleetError> {
        if self.is_complete() {
            return Ok(Fleet::of_legal(&self.rules, self.ships.clone()));
        }
        let missing = self.rules.class_ids().map(|id| (id, self.missing(id))).filter(|(_, count)| *count > 0);
        let refusals = missing.map(|(id, count)| self.refusal(id, Reason::Missing { count })).collect();
        Err(FleetError { refusals })
    }

    fn examine(&self, placement: &Placement) -> Result<Ship, FleetError> {
        let surplus = self.missing(placement.class) == 0;
        examine(&self.rules, &self.ships, placement, surplus).map_err(|refused| FleetError {
            refusals: refused.reasons.into_iter().map(|reason| self.refusal(placement.class, reason)).collect(),
        })
    }

    fn refusal(&self, class: ClassId, reason: Reason) -> Refusal {
        Refusal { ship: self.rules.class(class).name().to_owned(), reason }
    }
}

impl From<&Fleet> for FleetBuilder {
    fn from(fleet: &Fleet) -> Self {
        Self { rules: fleet.rules().clone(), ships: fleet.ships().to_vec() }
    }
}
