//! Typing a cell, such as `b7`, instead of moving the cursor.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use seabattle_core::{Cell, Size};

/// The longest cell: `AX50`.
const MAX_CHARS: usize = 4;
/// Letters that move the cursor. A digit after one of them makes it the first letter of a cell.
const MOVES: [char; 4] = ['h', 'j', 'k', 'l'];

/// A cell being typed.
#[derive(Debug, Default)]
pub(super) struct CellEntry {
    text: Option<String>,
    /// The letter of the last key, if that moved the cursor.
    last_move: Option<char>,
}

/// What a key did to the typed cell.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EntryState {
    /// The key has another meaning.
    Ignored,
    /// The text has changed. The cell is there once the text names one of this board.
    Editing(Option<Cell>),
    /// The player has confirmed the text.
    Submitted(Result<Cell, String>),
}

impl CellEntry {
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    pub(super) fn close(&mut self) {
        self.text = None;
    }

    /// Handles a key. A letter that is a command does not start a cell; `:` does in any case.
    pub(super) fn key(&mut self, key: KeyEvent, size: Size, is_command: impl Fn(char) -> bool) -> EntryState {
        let last_move = self.last_move.take();
        match (self.text.take(), key.code) {
            (None, KeyCode::Char(':')) => self.edit(String::new(), size),
            (None, KeyCode::Char(c)) if !is_command(c) && is_column(c, size) => self.edit(c.into(), size),
            (None, KeyCode::Char(c)) => match last_move.filter(|&letter| c.is_ascii_digit() && is_column(letter, size))
            {
                Some(letter) => self.edit(format!("{letter}{c}"), size),
                None => {
                    self.last_move = Some(c).filter(|c| MOVES.contains(c));
                    EntryState::Ignored
                }
            },
            (Some(text), KeyCode::Char(' ') | KeyCode::Enter) => EntryState::Submitted(named(&text, size).ok_or(text)),
            (Some(text), KeyCode::Char(c)) if c.is_ascii_alphanumeric() && text.len() < MAX_CHARS => {
                self.edit(format!("{text}{c}"), size)
            }
            (Some(text), KeyCode::Char(_)) => self.edit(text, size),
            (Some(mut text), KeyCode::Backspace) => {
                text.pop();
                if text.is_empty() { EntryState::Editing(None) } else { self.edit(text, size) }
            }
            (Some(_), KeyCode::Esc) => EntryState::Editing(None),
            _ => EntryState::Ignored,
        }
    }

    fn edit(&mut self, text: String, size: Size) -> EntryState {
        let cell = named(&text, size);
        self.text = Some(text);
        EntryState::Editing(cell)
    }
}

fn named(text: &str, size: Size) -> Option<Cell> {
    text.parse().ok().filter(|&cell| size.contains(cell))
}

/// Whether a letter can start the name of a column.
fn is_column(letter: char, size: Size) -> bool {
    letter.is_ascii_alphabetic() && letter.to_ascii_lowercase() as u8 - b'a' < size.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> (EntryState, Option<String>) {
        let size = Size::new(12, 12).unwrap();
        let mut entry = CellEntry::default();
        let mut state = EntryState::Ignored;
        for c in keys.chars() {
            let code = match c {
                '\n' => KeyCode::Enter,
                '<' => KeyCode::Backspace,
                '^' => KeyCode::Up,
                c => KeyCode::Char(c),
            };
            state = entry.key(KeyEvent::from(code), size, |c| "hjklfHT".contains(c));
        }
        (state, entry.text().map(str::to_owned))
    }

    fn cell(name: &str) -> Cell {
        name.parse().unwrap()
    }

    #[test]
    fn a_cell_is_typed_corrected_and_confirmed() {
        assert_eq!(typed("b"), (EntryState::Editing(None), Some("b".to_owned())));
        assert_eq!(typed("b7"), (EntryState::Editing(Some(cell("B7"))), Some("b7".to_owned())));
        assert_eq!(typed("b7\n"), (EntryState::Submitted(Ok(cell("B7"))), None));
        assert_eq!(typed("b1<2"), (EntryState::Editing(Some(cell("B2"))), Some("b2".to_owned())));
        assert_eq!(typed("b99\n"), (EntryState::Submitted(Err("b99".to_owned())), None));
    }

    #[test]
    fn letters_of_commands_start_a_cell_only_before_a_digit_or_after_a_colon() {
        assert_eq!(typed("h"), (EntryState::Ignored, None));
        assert_eq!(typed("h7"), (EntryState::Editing(Some(cell("H7"))), Some("h7".to_owned())));
        assert_eq!(typed("h^7"), (EntryState::Ignored, None));
        assert_eq!(typed("f7"), (EntryState::Ignored, None));
        assert_eq!(typed(":f7"), (EntryState::Editing(Some(cell("F7"))), Some("f7".to_owned())));
        assert_eq!(typed("z"), (EntryState::Ignored, None));
    }

    #[test]
    fn an_arrow_ends_the_typing() {
        assert_eq!(typed("b^"), (EntryState::Ignored, None));
        assert_eq!(typed("b<"), (EntryState::Editing(None), None));
    }
}
