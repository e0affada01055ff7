//! What players may ask for, and why they are refused.

use serde::{Deserialize, Serialize};

use crate::placement::ShipRefusal;

/// Longer names of commands are refused.
pub(crate) const LONGEST_COMMAND: usize = 64;

/// A command as it comes.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Command {
    /// Made up by the client: the same one twice is done once.
    pub(crate) command: String,
    #[serde(flatten)]
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Kind {
    Place { fleet: String },
    Shoot { cells: Vec<String> },
    Resign,
    Rematch,
}

/// Why a wish is not granted. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) reason: String,
    /// What is wrong with each ship of a fleet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) refusals: Vec<ShipRefusal>,
    #[serde(skip)]
    pub(crate) status: Status,
}

/// Whose fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Wrong,
    NotYours,
    Unknown,
    Conflict,
    TooMany,
    Unavailable,
}

impl Refusal {
    pub(crate) fn new(status: Status, code: &str, reason: &str) -> Self {
        Self { code: code.to_owned(), reason: reason.to_owned(), refusals: Vec::new(), status }
    }

    pub(crate) fn wrong(code: &str, reason: &str) -> Self {
        Self::new(Status::Wrong, code, reason)
    }

    pub(crate) fn conflict(code: &str, reason: &str) -> Self {
        Self::new(Status::Conflict, code, reason)
    }

    pub(crate) fn unknown_game() -> Self {
        Self::new(Status::Unknown, "unknown-game", "there is no such game")
    }

    pub(crate) fn not_seated() -> Self {
        Self::new(Status::NotYours, "not-seated", "only the players of this game may do that")
    }

    pub(crate) fn unavailable() -> Self {
        Self::new(Status::Unavailable, "unavailable", "the server cannot do that now; try again in a moment")
    }
}
