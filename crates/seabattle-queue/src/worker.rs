//! A worker takes a job, sends heartbeats while it works, stores the result, and only then acknowledges the job.
//!
//! A worker outlives NATS: it waits until NATS is back, and obeys a request to stop meanwhile.

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
use tokio::time::{Instant, interval, sleep, timeout};

use crate::connection::{ConnectionOptions, QueueError, Role, is_connected, jetstream_context, worker_consumer};
use crate::identity::{Signed, SigningIdentity, WorkerIdentity, printable};
use crate::messages::{JobFailure, LeaveOrder, WorkerStatus};
use crate::subjects::{RunId, STATUS_SUBJECT, Version, order_subject, parse_job_subject};

/// A job that was delivered this often without a result is assumed to crash its workers.
const MAX_DELIVERIES: i64 = 12;
/// A worker whose first jobs all fail exits after this many.
const MAX_FIRST_FAILURES: u64 = 3;
const STATUS_INTERVAL: Duration = Duration::from_secs(1);
const STOP_CHECK: Duration = Duration::from_millis(50);
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);
const RETRY_DELAY: Duration = Duration::from_secs(1);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);
/// A worker exits after this time at the latest, even if NATS does not take its last messages.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Heartbeats are at least and at most this far apart, whatever the consumer's settings say.
const MIN_HEARTBEAT: Duration = Duration::from_millis(50);
const MAX_HEARTBEAT: Duration = Duration::from_secs(1);
/// The most letters of the coordinator's text that are shown.
const MAX_REASON: usize = 1000;

/// The settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The name of the worker, for people. Its identity is a key that it makes itself.
    pub name: String,
    /// The version of the program. The worker takes only jobs of this version.
    pub version: Version,
    /// How many jobs the worker does at the same time.
    pub threads: NonZero<usize>,
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

/// What happens to a worker, to show it.
#[derive(Debug)]
pub enum WorkerEvent<'a> {
    /// NATS answers: for the first time, or again.
    Connected {
        /// Whether the worker had to wait for NATS.
        again: bool,
    },
    /// NATS does not answer. The worker tries again until it does.
    Disconnected {
        /// The error.
        reason: &'a str,
    },
    /// NATS answers, but has given out no jobs for the whole timeout. The worker tries again until it does.
    NoJobs {
        /// The error.
        reason: &'a str,
    },
    /// The state of the worker, every second while it is connected.
    Status(&'a WorkerStatus),
}

/// Does a job: bytes in, bytes or an error text out.
type JobHandler = dyn Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync;

/// A worker that is ready to connect.
pub struct Worker {
    runtime: Runtime,
    connection: ConnectionOptions,
    options: WorkerOptions,
    signing: SigningIdentity,
    handler: Box<JobHandler>,
}

/// What all job slots of a worker share.
struct WorkerState {
    options: WorkerOptions,
    connection: ConnectionOptions,
    signing: SigningIdentity,
    client: Client,
    handler: Box<JobHandler>,
    done: AtomicU64,
    failed: AtomicU64,
    busy: AtomicUsize,
    /// Why NATS gives out no jobs, although it answers.
    trouble: watch::Sender<Option<String>>,
    exit: watch::Sender<Option<ExitReason>>,
}

/// Receives the exit reason of the worker.
type ExitSignal = watch::Receiver<Option<ExitReason>>;

impl Worker {
    /// A worker with a new identity. `handler` does the jobs.
    pub fn new(
        connection: &ConnectionOptions,
        options: WorkerOptions,
        handler: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static,
    ) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let signing = SigningIdentity::generate(&options.name)?;
        Ok(Self { runtime, connection: connection.clone(), options, signing, handler: Box::new(handler) })
    }

    /// The identity under which the worker sends its results.
    pub fn identity(&self) -> &WorkerIdentity {
        self.signing.identity()
    }

    /// Does jobs until `stop` is set or the worker has to exit. Waits for NATS as long as it takes.
    pub fn run(self, stop: &AtomicBool, mut on_event: impl FnMut(WorkerEvent<'_>)) -> Result<ExitReason, QueueError> {
        let Self { runtime, connection, options, signing, handler } = self;
        let exit_reason = runtime.block_on(async {
            let name = signing.identity().name();
            let Some(client) = connect(&connection, name, stop, &mut on_event).await? else {
                return Ok(ExitReason::Stopped);
            };
            let state = Arc::new(WorkerState {
                options,
                connection,
                signing,
                client,
                handler,
                done: AtomicU64::new(0),
                failed: AtomicU64::new(0),
                busy: AtomicUsize::new(0),
                trouble: watch::Sender::new(None),
                exit: watch::Sender::new(None),
            });
            Ok(run_connected(&state, stop, &mut on_event).await)
        });
        // Threads that are still at work are not waited for: their jobs were returned to the queue.
        runtime.shutdown_background();
        exit_reason
    }
}

/// Connects to NATS, however long it is away. `None` if `stop` was set before.
async fn connect(
    connection: &ConnectionOptions,
    name: &str,
    stop: &AtomicBool,
    on_event: &mut impl FnMut(WorkerEvent<'_>),
) -> Result<Option<Client>, QueueError> {
    let mut again = false;
    let mut connected = std::pin::pin!(async {
        loop {
            match connection.try_to_connect(name, Role::Worker).await {
                Err(QueueError::Unreachable { reason, .. }) => {
                    if !std::mem::replace(&mut again, true) {
                        on_event(WorkerEvent::Disconnected { reason: &reason });
                    }
                    sleep(RETRY_INTERVAL).await;
                }
                Err(error) => return Err(error),
                Ok(client) => {
                    on_event(WorkerEvent::Connected { again });
                    return Ok(Some(client));
                }
            }
        }
    });
    let mut stop_check = interval(STOP_CHECK);
    loop {
        tokio::select! {
            connected = &mut connected => return connected,
            _ = stop_check.tick() => if stop.load(Ordering::Relaxed) {
                return Ok(None);
            },
        }
    }
}

/// Does jobs until the worker has to exit, and takes its leave.
async fn run_connected(
    state: &Arc<WorkerState>,
    stop: &AtomicBool,
    on_event: &mut impl FnMut(WorkerEvent<'_>),
) -> ExitReason {
    let mut slots = JoinSet::new();
    for _ in 0..state.options.threads.get() {
        slots.spawn(run_slot(Arc::clone(state)));
    }
    slots.spawn(listen_for_orders(Arc::clone(state)));
    let reason = supervise(state, stop, on_event).await;
    state.exit.send_replace(Some(reason.clone()));
    let leave = async {
        publish_status(state, true).await;
        while slots.join_next().await.is_some() {}
        if is_connected(&state.client) {
            state.client.flush().await.ok();
        }
    };
    timeout(EXIT_TIMEOUT, leave).await.ok();
    reason
}

/// Publishes the status and watches the connection until the worker has to exit.
async fn supervise(state: &WorkerState, stop: &AtomicBool, on_event: &mut impl FnMut(WorkerEvent<'_>)) -> ExitReason {
    let (mut exit, mut trouble) = (state.exit.subscribe(), state.trouble.subscribe());
    let (mut status, mut stop_check) = (interval(STATUS_INTERVAL), interval(STOP_CHECK));
    let mut connected = true;
    loop {
        tokio::select! {
            _ = stop_check.tick() => {
                if stop.load(Ordering::Relaxed) {
                    return ExitReason::Stopped;
                }
                let was_connected = std::mem::replace(&mut connected, is_connected(&state.client));
                match (was_connected, connected) {
                    (true, false) => on_event(WorkerEvent::Disconnected { reason: "the connection is lost" }),
                    (false, true) => on_event(WorkerEvent::Connected { again: true }),
                    _ => {}
                }
            }
            _ = status.tick() => if connected && let Ok(status) = timeout(STATUS_INTERVAL, publish_status(state, false)).await {
                on_event(WorkerEvent::Status(&status));
            },
            Ok(()) = trouble.changed() => if let Some(reason) = trouble.borrow_and_update().as_deref() {
                on_event(WorkerEvent::NoJobs { reason });
            },
            Ok(()) = exit.changed() => if let Some(reason) = exit.borrow_and_update().clone() {
                return reason;
            },
        }
    }
}

/// Publishes and returns the status of the worker.
async fn publish_status(state: &WorkerState, leaving: bool) -> WorkerStatus {
    let WorkerOptions { version, threads, .. } = &state.options;
    let identity = state.signing.identity();
    let status = WorkerStatus {
        worker: identity.name().to_owned(),
        id: identity.id().to_owned(),
        version: version.to_string(),
        threads: threads.get(),
        busy: state.busy.load(Ordering::Relaxed),
        done: state.done.load(Ordering::Relaxed),
        failed: state.failed.load(Ordering::Relaxed),
        leaving,
    };
    if is_connected(&state.client) {
        publish_signed(state, STATUS_SUBJECT.to_owned(), &status).await;
    }
    status
}

/// Publishes a message that is not stored.
async fn publish_signed(state: &WorkerState, subject: String, message: &impl serde::Serialize) {
    let payload = serde_json::to_vec(message).unwrap_or_default();
    let headers = state.signing.headers(Signed { subject: &subject, job: &[], payload: &payload });
    state.client.publish_with_headers(subject, headers, payload.into()).await.ok();
}

/// Receives orders to exit.
async fn listen_for_orders(state: Arc<WorkerState>) {
    let mut exit = state.exit.subscribe();
    let subject = order_subject(state.signing.identity().id());
    let Ok(mut orders) = state.client.subscribe(subject).await else {
        return;
    };
    loop {
        tokio::select! {
            _ = exit.changed() => return,
            message = orders.next() => {
                let Some(message) = message else { return };
                if let Ok(LeaveOrder { reason }) = serde_json::from_slice(&message.payload) {
                    state.exit.send_replace(Some(ExitReason::Rejected(printable(&reason, MAX_REASON))));
                }
            }
        }
    }
}

/// Does one job after the other. Each slot of a worker runs this.
async fn run_slot(state: Arc<WorkerState>) {
    let mut exit = state.exit.subscribe();
    let mut consumer: Option<PullConsumer> = None;
    let mut failing_since: Option<Instant> = None;
    while exit.borrow().is_none() {
        let fetched = tokio::select! {
            _ = exit.changed() => return,
            fetched = next_job(&state, &mut consumer) => fetched,
        };
        match fetched {
            Ok(job) => {
                failing_since = None;
                state.trouble.send_if_modified(|trouble| trouble.take().is_some());
                if let Some((message, heartbeat)) = job {
                    state.busy.fetch_add(1, Ordering::Relaxed);
                    handle_job(&state, message, heartbeat, &mut exit).await;
                    state.busy.fetch_sub(1, Ordering::Relaxed);
                }
            }
            Err(reason) => {
                consumer = None;
                // An outage is reported by itself.
                let since = *failing_since.get_or_insert_with(Instant::now);
                if !is_connected(&state.client) {
                    failing_since = None;
                } else if since.elapsed() > state.connection.timeout {
                    state.trouble.send_if_modified(|trouble| trouble.replace(reason).is_none());
                }
                tokio::select! {
                    _ = exit.changed() => return,
                    () = sleep(RETRY_INTERVAL) => {}
                }
            }
        }
    }
}

/// Fetches the next job, if there is one within a few seconds, with the interval of its heartbeats.
async fn next_job(
    state: &WorkerState,
    consumer: &mut Option<PullConsumer>,
) -> Result<Option<(Message, Duration)>, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    if consumer.is_none() {
        *consumer = worker_consumer(&jetstream_context(&state.client), &state.options.version).await?;
    }
    let Some(consumer) = consumer else {
        // No coordinator of this version has been there yet.
        sleep(RETRY_INTERVAL).await;
        return Ok(None);
    };
    let heartbeat = (consumer.cached_info().config.ack_wait / 3).clamp(MIN_HEARTBEAT, MAX_HEARTBEAT);
    let batch = consumer.batch().max_messages(1).expires(FETCH_TIMEOUT).messages().await;
    let mut batch = batch.map_err(|error| words(&error))?;
    // A living server answers in time, with or without a job.
    match timeout(2 * FETCH_TIMEOUT, batch.next()).await {
        Err(_) => Err("it does not answer".to_owned()),
        // No job: perhaps because the consumer no longer exists, or has other settings now.
        Ok(None) => match consumer.info().await {
            Ok(_) => Ok(None),
            Err(error) => Err(words(&error)),
        },
        Ok(Some(message)) => message.map(|message| Some((message, heartbeat))).map_err(|error| words(&error)),
    }
}

/// Does a job and acknowledges it, or returns it to the queue.
async fn handle_job(state: &Arc<WorkerState>, message: Message, heartbeat: Duration, exit: &mut ExitSignal) {
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
    match run_job(state, &message, heartbeat, exit).await {
        JobOutcome::Done(result) => tokio::select! {
            () = store_result(state, &run, number, &message, result) => {}
            _ = exit.changed() => {
                message.ack_with(AckKind::Nak(None)).await.ok();
            }
        },
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
    heartbeat: Duration,
    exit: &mut ExitSignal,
) -> JobOutcome {
    let (payload, job_state) = (message.payload.clone(), Arc::clone(state));
    let mut job = tokio::task::spawn_blocking(move || {
        let done = catch_unwind(AssertUnwindSafe(|| (job_state.handler)(&payload)));
        done.unwrap_or_else(|_| Err("the program of the worker has an error there (its log says more)".to_owned()))
    });
    let mut heartbeat = interval(heartbeat);
    heartbeat.tick().await;
    loop {
        tokio::select! {
            done = &mut job => return match done {
                Ok(Ok(result)) => JobOutcome::Done(result),
                Ok(Err(reason)) => JobOutcome::Failed(reason),
                Err(error) => JobOutcome::Failed(error.to_string()),
            },
            // While NATS is away, heartbeats would only pile up.
            _ = heartbeat.tick() => if is_connected(&state.client) {
                message.ack_with(AckKind::Progress).await.ok();
            },
            _ = exit.changed() => return JobOutcome::Abandoned,
        }
    }
}

/// Stores the result, then acknowledges the job. In this order a crash in between loses nothing.
///
/// While NATS is away the result is kept. Another worker may do the job meanwhile: the coordinator counts one of both.
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
    let subject = run.result(number);
    let headers = state.signing.headers(Signed { subject: &subject, job: &message.payload, payload: &result });
    let mut refused_since = Instant::now();
    while refused_since.elapsed() < state.connection.timeout {
        let stored = match context.publish_with_headers(subject.clone(), headers.clone(), result.clone().into()).await {
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
        } else {
            refused_since = Instant::now();
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
    let identity = state.signing.identity();
    let (worker, id) = (identity.name().to_owned(), identity.id().to_owned());
    publish_signed(state, run.failures(), &JobFailure { worker, id, number, reason, given_up }).await;
}
