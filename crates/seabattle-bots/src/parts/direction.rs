//! The four directions on a board.

use seabattle_core::{Cell, Orientation, Size};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    North,
    East,
    South,
    West,
}

impl Direction {
    /// All directions, clockwise from the north.
    pub(crate) const CLOCKWISE: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The next cell in this direction, if it is on the board.
    pub(crate) fn neighbor_of(self, cell: Cell, size: Size) -> Option<Cell> {
        let next = match self {
            Self::North => cell.step_back(Orientation::Down, 1),
            Self::East => cell.step(Orientation::Across, 1),
            Self::South => cell.step(Orientation::Down, 1),
            Self::West => cell.step_back(Orientation::Across, 1),
        };
        next.filter(|&cell| size.contains(cell))
    }

    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }
}
