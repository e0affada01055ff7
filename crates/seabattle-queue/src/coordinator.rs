//! A coordinator: hands out jobs a window at a time, and takes their results in order, each once.

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

/// Jobs handed out, and results that wait for an earlier one: more than any crowd of workers does at once.
const WINDOW: usize = 4096;
/// Room for so many is filled at once.
const REFILL: usize = 512;
/// A job that failed so often fails everywhere.
const MAX_FAILURES: u32 = 12;
/// After so much silence jobs are put back that are not in the queue any more; after twice as much again, and so on.
const REPUBLISH_AFTER: Duration = Duration::from_secs(4);
const MAX_REPUBLISH_INTERVAL: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// What can be seen while the work goes on.
pub trait Observer {
    /// A worker says how it is.
    fn status(&self, status: &WorkerStatus);
    /// A job could not be done, for now.
    fn failure(&self, failure: &JobFailure);
    /// A worker was sent away.
    fn worker_rejected(&self, worker: &str, reason: &str);
    /// NATS is gone, or back.
    fn connection(&self, connected: bool);
}

/// A coordinator that is connected.
pub struct Coordinator {
    runtime: Runtime,
    client: Client,
    options: ConnectionOptions,
    version: Version,
}

impl Coordinator {
    /// Waits for NATS.
    pub fn connect(options: &ConnectionOptions, version: Version) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime.block_on(options.connect("seabattle coordinator"))?;
        runtime.block_on(Streams::open(&client))?;
        Ok(Self { runtime, client, options: options.clone(), version })
    }

    /// Has jobs done and hands over each result in the order of their numbers. Numbers without a job are passed over.
    /// Results of the same run that are there already are taken; when all is done, nothing of it is left behind.
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

/// One run.
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
    /// The last result that was read.
    last_sequence: u64,
    /// The next result to hand over.
    next_result: u64,
    /// The next job that was never handed out.
    next_job: u64,
    in_flight: BTreeSet<u64>,
    early_results: BTreeMap<u64, Vec<u8>>,
    failure_counts: BTreeMap<u64, u32>,
    rejected_workers: BTreeSet<String>,
    /// When something was last heard of a result.
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

    /// The results that are there already.
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

    /// Begins to read results after the last one that was read; how many are there.
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

    /// Every result whose turn it is.
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

    /// Hands out new jobs, as many as there is room for.
    async fn publish_new_jobs(&mut self) -> Result<(), QueueError> {
        // What was handed over needs nobody any more.
        self.next_job = self.next_job.max(self.next_result);
        // Many at once: each time costs a round trip. The one that all others wait for is handed out in any case.
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

    /// Puts jobs into the queue, unless they are in it.
    async fn publish_jobs(&mut self, jobs: &[(u64, Vec<u8>)]) -> Result<(), QueueError> {
        let mut left: Vec<&(u64, Vec<u8>)> = jobs.iter().collect();
        let began = Instant::now();
        while !left.is_empty() {
            let stored = join_all(left.iter().map(|job| self.publish_job(job))).await;
            let (mut again, mut reason) = (Vec::new(), String::new());
            for (job, stored) in left.iter().zip(stored) {
                match stored.map_err(|error| (error.kind(), error)) {
                    // It is there already: somebody handed it out before us.
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

    /// Puts a job into the queue, which refuses what is in it.
    async fn publish_job(&self, (number, job): &(u64, Vec<u8>)) -> Result<(), PublishError> {
        let message = PublishMessage::build().payload(job.clone().into()).expected_last_subject_sequence(0);
        let subject = self.run.job(&self.coordinator.version, *number);
        self.streams.context.send_publish(subject, message).await?.await.map(|_| ())
    }

    /// The streams may be gone with the server.
    async fn reopen_streams(&mut self) {
        if let Ok(streams) = Streams::open(&self.coordinator.client).await {
            self.streams = streams;
        }
    }

    /// Sends workers of other versions away.
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

    /// Looks for what may have got lost on the way.
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

    /// Puts every job back that is neither in the queue nor done.
    async fn republish_lost_jobs(&mut self) -> Result<(), QueueError> {
        self.reopen_streams().await;
        // What was stored while nobody listened comes first.
        self.last_sequence = 0;
        self.read_stored_results().await?;
        let lost_jobs: Vec<(u64, Vec<u8>)> =
            self.in_flight.iter().filter_map(|&number| Some((number, (self.job)(number)?))).collect();
        for chunk in lost_jobs.chunks(256) {
            self.publish_jobs(chunk).await?;
        }
        Ok(())
    }

    /// Jobs that are left over are of no use; results are, if somebody goes on later.
    async fn clean_up(&self, finished: bool) {
        let jobs = self.run.jobs(&self.coordinator.version);
        self.streams.jobs.purge().filter(jobs).await.ok();
        if finished {
            self.streams.results.purge().filter(self.run.results()).await.ok();
        }
    }
}

/// The next result; for ever nothing while nobody listens.
async fn next_result(results: &mut Option<pull::Ordered>) -> Option<jetstream::Message> {
    match results {
        None => std::future::pending().await,
        Some(results) => results.next().await?.ok(),
    }
}
