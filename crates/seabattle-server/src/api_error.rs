//! Errors that clients get.

use serde::Serialize;

use crate::rooms::placement::ShipError;

/// Why a wish is not granted. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ApiError {
    pub(crate) code: String,
    pub(crate) reason: String,
    /// What is wrong with each ship of a fleet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) refusals: Vec<ShipError>,
    #[serde(skip)]
    pub(crate) kind: ErrorKind,
}

/// Whose fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    BadRequest,
    Forbidden,
    NotFound,
    Conflict,
    TooManyRequests,
    Unavailable,
}

impl ApiError {
    pub(crate) fn new(kind: ErrorKind, code: &str, reason: &str) -> Self {
        Self { code: code.to_owned(), reason: reason.to_owned(), refusals: Vec::new(), kind }
    }

    pub(crate) fn bad_request(code: &str, reason: &str) -> Self {
        Self::new(ErrorKind::BadRequest, code, reason)
    }

    pub(crate) fn conflict(code: &str, reason: &str) -> Self {
        Self::new(ErrorKind::Conflict, code, reason)
    }

    pub(crate) fn unknown_game() -> Self {
        Self::new(ErrorKind::NotFound, "unknown-game", "there is no such game")
    }

    pub(crate) fn not_seated() -> Self {
        Self::new(ErrorKind::Forbidden, "not-seated", "only the players of this game may do that")
    }

    pub(crate) fn unavailable() -> Self {
        Self::new(ErrorKind::Unavailable, "unavailable", "the server cannot do that now; try again in a moment")
    }
}
