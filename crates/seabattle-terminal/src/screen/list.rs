//! A list for choosing one item by keys or mouse.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::style::{Role, Styles};
use super::wrap::{truncated, wrapped};

/// The least width of a description beside its name. A narrower one goes below it.
const MIN_BESIDE: usize = 36;

/// A list of names with descriptions.
pub(super) struct SelectList {
    items: Vec<(String, String)>,
    at: usize,
    /// Whether long descriptions wrap. Otherwise they are truncated.
    wraps: bool,
    area: Rect,
    /// The item of every row as last drawn.
    drawn: Vec<usize>,
}

/// What a key or a click selected.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Selection {
    Nothing,
    Item(usize),
}

impl SelectList {
    pub(super) fn new(items: Vec<(String, String)>, at: usize) -> Self {
        let at = at.min(items.len().saturating_sub(1));
        Self { items, at, wraps: false, area: Rect::default(), drawn: Vec::new() }
    }

    /// Makes long descriptions wrap.
    pub(super) fn wrapping(self) -> Self {
        Self { wraps: true, ..self }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Moves to an item.
    pub(super) fn select(&mut self, item: usize) {
        self.at = item.min(self.items.len().saturating_sub(1));
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> Selection {
        let last = self.items.len().saturating_sub(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.at = self.at.checked_sub(1).unwrap_or(last),
            KeyCode::Down | KeyCode::Char('j') => self.at = if self.at == last { 0 } else { self.at + 1 },
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = last,
            KeyCode::PageUp => self.at = self.at.saturating_sub(10),
            KeyCode::PageDown => self.at = (self.at + 10).min(last),
            KeyCode::Enter | KeyCode::Char(' ') if !self.items.is_empty() => return Selection::Item(self.at),
            _ => {}
        }
        Selection::Nothing
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Selection {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.at = self.at.saturating_sub(1),
            MouseEventKind::ScrollDown => self.at = (self.at + 1).min(self.items.len().saturating_sub(1)),
            MouseEventKind::Down(MouseButton::Left) if self.area.contains(at) => {
                if let Some(&item) = self.drawn.get(usize::from(at.y - self.area.y)) {
                    self.at = item;
                    return Selection::Item(item);
                }
            }
            _ => {}
        }
        Selection::Nothing
    }

    /// Draws the items that fit. The chosen one is always visible.
    pub(super) fn draw(&mut self, area: Rect, buffer: &mut Buffer, styles: Styles) {
        let (width, room) = (usize::from(area.width), usize::from(area.height));
        let names = self.items.iter().map(|(name, _)| Span::raw(name).width()).max().unwrap_or(0);
        let rows: Vec<Vec<Line<'_>>> =
            (0..self.items.len()).map(|item| self.rows(item, names, width, styles)).collect();
        let mut top = self.at;
        let mut used = rows.get(top).map_or(0, Vec::len);
        while top > 0 && used + rows[top - 1].len() <= room {
            top -= 1;
            used += rows[top].len();
        }
        let shown: Vec<(usize, Line<'_>)> = rows
            .into_iter()
            .enumerate()
            .skip(top)
            .flat_map(|(item, rows)| rows.into_iter().map(move |row| (item, row)))
            .take(room)
            .collect();
        let mut drawn = Vec::new();
        for (y, (item, row)) in (area.y..).zip(shown) {
            row.render(Rect::new(area.x, y, area.width, 1), buffer);
            drawn.push(item);
        }
        (self.area, self.drawn) = (area, drawn);
    }

    /// Lays out one item: its name, and its description beside or below it.
    fn rows(&self, item: usize, names: usize, width: usize, styles: Styles) -> Vec<Line<'static>> {
        let (name, about) = &self.items[item];
        let chosen = item == self.at;
        let mark = if chosen { styles.unicode_or_ascii("▸ ", "> ") } else { "  " };
        let style = styles.of(if chosen { Role::Selected } else { Role::Text });
        let name = Span::styled(format!(" {mark}{name:<names$} "), style);
        let dim = styles.of(Role::Dim);
        let room = width.saturating_sub(name.width() + 3);
        if !self.wraps || Span::raw(about).width() <= room {
            let about = truncated(about, room, styles);
            return vec![Line::from(vec![name, Span::styled(format!("  {about}"), dim)])];
        }
        let beside = room >= MIN_BESIDE;
        let indent = if beside { name.width() + 2 } else { 5 };
        let indented = |line: Line<'_>| Line::styled(format!("{:indent$}{}", "", line.to_string().trim_end()), dim);
        let mut rows = wrapped(&Line::from(about.as_str()), width.saturating_sub(indent + 1)).into_iter();
        let first = if beside { rows.next() } else { None };
        let first = first.map_or_else(String::new, |line| format!("  {}", line.to_string().trim_end()));
        let first = Line::from(vec![name, Span::styled(first, dim)]);
        std::iter::once(first).chain(rows.map(indented)).collect()
    }
}
