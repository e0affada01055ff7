//! Boxes over the page: the scrolling help, and questions.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::style::{Role, Styles};
use super::wrap::wrapped;

/// The widest box that is easy to read.
const MAX_COLUMNS: u16 = 78;

/// The open help box.
#[derive(Debug, Default)]
pub(super) struct HelpBox {
    top: usize,
    /// Rows of text as last drawn.
    rows: usize,
    room: usize,
}

impl HelpBox {
    /// Whether it stays open.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let page = self.room.saturating_sub(1).max(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.scroll_to(self.top.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.scroll_to(self.top + 1),
            KeyCode::PageUp => self.scroll_to(self.top.saturating_sub(page)),
            KeyCode::PageDown => self.scroll_to(self.top + page),
            KeyCode::Char(' ') if self.top < self.last_top() => self.scroll_to(self.top + page),
            _ => false,
        }
    }

    /// Whether it stays open.
    pub(super) fn mouse(&mut self, kind: MouseEventKind) -> bool {
        match kind {
            MouseEventKind::Down(_) => false,
            MouseEventKind::ScrollUp => self.scroll_to(self.top.saturating_sub(1)),
            MouseEventKind::ScrollDown => self.scroll_to(self.top + 1),
            _ => true,
        }
    }

    fn last_top(&self) -> usize {
        self.rows.saturating_sub(self.room)
    }

    /// Scrolls to a row. Returns whether there is anything to scroll.
    fn scroll_to(&mut self, top: usize) -> bool {
        self.top = top.min(self.last_top());
        self.last_top() > 0
    }

    pub(super) fn draw(&mut self, entries: &[(String, String)], area: Rect, buffer: &mut Buffer, styles: Styles) {
        let most = usize::from(area.width.min(MAX_COLUMNS)).saturating_sub(4);
        let keys = entries.iter().map(|(key, _)| Span::raw(key).width()).max().unwrap_or(0).min(most / 2);
        let rows: Vec<Line<'_>> =
            entries.iter().flat_map(|(key, meaning)| help_rows(key, meaning, keys, most, styles)).collect();
        (self.rows, self.room) = (rows.len(), usize::from(area.height).saturating_sub(2));
        self.top = self.top.min(self.last_top());
        let title = match (self.last_top(), self.top) {
            (0, _) => "Help (press any key to close)",
            (last, top) if top < last => {
                styles.unicode_or_ascii("Help (↓ more, Esc closes)", "Help (down for more, Esc closes)")
            }
            _ => styles.unicode_or_ascii("Help (↑ back, Esc closes)", "Help (up goes back, Esc closes)"),
        };
        draw_box(title, rows, self.top, area, buffer, styles);
    }
}

/// Lays out one key with its wrapped meaning beside it.
fn help_rows(key: &str, meaning: &str, keys: usize, most: usize, styles: Styles) -> Vec<Line<'static>> {
    let left = wrapped(&Line::from(key), keys);
    let right = wrapped(&Line::from(meaning), most.saturating_sub(keys + 2));
    let row = |number: usize| {
        let key = left.get(number).map(|line| line.to_string().trim_end().to_owned()).unwrap_or_default();
        let gap = " ".repeat(keys.saturating_sub(Span::raw(key.as_str()).width()) + 2);
        let mut spans = vec![Span::styled(format!("{key}{gap}"), styles.of(Role::Key))];
        spans.extend(right.get(number).map(|line| line.spans.clone()).unwrap_or_default());
        Line::from(spans)
    };
    (0..left.len().max(right.len())).map(row).collect()
}

/// Draws a question and returns where its answers were drawn.
pub(super) fn draw_question(text: &str, area: Rect, buffer: &mut Buffer, styles: Styles) -> AnswerButtons {
    let mut rows = wrapped(&Line::from(text), usize::from(area.width.min(MAX_COLUMNS)).saturating_sub(4));
    rows.push(Line::default());
    rows.push(Line::styled("y yes   n no", styles.of(Role::Key)));
    let last = rows.len() as u16 - 1;
    let inner = draw_box("Question", rows, 0, area, buffer, styles);
    let answer = |x: u16, width: u16| Rect::new(inner.x + x, inner.y + last, width, 1).intersection(inner);
    AnswerButtons { yes: answer(0, 5), no: answer(8, 4) }
}

/// Where the answers to a question can be clicked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AnswerButtons {
    yes: Rect,
    no: Rect,
}

impl AnswerButtons {
    pub(super) fn key_at(&self, at: Position) -> Option<KeyEvent> {
        let key = |place: Rect, letter: char| place.contains(at).then(|| KeyEvent::from(KeyCode::Char(letter)));
        key(self.yes, 'y').or_else(|| key(self.no, 'n'))
    }
}

/// Draws a box in the middle of the area and returns its inside.
fn draw_box(title: &str, rows: Vec<Line<'_>>, top: usize, area: Rect, buffer: &mut Buffer, styles: Styles) -> Rect {
    let widest = rows.iter().map(Line::width).max().unwrap_or(0).max(Span::raw(title).width() + 2) as u16;
    let (width, height) = ((widest + 4).min(area.width), (rows.len() as u16 + 2).min(area.height));
    let place = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let block = Block::bordered()
        .border_set(styles.border())
        .border_style(styles.of(Role::Title))
        .title(Line::styled(format!(" {title} "), styles.of(Role::Title)));
    Clear.render(place, buffer);
    let inner = block.inner(place);
    block.render(place, buffer);
    let inner = Rect::new(inner.x + 1, inner.y, inner.width.saturating_sub(2), inner.height);
    for (y, row) in (inner.y..inner.bottom()).zip(rows.into_iter().skip(top)) {
        row.render(Rect::new(inner.x, y, inner.width, 1), buffer);
    }
    inner
}
