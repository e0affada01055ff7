//! A worker takes a job, sends heartbeats while it works, stores the result, and only then acknowledges the job.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep};

use crate::connection::{ConnectionOptions, QueueError, Streams, is_connected, jetstream_context};
use crate::messages::{JobFailure, LeaveOrder, WorkerStatus};
use crate::subjects::{RunId, STATUS_SUBJECT, Version, order_subject, parse_job_subject};

/// A job that was delivered this often without a result is assumed to crash its workers.
const MAX_DELIVERIES: i64 = 12;
/// A worker whose first jobs all fail exits after this many.
const MAX_FIRST_FAILURES: u64 = 3;
const STATUS_INTERVAL: Duration = Duration::from_secs(1);
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);
const RETRY_DELAY: Duration = Duration::from_secs(1);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// The settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The unique name of the worker.
    pub name: String,
    /// The version of the program. The worker takes only jobs of this version.
    pub version: Version,
    /// How many jobs the worker does at the same time.
    pub threads: NonZero<usize>,
    /// A job without a heartbeat for this long is delivered to another worker.
    pub ack_timeout: Duration,
}

/// Why a worker exited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitReason {
    /// The stop flag was set. Unfinished jobs were returned to the queue.
    Stopped,
    /// A coordinator rejected the worker, with the reason.
    Rejected(String),
    /// The first jobs all failed, with the last error.
    AllJobsFailed(String),
}

/// Does a job: bytes in, bytes or an error text out.
type JobHandler = dyn Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync;

/// A worker that is connected to NATS.
pub struct Worker {
    runtime: Runtime,
    state: Arc<WorkerState>,
}

/// What all job slots of a worker share.
struct WorkerState {
    options: WorkerOptions,
    connection: ConnectionOptions,
    client: Client,
    handler: Box<JobHandler>,
    done: AtomicU64,
    failed: AtomicU64,
    busy: AtomicUsize,
    exit: watch::Sender<Option<ExitReason>>,
}

impl Worker {
    /// Connects to NATS. Waits as long as the options say. `handler` does the jobs.
    pub fn connect(
        connection: &ConnectionOptions,
        options: WorkerOptions,
        handler: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static,
    ) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime.block_on(connection.connect(&options.name))?;
        let state = WorkerState {
            options,
            connection: connection.clone(),
            client,
            handler: Box::new(handler),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            exit: watch::Sender::new(None),
        };
        Ok(Self { runtime, state: Arc::new(state) })
    }

    /// Does jobs until `stop` is set or the worker has to exit. `on_status` is called every second.
    pub fn run(self, stop: &AtomicBool, mut on_status: impl FnMut(&WorkerStatus)) -> Result<ExitReason, QueueError> {
        let Self { runtime, state } = self;
        let left = runtime.block_on(async {
            let mut slots = JoinSet::new();
            for _ in 0..state.options.threads.get() {
                slots.spawn(run_slot(Arc::clone(&state)));
            }
            slots.spawn(listen_for_orders(Arc::clone(&state)));
            let left = supervise(&state, &mut slots, stop, &mut on_status).await;
            state.exit.send_replace(Some(ExitReason::Stopped));
            publish_status(&state, true).await;
            while slots.join_next().await.is_some() {}
            state.client.flush().await.ok();
            left
        });
        // Threads that are still at work are not waited for: their jobs were returned to the queue.
        runtime.shutdown_background();
        left
    }
}

/// Publishes the status and watches the slots until the worker has to exit.
async fn supervise(
    state: &WorkerState,
    slots: &mut JoinSet<Result<(), QueueError>>,
    stop: &AtomicBool,
    on_status: &mut impl FnMut(&WorkerStatus),
) -> Result<ExitReason, QueueError> {
    let mut exit = state.exit.subscribe();
    let (mut status, mut stop_check) = (interval(STATUS_INTERVAL), interval(Duration::from_millis(50)));
    loop {
        tokio::select! {
            _ = stop_check.tick() => if stop.load(Ordering::Relaxed) {
                return Ok(ExitReason::Stopped);
            },
            _ = status.tick() => on_status(&publish_status(state, false).await),
            changed = exit.changed() => if let (Ok(()), Some(reason)) = (changed, exit.borrow_and_update().clone()) {
                return Ok(reason);
            },
            Some(ended) = slots.join_next() => if let Ok(Err(error)) = ended {
                return Err(error);
            },
        }
    }
}

/// Publishes and returns the status of the worker.
async fn publish_status(state: &WorkerState, leaving: bool) -> WorkerStatus {
    let status = WorkerStatus {
        worker: state.options.name.clone(),
        version: state.options.version.to_string(),
        threads: state.options.threads.get(),
        busy: state.busy.load(Ordering::Relaxed),
        done: state.done.load(Ordering::Relaxed),
        failed: state.failed.load(Ordering::Relaxed),
        leaving,
    };
    if is_connected(&state.client) {
        let text = serde_json::to_vec(&status).unwrap_or_default();
        state.client.publish(STATUS_SUBJECT, text.into()).await.ok();
    }
    status
}

/// Receives orders to exit.
async fn listen_for_orders(state: Arc<WorkerState>) -> Result<(), QueueError> {
    let mut exit = state.exit.subscribe();
    let subject = order_subject(&state.options.name);
    let Ok(mut orders) = state.client.subscribe(subject).await else {
        return Ok(());
    };
    loop {
        tokio::select! {
            _ = exit.changed() => return Ok(()),
            message = orders.next() => {
                let Some(message) = message else { return Ok(()) };
                if let Ok(LeaveOrder { reason }) = serde_json::from_slice(&message.payload) {
                    state.exit.send_replace(Some(ExitReason::Rejected(reason)));
                }
            }
        }
    }
}

/// Does one job after the other. Each slot of a worker runs this.
async fn run_slot(state: Arc<WorkerState>) -> Result<(), QueueError> {
    let mut exit = state.exit.subscribe();
    let mut consumer: Option<PullConsumer> = None;
    let mut failing_since: Option<Instant> = None;
    loop {
        if exit.borrow().is_some() {
            return Ok(());
        }
        let fetched = tokio::select! {
            _ = exit.changed() => return Ok(()),
            fetched = next_job(&state, &mut consumer) => fetched,
        };
        match fetched {
            Ok(job) => {
                failing_since = None;
                if let Some(message) = job {
                    state.busy.fetch_add(1, Ordering::Relaxed);
                    handle_job(&state, message, &mut exit).await;
                    state.busy.fetch_sub(1, Ordering::Relaxed);
                }
            }
            Err(reason) => {
                consumer = None;
                let since = *failing_since.get_or_insert_with(Instant::now);
                if since.elapsed() > state.connection.timeout {
                    return Err(QueueError::Unreachable { reason, timeout: state.connection.timeout });
                }
                sleep(RETRY_INTERVAL).await;
            }
        }
    }
}

/// Fetches the next job, if there is one within a few seconds.
async fn next_job(state: &WorkerState, consumer: &mut Option<PullConsumer>) -> Result<Option<Message>, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    if consumer.is_none() {
        let streams = Streams::open(&state.client).await.map_err(|error| words(&error))?;
        let opened = streams.open_worker_consumer(&state.options.version, state.options.ack_timeout).await;
        *consumer = Some(opened.map_err(|error| words(&error))?);
    }
    let Some(consumer) = consumer else { return Ok(None) };
    let batch = consumer.batch().max_messages(1).expires(FETCH_TIMEOUT).messages().await;
    let mut batch = batch.map_err(|error| words(&error))?;
    // A living server answers in time, with or without a job.
    match tokio::time::timeout(2 * FETCH_TIMEOUT, batch.next()).await {
        Err(_) => Err("it does not answer".to_owned()),
        // No job: perhaps because the consumer no longer exists.
        Ok(None) => consumer.get_info().await.map(|_| None).map_err(|error| words(&error)),
        Ok(Some(message)) => message.map(Some).map_err(|error| words(&error)),
    }
}

/// Does a job and acknowledges it, or returns it to the queue.
async fn handle_job(state: &Arc<WorkerState>, message: Message, exit: &mut watch::Receiver<Option<ExitReason>>) {
    let Some((run, number)) = parse_job_subject(&message.subject) else {
        message.ack_with(AckKind::Term).await.ok();
        return;
    };
    let deliveries = message.info().map_or(1, |info| info.delivered);
    if deliveries > MAX_DELIVERIES {
        let reason = format!("it was handed out {} times and never came back", deliveries - 1);
        publish_failure(state, &run, number, reason, true).await;
        message.ack_with(AckKind::Term).await.ok();
        return;
    }
    match run_job(state, &message, exit).await {
        JobOutcome::Done(result) => store_result(state, &run, number, &message, result).await,
        JobOutcome::Failed(reason) => {
            count_failure(state, &run, number, reason).await;
            message.ack_with(AckKind::Nak(Some(RETRY_DELAY))).await.ok();
        }
        JobOutcome::Abandoned => {
            message.ack_with(AckKind::Nak(None)).await.ok();
        }
    }
}

/// How a job ended.
enum JobOutcome {
    Done(Vec<u8>),
    Failed(String),
    Abandoned,
}

/// Does a job on its own thread, and sends heartbeats meanwhile.
async fn run_job(
    state: &Arc<WorkerState>,
    message: &Message,
    exit: &mut watch::Receiver<Option<ExitReason>>,
) -> JobOutcome {
    let (payload, job_state) = (message.payload.clone(), Arc::clone(state));
    let mut job = tokio::task::spawn_blocking(move || {
        let done = catch_unwind(AssertUnwindSafe(|| (job_state.handler)(&payload)));
        done.unwrap_or_else(|_| Err("the program of the worker has an error there (its log says more)".to_owned()))
    });
    let mut heartbeat = interval(state.options.ack_timeout / 3);
    heartbeat.tick().await;
    loop {
        tokio::select! {
            done = &mut job => return match done {
                Ok(Ok(result)) => JobOutcome::Done(result),
                Ok(Err(reason)) => JobOutcome::Failed(reason),
                Err(error) => JobOutcome::Failed(error.to_string()),
            },
            _ = heartbeat.tick() => {
                message.ack_with(AckKind::Progress).await.ok();
            }
            _ = exit.changed() => return JobOutcome::Abandoned,
        }
    }
}

/// Stores the result, then acknowledges the job. In this order a crash in between loses nothing.
async fn store_result(state: &WorkerState, run: &RunId, number: u64, message: &Message, result: Vec<u8>) {
    let max_payload = state.client.max_payload();
    if result.len() + 1024 > max_payload {
        let reason = format!(
            "its result has {} bytes, and NATS takes {max_payload}: hand out smaller jobs (--job)",
            result.len()
        );
        publish_failure(state, run, number, reason, true).await;
        message.ack_with(AckKind::Term).await.ok();
        return;
    }
    let context = jetstream_context(&state.client);
    let began = Instant::now();
    while began.elapsed() < state.connection.timeout {
        let stored = match context.publish(run.result(number), result.clone().into()).await {
            Ok(acknowledged) => acknowledged.await.is_ok(),
            Err(_) => false,
        };
        if stored {
            state.done.fetch_add(1, Ordering::Relaxed);
            message.double_ack().await.ok();
            return;
        }
        if is_connected(&state.client) {
            message.ack_with(AckKind::Progress).await.ok();
        }
        sleep(RETRY_INTERVAL).await;
    }
}

/// Reports a failed job. The worker exits if it has never done a job.
async fn count_failure(state: &WorkerState, run: &RunId, number: u64, reason: String) {
    let failed = state.failed.fetch_add(1, Ordering::Relaxed) + 1;
    publish_failure(state, run, number, reason.clone(), false).await;
    if failed >= MAX_FIRST_FAILURES && state.done.load(Ordering::Relaxed) == 0 {
        state.exit.send_replace(Some(ExitReason::AllJobsFailed(reason)));
    }
}

/// Reports a failed job to the coordinator.
async fn publish_failure(state: &WorkerState, run: &RunId, number: u64, reason: String, given_up: bool) {
    let failure = JobFailure { worker: state.options.name.clone(), number, reason, given_up };
    let text = serde_json::to_vec(&failure).unwrap_or_default();
    state.client.publish(run.failures(), text.into()).await.ok();
}
