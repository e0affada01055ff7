//! Every legal fleet, ship by ship in a fixed order.

use super::Lines;
use crate::{ClassId, Fleet, Rules, Ship};

/// Iterator over every legal fleet, ships of one class interchangeable.
pub struct AllFleets {
    rules: Rules,
    lines: Vec<Lines>,
    /// The place to try next for each ship on the path; one more than there are ships placed.
    next: Vec<usize>,
    ships: Vec<Ship>,
}

impl AllFleets {
    pub(super) fn new(rules: &Rules) -> Self {
        let class_of_each = |class: ClassId| std::iter::repeat_n(class, usize::from(rules.class(class).count()));
        Self {
            rules: rules.clone(),
            lines: rules.class_ids().flat_map(class_of_each).map(|class| Lines::new(rules, class)).collect(),
            next: vec![0],
            ships: Vec::new(),
        }
    }

    /// Counts the rest without building fleets.
    pub fn count_rest(mut self) -> u64 {
        let mut count = 0;
        while self.advance() {
            count += 1;
        }
        count
    }

    /// Moves to the next complete layout.
    fn advance(&mut self) -> bool {
        if self.ships.len() == self.lines.len() {
            self.ships.pop();
        }
        while let Some(next) = self.next.last_mut() {
            let depth = self.ships.len();
            let lines = &self.lines[depth];
            if *next == lines.count() {
                self.next.pop();
                self.ships.pop();
                continue;
            }
            let index = *next;
            *next += 1;
            let ship = lines.get(index);
            if self.ships.iter().any(|other| ship.conflicts(other, self.rules.touching())) {
                continue;
            }
            self.ships.push(ship);
            match self.lines.get(depth + 1) {
                None => return true,
                // Ships of one class stand in rising order, so that each set of places comes once.
                Some(following) if following.class == lines.class => self.next.push(index + 1),
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
