//! Enumeration of every legal fleet, ship by ship in a fixed order.

use super::ShipPlacements;
use crate::{ClassId, Fleet, Rules, Ship};

/// An iterator over all legal fleets. Ships of one class are interchangeable.
pub struct AllFleets {
    rules: Rules,
    placements: Vec<ShipPlacements>,
    /// For each placed ship, and the one after it, the placement to try next.
    next: Vec<usize>,
    ships: Vec<Ship>,
}

impl AllFleets {
    pub(super) fn new(rules: &Rules) -> Self {
        let class_of_each = |class: ClassId| std::iter::repeat_n(class, usize::from(rules.class(class).count()));
        Self {
            rules: rules.clone(),
            placements: rules
                .class_ids()
                .flat_map(class_of_each)
                .map(|class| ShipPlacements::new(rules, class))
                .collect(),
            next: vec![0],
            ships: Vec::new(),
        }
    }

    /// Counts the remaining fleets without building them.
    pub fn count_rest(mut self) -> u64 {
        let mut count = 0;
        while self.advance() {
            count += 1;
        }
        count
    }

    /// Advances to the next complete layout; false at the end.
    fn advance(&mut self) -> bool {
        if self.ships.len() == self.placements.len() {
            self.ships.pop();
        }
        while let Some(next) = self.next.last_mut() {
            let depth = self.ships.len();
            let placements = &self.placements[depth];
            if *next == placements.count() {
                self.next.pop();
                self.ships.pop();
                continue;
            }
            let index = *next;
            *next += 1;
            let ship = placements.get(index);
            if self.ships.iter().any(|other| ship.conflicts(other, self.rules.touching())) {
                continue;
            }
            self.ships.push(ship);
            match self.placements.get(depth + 1) {
                None => return true,
                // Ships of one class stand in rising order, so that each set of places comes once.
                Some(following) if following.class == placements.class => self.next.push(index + 1),
                Some(_) => self.next.push(0),
            }
        }
        false
    }
}

impl Iterator for AllFleets {
    type Item = Fleet;

    fn next(&mut self) -> Option<Fleet> {
        self.advance().then(|| Fleet::of_legal(&self.rules, self.ships.clone()))
    }
}
