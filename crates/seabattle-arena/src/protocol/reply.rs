//! Replies of the line protocol: the lines from a bot to the arena.

use seabattle_core::{Cell, Fleet};
use thiserror::Error;

use super::{fleet_text, shown};

/// A reply: one line from a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `name`: the name of the bot.
    Name(String),
    /// `author`: the author of the bot.
    Author(String),
    /// `ready`: the bot is ready.
    Ready,
    /// `fleet`: both ends of each ship.
    Fleet(Vec<(Cell, Cell)>),
    /// `shots`: the cells that the bot fires at.
    Shots(Vec<Cell>),
    /// `error`: the bot gives up, or does not understand the command.
    Error(String),
}

/// Why a line is not a reply.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// The reply is unknown.
    #[error("{line:?} is none of name, author, ready, fleet, shots, error; remarks belong to standard error")]
    Unknown {
        /// The line.
        line: String,
    },
    /// A word of a fleet is not a ship.
    #[error("{word:?} in a fleet is no ship such as A1-A5, or A1 alone")]
    Ship {
        /// The word.
        word: String,
    },
    /// A word among the shots is not a cell.
    #[error("{word:?} among the shots is no cell such as B7")]
    Cell {
        /// The word.
        word: String,
    },
}

/// The maximum length of names and other texts of a bot.
const MOST_LETTERS: usize = 100;

impl Reply {
    /// The text of a `fleet` reply.
    pub fn fleet_text(fleet: &Fleet) -> String {
        format!("fleet {}", fleet_text(fleet))
    }

    /// The text of a `shots` reply.
    pub fn shots_text(cells: &[Cell]) -> String {
        cells.iter().fold("shots".to_owned(), |text, cell| format!("{text} {cell}"))
    }

    /// Parses a line.
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

/// A text without characters that disturb a terminal or make one name look like another.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() && !is_unseen(*letter)).take(MOST_LETTERS).collect()
}

/// Whether a character has no width or changes the direction of writing.
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
