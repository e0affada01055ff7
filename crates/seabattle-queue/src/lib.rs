//! Numbered jobs for many machines, over NATS JetStream: handed out until they are done, counted once.
//!
//! A job and its result are bytes; what they mean is the business of whoever hands them out and does them. Jobs lie in a
//! stream that keeps each until a worker acknowledges it, results in another under the number of their job, so that
//! either side may die at any moment: a job whose worker is gone is handed out again, a result that comes twice counts
//! once, and a coordinator that comes back takes up the results that are there.

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
