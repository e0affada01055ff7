//! The position line: rules, then the shots in order with their answers.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Knowledge, ShotError};
use crate::{ParseRulesError, ParseShotError, Rules, Shot};

/// Prints the position line, as in `classic E5. D4x D5#destroyer`.
impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rules)?;
        self.shots.iter().try_for_each(|shot| write!(f, " {}", shot.to_text(&self.rules)))
    }
}

/// Why a text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// The first word does not describe rules.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
    /// A word is not a shot.
    #[error("shot {number}: {why}")]
    Shot {
        /// The number of the shot, counted from 1.
        number: usize,
        /// What is wrong with the shot.
        why: ParseShotError,
    },
    /// A shot contradicts the ones before it.
    #[error("shot {number}: {why}")]
    Impossible {
        /// The number of the shot, counted from 1.
        number: usize,
        /// What is wrong with the shot.
        why: ShotError,
    },
}

impl Knowledge {
    /// Parses shots in order, as in `E5. D4x D5#destroyer`.
    pub fn parse(rules: &Rules, shots: &str) -> Result<Self, ParsePositionError> {
        let mut knowledge = Self::new(rules);
        for (at, word) in shots.split_whitespace().enumerate() {
            let number = at + 1;
            let shot = Shot::parse(rules, word).map_err(|why| ParsePositionError::Shot { number, why })?;
            knowledge.add(shot).map_err(|why| ParsePositionError::Impossible { number, why })?;
        }
        Ok(knowledge)
    }
}

impl FromStr for Knowledge {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        let text = text.trim();
        let (rules, shots) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Self::parse(&rules.parse()?, shots)
    }
}
