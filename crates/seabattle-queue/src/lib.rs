//! Numbered jobs for many machines, over NATS JetStream. Each job is delivered at least once and counted once.
//!
//! A job and its result are bytes; the queue does not know what they mean. A work-queue stream keeps each job until a
//! worker acknowledges it. A second stream keeps each result under the number of its job. So either side may die at any
//! moment. The job of a dead worker is delivered again, and a duplicate result counts once. A restarted coordinator
//! continues with the stored results.
//!
//! A worker signs its results. The coordinator checks each of them and does a share of the jobs again. A worker whose
//! result is false is named, its results are dropped, and others do its jobs.

mod connection;
mod coordinator;
mod identity;
mod messages;
mod run;
mod subjects;
mod verification;
mod worker;

pub use connection::{ConnectionOptions, QueueError};
pub use coordinator::{Coordinator, CoordinatorOptions, Deliver, Observer};
pub use identity::{WorkerIdentity, printable};
pub use messages::{JobFailure, WorkerStatus};
pub use subjects::{RunId, Version};
pub use verification::{Replay, Verification, Verifier};
pub use worker::{ExitReason, Worker, WorkerEvent, WorkerOptions};
