//! A shot and its answer, with the text form `D6#cruiser`.

use thiserror::Error;

use crate::{Cell, ClassId, Rules};

/// The answer to a shot, as far as the rules announce it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Water.
    Miss,
    /// A ship; which one only where every hit names its ship.
    Hit(Option<ClassId>),
    /// A ship, and it sank; which one only where the rules name it.
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
    /// Where.
    pub cell: Cell,
    /// What was announced.
    pub outcome: Outcome,
}

impl Shot {
    /// `E5.` miss, `D4x` hit, `D4x:cruiser` a hit that names its ship, `D6#` sunk, `D6#cruiser` sunk and named.
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

    /// Reads what [`Shot::to_text`] prints. Whether the rules announce such an answer is not checked here.
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

/// Why a text is no shot.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseShotError {
    /// It does not start with a cell.
    #[error("{text:?} does not start with a cell such as B7")]
    Cell {
        /// What stood there.
        text: String,
    },
    /// No answer behind the cell.
    #[error("{text:?}: behind the cell stands `.` for a miss, `x` for a hit or `#` for sunk")]
    Answer {
        /// What stood there.
        text: String,
    },
    /// A ship that is not in the fleet.
    #[error("{text:?} names no ship of the fleet")]
    Ship {
        /// What stood there.
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
