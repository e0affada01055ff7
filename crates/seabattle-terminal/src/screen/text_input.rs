//! A field for one line of text.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// The longest text. Rules, names and paths are shorter.
const MAX_CHARS: usize = 200;

/// The text being typed, and the cursor in it.
#[derive(Debug, Default, Clone)]
pub(super) struct TextInput {
    before: String,
    /// The text from the cursor on.
    after: String,
}

/// What a key did to the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputState {
    Editing,
    Submitted,
    Cancelled,
}

impl TextInput {
    /// A field with a text and the cursor at its end.
    pub(super) fn new(text: &str) -> Self {
        Self { before: text.to_owned(), after: String::new() }
    }

    pub(super) fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> InputState {
        let is_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => return InputState::Submitted,
            KeyCode::Esc => return InputState::Cancelled,
            KeyCode::Backspace => {
                self.before.pop();
            }
            KeyCode::Delete => self.after = self.after.chars().skip(1).collect(),
            KeyCode::Left => {
                if let Some(c) = self.before.pop() {
                    self.after.insert(0, c);
                }
            }
            KeyCode::Right => {
                self.before.extend(self.after.chars().next());
                self.after = self.after.chars().skip(1).collect();
            }
            KeyCode::Home => self.move_to_start(),
            KeyCode::End => self.move_to_end(),
            KeyCode::Char('a') if is_ctrl => self.move_to_start(),
            KeyCode::Char('e') if is_ctrl => self.move_to_end(),
            KeyCode::Char('k') if is_ctrl => self.after.clear(),
            KeyCode::Char('u') if is_ctrl => self.before.clear(),
            KeyCode::Char('w') if is_ctrl => self.delete_word(),
            KeyCode::Char(c) => self.insert(c),
            _ => {}
        }
        InputState::Editing
    }

    /// Inserts the first line of pasted text.
    pub(super) fn paste(&mut self, text: &str) {
        text.trim_start().chars().take_while(|c| !matches!(c, '\r' | '\n')).for_each(|c| self.insert(c));
    }

    fn insert(&mut self, c: char) {
        if !c.is_control() && self.before.chars().count() + self.after.chars().count() < MAX_CHARS {
            self.before.push(c);
        }
    }

    fn move_to_start(&mut self) {
        self.after = self.text();
        self.before.clear();
    }

    fn move_to_end(&mut self) {
        self.before = self.text();
        self.after.clear();
    }

    fn delete_word(&mut self) {
        let word_start = self.before.trim_end().rfind(' ').map_or(0, |space| space + 1);
        self.before.truncate(word_start);
    }

    /// Draws a label and the part of the text around the cursor that fits.
    pub(super) fn line(&self, label: &str, width: usize, style: Style) -> Line<'static> {
        let room = width.saturating_sub(Span::raw(label).width() + 1).max(1);
        let mut before = self.before.as_str();
        while Span::raw(before).width() > room.saturating_sub(1) {
            before = &before[before.chars().next().map_or(0, char::len_utf8)..];
        }
        let mut after = self.after.chars();
        let cursor = after.next().map_or_else(|| "_".to_owned(), String::from);
        let mut spans = vec![Span::styled(format!("{label}{before}"), style)];
        let at_end = self.after.is_empty();
        spans.push(Span::styled(cursor, if at_end { style } else { style.add_modifier(Modifier::REVERSED) }));
        let mut rest = after.as_str();
        while Span::raw(rest).width() + Span::raw(before).width() + 1 > room {
            rest = &rest[..rest.char_indices().next_back().map_or(0, |(at, _)| at)];
        }
        spans.push(Span::styled(rest.to_owned(), style));
        Line::from(spans)
    }
}
