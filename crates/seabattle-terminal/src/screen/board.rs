//! Draws a board: cells with coordinates, clipped where not all fit.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};
use seabattle_core::{Cell, CellSet, Mark, Size, TextBoard, column_letters};
use seabattle_odds::Odds;

use super::style::{Role, Styles};

/// Width of a cell in columns: normal, and in narrow windows.
const WIDE: u16 = 3;
const SLIM: u16 = 2;

/// Everything that is drawn of one board.
pub(super) struct BoardView<'a> {
    pub(super) title: String,
    pub(super) board: TextBoard,
    /// Ships whose cells are known.
    pub(super) ships_shown: Vec<ShipOutline>,
    pub(super) cursor: Option<Cell>,
    /// The part shown before. It stays as long as it contains the cursor.
    pub(super) previous: Viewport,
    /// Cells drawn in another role. The last entry of a cell wins.
    pub(super) overlays: Vec<(Cell, Role)>,
    pub(super) heat_map: Option<&'a Odds>,
    /// Whether keys act on this board.
    pub(super) active: bool,
}

/// The cells of a ship, and whether it is sunk.
pub(super) struct ShipOutline {
    pub(super) cells: CellSet,
    pub(super) sunk: bool,
}

/// The visible part of a board, and where it was drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Viewport {
    area: Rect,
    left: u8,
    top: u8,
    width: u16,
}

impl Viewport {
    /// Returns the first visible column and row, if anything was drawn.
    fn top_left(&self) -> Option<(u8, u8)> {
        (self.width > 0).then_some((self.left, self.top))
    }

    /// Whether a part of the board is hidden.
    pub(super) fn is_clipped(&self, size: Size) -> bool {
        let cols = self.area.width.checked_div(self.width).unwrap_or(0);
        cols < u16::from(size.width()) || self.area.height < u16::from(size.height())
    }

    /// Scrolls a clipped board by rows.
    pub(super) fn shifted(self, down: i8, size: Size) -> Self {
        let rows = u8::try_from(self.area.height).unwrap_or(u8::MAX);
        let top = self.top.saturating_add_signed(down).min(size.height().saturating_sub(rows));
        Self { top, ..self }
    }

    /// Moves a cell into the visible rows.
    pub(super) fn clamp(&self, cell: Cell) -> Cell {
        let rows = u8::try_from(self.area.height.saturating_sub(1)).unwrap_or(u8::MAX);
        Cell::new(cell.col(), cell.row().clamp(self.top, self.top.saturating_add(rows)))
    }

    pub(super) fn contains(&self, at: Position) -> bool {
        self.area.contains(at)
    }

    pub(super) fn cell_at(&self, at: Position) -> Option<Cell> {
        if !self.area.contains(at) || self.width == 0 {
            return None;
        }
        let col = u8::try_from((at.x - self.area.x) / self.width).ok()?;
        let row = u8::try_from(at.y - self.area.y).ok()?;
        Some(Cell::new(col.checked_add(self.left)?, row.checked_add(self.top)?))
    }
}

/// Returns columns and rows of a whole board with its frame.
pub(super) fn board_size(size: Size, columns: u16) -> (u16, u16) {
    let rows = u16::from(size.height()) + header_rows(size) + 2;
    let at = |cell: u16| cell * u16::from(size.width()) + label_columns(size) + 2;
    (if at(WIDE) <= columns { at(WIDE) } else { at(SLIM) }, rows)
}

fn label_columns(size: Size) -> u16 {
    if size.height() > 9 { 3 } else { 2 }
}

fn header_rows(size: Size) -> u16 {
    if size.width() > 26 { 2 } else { 1 }
}

impl BoardView<'_> {
    /// Draws as much as fits, and returns which part that was.
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer, styles: Styles) -> Viewport {
        let title = if self.active { Role::Title } else { Role::Dim };
        let block = Block::bordered()
            .border_set(styles.border())
            .border_style(styles.of(title))
            .title(Line::styled(format!(" {} ", self.title), styles.of(title)));
        let inner = block.inner(area);
        block.render(area, buffer);
        let size = self.board.size();
        let (labels, header) = (label_columns(size), header_rows(size));
        if inner.width <= labels + SLIM || inner.height <= header {
            return Viewport::default();
        }
        let room = inner.width - labels;
        let width = if room >= WIDE * u16::from(size.width()) { WIDE } else { SLIM };
        let (cols, rows) = (room / width, inner.height - header);
        let focus = self.cursor.or(self.board.last());
        let (left_before, top_before) = self.previous.top_left().unzip();
        let left = scroll_offset(focus.map(Cell::col), size.width(), cols, left_before);
        let top = scroll_offset(focus.map(Cell::row), size.height(), rows, top_before);
        let (cols, rows) = (cols.min(u16::from(size.width())), rows.min(u16::from(size.height())));
        let margin = room.saturating_sub(cols * width) / 2;
        let cells = Rect::new(inner.x + margin + labels, inner.y + header, cols * width, rows);
        let viewport = Viewport { area: cells, left, top, width };
        self.draw_labels(&viewport, labels, header, buffer, styles);
        for row in 0..rows {
            for col in 0..cols {
                let cell = Cell::new(left + col as u8, top + row as u8);
                let at = Position::new(cells.x + col * width, cells.y + row);
                self.draw_cell(cell, at, width, buffer, styles);
            }
        }
        viewport
    }

    fn draw_labels(&self, viewport: &Viewport, labels: u16, header: u16, buffer: &mut Buffer, styles: Styles) {
        let style = |shown: bool| styles.of(if shown { Role::Key } else { Role::Dim });
        let is_cursor = |col: Option<u8>, row: Option<u8>| {
            let cursor = self.cursor.filter(|_| self.active);
            cursor.is_some_and(|cell| col == Some(cell.col()) || row == Some(cell.row()))
        };
        for col in 0..viewport.area.width / viewport.width {
            let number = viewport.left + col as u8;
            let letters = column_letters(number);
            let (x, lead) = (viewport.area.x + col * viewport.width, usize::from(viewport.width == WIDE));
            let lines = letters.chars().rev().take(usize::from(header));
            for (line, letter) in lines.enumerate() {
                let y = viewport.area.y - 1 - line as u16;
                buffer.set_string(x + lead as u16, y, letter.to_string(), style(is_cursor(Some(number), None)));
            }
        }
        for row in 0..viewport.area.height {
            let number = viewport.top + row as u8;
            let text = format!("{:>width$}", u16::from(number) + 1, width = usize::from(labels) - 1);
            buffer.set_string(
                viewport.area.x - labels,
                viewport.area.y + row,
                text,
                style(is_cursor(None, Some(number))),
            );
        }
    }

    fn draw_cell(&self, cell: Cell, at: Position, width: u16, buffer: &mut Buffer, styles: Styles) {
        let mark = self.board.at(cell).unwrap_or(Mark::Open);
        let glyph = styles.glyphs.of(mark);
        let (mut text, mut style) = (self.cell_text(cell, glyph), styles.of(Role::Mark(mark)));
        if let Some(odds) = self.heat_map.filter(|_| matches!(mark, Mark::Open | Mark::Impossible)) {
            let probability = odds.probability(cell);
            let nothing = styles.glyphs.of(Mark::Impossible);
            text = if probability > 0.0 { percent(probability) } else { [' ', nothing, ' '] };
            style = styles.heat(probability / self.highest_probability(odds));
        }
        if let Some((_, role)) = self.overlays.iter().rev().find(|(other, _)| *other == cell) {
            style = styles.of(*role);
            text = overlay_text(*role, text, styles);
        }
        if self.board.last() == Some(cell) {
            text = [styles.unicode_or_ascii('▸', '>'), text[1], styles.unicode_or_ascii('◂', '<')];
        }
        if self.cursor == Some(cell) && self.active {
            text = ['[', text[1], ']'];
            style = style.add_modifier(Modifier::REVERSED | Modifier::BOLD);
        }
        write_cell(buffer, at, text, width, style);
    }

    /// Returns the highest probability among cells not fired at.
    fn highest_probability(&self, odds: &Odds) -> f64 {
        let open = self.board.size().cells().filter(|&cell| self.board.at(cell) != Some(Mark::Hit));
        let open = open.filter(|&cell| self.board.at(cell) != Some(Mark::Sunk));
        open.map(|cell| odds.probability(cell)).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Returns a cell's three characters. Ships across are joined, and brackets enclose a sunk ship.
    fn cell_text(&self, cell: Cell, glyph: char) -> [char; 3] {
        let Some(outline) = self.ships_shown.iter().find(|outline| outline.cells.contains(cell)) else {
            return [' ', glyph, ' '];
        };
        let joined = |step: i16| {
            let col = u8::try_from(i16::from(cell.col()) + step);
            col.is_ok_and(|col| outline.cells.contains(Cell::new(col, cell.row())))
        };
        match (outline.sunk, joined(-1), joined(1)) {
            (true, previous, after) => [if previous { '=' } else { '[' }, glyph, if after { '=' } else { ']' }],
            (false, previous, after) => [if previous { '-' } else { ' ' }, glyph, if after { '-' } else { ' ' }],
        }
    }
}

fn overlay_text(role: Role, text: [char; 3], styles: Styles) -> [char; 3] {
    let ship = styles.glyphs.of(Mark::Ship);
    match role {
        Role::Preview => [text[0], ship, text[2]],
        Role::Conflict => [text[0], '!', text[2]],
        Role::Aimed => ['(', styles.unicode_or_ascii('◎', '@'), ')'],
        Role::Hint => ['<', styles.unicode_or_ascii('★', '*'), '>'],
        _ => text,
    }
}

/// Formats a probability in three columns. In two columns `**` stands for 100.
fn percent(probability: f64) -> [char; 3] {
    let number = (100.0 * probability).round() as u32;
    let text = match number {
        0 => " <1".to_owned(),
        100 if probability < 1.0 => " 99".to_owned(),
        _ => format!("{number:>3}"),
    };
    let mut chars = text.chars();
    std::array::from_fn(|_| chars.next().unwrap_or(' '))
}

fn write_cell(buffer: &mut Buffer, at: Position, text: [char; 3], width: u16, style: Style) {
    let shown: String = match width {
        WIDE => text.iter().collect(),
        // In two columns a number keeps its last two digits, everything else its middle.
        _ if text[2].is_ascii_digit() && text[0] == '1' => "**".to_owned(),
        _ if text[2].is_ascii_digit() => text[1..].iter().collect(),
        _ if text[0] == '[' => format!("[{}", text[1]),
        _ => format!("{}{}", text[1], if text[2] == ' ' { ' ' } else { text[2] }),
    };
    buffer.set_string(at.x, at.y, shown, style);
}

/// Returns the first column or row to show. It changes only if the focus would be hidden.
fn scroll_offset(focus: Option<u8>, count: u8, room: u16, previous: Option<u8>) -> u8 {
    let room = u8::try_from(room).unwrap_or(u8::MAX).max(1);
    let last_first = count.saturating_sub(room);
    let focus = focus.unwrap_or(0);
    match previous {
        Some(previous) => previous.clamp((focus + 1).saturating_sub(room), focus).min(last_first),
        None => focus.saturating_sub(room / 2).min(last_first),
    }
}
