//! How large the cells of a board are drawn: the window decides.

use seabattle_core::Size;

/// Columns and rows of a cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CellSize {
    pub(super) width: u16,
    pub(super) height: u16,
}

impl CellSize {
    /// The smallest cells, for narrow windows.
    pub(super) const NARROW: Self = Self::new(2, 1);
    const NORMAL: Self = Self::new(3, 1);
    const LARGE: Self = Self::new(5, 2);
    const HUGE: Self = Self::new(7, 3);

    const fn new(width: u16, height: u16) -> Self {
        Self { width, height }
    }

    /// Returns the largest cells with which a whole board fits. Cells that are only one row high need only the width.
    pub(super) fn largest(size: Size, columns: u16, rows: u16) -> Self {
        let fits = |cell: &Self| {
            let (width, height) = cell.board(size);
            width <= columns && (height <= rows || cell.height == 1)
        };
        [Self::HUGE, Self::LARGE, Self::NORMAL].into_iter().find(fits).unwrap_or(Self::NARROW)
    }

    /// Returns columns and rows of a whole board with its frame.
    pub(super) fn board(self, size: Size) -> (u16, u16) {
        let width = self.width * u16::from(size.width()) + label_columns(size) + 2;
        (width, self.height * u16::from(size.height()) + header_rows(size) + 2)
    }

    /// The column of a cell's mark.
    pub(super) fn center(self) -> u16 {
        if self == Self::NARROW { 0 } else { self.width / 2 }
    }

    /// The row of a cell's mark.
    pub(super) fn middle(self) -> u16 {
        (self.height - 1) / 2
    }
}

/// Columns for the row numbers.
pub(super) fn label_columns(size: Size) -> u16 {
    if size.height() > 9 { 3 } else { 2 }
}

/// Rows for the column letters.
pub(super) fn header_rows(size: Size) -> u16 {
    if size.width() > 26 { 2 } else { 1 }
}
