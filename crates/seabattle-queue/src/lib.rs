//! Numbered jobs for many machines, over NATS JetStream. Each job is delivered at least once and counted once.
//!
//! A job and its result are bytes; the queue does not know what they mean. A work-queue stream keeps each job until a
//! worker acknowledges it. A second stream keeps each result under the number of its job. So either side may die at any
//! moment: the job of a dead worker is delivered again, a duplicate result counts once, and a restarted coordinator
//! continues with the results that are stored.

mod connection;
mod coordinator;
mod messages;
mod subjects;
mod worker;

pub use connection::{ConnectionOptions, QueueError};
pub use coordinator::{Coordinator, Observer};
pub use messages::{JobFailure, WorkerStatus};
pub use subjects::{RunId, Version};
pub use worker::{ExitReason, Worker, WorkerOptions};
