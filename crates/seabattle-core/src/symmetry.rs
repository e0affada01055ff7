//! The symmetries of a board: rotations and mirror images.

use crate::{Cell, Rules, Ship, Size};

/// A symmetry of a board: it may exchange rows and columns first, then reverse columns or rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Symmetry {
    transposed: bool,
    mirrored: bool,
    upside_down: bool,
}

impl Symmetry {
    /// All symmetries of a board, the identity first: eight of a square, otherwise four.
    pub fn all(size: Size) -> impl ExactSizeIterator<Item = Self> {
        let square = size.width() == size.height();
        (0..if square { 8 } else { 4 }).map(|number| Self {
            transposed: number & 4 != 0,
            mirrored: number & 1 != 0,
            upside_down: number & 2 != 0,
        })
    }

    /// The cell to which a cell moves.
    pub fn cell(self, cell: Cell, size: Size) -> Cell {
        let (col, row) = if self.transposed { (cell.row(), cell.col()) } else { (cell.col(), cell.row()) };
        let col = if self.mirrored { size.width() - 1 - col } else { col };
        let row = if self.upside_down { size.height() - 1 - row } else { row };
        Cell::new(col, row)
    }

    /// The ship to which a ship moves.
    pub fn ship(self, ship: &Ship, rules: &Rules) -> Ship {
        let size = rules.size();
        let orientation = if self.transposed { ship.orientation().turned() } else { ship.orientation() };
        let start = ship.cells().map(|cell| self.cell(cell, size)).min().unwrap_or(ship.start());
        rules.ship(ship.class(), start, orientation)
    }
}

#[cfg(test)]
mod tests {
    use super::Symmetry;
    use crate::{Cell, CellSet, Orientation, Rules};

    #[test]
    fn every_way_is_another_and_keeps_ships_whole() {
        for (text, ways) in [("5x5:3,1", 8), ("4x6:3,1", 4)] {
            let rules: Rules = text.parse().unwrap();
            let size = rules.size();
            let class = rules.class_ids().next().unwrap();
            let ship = rules.ship(class, Cell::new(1, 0), Orientation::Down);
            let mut seen = Vec::new();
            for way in Symmetry::all(size) {
                let turned = way.ship(&ship, &rules);
                let cells = ship.cells().map(|cell| way.cell(cell, size));
                assert_eq!(CellSet::of(size, turned.cells()), CellSet::of(size, cells), "{way:?}");
                seen.push(turned);
            }
            assert_eq!(seen[0], ship);
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), ways, "{text}");
        }
    }
}
