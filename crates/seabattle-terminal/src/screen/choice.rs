//! A list of which one is chosen.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::look::{Look, Part};
use super::text::cut;

/// Names with a few words on each.
pub(super) struct Choice {
    items: Vec<(String, String)>,
    at: usize,
    area: Rect,
    top: usize,
}

/// What a key or the mouse did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Nothing,
    Item(usize),
}

impl Choice {
    pub(super) fn new(items: Vec<(String, String)>, at: usize) -> Self {
        let at = at.min(items.len().saturating_sub(1));
        Self { items, at, area: Rect::default(), top: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> Chosen {
        let last = self.items.len().saturating_sub(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.at = self.at.checked_sub(1).unwrap_or(last),
            KeyCode::Down | KeyCode::Char('j') => self.at = if self.at == last { 0 } else { self.at + 1 },
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = last,
            KeyCode::PageUp => self.at = self.at.saturating_sub(10),
            KeyCode::PageDown => self.at = (self.at + 10).min(last),
            KeyCode::Enter | KeyCode::Char(' ') if !self.items.is_empty() => return Chosen::Item(self.at),
            _ => {}
        }
        Chosen::Nothing
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Chosen {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.at = self.at.saturating_sub(1),
            MouseEventKind::ScrollDown => self.at = (self.at + 1).min(self.items.len().saturating_sub(1)),
            MouseEventKind::Down(MouseButton::Left) if self.area.contains(at) => {
                let item = self.top + usize::from(at.y - self.area.y);
                if item < self.items.len() {
                    self.at = item;
                    return Chosen::Item(item);
                }
            }
            _ => {}
        }
        Chosen::Nothing
    }

    pub(super) fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        let room = usize::from(area.height);
        self.top = (self.at + 1).saturating_sub(room).min(self.items.len().saturating_sub(room));
        self.area = area;
        let widest = self.items.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let shown = self.items.iter().enumerate().skip(self.top).take(room);
        for (y, (number, (name, about))) in (area.y..).zip(shown) {
            let chosen = number == self.at;
            let mark = if chosen { look.either("▸ ", "> ") } else { "  " };
            let style = look.style(if chosen { Part::Chosen } else { Part::Text });
            let name = Span::styled(format!(" {mark}{name:<widest$} "), style);
            let about = cut(about, usize::from(area.width).saturating_sub(name.width() + 3), look);
            let line = Line::from(vec![name, Span::styled(format!("  {about}"), look.style(Part::Dim))]);
            line.render(Rect::new(area.x, y, area.width, 1), buffer);
        }
    }
}
