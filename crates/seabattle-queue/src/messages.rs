//! Messages between workers and the coordinator. They are not stored: nothing is lost if nobody receives them.

use serde::{Deserialize, Serialize};

/// The state of a worker, published every second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The name of the worker. Another worker may have the same one.
    pub worker: String,
    /// The public key of the worker; empty if the worker does not sign.
    #[serde(default)]
    pub id: String,
    /// The version of the worker's program.
    pub version: String,
    /// How many jobs the worker does at the same time.
    pub threads: usize,
    /// Jobs that are being done now.
    pub busy: usize,
    /// Jobs done since the worker started.
    pub done: u64,
    /// Jobs that failed since the worker started.
    pub failed: u64,
    /// Whether the worker is about to exit.
    #[serde(rename = "leaves")]
    pub leaving: bool,
}

/// A failed attempt at a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFailure {
    /// The name of the worker that tried.
    pub worker: String,
    /// The public key of that worker; empty if the worker does not sign.
    #[serde(default)]
    pub id: String,
    /// The number of the job.
    pub number: u64,
    /// What went wrong, for people.
    #[serde(rename = "why")]
    pub reason: String,
    /// Whether the job will not be delivered again.
    pub given_up: bool,
}

/// The coordinator's order to a worker to exit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaveOrder {
    #[serde(rename = "why")]
    pub(crate) reason: String,
}
