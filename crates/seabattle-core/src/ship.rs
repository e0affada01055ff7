//! A ship on its cells, and which other ships it conflicts with.

use std::ops::Range;

use crate::{Cell, CellSet, ClassId, Orientation, Size, Touching};

/// A ship of a class at a place, on the board or not. A ship of one cell always points across.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ship {
    class: ClassId,
    start: Cell,
    orientation: Orientation,
    length: u8,
}

impl Ship {
    pub(crate) fn new(class: ClassId, length: u8, start: Cell, orientation: Orientation) -> Self {
        let orientation = if length == 1 { Orientation::Across } else { orientation };
        Self { class, start, orientation, length }
    }

    /// The class of the ship.
    pub fn class(&self) -> ClassId {
        self.class
    }

    /// The first cell of the ship: leftmost or topmost.
    pub fn start(&self) -> Cell {
        self.start
    }

    /// How the ship points.
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// The number of cells of the ship.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// The cells of the ship, as far as they have names.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (start, orientation) = (self.start, self.orientation);
        (0..self.length).map_while(move |step| start.step(orientation, step))
    }

    /// Whether the ship covers a cell.
    #[inline]
    pub fn covers(&self, cell: Cell) -> bool {
        let cols = u16::from(cell.col()).wrapping_sub(u16::from(self.start.col()));
        let rows = u16::from(cell.row()).wrapping_sub(u16::from(self.start.row()));
        let (along, beside) = match self.orientation {
            Orientation::Across => (cols, rows),
            Orientation::Down => (rows, cols),
        };
        (beside == 0) & (along < u16::from(self.length))
    }

    /// Whether the whole ship is on the board.
    pub fn is_within(&self, size: Size) -> bool {
        let last = self.start.step(self.orientation, self.length - 1);
        last.is_some_and(|last| size.contains(last))
    }

    /// Whether two ships cannot be in one fleet: they overlap, or are nearer than the rules allow.
    #[inline]
    pub fn conflicts(&self, other: &Self, touching: Touching) -> bool {
        let distance = self.distance(other);
        match touching {
            Touching::Allowed => distance.cols <= 0 && distance.rows <= 0,
            Touching::Corners => {
                (distance.cols <= 0 && distance.rows <= 1) || (distance.cols <= 1 && distance.rows <= 0)
            }
            Touching::Forbidden => distance.cols <= 1 && distance.rows <= 1,
        }
    }

    /// The cells that no other ship may cover: those of the ship, and the water that the rules require around it.
    pub fn claim(&self, size: Size, touching: Touching) -> CellSet {
        let (cols, rows) = self.extent();
        let wider = |range: &Range<u8>| range.start.saturating_sub(1)..range.end.saturating_add(1);
        match touching {
            Touching::Allowed => CellSet::rectangle(size, cols, rows),
            Touching::Corners => {
                let (wide, high) = (wider(&cols), wider(&rows));
                &CellSet::rectangle(size, wide, rows) | &CellSet::rectangle(size, cols, high)
            }
            Touching::Forbidden => CellSet::rectangle(size, wider(&cols), wider(&rows)),
        }
    }

    /// The ranges of columns and rows that the ship covers.
    pub(crate) fn extent(&self) -> (Range<u8>, Range<u8>) {
        let (col, row) = (self.start.col(), self.start.row());
        match self.orientation {
            Orientation::Across => (col..col.saturating_add(self.length), row..row.saturating_add(1)),
            Orientation::Down => (col..col.saturating_add(1), row..row.saturating_add(self.length)),
        }
    }

    fn width(&self) -> i16 {
        if self.orientation == Orientation::Across { i16::from(self.length) } else { 1 }
    }

    fn height(&self) -> i16 {
        if self.orientation == Orientation::Down { i16::from(self.length) } else { 1 }
    }

    /// The distance from this ship to another.
    #[inline]
    fn distance(&self, other: &Self) -> Distance {
        let steps = |a: u8, a_length: i16, b: u8, b_length: i16| {
            let (a, b) = (i16::from(a), i16::from(b));
            (b - (a + a_length - 1)).max(a - (b + b_length - 1))
        };
        Distance {
            cols: steps(self.start.col(), self.width(), other.start.col(), other.width()),
            rows: steps(self.start.row(), self.height(), other.start.row(), other.height()),
        }
    }
}

/// The distance between two ships in columns and in rows; 0 or less where their ranges overlap.
struct Distance {
    cols: i16,
    rows: i16,
}

#[cfg(test)]
mod tests {
    use crate::{Cell, CellSet, Orientation, Rules, Ship, Touching};

    fn all_ships(rules: &Rules) -> Vec<Ship> {
        let headings = |start: Cell| Orientation::ALL.map(|orientation| (start, orientation));
        rules
            .class_ids()
            .flat_map(|class| {
                rules.size().cells().flat_map(headings).map(move |(start, orientation)| (class, start, orientation))
            })
            .map(|(class, start, orientation)| rules.ship(class, start, orientation))
            .filter(|ship| ship.is_within(rules.size()))
            .collect()
    }

    #[test]
    fn two_ships_conflict_where_one_enters_what_the_other_claims() {
        let rules: Rules = "5x6:4,2,1".parse().unwrap();
        let ships = all_ships(&rules);
        for touching in [Touching::Allowed, Touching::Corners, Touching::Forbidden] {
            for first in &ships {
                let claim = first.claim(rules.size(), touching);
                for second in &ships {
                    let enters = CellSet::of(rules.size(), second.cells()).intersects(&claim);
                    assert_eq!(first.conflicts(second, touching), enters, "{first:?} {second:?} {touching:?}");
                    assert_eq!(second.conflicts(first, touching), enters);
                }
            }
        }
    }

    #[test]
    fn a_ship_covers_exactly_its_cells() {
        let rules: Rules = "5x6:4,2,1".parse().unwrap();
        for ship in all_ships(&rules) {
            let cells: Vec<Cell> = ship.cells().collect();
            let covered: Vec<Cell> = rules.size().cells().filter(|&cell| ship.covers(cell)).collect();
            assert_eq!(cells, covered);
            assert_eq!(cells.len(), usize::from(ship.length()));
        }
    }
}
