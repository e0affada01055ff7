//! Layouts side by side: which of them have a ship on a cell, and which ship.

use std::collections::HashMap;

use seabattle_core::{Announce, Cell, Knowledge, Outcome, Ship};
use seabattle_odds::ConsistentLayouts;

use super::answer_split::AnswerSplit;
use super::layout_set::LayoutSet;

/// Cells in play, one bit each: those not shot at that some layout of the position covers.
pub(super) type Cells = u128;

/// All layouts of a position, or some of them.
pub(super) struct LayoutTable<const W: usize> {
    /// Where ships may lie in these layouts.
    pub(super) spots: Vec<Spot<W>>,
    ships: Vec<ShipAfloat<W>>,
    /// The ships over each spot, spot after spot.
    through: Vec<u16>,
    /// The ships of each layout, layout after layout.
    members: Vec<u16>,
    ships_each: usize,
}

/// A cell under a ship in some layouts.
pub(super) struct Spot<const W: usize> {
    /// Its number among the cells in play.
    pub(super) cell: u8,
    /// The layouts with a ship there.
    pub(super) covers: LayoutSet<W>,
    /// Where the ships over it end in their list; they begin where those of the spot before it end.
    end: u16,
}

/// What there is among the spots that some layouts cover.
pub(super) struct Coverage {
    /// A hit to come in all of them.
    pub(super) certain: bool,
    /// A spot under a ship in some but not in all.
    pub(super) uncertain: bool,
}

/// A ship that is afloat in some layouts.
#[derive(Clone, Copy)]
struct ShipAfloat<const W: usize> {
    /// Not hit yet.
    rest: Cells,
    hit: Outcome,
    sunk: Outcome,
    layouts: LayoutSet<W>,
}

/// No ship: it is sunk.
const SUNK: u16 = u16::MAX;

impl<const W: usize> LayoutTable<W> {
    /// All layouts, and the cells in play; nothing if these are too many.
    pub(super) fn new(knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<(Self, Vec<Cell>)> {
        let mut cells = CellNumbers::new(knowledge);
        let table = Self::numbered(knowledge, layouts, &mut cells)?;
        Some((table, cells.cells))
    }

    /// All layouts, cells numbered as on the board whatever the layouts are; nothing if the board is too large for that.
    pub(super) fn in_row_order(knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<Self> {
        Self::numbered(knowledge, layouts, &mut CellNumbers::in_row_order(knowledge)?)
    }

    fn numbered(knowledge: &Knowledge, layouts: &ConsistentLayouts, cells: &mut CellNumbers<'_>) -> Option<Self> {
        let mut ships: Vec<ShipAfloat<W>> = Vec::new();
        let mut numbers: HashMap<Ship, u16> = HashMap::new();
        let ships_each = knowledge.rules().ship_count();
        let mut members = Vec::with_capacity(layouts.len() * ships_each);
        for (layout, fleet) in layouts.iter().enumerate() {
            for ship in fleet {
                let number = match numbers.get(ship) {
                    Some(number) => *number,
                    None => {
                        let rest = cells.rest(ship)?;
                        let number = if rest == 0 { SUNK } else { u16::try_from(ships.len()).ok()? };
                        if rest != 0 {
                            ships.push(ShipAfloat::new(knowledge, ship, rest));
                        }
                        numbers.insert(*ship, number);
                        number
                    }
                };
                members.push(number);
                if let Some(ship) = ships.get_mut(usize::from(number)) {
                    ship.layouts.put(layout);
                }
            }
        }
        Some(Self::of_parts(ships, members, ships_each))
    }

    fn of_parts(ships: Vec<ShipAfloat<W>>, members: Vec<u16>, ships_each: usize) -> Self {
        let mut counts = [0_u16; Cells::BITS as usize];
        for ship in &ships {
            bits(ship.rest).for_each(|cell| counts[cell] += 1);
        }
        let mut spots = Vec::with_capacity(counts.len());
        let mut next = [0_usize; Cells::BITS as usize];
        let mut spot_of = [0_usize; Cells::BITS as usize];
        let mut end = 0;
        for (cell, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            next[cell] = usize::from(end);
            spot_of[cell] = spots.len();
            end += count;
            spots.push(Spot { cell: cell as u8, covers: LayoutSet::EMPTY, end });
        }
        let mut through = vec![0; usize::from(end)];
        for (number, ship) in ships.iter().enumerate() {
            for cell in bits(ship.rest) {
                through[next[cell]] = number as u16;
                next[cell] += 1;
                let covers = &mut spots[spot_of[cell]].covers;
                *covers = covers.or(&ship.layouts);
            }
        }
        Self { spots, ships, through, members, ships_each }
    }

    pub(super) fn all(&self) -> LayoutSet<W> {
        LayoutSet::first(self.members.len() / self.ships_each)
    }

    /// A table of some of the layouts, as many as it can hold.
    pub(super) fn packed<const V: usize>(&self, layouts: &LayoutSet<W>) -> LayoutTable<V> {
        let mut numbers = vec![SUNK; self.ships.len()];
        let mut ships: Vec<ShipAfloat<V>> = Vec::with_capacity(self.ships.len());
        let mut members = Vec::with_capacity(layouts.len() as usize * self.ships_each);
        for (layout, old) in layouts.iter().take(64 * V).enumerate() {
            for &ship in &self.members[old * self.ships_each..][..self.ships_each] {
                let Some(number) = numbers.get_mut(usize::from(ship)) else {
                    members.push(SUNK);
                    continue;
                };
                if *number == SUNK {
                    *number = ships.len() as u16;
                    let ShipAfloat { rest, hit, sunk, .. } = self.ships[usize::from(ship)];
                    ships.push(ShipAfloat { rest, hit, sunk, layouts: LayoutSet::EMPTY });
                }
                ships[usize::from(*number)].layouts.put(layout);
                members.push(*number);
            }
        }
        LayoutTable::of_parts(ships, members, self.ships_each)
    }

    /// How many of some layouts cover each spot, and what that says; the layouts are those left after hits at some cells.
    pub(super) fn counts(&self, layouts: &LayoutSet<W>, hits: Cells, counts: &mut Vec<u32>) -> Coverage {
        counts.clear();
        counts.extend(self.spots.iter().map(|spot| spot.covers.common(layouts)));
        let all = layouts.len();
        let how_many = |number: u32| counts.iter().map(|&count| u32::from(count == number)).sum::<u32>();
        let (certain, impossible) = (how_many(all), how_many(0));
        Coverage {
            // Earlier hits are certain too.
            certain: certain > hits.count_ones(),
            uncertain: certain + impossible < counts.len() as u32,
        }
    }

    /// The layouts by the answer to a shot at a spot, after hits at some cells.
    pub(super) fn split(&self, layouts: &LayoutSet<W>, hits: Cells, at: usize) -> AnswerSplit<W> {
        let spot = &self.spots[at];
        let mut split = AnswerSplit::new(layouts.without(&spot.covers));
        let start = at.checked_sub(1).map_or(0, |before| self.spots[before].end);
        for &ship in &self.through[usize::from(start)..usize::from(spot.end)] {
            let ship = &self.ships[usize::from(ship)];
            let struck = ship.layouts.and(layouts);
            if !struck.is_empty() {
                let sunk = ship.rest & !hits == spot.bit();
                split.add(if sunk { ship.sunk } else { ship.hit }, &struck);
            }
        }
        split
    }
}

impl<const W: usize> Spot<W> {
    pub(super) fn bit(&self) -> Cells {
        1 << self.cell
    }
}

impl<const W: usize> ShipAfloat<W> {
    fn new(knowledge: &Knowledge, ship: &Ship, rest: Cells) -> Self {
        let class = Some(ship.class());
        let (hit, sunk) = match knowledge.rules().announce() {
            Announce::Hit => (Outcome::Hit(None), Outcome::Hit(None)),
            Announce::Sunk => (Outcome::Hit(None), Outcome::Sunk(None)),
            Announce::Which => (Outcome::Hit(None), Outcome::Sunk(class)),
            Announce::Named => (Outcome::Hit(class), Outcome::Sunk(class)),
        };
        Self { rest, hit, sunk, layouts: LayoutSet::EMPTY }
    }
}

/// Numbers the cells in play as they come up.
struct CellNumbers<'a> {
    knowledge: &'a Knowledge,
    numbers: Vec<Option<u8>>,
    cells: Vec<Cell>,
}

impl<'a> CellNumbers<'a> {
    fn new(knowledge: &'a Knowledge) -> Self {
        Self { knowledge, numbers: vec![None; knowledge.rules().size().area()], cells: Vec::new() }
    }

    fn in_row_order(knowledge: &'a Knowledge) -> Option<Self> {
        let size = knowledge.rules().size();
        let numbers = (0..size.area()).map(|index| u8::try_from(index).ok()).collect();
        (size.area() <= Cells::BITS as usize).then(|| Self { knowledge, numbers, cells: size.cells().collect() })
    }

    /// The cells of a ship that have not been hit; nothing if there are more cells than bits.
    fn rest(&mut self, ship: &Ship) -> Option<Cells> {
        let mut rest = 0;
        for cell in ship.cells().filter(|&cell| self.knowledge.open().contains(cell)) {
            let number = &mut self.numbers[self.knowledge.rules().size().index(cell)];
            if number.is_none() {
                *number = u8::try_from(self.cells.len()).ok().filter(|number| u32::from(*number) < Cells::BITS);
                self.cells.push(cell);
            }
            rest |= 1 << (*number)?;
        }
        Some(rest)
    }
}

fn bits(mut cells: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (cells != 0).then(|| cells.trailing_zeros() as usize);
        cells &= cells.wrapping_sub(1);
        lowest
    })
}
