//! A table of consistent layouts: which layouts cover a cell, and with which ship.

use std::collections::HashMap;

use seabattle_core::{Announce, Cell, Knowledge, Outcome, Ship};
use seabattle_odds::ConsistentLayouts;

use super::answer_split::AnswerSplit;
use super::layout_set::LayoutSet;

/// A set of cells in play, one bit each. A cell is in play if a shot there is legal and some layout covers it.
pub(super) type CellMask = u128;

/// A table of all consistent layouts of a position, or of some of them.
pub(super) struct LayoutTable<const W: usize> {
    /// The cells that at least one layout covers.
    pub(super) covered_cells: Vec<CoveredCell<W>>,
    ships: Vec<ShipAfloat<W>>,
    /// The ships over each covered cell, cell after cell.
    ships_over: Vec<u16>,
    /// The ships of each layout, layout after layout.
    layout_ships: Vec<u16>,
    ships_per_layout: usize,
}

/// A cell that some layouts cover with a ship.
pub(super) struct CoveredCell<const W: usize> {
    /// The number of the cell in a [`CellMask`].
    pub(super) number: u8,
    /// The layouts that cover the cell.
    pub(super) layouts: LayoutSet<W>,
    /// The end of the cell's ships in `ships_over`. They start where those of the cell before it end.
    ships_end: u16,
}

/// A summary of how many layouts cover each cell.
pub(super) struct Coverage {
    /// Whether all layouts cover some cell that was not hit yet.
    pub(super) has_certain_hit: bool,
    /// Whether some cell is covered by some layouts but not by all.
    pub(super) has_uncertain_cell: bool,
}

/// A ship that is afloat in some layouts.
#[derive(Clone, Copy)]
struct ShipAfloat<const W: usize> {
    /// The cells of the ship that were not hit yet.
    unhit: CellMask,
    hit: Outcome,
    sunk: Outcome,
    layouts: LayoutSet<W>,
}

/// The number of a ship that was sunk.
const SUNK: u16 = u16::MAX;

impl<const W: usize> LayoutTable<W> {
    /// A table of all layouts, with the cells in play by their numbers. `None` if there are too many cells.
    pub(super) fn new(knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<(Self, Vec<Cell>)> {
        let mut cells = CellNumbering::new(knowledge);
        let table = Self::with_numbering(knowledge, layouts, &mut cells)?;
        Some((table, cells.cells))
    }

    /// A table of all layouts, with cells numbered in row order, independent of the layouts. `None` if the board is too
    /// large.
    pub(super) fn in_row_order(knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<Self> {
        Self::with_numbering(knowledge, layouts, &mut CellNumbering::in_row_order(knowledge)?)
    }

    fn with_numbering(
        knowledge: &Knowledge,
        layouts: &ConsistentLayouts,
        cells: &mut CellNumbering<'_>,
    ) -> Option<Self> {
        let mut ships: Vec<ShipAfloat<W>> = Vec::new();
        let mut numbers: HashMap<Ship, u16> = HashMap::new();
        let ships_per_layout = knowledge.rules().ship_count();
        let mut layout_ships = Vec::with_capacity(layouts.len() * ships_per_layout);
        for (layout, fleet) in layouts.iter().enumerate() {
            for ship in fleet {
                let number = match numbers.get(ship) {
                    Some(number) => *number,
                    None => {
                        let unhit = cells.unhit_cells(ship)?;
                        let number = if unhit == 0 { SUNK } else { u16::try_from(ships.len()).ok()? };
                        if unhit != 0 {
                            ships.push(ShipAfloat::new(knowledge, ship, unhit));
                        }
                        numbers.insert(*ship, number);
                        number
                    }
                };
                layout_ships.push(number);
                if let Some(ship) = ships.get_mut(usize::from(number)) {
                    ship.layouts.insert(layout);
                }
            }
        }
        Some(Self::from_ships(ships, layout_ships, ships_per_layout))
    }

    fn from_ships(ships: Vec<ShipAfloat<W>>, layout_ships: Vec<u16>, ships_per_layout: usize) -> Self {
        let mut counts = [0_u16; CellMask::BITS as usize];
        for ship in &ships {
            set_bits(ship.unhit).for_each(|cell| counts[cell] += 1);
        }
        let mut covered_cells = Vec::with_capacity(counts.len());
        let mut next_slot = [0_usize; CellMask::BITS as usize];
        let mut covered_index = [0_usize; CellMask::BITS as usize];
        let mut ships_end = 0;
        for (cell, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            next_slot[cell] = usize::from(ships_end);
            covered_index[cell] = covered_cells.len();
            ships_end += count;
            covered_cells.push(CoveredCell { number: cell as u8, layouts: LayoutSet::EMPTY, ships_end });
        }
        let mut ships_over = vec![0; usize::from(ships_end)];
        for (number, ship) in ships.iter().enumerate() {
            for cell in set_bits(ship.unhit) {
                ships_over[next_slot[cell]] = number as u16;
                next_slot[cell] += 1;
                let layouts = &mut covered_cells[covered_index[cell]].layouts;
                *layouts = layouts.or(&ship.layouts);
            }
        }
        Self { covered_cells, ships, ships_over, layout_ships, ships_per_layout }
    }

    pub(super) fn all_layouts(&self) -> LayoutSet<W> {
        LayoutSet::first(self.layout_ships.len() / self.ships_per_layout)
    }

    /// A table of some of the layouts, as many as it can hold.
    pub(super) fn subtable<const V: usize>(&self, layouts: &LayoutSet<W>) -> LayoutTable<V> {
        let mut numbers = vec![SUNK; self.ships.len()];
        let mut ships: Vec<ShipAfloat<V>> = Vec::with_capacity(self.ships.len());
        let mut layout_ships = Vec::with_capacity(layouts.len() as usize * self.ships_per_layout);
        for (layout, old_layout) in layouts.iter().take(64 * V).enumerate() {
            for &ship in &self.layout_ships[old_layout * self.ships_per_layout..][..self.ships_per_layout] {
                let Some(number) = numbers.get_mut(usize::from(ship)) else {
                    layout_ships.push(SUNK);
                    continue;
                };
                if *number == SUNK {
                    *number = ships.len() as u16;
                    let ShipAfloat { unhit, hit, sunk, .. } = self.ships[usize::from(ship)];
                    ships.push(ShipAfloat { unhit, hit, sunk, layouts: LayoutSet::EMPTY });
                }
                ships[usize::from(*number)].layouts.insert(layout);
                layout_ships.push(*number);
            }
        }
        LayoutTable::from_ships(ships, layout_ships, self.ships_per_layout)
    }

    /// Counts the layouts over each covered cell, among the layouts that are left after some hits.
    pub(super) fn count_coverage(&self, layouts: &LayoutSet<W>, hits: CellMask, counts: &mut Vec<u32>) -> Coverage {
        counts.clear();
        counts.extend(self.covered_cells.iter().map(|covered| covered.layouts.common_count(layouts)));
        let layout_count = layouts.len();
        let cells_with_count = |number: u32| counts.iter().map(|&count| u32::from(count == number)).sum::<u32>();
        let (always_covered, never_covered) = (cells_with_count(layout_count), cells_with_count(0));
        Coverage {
            // Cells that were hit before are certain too.
            has_certain_hit: always_covered > hits.count_ones(),
            has_uncertain_cell: always_covered + never_covered < counts.len() as u32,
        }
    }

    /// Splits the layouts by their answer to a shot, after hits at some cells.
    pub(super) fn split(&self, layouts: &LayoutSet<W>, hits: CellMask, index: usize) -> AnswerSplit<W> {
        let covered = &self.covered_cells[index];
        let mut split = AnswerSplit::new(layouts.without(&covered.layouts));
        let ships_start = index.checked_sub(1).map_or(0, |before| self.covered_cells[before].ships_end);
        for &ship in &self.ships_over[usize::from(ships_start)..usize::from(covered.ships_end)] {
            let ship = &self.ships[usize::from(ship)];
            let struck_layouts = ship.layouts.and(layouts);
            if !struck_layouts.is_empty() {
                let sinks = ship.unhit & !hits == covered.bit();
                split.add(if sinks { ship.sunk } else { ship.hit }, &struck_layouts);
            }
        }
        split
    }
}

impl<const W: usize> CoveredCell<W> {
    pub(super) fn bit(&self) -> CellMask {
        1 << self.number
    }
}

impl<const W: usize> ShipAfloat<W> {
    fn new(knowledge: &Knowledge, ship: &Ship, unhit: CellMask) -> Self {
        let class = Some(ship.class());
        let (hit, sunk) = match knowledge.rules().announce() {
            Announce::Hit => (Outcome::Hit(None), Outcome::Hit(None)),
            Announce::Sunk => (Outcome::Hit(None), Outcome::Sunk(None)),
            Announce::Which => (Outcome::Hit(None), Outcome::Sunk(class)),
            Announce::Named => (Outcome::Hit(class), Outcome::Sunk(class)),
        };
        Self { unhit, hit, sunk, layouts: LayoutSet::EMPTY }
    }
}

/// Numbers the cells in play in the order in which they come up.
struct CellNumbering<'a> {
    knowledge: &'a Knowledge,
    numbers: Vec<Option<u8>>,
    cells: Vec<Cell>,
}

impl<'a> CellNumbering<'a> {
    fn new(knowledge: &'a Knowledge) -> Self {
        Self { knowledge, numbers: vec![None; knowledge.rules().size().area()], cells: Vec::new() }
    }

    fn in_row_order(knowledge: &'a Knowledge) -> Option<Self> {
        let size = knowledge.rules().size();
        let numbers = (0..size.area()).map(|index| u8::try_from(index).ok()).collect();
        (size.area() <= CellMask::BITS as usize).then(|| Self { knowledge, numbers, cells: size.cells().collect() })
    }

    /// The cells of a ship that were not hit yet. `None` if there are more cells than bits.
    fn unhit_cells(&mut self, ship: &Ship) -> Option<CellMask> {
        let mut unhit = 0;
        for cell in ship.cells().filter(|&cell| self.knowledge.open().contains(cell)) {
            let number = &mut self.numbers[self.knowledge.rules().size().index(cell)];
            if number.is_none() {
                *number = u8::try_from(self.cells.len()).ok().filter(|number| u32::from(*number) < CellMask::BITS);
                self.cells.push(cell);
            }
            unhit |= 1 << (*number)?;
        }
        Some(unhit)
    }
}

fn set_bits(mut cells: CellMask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (cells != 0).then(|| cells.trailing_zeros() as usize);
        cells &= cells.wrapping_sub(1);
        lowest
    })
}
