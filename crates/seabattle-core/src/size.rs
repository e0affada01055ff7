//! The size of a board, and the numbers of its cells.

use std::fmt;

use crate::{Cell, Orientation};

/// The size of a board: width and height, each from 1 to 50.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The most columns or rows of a board.
    pub const MAX_SIDE: u8 = 50;

    /// A size of this width and height; `None` if either is 0 or above [`Size::MAX_SIDE`].
    pub const fn new(width: u8, height: u8) -> Option<Self> {
        let fits = 1 <= width && width <= Self::MAX_SIDE && 1 <= height && height <= Self::MAX_SIDE;
        if fits { Some(Self { width, height }) } else { None }
    }

    /// The number of columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The number of rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// The number of cells.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The number of cells along an orientation: the width or the height.
    pub const fn extent(self, orientation: Orientation) -> u8 {
        match orientation {
            Orientation::Across => self.width,
            Orientation::Down => self.height,
        }
    }

    /// Whether a cell is on the board.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        cell.col() < self.width && cell.row() < self.height
    }

    /// The index of a cell: row by row from the top left, counted from 0.
    #[inline]
    pub const fn index(self, cell: Cell) -> usize {
        cell.row() as usize * self.width as usize + cell.col() as usize
    }

    /// The cell with this index: the inverse of [`Size::index`].
    #[inline]
    pub const fn cell(self, index: usize) -> Cell {
        let (index, width) = (index as u16, self.width as u16);
        Cell::new((index % width) as u8, (index / width) as u8)
    }

    /// All cells of the board, row by row.
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
