//! `blocks`: hunts in blocks of 2×2 cells that get denser, and finishes every ship it hits.

use seabattle_core::{Cell, Seed, Size};

use crate::parts::contest_bot::{ContestBot, HuntOrder};

pub(crate) fn blocks(seed: &Seed) -> ContestBot<Blocks> {
    ContestBot::new(seed)
}

/// The hunt: cells with `row mod n < 2` and `col mod n < 2`, row by row, for n = 4, 3, 2, 1.
pub(crate) struct Blocks {
    size: Size,
    spacing: u8,
    index: usize,
}

impl HuntOrder for Blocks {
    fn new(size: Size) -> Self {
        Self { size, spacing: 4, index: 0 }
    }
}

impl Iterator for Blocks {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        while self.spacing > 0 {
            while self.index < self.size.area() {
                let cell = self.size.cell(self.index);
                self.index += 1;
                if cell.row() % self.spacing < 2 && cell.col() % self.spacing < 2 {
                    return Some(cell);
                }
            }
            self.spacing -= 1;
            self.index = 0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Blocks, HuntOrder};
    use seabattle_core::Size;

    #[test]
    fn the_widest_grid_has_36_cells() {
        let mut hunt = Blocks::new(Size::new(10, 10).unwrap());
        let widest = hunt.by_ref().take(36).last();
        assert_eq!(widest, "J10".parse().ok());
        assert_eq!(hunt.next(), "A1".parse().ok(), "then it begins again, denser");
    }
}
