//! A position in the form that the networks were trained on.

use seabattle_core::{Knowledge, Outcome};

use crate::fleet_slots::{FleetSlots, SLOTS};

/// What is known of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellState {
    /// The cell has not been fired at.
    Unknown,
    Miss,
    /// A hit; bit i is set if a ship of slot i was afloat at that moment.
    Hit(u8),
    /// A sunk ship of this slot: the shot that sank it where ships may touch, and all its cells where they may not.
    Sunk(usize),
}

/// A position as the input planes need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) cells: Vec<CellState>,
    /// The number of ships afloat in each slot.
    pub(crate) afloat: [u8; SLOTS],
    /// Cells that cannot hold a ship because ships do not touch: beside a sunk ship, or at the corner of a hit.
    pub(crate) blocked: Vec<bool>,
}

impl Position {
    /// The position of some knowledge; `None` if it is of other rules.
    pub(crate) fn of(fleet_slots: &FleetSlots, knowledge: &Knowledge) -> Option<Self> {
        let rules = knowledge.rules();
        if !fleet_slots.fit(rules) {
            return None;
        }
        let mut position = Self {
            cells: vec![CellState::Unknown; fleet_slots.area()],
            afloat: fleet_slots.slots.map(|slot| slot.ships),
            blocked: vec![false; fleet_slots.area()],
        };
        for shot in knowledge.shots() {
            let at = rules.size().index(shot.cell);
            match shot.outcome {
                Outcome::Miss => position.cells[at] = CellState::Miss,
                Outcome::Hit(_) => position.cells[at] = CellState::Hit(position.afloat_bits()),
                Outcome::Sunk(class) => {
                    let ship = if fleet_slots.touching {
                        vec![at]
                    } else {
                        position.hits_in_line(usize::from(fleet_slots.side), at)
                    };
                    let slot = match class {
                        Some(class) => fleet_slots.slot_of(rules, class)?,
                        None => fleet_slots.slot_of_length(ship.len())?,
                    };
                    position.afloat[slot] = position.afloat[slot].saturating_sub(1);
                    for at in ship {
                        position.cells[at] = CellState::Sunk(slot);
                    }
                }
            }
        }
        if !fleet_slots.touching {
            position.block(usize::from(fleet_slots.side));
        }
        Some(position)
    }

    /// Whether a ship can be on a cell, judged by the cells around it.
    pub(crate) fn may_hold_a_ship(&self, at: usize) -> bool {
        self.cells[at] == CellState::Unknown && !self.blocked[at]
    }

    /// The same position with the names of two slots exchanged.
    pub(crate) fn with_names_exchanged(&self, (a, b): (usize, usize)) -> Self {
        let other = |slot: usize| match slot {
            _ if slot == a => b,
            _ if slot == b => a,
            _ => slot,
        };
        let renamed_bits = |bits: u8| (0..SLOTS).fold(0, |sum, slot| sum | (bits >> slot & 1) << other(slot));
        let exchanged = |cell: &CellState| match *cell {
            CellState::Hit(bits) => CellState::Hit(renamed_bits(bits)),
            CellState::Sunk(slot) => CellState::Sunk(other(slot)),
            cell => cell,
        };
        let mut afloat = self.afloat;
        afloat.swap(a, b);
        Self { cells: self.cells.iter().map(exchanged).collect(), afloat, blocked: self.blocked.clone() }
    }

    fn afloat_bits(&self) -> u8 {
        (0..SLOTS).filter(|&slot| self.afloat[slot] > 0).fold(0, |bits, slot| bits | 1 << slot)
    }

    /// A cell and the hits in line with it.
    fn hits_in_line(&self, side: usize, at: usize) -> Vec<usize> {
        let mut cells = vec![at];
        for (rows, cols) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let mut reach = neighbour(side, at, rows, cols);
            while let Some(next) = reach.filter(|&next| matches!(self.cells[next], CellState::Hit(_))) {
                cells.push(next);
                reach = neighbour(side, next, rows, cols);
            }
        }
        cells
    }

    fn block(&mut self, side: usize) {
        for at in 0..self.cells.len() {
            let sunk = matches!(self.cells[at], CellState::Sunk(_));
            if !sunk && !matches!(self.cells[at], CellState::Hit(_)) {
                continue;
            }
            for (rows, cols) in AROUND {
                let corner = rows != 0 && cols != 0;
                if let Some(next) = neighbour(side, at, rows, cols).filter(|_| sunk || corner) {
                    self.blocked[next] |= self.cells[next] == CellState::Unknown;
                }
            }
        }
    }
}

const AROUND: [(isize, isize); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The cell this many rows and columns away, if it is on the board.
pub(crate) fn neighbour(side: usize, at: usize, rows: isize, cols: isize) -> Option<usize> {
    let row = (at / side).checked_add_signed(rows).filter(|&row| row < side)?;
    let col = (at % side).checked_add_signed(cols).filter(|&col| col < side)?;
    Some(row * side + col)
}
