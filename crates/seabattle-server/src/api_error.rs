//! Errors that clients receive.

use std::time::Duration;

use serde::Serialize;

use crate::rooms::placement::ShipError;

/// Why a request was refused. It had no effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ApiError {
    pub(crate) code: String,
    pub(crate) reason: String,
    /// The ships of a fleet that are wrong, with reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) refusals: Vec<ShipError>,
    #[serde(skip)]
    pub(crate) kind: ErrorKind,
    /// When a retry may succeed.
    #[serde(skip)]
    pub(crate) retry_after: Option<Duration>,
}

/// The kind of an error, which decides the HTTP status.
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
        let retry_after =
            matches!(kind, ErrorKind::TooManyRequests | ErrorKind::Unavailable).then_some(Duration::from_secs(1));
        Self { code: code.to_owned(), reason: reason.to_owned(), refusals: Vec::new(), kind, retry_after }
    }

    pub(crate) fn retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
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
        Self::new(ErrorKind::Forbidden, "not-seated", "only the players of this game can do that")
    }

    pub(crate) fn unavailable() -> Self {
        Self::new(ErrorKind::Unavailable, "unavailable", "the server cannot do this now; try again in a moment")
    }
}
