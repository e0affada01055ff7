//! A position as the network was shown it in training.

use seabattle_core::{Knowledge, Outcome};

use crate::slots::{SLOTS, Slots};

/// What is known of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// Not shot at.
    Unknown,
    Miss,
    /// A hit; bit i says that a ship of slot i was afloat when it was made.
    Hit(u8),
    /// Where ships may touch, the shot that sank a ship of this slot; where they keep apart, any cell of one.
    Sunk(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) spots: Vec<Spot>,
    /// Ships of each slot afloat.
    pub(crate) afloat: [u8; SLOTS],
    /// Beside a sunk ship, or at the corner of a hit, where ships keep apart.
    pub(crate) blocked: Vec<bool>,
}

impl Position {
    /// `None` if the knowledge is of other rules.
    pub(crate) fn of(slots: &Slots, knowledge: &Knowledge) -> Option<Self> {
        let rules = knowledge.rules();
        if !slots.fit(rules) {
            return None;
        }
        let mut position = Self {
            spots: vec![Spot::Unknown; slots.area()],
            afloat: slots.slots.map(|slot| slot.ships),
            blocked: vec![false; slots.area()],
        };
        for shot in knowledge.shots() {
            let at = rules.size().index(shot.cell);
            match shot.outcome {
                Outcome::Miss => position.spots[at] = Spot::Miss,
                Outcome::Hit(_) => position.spots[at] = Spot::Hit(position.afloat_bits()),
                Outcome::Sunk(class) => {
                    let ship =
                        if slots.touching { vec![at] } else { position.hits_in_line(usize::from(slots.side), at) };
                    let slot = match class {
                        Some(class) => slots.slot_of(rules, class)?,
                        None => slots.slot_of_length(ship.len())?,
                    };
                    position.afloat[slot] = position.afloat[slot].saturating_sub(1);
                    for at in ship {
                        position.spots[at] = Spot::Sunk(slot);
                    }
                }
            }
        }
        if !slots.touching {
            position.block(usize::from(slots.side));
        }
        Some(position)
    }

    /// Whether a ship may lie here, as far as a glance tells.
    pub(crate) fn may_hold_a_ship(&self, at: usize) -> bool {
        self.spots[at] == Spot::Unknown && !self.blocked[at]
    }

    /// As it would be had two slots each other's name.
    pub(crate) fn renamed(&self, (a, b): (usize, usize)) -> Self {
        let other = |slot: usize| match slot {
            _ if slot == a => b,
            _ if slot == b => a,
            _ => slot,
        };
        let renamed_bits = |bits: u8| (0..SLOTS).fold(0, |sum, slot| sum | (bits >> slot & 1) << other(slot));
        let renamed = |spot: &Spot| match *spot {
            Spot::Hit(bits) => Spot::Hit(renamed_bits(bits)),
            Spot::Sunk(slot) => Spot::Sunk(other(slot)),
            spot => spot,
        };
        let mut afloat = self.afloat;
        afloat.swap(a, b);
        Self { spots: self.spots.iter().map(renamed).collect(), afloat, blocked: self.blocked.clone() }
    }

    fn afloat_bits(&self) -> u8 {
        (0..SLOTS).filter(|&slot| self.afloat[slot] > 0).fold(0, |bits, slot| bits | 1 << slot)
    }

    /// A cell and the hits in line with it.
    fn hits_in_line(&self, side: usize, at: usize) -> Vec<usize> {
        let mut cells = vec![at];
        for (rows, cols) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let mut reach = neighbour(side, at, rows, cols);
            while let Some(next) = reach.filter(|&next| matches!(self.spots[next], Spot::Hit(_))) {
                cells.push(next);
                reach = neighbour(side, next, rows, cols);
            }
        }
        cells
    }

    fn block(&mut self, side: usize) {
        for at in 0..self.spots.len() {
            let sunk = matches!(self.spots[at], Spot::Sunk(_));
            if !sunk && !matches!(self.spots[at], Spot::Hit(_)) {
                continue;
            }
            for (rows, cols) in AROUND {
                let corner = rows != 0 && cols != 0;
                if let Some(next) = neighbour(side, at, rows, cols).filter(|_| sunk || corner) {
                    self.blocked[next] |= self.spots[next] == Spot::Unknown;
                }
            }
        }
    }
}

const AROUND: [(isize, isize); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The cell so many rows and columns on, if it is on the board.
pub(crate) fn neighbour(side: usize, at: usize, rows: isize, cols: isize) -> Option<usize> {
    let row = (at / side).checked_add_signed(rows).filter(|&row| row < side)?;
    let col = (at % side).checked_add_signed(cols).filter(|&col| col < side)?;
    Some(row * side + col)
}
