//! One line of typed text.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Longer than any rules, name or path worth typing.
const MOST: usize = 200;

/// A text in the making.
#[derive(Debug, Default, Clone)]
pub(super) struct Line {
    text: String,
}

/// What a key did to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Still,
    Done,
    GivenUp,
}

impl Line {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> Typed {
        match key.code {
            KeyCode::Enter => return Typed::Done,
            KeyCode::Esc => return Typed::GivenUp,
            KeyCode::Backspace => {
                self.text.pop();
            }
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.text.clear(),
            KeyCode::Char(c) if !c.is_control() && self.text.chars().count() < MOST => self.text.push(c),
            _ => {}
        }
        Typed::Still
    }
}
