//! A coordinator hands out the jobs of a run, and delivers their results in order, each once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Client;
use tokio::runtime::Runtime;
use tokio::time::interval;

use crate::connection::{ConnectionOptions, QueueError, Role, Streams};
use crate::identity::WorkerIdentity;
use crate::messages::{JobFailure, WorkerStatus};
use crate::run::Run;
use crate::subjects::{RunId, Version};
use crate::verification::{Trust, Verification};

const STOP_CHECK: Duration = Duration::from_millis(50);
/// A run whose stop flag is set ends after this time at the latest, even if NATS does not answer.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// Receives what happens during a run, to show it.
pub trait Observer {
    /// A worker has published its status.
    fn status(&self, status: &WorkerStatus);
    /// An attempt at a job has failed; the job may be tried again.
    fn failure(&self, failure: &JobFailure);
    /// A worker of another version was ordered to exit.
    fn worker_rejected(&self, worker: &str, reason: &str);
    /// A result of a worker was false, so none of its results counts and it gets no further jobs.
    fn result_rejected(&self, worker: &WorkerIdentity, reason: &str);
    /// A result was ignored: it does not belong to the job, or its signature is wrong.
    fn result_ignored(&self, number: u64, reason: &str);
    /// A job could not be done again, so its result counts without verification.
    fn not_verified(&self, number: u64, reason: &str);
    /// The connection to NATS was lost, or is back.
    fn connection(&self, connected: bool);
}

/// Takes a result with the number of its job and the worker that did it. It may end the run.
pub type Deliver<'a> = dyn FnMut(u64, &[u8], &WorkerIdentity) -> ControlFlow<()> + 'a;

/// The settings of a coordinator.
#[derive(Clone)]
pub struct CoordinatorOptions {
    /// The version of the program. Only workers of this version get jobs.
    pub version: Version,
    /// A job without a heartbeat for this long is delivered to another worker.
    pub ack_timeout: Duration,
    /// How results are verified; `None` if all workers are trusted.
    pub verification: Option<Verification>,
}

/// A coordinator that is connected to NATS.
pub struct Coordinator {
    /// `None` only while the coordinator is dropped.
    runtime: Option<Runtime>,
    pub(crate) client: Client,
    pub(crate) connection: ConnectionOptions,
    pub(crate) options: CoordinatorOptions,
    trust: Mutex<Trust>,
}

impl Coordinator {
    /// Connects to NATS and opens the streams. Waits as long as the connection options say, or until `stop` is set.
    pub fn connect(
        connection: &ConnectionOptions,
        options: CoordinatorOptions,
        stop: &AtomicBool,
    ) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let connect = async {
            let client = connection.connect("seabattle coordinator", Role::Coordinator).await?;
            Streams::open(&client, &options).await?;
            Ok(client)
        };
        let client = runtime.block_on(async {
            tokio::select! {
                connected = connect => connected,
                () = stopped(stop, Duration::ZERO) => Err(QueueError::Stopped),
            }
        })?;
        let trust = Mutex::default();
        Ok(Self { runtime: Some(runtime), client, connection: connection.clone(), options, trust })
    }

    /// Has all jobs of a run done, and calls `done` with each result in the order of the job numbers.
    ///
    /// `job` makes the job of a number; numbers for which it returns `None` are skipped. Results of the same run that are
    /// stored already are used. The run ends when all jobs are done, `done` breaks, or `stop` is set. A run that was not
    /// stopped leaves nothing in the streams.
    ///
    /// If a result is false, the run ends with [`QueueError::FalseResult`]. Results of that worker may have been
    /// delivered before. Forget them and run again: other workers do these jobs, and stored results are used again.
    pub fn run(
        &self,
        run: &RunId,
        jobs: u64,
        job: &dyn Fn(u64) -> Option<Vec<u8>>,
        stop: &AtomicBool,
        observer: &dyn Observer,
        done: &mut Deliver<'_>,
    ) -> Result<(), QueueError> {
        let Some(runtime) = &self.runtime else { return Ok(()) };
        runtime.block_on(async {
            let work = async { Run::new(self, run, jobs, job, observer).await?.run(stop, done).await };
            tokio::select! {
                ended = work => ended,
                () = stopped(stop, STOP_TIMEOUT) => Ok(()),
            }
        })
    }

    /// What is known about the workers.
    pub(crate) fn trust(&self) -> MutexGuard<'_, Trust> {
        self.trust.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        // Jobs that are still being done again are not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Waits until the flag has been set for this long.
async fn stopped(stop: &AtomicBool, grace: Duration) {
    let mut check = interval(STOP_CHECK);
    while !stop.load(Ordering::Relaxed) {
        check.tick().await;
    }
    tokio::time::sleep(grace).await;
}
