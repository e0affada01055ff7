//! A cell of a board and the orientation of a ship, with their text forms.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A cell of a board: a column and a row, counted from the top left.
///
/// Its text form is a column letter and a row number: `A1` is the top left cell, and
/// `AA1` follows `Z1`. A cell knows nothing of a board: [`Size::contains`](crate::Size::contains)
/// says whether it is on one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    row: u8,
    col: u8,
}

impl Cell {
    /// The cell in a column and a row, both counted from 0.
    #[inline]
    pub const fn new(col: u8, row: u8) -> Self {
        Self { row, col }
    }

    /// The column of the cell, counted from 0 at the left.
    #[inline]
    pub const fn col(self) -> u8 {
        self.col
    }

    /// The row of the cell, counted from 0 at the top.
    #[inline]
    pub const fn row(self) -> u8 {
        self.row
    }

    /// The cell this many steps to the right or down; `None` beyond the last cell that has a name.
    pub fn step(self, orientation: Orientation, steps: u8) -> Option<Self> {
        match orientation {
            Orientation::Across => Some(Self::new(self.col.checked_add(steps)?, self.row)),
            Orientation::Down => Some(Self::new(self.col, self.row.checked_add(steps)?)),
        }
    }

    /// The cell this many steps to the left or up; `None` beyond the first column or row.
    pub fn step_back(self, orientation: Orientation, steps: u8) -> Option<Self> {
        match orientation {
            Orientation::Across => Some(Self::new(self.col.checked_sub(steps)?, self.row)),
            Orientation::Down => Some(Self::new(self.col, self.row.checked_sub(steps)?)),
        }
    }
}

/// The letters of a column: `A` for 0, `Z` for 25, `AA` for 26.
pub fn column_letters(col: u8) -> String {
    let letter = |n: u8| char::from(b'A' + n);
    match col.checked_sub(26) {
        None => letter(col).to_string(),
        Some(rest) => format!("{}{}", letter(rest / 26), letter(rest % 26)),
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}{}", column_letters(self.col), u16::from(self.row) + 1);
        f.pad(&text)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error of a text that is not a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a cell is a column letter and a row number, as in B7")]
pub struct ParseCellError;

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, ParseCellError> {
        let split = text.find(|c: char| !c.is_ascii_alphabetic()).ok_or(ParseCellError)?;
        let (letters, digits) = text.split_at(split);
        Ok(Self::new(parse_column(letters)?, parse_row(digits)?))
    }
}

fn parse_column(letters: &str) -> Result<u8, ParseCellError> {
    let value = |c: u8| u16::from(c.to_ascii_uppercase() - b'A');
    let col = match *letters.as_bytes() {
        [only] => value(only),
        [first, second] => 26 + value(first) * 26 + value(second),
        _ => return Err(ParseCellError),
    };
    u8::try_from(col).map_err(|_| ParseCellError)
}

fn parse_row(digits: &str) -> Result<u8, ParseCellError> {
    let plain = digits.len() <= 3 && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: u16 = plain.then(|| digits.parse().ok()).flatten().ok_or(ParseCellError)?;
    u8::try_from(number - 1).map_err(|_| ParseCellError)
}

/// How a ship points from its first cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Orientation {
    /// The ship points to the right, along a row.
    Across,
    /// The ship points down, along a column.
    Down,
}

impl Orientation {
    /// Both orientations.
    pub const ALL: [Self; 2] = [Self::Across, Self::Down];

    /// The other orientation.
    pub const fn turned(self) -> Self {
        match self {
            Self::Across => Self::Down,
            Self::Down => Self::Across,
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Across => "across",
            Self::Down => "down",
        })
    }
}

/// The error of a text that is not an orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a ship points `across` or `down`")]
pub struct ParseOrientationError;

impl FromStr for Orientation {
    type Err = ParseOrientationError;

    fn from_str(text: &str) -> Result<Self, ParseOrientationError> {
        match text.to_ascii_lowercase().as_str() {
            "across" | "a" | "h" | "horizontal" => Ok(Self::Across),
            "down" | "d" | "v" | "vertical" => Ok(Self::Down),
            _ => Err(ParseOrientationError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, column_letters};

    #[test]
    fn every_cell_parses_what_it_prints() {
        for col in 0..=u8::MAX {
            for row in 0..=u8::MAX {
                let cell = Cell::new(col, row);
                assert_eq!(cell.to_string().parse(), Ok(cell));
                assert_eq!(cell.to_string().to_lowercase().parse(), Ok(cell));
            }
        }
    }

    #[test]
    fn columns_count_on_after_z() {
        let letters: Vec<_> = [0, 25, 26, 27, 49].map(column_letters).into();
        assert_eq!(letters, ["A", "Z", "AA", "AB", "AX"]);
    }

    #[test]
    fn what_is_no_cell_is_refused() {
        for text in [
            "", "A", "7", "7B", "A0", "A01", "A-1", "A+1", "A 1", "A1 ", "AAA1", "A257", "A999", "ZZ1", "Ä1", "A１",
            "A1x",
        ] {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
    }
}
