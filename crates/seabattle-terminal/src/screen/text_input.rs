//! A field for one line of text.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The longest text. Rules, names and paths are shorter.
const MAX_CHARS: usize = 200;

/// The text being typed.
#[derive(Debug, Default, Clone)]
pub(super) struct TextInput {
    text: String,
}

/// What a key did to the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputState {
    Editing,
    Submitted,
    Cancelled,
}

impl TextInput {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> InputState {
        match key.code {
            KeyCode::Enter => return InputState::Submitted,
            KeyCode::Esc => return InputState::Cancelled,
            KeyCode::Backspace => {
                self.text.pop();
            }
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.text.clear(),
            KeyCode::Char(c) if !c.is_control() && self.text.chars().count() < MAX_CHARS => self.text.push(c),
            _ => {}
        }
        InputState::Editing
    }
}
