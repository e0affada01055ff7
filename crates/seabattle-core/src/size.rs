//! The measurements of a board, and the numbering of its cells.

use std::fmt;

use crate::{Cell, Orientation};

/// Width and height of a board, each from 1 to 50.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The longest side a board may have.
    pub const MAX_SIDE: u8 = 50;

    /// A board so wide and so high, if it is neither empty nor too large.
    pub const fn new(width: u8, height: u8) -> Option<Self> {
        let fits = 1 <= width && width <= Self::MAX_SIDE && 1 <= height && height <= Self::MAX_SIDE;
        if fits { Some(Self { width, height }) } else { None }
    }

    /// Number of columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Number of rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Number of cells.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// How far the board reaches in a direction.
    pub const fn extent(self, orientation: Orientation) -> u8 {
        match orientation {
            Orientation::Across => self.width,
            Orientation::Down => self.height,
        }
    }

    /// Whether the cell lies on the board.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        cell.col() < self.width && cell.row() < self.height
    }

    /// The number of a cell: row by row from the top left, from 0.
    #[inline]
    pub const fn index(self, cell: Cell) -> usize {
        cell.row() as usize * self.width as usize + cell.col() as usize
    }

    /// The cell with this number, the inverse of [`Size::index`].
    #[inline]
    pub const fn cell(self, index: usize) -> Cell {
        let (index, width) = (index as u16, self.width as u16);
        Cell::new((index % width) as u8, (index / width) as u8)
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> {
        (0..self.height).flat_map(move |row| (0..self.width).map(move |col| Cell::new(col, row)))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
