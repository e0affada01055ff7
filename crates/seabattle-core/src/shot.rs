//! A shot with its answer, and their text form, as in `D6#cruiser`.

use thiserror::Error;

use crate::{Cell, ClassId, Rules};

/// The answer to a shot, as far as the rules announce it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The shot missed.
    Miss,
    /// The shot hit a ship. The class is known only where every hit names its ship.
    Hit(Option<ClassId>),
    /// The shot sank a ship. The class is known only where the rules announce it.
    Sunk(Option<ClassId>),
}

impl Outcome {
    /// Whether a ship was hit, sunk or not.
    #[inline]
    pub fn is_hit(self) -> bool {
        self != Self::Miss
    }

    /// Whether a sinking was announced.
    #[inline]
    pub fn is_sunk(self) -> bool {
        matches!(self, Self::Sunk(_))
    }
}

/// A shot with its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shot {
    /// The cell that was shot at.
    pub cell: Cell,
    /// The answer that was announced.
    pub outcome: Outcome,
}

impl Shot {
    /// The text form: `E5.` miss, `D4x` hit, `D4x:cruiser` hit with name, `D6#` sunk, `D6#cruiser` sunk with name.
    pub fn to_text(self, rules: &Rules) -> String {
        let name = |class: ClassId| rules.class(class).name();
        match self.outcome {
            Outcome::Miss => format!("{}.", self.cell),
            Outcome::Hit(None) => format!("{}x", self.cell),
            Outcome::Hit(Some(class)) => format!("{}x:{}", self.cell, name(class)),
            Outcome::Sunk(None) => format!("{}#", self.cell),
            Outcome::Sunk(Some(class)) => format!("{}#{}", self.cell, name(class)),
        }
    }

    /// Parses the text form of [`Shot::to_text`]. It does not check whether the rules announce such an answer.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, ParseShotError> {
        let shown = || text.chars().take(30).collect::<String>();
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
        let (cell, answer) = text.split_at(letters + digits);
        let cell = cell.parse().map_err(|_| ParseShotError::Cell { text: shown() })?;
        let class = |name: &str| rules.class_named(name).ok_or_else(|| ParseShotError::Ship { text: shown() });
        let outcome = match answer.split_at_checked(1) {
            Some((".", "")) => Outcome::Miss,
            Some(("x", "")) => Outcome::Hit(None),
            Some(("x", name)) if name.starts_with(':') => Outcome::Hit(Some(class(&name[1..])?)),
            Some(("#", "")) => Outcome::Sunk(None),
            Some(("#", name)) => Outcome::Sunk(Some(class(name)?)),
            _ => return Err(ParseShotError::Answer { text: shown() }),
        };
        Ok(Self { cell, outcome })
    }
}

/// Why a text is not a shot.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseShotError {
    /// The text does not start with a cell.
    #[error("{text:?} does not start with a cell such as B7")]
    Cell {
        /// The text that was given.
        text: String,
    },
    /// No answer follows the cell.
    #[error("{text:?}: after the cell write `.` for a miss, `x` for a hit or `#` for sunk")]
    Answer {
        /// The text that was given.
        text: String,
    },
    /// The fleet has no such ship.
    #[error("{text:?} names no ship of the fleet")]
    Ship {
        /// The text that was given.
        text: String,
    },
}

#[cfg(test)]
mod tests {
    use crate::{Rules, Shot};

    #[test]
    fn shots_parse_what_they_print() {
        let rules: Rules = "30x5:carrier=5,2".parse().unwrap();
        for text in ["E5.", "X4x", "X3x:carrier", "AC1#", "D6#2", "D6#carrier"] {
            let shot = Shot::parse(&rules, text).unwrap();
            assert_eq!(shot.to_text(&rules), text);
        }
    }

    #[test]
    fn what_is_no_shot_is_refused() {
        let rules = Rules::classic();
        for text in ["", ".", "E5", "E5..", "5E.", "E5x:", "E5x:yacht", "E5#yacht", "E5xcruiser", "E5é", "é", "E5.é"]
        {
            assert!(Shot::parse(&rules, text).is_err(), "{text:?}");
        }
    }
}
