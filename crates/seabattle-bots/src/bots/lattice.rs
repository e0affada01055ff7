//! `lattice`: hunts along every fourth diagonal, then every third, every second, and all. It finishes every ship it
//! hits.

use seabattle_core::{Cell, Seed, Size};

use crate::parts::contest_bot::{ContestBot, HuntOrder};

pub(crate) fn lattice(seed: &Seed) -> ContestBot<Lattice> {
    ContestBot::new(seed)
}

/// The hunt: cells with `row mod n == col mod n`, residue by residue, for n = 4, 3, 2, 1.
pub(crate) struct Lattice {
    size: Size,
    spacing: u8,
    residue: u8,
    row: u8,
    col: u8,
}

impl HuntOrder for Lattice {
    fn new(size: Size) -> Self {
        Self { size, spacing: 4, residue: 0, row: 0, col: 0 }
    }
}

impl Iterator for Lattice {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        while self.spacing > 0 {
            if self.col < self.size.width() && self.row < self.size.height() {
                let cell = Cell::new(self.col, self.row);
                self.col += self.spacing;
                return Some(cell);
            }
            self.row = self.row.saturating_add(self.spacing);
            self.col = self.residue;
            if self.row >= self.size.height() {
                self.residue += 1;
                if self.residue == self.spacing {
                    self.spacing -= 1;
                    self.residue = 0;
                }
                (self.row, self.col) = (self.residue, self.residue);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{HuntOrder, Lattice};
    use seabattle_core::{Cell, Size};

    #[test]
    fn the_first_26_cells_are_those_of_the_table() {
        let hunt = Lattice::new(Size::new(10, 10).unwrap());
        let rows_of_numbers = [
            [1, 0, 0, 0, 2, 0, 0, 0, 3, 0],
            [0, 10, 0, 0, 0, 11, 0, 0, 0, 12],
            [0, 0, 19, 0, 0, 0, 20, 0, 0, 0],
            [0, 0, 0, 23, 0, 0, 0, 24, 0, 0],
            [4, 0, 0, 0, 5, 0, 0, 0, 6, 0],
            [0, 13, 0, 0, 0, 14, 0, 0, 0, 15],
            [0, 0, 21, 0, 0, 0, 22, 0, 0, 0],
            [0, 0, 0, 25, 0, 0, 0, 26, 0, 0],
            [7, 0, 0, 0, 8, 0, 0, 0, 9, 0],
            [0, 16, 0, 0, 0, 17, 0, 0, 0, 18],
        ];
        let number = |cell: Cell| rows_of_numbers[usize::from(cell.row())][usize::from(cell.col())];
        let numbers: Vec<i32> = hunt.take(26).map(number).collect();
        assert_eq!(numbers, (1..=26).collect::<Vec<_>>());
    }

    #[test]
    fn every_cell_of_any_board_is_visited() {
        for (width, height) in [(1, 1), (1, 9), (7, 2), (50, 50)] {
            let size = Size::new(width, height).unwrap();
            let visited: std::collections::HashSet<Cell> = Lattice::new(size).collect();
            assert_eq!(visited.len(), size.area());
        }
    }
}
