//! What workers tell of themselves while they work: nobody has to hear it, so it is not stored.

use serde::{Deserialize, Serialize};

/// How a worker is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name, which nobody else has.
    pub worker: String,
    /// Of its program.
    pub version: String,
    /// Jobs at the same time.
    pub threads: usize,
    /// Jobs in hand.
    pub busy: usize,
    /// Jobs done since it began.
    pub done: u64,
    /// Jobs that failed since it began.
    pub failed: u64,
    /// Whether it is about to leave.
    #[serde(rename = "leaves")]
    pub leaving: bool,
}

/// A job that could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFailure {
    /// Who tried.
    pub worker: String,
    /// Which.
    pub number: u64,
    /// Why not, in words.
    #[serde(rename = "why")]
    pub reason: String,
    /// Whether it will not be handed out again.
    pub given_up: bool,
}

/// Why a worker has to leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaveOrder {
    #[serde(rename = "why")]
    pub(crate) reason: String,
}
