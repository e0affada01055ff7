//! The visible part of a board, and where it was drawn.

use ratatui::layout::{Position, Rect};
use seabattle_core::{Cell, Size, column_letters};

use super::cell_size::CellSize;
use super::style::Styles;

/// The visible part of a board, and where it was drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Viewport {
    pub(super) area: Rect,
    pub(super) left: u8,
    pub(super) top: u8,
    pub(super) cell: CellSize,
}

impl Viewport {
    /// Returns the first visible column and row, if anything was drawn.
    pub(super) fn top_left(&self) -> Option<(u8, u8)> {
        (self.cell.width > 0).then_some((self.left, self.top))
    }

    /// Columns and rows of the board that are visible.
    pub(super) fn cells(&self) -> (u16, u16) {
        let count = |length: u16, cell: u16| length.checked_div(cell).unwrap_or(0);
        (count(self.area.width, self.cell.width), count(self.area.height, self.cell.height))
    }

    /// Whether a part of the board is hidden.
    pub(super) fn is_clipped(&self, size: Size) -> bool {
        let (columns, rows) = self.cells();
        columns < u16::from(size.width()) || rows < u16::from(size.height())
    }

    /// Names the hidden columns and rows, such as `◂A-C Q-AX▸ ▴1-4 ▾18-50`.
    pub(super) fn hidden(&self, size: Size, styles: Styles) -> String {
        let (columns, rows) = self.cells();
        let (right, bottom) = (u16::from(self.left) + columns, u16::from(self.top) + rows);
        let range = |from: u16, to: u16, name: fn(u8) -> String| {
            let (first, last) = (name(from as u8), name((to.saturating_sub(1)) as u8));
            (from < to).then(|| if first == last { first } else { format!("{first}-{last}") })
        };
        let row = |number: u8| (u16::from(number) + 1).to_string();
        let mark = |unicode: char, ascii: char| styles.unicode_or_ascii(unicode, ascii);
        let parts = [
            range(0, self.left.into(), column_letters).map(|text| format!("{}{text}", mark('◂', '<'))),
            range(right, size.width().into(), column_letters).map(|text| format!("{text}{}", mark('▸', '>'))),
            range(0, self.top.into(), row).map(|text| format!("{}{text}", mark('▴', '^'))),
            range(bottom, size.height().into(), row).map(|text| format!("{}{text}", mark('▾', 'v'))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Scrolls a clipped board by rows.
    pub(super) fn shifted(self, down: i8, size: Size) -> Self {
        let rows = u8::try_from(self.cells().1).unwrap_or(u8::MAX);
        let top = self.top.saturating_add_signed(down).min(size.height().saturating_sub(rows));
        Self { top, ..self }
    }

    /// Moves a cell into the visible rows.
    pub(super) fn clamp(&self, cell: Cell) -> Cell {
        let rows = u8::try_from(self.cells().1.saturating_sub(1)).unwrap_or(u8::MAX);
        Cell::new(cell.col(), cell.row().clamp(self.top, self.top.saturating_add(rows)))
    }

    pub(super) fn contains(&self, at: Position) -> bool {
        self.area.contains(at)
    }

    /// Returns the cell at a position of the screen.
    pub(super) fn cell_at(&self, at: Position) -> Option<Cell> {
        if !self.area.contains(at) {
            return None;
        }
        let col = (at.x - self.area.x).checked_div(self.cell.width)?;
        let row = (at.y - self.area.y).checked_div(self.cell.height)?;
        let (col, row) = (u8::try_from(col).ok()?, u8::try_from(row).ok()?);
        Some(Cell::new(col.checked_add(self.left)?, row.checked_add(self.top)?))
    }

    /// Returns the top left corner of a visible cell on the screen.
    pub(super) fn position(&self, cell: Cell) -> Position {
        let (col, row) = (u16::from(cell.col() - self.left), u16::from(cell.row() - self.top));
        Position::new(self.area.x + col * self.cell.width, self.area.y + row * self.cell.height)
    }
}
