//! What a bot says to the arena.

use seabattle_core::{Cell, Fleet};
use thiserror::Error;

use super::{fleet_text, shown};

/// One line of a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// What it is called.
    Name(String),
    /// Who made it.
    Author(String),
    /// It is there.
    Ready,
    /// Its ships: both ends of each.
    Fleet(Vec<(Cell, Cell)>),
    /// Its shots.
    Shots(Vec<Cell>),
    /// It cannot go on, or did not understand.
    Error(String),
}

/// Why a line is no reply.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// No such reply.
    #[error("{line:?} is none of name, author, ready, fleet, shots, error; remarks belong to standard error")]
    Unknown {
        /// What was said.
        line: String,
    },
    /// A word that is no ship.
    #[error("{word:?} in a fleet is no ship such as A1-A5, or A1 alone")]
    Ship {
        /// What stood there.
        word: String,
    },
    /// A word that is no cell.
    #[error("{word:?} among the shots is no cell such as B7")]
    Cell {
        /// What stood there.
        word: String,
    },
}

/// The longest name of a bot.
const MOST_LETTERS: usize = 100;

impl Reply {
    /// The ships of a fleet.
    pub fn fleet_text(fleet: &Fleet) -> String {
        format!("fleet {}", fleet_text(fleet))
    }

    /// Some shots.
    pub fn shots_text(cells: &[Cell]) -> String {
        cells.iter().fold("shots".to_owned(), |text, cell| format!("{text} {cell}"))
    }

    /// Reads a line.
    pub fn parse(line: &str) -> Result<Self, ReplyError> {
        let (word, rest) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
        match word {
            "name" => Ok(Self::Name(plain(rest))),
            "author" => Ok(Self::Author(plain(rest))),
            "ready" if rest.is_empty() => Ok(Self::Ready),
            "fleet" => words(rest).map(ends).collect::<Result<_, _>>().map(Self::Fleet),
            "shots" => words(rest).map(cell).collect::<Result<_, _>>().map(Self::Shots),
            "error" => Ok(Self::Error(plain(rest))),
            _ => Err(ReplyError::Unknown { line: shown(line) }),
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Nothing that could disturb a terminal or a table, or make a name look like another.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() && !is_unseen(*letter)).take(MOST_LETTERS).collect()
}

/// Signs of no width, and those that turn the direction of writing.
fn is_unseen(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn ends(word: &str) -> Result<(Cell, Cell), ReplyError> {
    let (from, to) = word.split_once('-').unwrap_or((word, word));
    let end = |text: &str| text.parse().map_err(|_| ReplyError::Ship { word: shown(word) });
    Ok((end(from)?, end(to)?))
}

fn cell(word: &str) -> Result<Cell, ReplyError> {
    word.parse().map_err(|_| ReplyError::Cell { word: shown(word) })
}

#[cfg(test)]
mod tests {
    use super::Reply;

    #[test]
    fn names_hold_what_can_be_seen() {
        let name = |line: &str| Reply::parse(line);
        assert_eq!(name("name star\u{200b}\u{202e}\u{7}"), Ok(Reply::Name("star".to_owned())));
        assert_eq!(name("name Морской волк"), Ok(Reply::Name("Морской волк".to_owned())));
    }
}
