//! Numbered jobs for many machines, over NATS JetStream: handed out until they are done, counted once.
//!
//! A job and its result are bytes; what they mean is the business of whoever hands them out and does them. Jobs lie in a
//! stream that keeps each until a worker acknowledges it, results in another under the number of their job, so that
//! either side may die at any moment: a job whose worker is gone is handed out again, a result that comes twice counts
//! once, and a coordinator that comes back takes up the results that are there.

mod coordinator;
mod link;
mod names;
mod news;
mod worker;

pub use coordinator::{Coordinator, Watch};
pub use link::{Link, QueueError};
pub use names::{RunId, Version};
pub use news::{Failure, Status};
pub use worker::{Left, Worker, WorkerOptions};
