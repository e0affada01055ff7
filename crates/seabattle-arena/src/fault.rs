//! How a player can fail.

use seabattle_core::{Cell, FireError, Knowledge};
use thiserror::Error;

/// A bot fired where it may not.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("fired at {cell}: {why}; position: {position}")]
pub struct IllegalShot {
    /// The shot.
    pub cell: Cell,
    /// What is wrong with it.
    pub why: FireError,
    /// What the bot knew, as a position line.
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
