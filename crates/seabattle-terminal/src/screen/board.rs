//! Draws a board: cells with coordinates, clipped where not all fit.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};
use seabattle_core::{Cell, CellSet, Mark, TextBoard, column_letters};
use seabattle_odds::Odds;

use super::cell_size::{CellSize, header_rows, label_columns};
use super::style::{Role, Styles};
use super::viewport::Viewport;

/// Everything that is drawn of one board.
pub(super) struct BoardView<'a> {
    pub(super) title: String,
    pub(super) board: TextBoard,
    /// Ships whose cells are known.
    pub(super) ships_shown: Vec<ShipOutline>,
    pub(super) cursor: Option<Cell>,
    /// The cell that must be visible, if that is not the cursor.
    pub(super) focus: Option<Cell>,
    /// The part shown before. It stays as long as it contains the cursor.
    pub(super) previous: Viewport,
    /// Cells drawn in another role. The last entry of a cell wins.
    pub(super) overlays: Vec<(Cell, Role)>,
    /// Cells of an animation. They hide everything else.
    pub(super) effects: Vec<(Cell, CellText, Role)>,
    pub(super) heat_map: Option<&'a Odds>,
    /// Whether keys act on this board.
    pub(super) active: bool,
}

/// The mark of a cell, with what is left and right of it.
pub(super) type CellText = [char; 3];

/// The cells of a ship, and whether it is sunk.
pub(super) struct ShipOutline {
    pub(super) cells: CellSet,
    pub(super) sunk: bool,
}

impl BoardView<'_> {
    /// Draws as much as fits, and returns which part that was. `leader` is the visible part of the board that scrolls
    /// together with this one.
    pub(super) fn draw(
        &self,
        area: Rect,
        cell: CellSize,
        leader: Option<Viewport>,
        buffer: &mut Buffer,
        styles: Styles,
    ) -> Viewport {
        let style = styles.of(if self.active { Role::Title } else { Role::Dim });
        let block = Block::bordered()
            .border_set(styles.border())
            .border_style(style)
            .title(Line::styled(format!(" {} ", self.title), style));
        let viewport = self.viewport(block.inner(area), cell, leader);
        let size = self.board.size();
        if viewport.is_clipped(size) && viewport.top_left().is_some() {
            let hidden = Line::styled(format!(" {} ", viewport.hidden(size, styles)), styles.of(Role::Key));
            block.title_bottom(hidden).render(area, buffer);
        } else {
            block.render(area, buffer);
        }
        let (cols, rows) = viewport.cells();
        self.draw_labels(&viewport, buffer, styles);
        for row in 0..rows {
            for col in 0..cols {
                let cell = Cell::new(viewport.left + col as u8, viewport.top + row as u8);
                self.draw_cell(cell, &viewport, buffer, styles);
            }
        }
        viewport
    }

    /// Decides which part is visible and where its cells are.
    fn viewport(&self, inner: Rect, cell: CellSize, leader: Option<Viewport>) -> Viewport {
        let size = self.board.size();
        let (labels, header) = (label_columns(size), header_rows(size));
        if inner.width <= labels + CellSize::NARROW.width || inner.height <= header {
            return Viewport::default();
        }
        let cell = if inner.width < labels + cell.width || inner.height < header + cell.height {
            CellSize::NARROW
        } else {
            cell
        };
        let room = inner.width - labels;
        let (cols, rows) = (room / cell.width, (inner.height - header) / cell.height);
        let leading = leader.and_then(|leader| leader.top_left());
        let focus = self.focus.or(self.cursor).or(self.board.last()).filter(|_| leading.is_none());
        let (left_before, top_before) = leading.or_else(|| self.previous.top_left()).unzip();
        let focus_col = focus.map(Cell::col).or(left_before);
        let focus_row = focus.map(Cell::row).or(top_before);
        let left = scroll_offset(focus_col, size.width(), cols, left_before);
        let top = scroll_offset(focus_row, size.height(), rows, top_before);
        let (cols, rows) = (cols.min(u16::from(size.width())), rows.min(u16::from(size.height())));
        let margin = room.saturating_sub(cols * cell.width) / 2;
        let (x, y) = (inner.x + margin + labels, inner.y + header);
        Viewport { area: Rect::new(x, y, cols * cell.width, rows * cell.height), left, top, cell }
    }

    fn draw_labels(&self, viewport: &Viewport, buffer: &mut Buffer, styles: Styles) {
        let size = self.board.size();
        let (labels, header) = (label_columns(size), header_rows(size));
        let style = |shown: bool| styles.of(if shown { Role::Key } else { Role::Dim });
        let cursor = self.cursor.filter(|_| self.active);
        let (cols, rows) = viewport.cells();
        for col in 0..cols {
            let number = viewport.left + col as u8;
            let x = viewport.area.x + col * viewport.cell.width + viewport.cell.center();
            for (line, letter) in column_letters(number).chars().rev().take(usize::from(header)).enumerate() {
                let style = style(cursor.is_some_and(|cell| cell.col() == number));
                buffer.set_string(x, viewport.area.y - 1 - line as u16, letter.to_string(), style);
            }
        }
        for row in 0..rows {
            let number = viewport.top + row as u8;
            let text = format!("{:>width$}", u16::from(number) + 1, width = usize::from(labels) - 1);
            let y = viewport.area.y + row * viewport.cell.height + viewport.cell.middle();
            let style = style(cursor.is_some_and(|cell| cell.row() == number));
            buffer.set_string(viewport.area.x - labels, y, text, style);
        }
    }

    fn draw_cell(&self, cell: Cell, viewport: &Viewport, buffer: &mut Buffer, styles: Styles) {
        let at = viewport.position(cell);
        if let Some((_, text, role)) = self.effects.iter().find(|(other, ..)| *other == cell) {
            write_cell(buffer, at, *text, viewport.cell, styles.of(*role));
            return;
        }
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
            // A number fills its cell; there the cursor is the reversed colors alone.
            if !is_number(text) {
                text = ['[', text[1], ']'];
            }
            style = style.add_modifier(Modifier::REVERSED | Modifier::BOLD);
        }
        write_cell(buffer, at, text, viewport.cell, style);
        self.draw_vertical_joints(cell, viewport, buffer, style);
    }

    /// Connects the cells of a ship that points down, where cells are more than one row high.
    fn draw_vertical_joints(&self, cell: Cell, viewport: &Viewport, buffer: &mut Buffer, style: Style) {
        let at = viewport.position(cell);
        let (x, middle) = (at.x + viewport.cell.center(), viewport.cell.middle());
        for y in (0..viewport.cell.height).filter(|&y| y != middle) {
            if self.is_joined(cell, 0, if y < middle { -1 } else { 1 }) {
                buffer.set_string(x, at.y + y, "|", style);
            }
        }
    }

    /// Returns the highest probability among cells not fired at.
    fn highest_probability(&self, odds: &Odds) -> f64 {
        let open = self.board.size().cells().filter(|&cell| self.board.at(cell) != Some(Mark::Hit));
        let open = open.filter(|&cell| self.board.at(cell) != Some(Mark::Sunk));
        open.map(|cell| odds.probability(cell)).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Returns a cell's three characters. Ships across are joined, and brackets enclose a sunk ship.
    fn cell_text(&self, cell: Cell, glyph: char) -> CellText {
        let Some(outline) = self.ships_shown.iter().find(|outline| outline.cells.contains(cell)) else {
            return [' ', glyph, ' '];
        };
        let (before, after) = (self.is_joined(cell, -1, 0), self.is_joined(cell, 1, 0));
        match outline.sunk {
            true => [if before { '=' } else { '[' }, glyph, if after { '=' } else { ']' }],
            false => [if before { '-' } else { ' ' }, glyph, if after { '-' } else { ' ' }],
        }
    }

    /// Whether the ship on a cell continues in a direction.
    fn is_joined(&self, cell: Cell, right: i16, down: i16) -> bool {
        let coordinate = |from: u8, step: i16| u8::try_from(i16::from(from) + step).ok();
        let (Some(col), Some(row)) = (coordinate(cell.col(), right), coordinate(cell.row(), down)) else {
            return false;
        };
        let outline = self.ships_shown.iter().find(|outline| outline.cells.contains(cell));
        outline.is_some_and(|outline| outline.cells.contains(Cell::new(col, row)))
    }
}

fn overlay_text(role: Role, text: CellText, styles: Styles) -> CellText {
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
fn percent(probability: f64) -> CellText {
    let number = (100.0 * probability).round() as u32;
    let text = match number {
        0 => " <1".to_owned(),
        100 if probability < 1.0 => " 99".to_owned(),
        _ => format!("{number:>3}"),
    };
    let mut chars = text.chars();
    std::array::from_fn(|_| chars.next().unwrap_or(' '))
}

fn is_number(text: CellText) -> bool {
    text[2].is_ascii_digit()
}

/// Fills a cell and writes its text in the middle. Ships across fill the whole width.
fn write_cell(buffer: &mut Buffer, at: Position, text: CellText, cell: CellSize, style: Style) {
    if cell == CellSize::NARROW {
        write_narrow_cell(buffer, at, text, style);
        return;
    }
    let (width, center) = (usize::from(cell.width), usize::from(cell.center()));
    let mut row = vec![' '; width];
    row[center] = text[1];
    if is_number(text) {
        (row[center - 1], row[center + 1]) = (text[0], text[2]);
    } else {
        (row[0], row[width - 1]) = (text[0], text[2]);
        if matches!(text[0], '-' | '=') {
            row[..center].fill(text[0]);
        }
        if matches!(text[2], '-' | '=') {
            row[center + 1..].fill(text[2]);
        }
    }
    for y in 0..cell.height {
        let line: String = if y == cell.middle() { row.iter().collect() } else { " ".repeat(width) };
        buffer.set_string(at.x, at.y + y, line, style);
    }
}

/// Writes a cell of two columns: the mark, and the sign to its right. The sign to its left goes between the cells.
fn write_narrow_cell(buffer: &mut Buffer, at: Position, text: CellText, style: Style) {
    if is_number(text) {
        let number = if text[0] == '1' { "**".to_owned() } else { text[1..].iter().collect() };
        buffer.set_string(at.x, at.y, number, style);
        return;
    }
    buffer.set_string(at.x, at.y, text[1..].iter().collect::<String>(), style);
    if text[0] != ' ' && at.x > 0 {
        let between = &buffer[(at.x - 1, at.y)];
        // Two sunk ships side by side share one sign.
        let is_shared = text[0] == '[' && between.symbol() == "]" && !style.add_modifier.contains(Modifier::REVERSED);
        let sign = if is_shared { '|' } else { text[0] };
        buffer.set_string(at.x - 1, at.y, sign.to_string(), style);
    }
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
