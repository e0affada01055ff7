//! The coordinator publishes jobs a window at a time and delivers their results in order, each once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::{Client, jetstream};
use futures_util::StreamExt;
use futures_util::future::join_all;
use tokio::runtime::Runtime;
use tokio::time::{Instant, interval, sleep, timeout};

use crate::connection::{ConnectionOptions, QueueError, Streams, connection_count, is_connected};
use crate::messages::{JobFailure, LeaveOrder, WorkerStatus};
use crate::subjects::{RunId, STATUS_SUBJECT, Version, order_subject, parse_result_number};

/// The most jobs in flight, together with results that wait for an earlier one. All workers together do fewer at once.
const WINDOW: usize = 4096;
/// New jobs are published when the window has room for this many.
const REFILL: usize = 512;
/// A job that has failed this often is expected to fail on every worker.
const MAX_FAILURES: u32 = 12;
/// When no result has come for this long, jobs that were lost are published again. The time doubles after each try.
const REPUBLISH_AFTER: Duration = Duration::from_secs(4);
const MAX_REPUBLISH_INTERVAL: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// Receives what happens during a run, to show it.
pub trait Observer {
    /// A worker has published its status.
    fn status(&self, status: &WorkerStatus);
    /// An attempt at a job has failed; the job may be tried again.
    fn failure(&self, failure: &JobFailure);
    /// A worker of another version was told to exit.
    fn worker_rejected(&self, worker: &str, reason: &str);
    /// The connection to NATS was lost, or is back.
    fn connection(&self, connected: bool);
}

/// A coordinator that is connected to NATS.
pub struct Coordinator {
    runtime: Runtime,
    client: Client,
    options: ConnectionOptions,
    version: Version,
}

impl Coordinator {
    /// Connects to NATS and opens the streams. Waits as long as the options say.
    pub fn connect(options: &ConnectionOptions, version: Version) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime.block_on(options.connect("seabattle coordinator"))?;
        runtime.block_on(Streams::open(&client))?;
        Ok(Self { runtime, client, options: options.clone(), version })
    }

    /// Has all jobs of a run done, and calls `done` with each result in the order of the job numbers.
    ///
    /// `job` makes the job of a number; numbers for which it returns `None` are skipped. Results of the same run that are
    /// stored already are used. The run ends when all jobs are done, `done` breaks, or `stop` is set. A run that was not
    /// stopped leaves nothing in the streams.
    pub fn run(
        &self,
        run: &RunId,
        jobs: u64,
        job: &dyn Fn(u64) -> Option<Vec<u8>>,
        stop: &AtomicBool,
        observer: &dyn Observer,
        done: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        self.runtime.block_on(async {
            let work = Run::new(self, run, jobs, job, observer).await?;
            work.run(stop, done).await
        })
    }
}

/// The state of a run.
struct Run<'a> {
    coordinator: &'a Coordinator,
    run: &'a RunId,
    jobs: u64,
    job: &'a dyn Fn(u64) -> Option<Vec<u8>>,
    observer: &'a dyn Observer,
    streams: Streams,
    status_messages: Subscriber,
    failure_messages: Subscriber,
    results: Option<pull::Ordered>,
    /// The stream sequence of the last result that was read.
    last_sequence: u64,
    /// The number of the next result to deliver.
    next_result: u64,
    /// The number of the next job to publish.
    next_job: u64,
    /// Jobs that were published and have no result yet.
    in_flight: BTreeSet<u64>,
    /// Results that wait for one with a lower number.
    early_results: BTreeMap<u64, Vec<u8>>,
    failure_counts: BTreeMap<u64, u32>,
    rejected_workers: BTreeSet<String>,
    /// When the last result came, or lost jobs were last looked for.
    last_result_at: Instant,
    republish_after: Duration,
    disconnected_since: Option<Instant>,
    connection_count: u64,
}

impl<'a> Run<'a> {
    async fn new(
        coordinator: &'a Coordinator,
        run: &'a RunId,
        jobs: u64,
        job: &'a dyn Fn(u64) -> Option<Vec<u8>>,
        observer: &'a dyn Observer,
    ) -> Result<Self, QueueError> {
        let client = &coordinator.client;
        let unreachable = |error: &dyn std::fmt::Display| QueueError::Unreachable {
            reason: error.to_string(),
            timeout: coordinator.options.timeout,
        };
        let streams = Streams::open(client).await?;
        Ok(Self {
            status_messages: client.subscribe(STATUS_SUBJECT).await.map_err(|error| unreachable(&error))?,
            failure_messages: client.subscribe(run.failures()).await.map_err(|error| unreachable(&error))?,
            coordinator,
            run,
            jobs,
            job,
            observer,
            streams,
            results: None,
            last_sequence: 0,
            next_result: 0,
            next_job: 0,
            in_flight: BTreeSet::new(),
            early_results: BTreeMap::new(),
            failure_counts: BTreeMap::new(),
            rejected_workers: BTreeSet::new(),
            last_result_at: Instant::now(),
            republish_after: REPUBLISH_AFTER,
            disconnected_since: None,
            connection_count: connection_count(client),
        })
    }

    async fn run(
        mut self,
        stop: &AtomicBool,
        done: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        self.read_stored_results().await?;
        let mut poll = interval(POLL_INTERVAL);
        loop {
            if self.deliver_results(done).is_break() || self.next_result >= self.jobs {
                self.clean_up(true).await;
                return Ok(());
            }
            self.publish_new_jobs().await?;
            tokio::select! {
                biased;
                result = next_result(&mut self.results) => self.receive_result(result),
                Some(message) = self.status_messages.next() => self.check_version(&message.payload).await,
                Some(message) = self.failure_messages.next() => self.handle_failure(&message.payload)?,
                _ = poll.tick() => {
                    if stop.load(Ordering::Relaxed) {
                        self.clean_up(false).await;
                        return Ok(());
                    }
                    self.check_connection().await?;
                }
            }
        }
    }

    /// Reads the results that are stored already.
    async fn read_stored_results(&mut self) -> Result<(), QueueError> {
        let mut pending = self.subscribe_results().await?;
        while pending > 0 {
            match timeout(self.coordinator.options.timeout, next_result(&mut self.results)).await {
                Ok(Some(result)) => self.receive_result(Some(result)),
                Ok(None) | Err(_) => break,
            }
            pending -= 1;
        }
        Ok(())
    }

    /// Subscribes to the results after the last one that was read. Returns how many are stored.
    async fn subscribe_results(&mut self) -> Result<u64, QueueError> {
        let config = pull::OrderedConfig {
            filter_subject: self.run.results(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.last_sequence + 1 },
            ..pull::OrderedConfig::default()
        };
        let stream_error = |error: &dyn std::fmt::Display| QueueError::JetStream(error.to_string());
        let mut consumer = self.streams.results.create_consumer(config).await.map_err(|error| stream_error(&error))?;
        let pending = consumer.info().await.map_err(|error| stream_error(&error))?.num_pending;
        self.results = Some(consumer.messages().await.map_err(|error| stream_error(&error))?);
        Ok(pending)
    }

    /// Keeps a result until it is its turn. `None` means that the subscription is gone.
    fn receive_result(&mut self, result: Option<jetstream::Message>) {
        let Some(message) = result else {
            self.results = None;
            return;
        };
        (self.last_result_at, self.republish_after) = (Instant::now(), REPUBLISH_AFTER);
        self.last_sequence = message.info().map_or(self.last_sequence, |info| info.stream_sequence);
        let Some(number) = parse_result_number(&message.subject).filter(|number| *number < self.jobs) else {
            return;
        };
        self.in_flight.remove(&number);
        if number >= self.next_result {
            self.early_results.entry(number).or_insert_with(|| message.payload.to_vec());
        }
    }

    /// Delivers every result whose turn it is.
    fn deliver_results(&mut self, done: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
        while self.next_result < self.jobs {
            if let Some(result) = self.early_results.remove(&self.next_result) {
                done(self.next_result, &result)?;
            } else if self.in_flight.contains(&self.next_result) || self.next_result >= self.next_job {
                break;
            }
            self.next_result += 1;
        }
        ControlFlow::Continue(())
    }

    /// Publishes new jobs, as many as the window has room for.
    async fn publish_new_jobs(&mut self) -> Result<(), QueueError> {
        // Jobs whose results were delivered need not be published.
        self.next_job = self.next_job.max(self.next_result);
        // Many at once, because each batch costs a round trip. The job that all results wait for is published in any case.
        let is_due = self.next_job == self.next_result;
        if self.in_flight.len() + self.early_results.len() > WINDOW - REFILL && !is_due {
            return Ok(());
        }
        let mut new_jobs = Vec::new();
        while self.next_job < self.jobs
            && (self.next_job == self.next_result || self.in_flight.len() + self.early_results.len() < WINDOW)
        {
            let number = self.next_job;
            self.next_job += 1;
            if self.early_results.contains_key(&number) {
                continue;
            }
            if let Some(job) = (self.job)(number) {
                self.in_flight.insert(number);
                new_jobs.push((number, job));
            }
        }
        for chunk in new_jobs.chunks(256) {
            self.publish_jobs(chunk).await?;
        }
        Ok(())
    }

    /// Publishes jobs that are not in the stream, and retries until the timeout.
    async fn publish_jobs(&mut self, jobs: &[(u64, Vec<u8>)]) -> Result<(), QueueError> {
        let mut left: Vec<&(u64, Vec<u8>)> = jobs.iter().collect();
        let began = Instant::now();
        while !left.is_empty() {
            let stored = join_all(left.iter().map(|job| self.publish_job(job))).await;
            let (mut again, mut reason) = (Vec::new(), String::new());
            for (job, stored) in left.iter().zip(stored) {
                match stored.map_err(|error| (error.kind(), error)) {
                    // The job is in the stream already.
                    Ok(()) | Err((PublishErrorKind::WrongLastSequence, _)) => {}
                    Err((PublishErrorKind::MaxPayloadExceeded, error)) => {
                        return Err(QueueError::JetStream(error.to_string()));
                    }
                    Err((_, error)) => {
                        reason = error.to_string();
                        again.push(*job);
                    }
                }
            }
            left = again;
            if left.is_empty() {
                break;
            }
            if began.elapsed() > self.coordinator.options.timeout {
                return Err(QueueError::Unreachable { reason, timeout: self.coordinator.options.timeout });
            }
            sleep(RETRY_INTERVAL).await;
            self.reopen_streams().await;
        }
        Ok(())
    }

    /// Publishes one job. The stream refuses a job that it already has.
    async fn publish_job(&self, (number, job): &(u64, Vec<u8>)) -> Result<(), PublishError> {
        let message = PublishMessage::build().payload(job.clone().into()).expected_last_subject_sequence(0);
        let subject = self.run.job(&self.coordinator.version, *number);
        self.streams.context.send_publish(subject, message).await?.await.map(|_| ())
    }

    /// Opens the streams again: a restarted server may have lost them.
    async fn reopen_streams(&mut self) {
        if let Ok(streams) = Streams::open(&self.coordinator.client).await {
            self.streams = streams;
        }
    }

    /// Tells workers of other versions to exit.
    async fn check_version(&mut self, payload: &[u8]) {
        let Ok(status) = serde_json::from_slice::<WorkerStatus>(payload) else {
            return;
        };
        self.observer.status(&status);
        let own_version = self.coordinator.version.to_string();
        if status.version == own_version {
            return;
        }
        let reason = format!(
            "this work is for version {own_version}, and the worker is version {}: start one of the same version",
            status.version
        );
        if self.rejected_workers.insert(status.worker.clone()) {
            self.observer.worker_rejected(&status.worker, &reason);
        }
        let order = serde_json::to_vec(&LeaveOrder { reason }).unwrap_or_default();
        self.coordinator.client.publish(order_subject(&status.worker), order.into()).await.ok();
    }

    /// Counts a failed attempt, and ends the run when a job has failed too often.
    fn handle_failure(&mut self, payload: &[u8]) -> Result<(), QueueError> {
        let Ok(failure) = serde_json::from_slice::<JobFailure>(payload) else {
            return Ok(());
        };
        self.observer.failure(&failure);
        if !self.in_flight.contains(&failure.number) {
            return Ok(());
        }
        let count = self.failure_counts.entry(failure.number).or_default();
        *count += 1;
        if *count < MAX_FAILURES && !failure.given_up {
            return Ok(());
        }
        let JobFailure { worker, number, reason, .. } = failure;
        Err(QueueError::JobFailed { number, reason, worker })
    }

    /// Ends the run if NATS is gone for too long. After a reconnect or a long silence, looks for lost jobs.
    async fn check_connection(&mut self) -> Result<(), QueueError> {
        let (client, timeout) = (&self.coordinator.client, self.coordinator.options.timeout);
        if !is_connected(client) {
            if self.disconnected_since.is_none() {
                self.observer.connection(false);
            }
            let since = *self.disconnected_since.get_or_insert_with(Instant::now);
            if since.elapsed() > timeout {
                return Err(QueueError::Unreachable { reason: "the connection is lost".to_owned(), timeout });
            }
            return Ok(());
        }
        if self.disconnected_since.take().is_some() {
            self.observer.connection(true);
        }
        let connection_count = connection_count(client);
        let reconnected = std::mem::replace(&mut self.connection_count, connection_count) != connection_count;
        if self.results.is_none() || reconnected {
            self.reopen_streams().await;
            if self.subscribe_results().await.is_err() {
                self.results = None;
            }
        }
        if self.last_result_at.elapsed() > self.republish_after || reconnected {
            self.last_result_at = Instant::now();
            self.republish_after = MAX_REPUBLISH_INTERVAL.min(2 * self.republish_after);
            self.republish_lost_jobs().await?;
        }
        Ok(())
    }

    /// Publishes every job again that is neither in the stream nor done.
    async fn republish_lost_jobs(&mut self) -> Result<(), QueueError> {
        self.reopen_streams().await;
        // First come the results that were stored while the coordinator was not connected.
        self.last_sequence = 0;
        self.read_stored_results().await?;
        let lost_jobs: Vec<(u64, Vec<u8>)> =
            self.in_flight.iter().filter_map(|&number| Some((number, (self.job)(number)?))).collect();
        for chunk in lost_jobs.chunks(256) {
            self.publish_jobs(chunk).await?;
        }
        Ok(())
    }

    /// Deletes the jobs of the run. The results stay if the run was stopped, so that it can continue later.
    async fn clean_up(&self, finished: bool) {
        let jobs = self.run.jobs(&self.coordinator.version);
        self.streams.jobs.purge().filter(jobs).await.ok();
        if finished {
            self.streams.results.purge().filter(self.run.results()).await.ok();
        }
    }
}

/// The next result. Waits for ever while there is no subscription.
async fn next_result(results: &mut Option<pull::Ordered>) -> Option<jetstream::Message> {
    match results {
        None => std::future::pending().await,
        Some(results) => results.next().await?.ok(),
    }
}
