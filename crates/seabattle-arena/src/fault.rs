//! Illegal shots of built-in bots.

use seabattle_core::{Cell, FireError, Knowledge};
use thiserror::Error;

/// An illegal shot of a bot, with the position it was fired in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("fired at {cell}: {why}; position: {position}")]
pub struct IllegalShot {
    /// The cell fired at.
    pub cell: Cell,
    /// Why the shot is illegal.
    pub why: FireError,
    /// What the bot knew: the text form of the position.
    pub position: String,
}

impl IllegalShot {
    pub(crate) fn new(volley: &[Cell], why: FireError, known: &Knowledge) -> Self {
        let last = volley.last().copied().unwrap_or(Cell::new(0, 0));
        let cell = match why {
            FireError::Outside { cell, .. } | FireError::Repeated { cell } => cell,
            FireError::Over | FireError::NotYourTurn { .. } | FireError::WrongCount { .. } => last,
        };
        Self { cell, why, position: known.to_string() }
    }
}
