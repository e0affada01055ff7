//! One run of a coordinator: jobs go out a window at a time, and results come back in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::{Message, Subscriber, jetstream};
use futures_util::StreamExt;
use futures_util::future::join_all;
use tokio::time::{Instant, interval, sleep, timeout};

use crate::connection::{QueueError, Streams, connection_count, is_connected};
use crate::coordinator::{Coordinator, Deliver, Observer};
use crate::identity::{Signed, WorkerIdentity, printable, sender};
use crate::messages::{JobFailure, LeaveOrder, WorkerStatus};
use crate::subjects::{RunId, STATUS_SUBJECT, order_subject, parse_result_number};
use crate::verification::{Replay, Replays, Verified};

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
/// The most letters of a worker's text that are shown.
const MAX_REASON: usize = 1000;

/// A result that waits for its turn.
struct EarlyResult {
    worker: WorkerIdentity,
    payload: Vec<u8>,
    state: ResultState,
}

/// Whether a result may be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResultState {
    /// The result may be delivered.
    Accepted,
    /// The result waits until a job of its worker is confirmed.
    Held,
    /// The job is being done again.
    InReplay,
}

/// The state of a run.
pub(crate) struct Run<'a> {
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
    early_results: BTreeMap<u64, EarlyResult>,
    /// Jobs with a result that does not count, which must be published again.
    lost_jobs: BTreeSet<u64>,
    /// Jobs that are being done again; `None` if nothing is verified.
    replays: Option<Replays>,
    /// Whether an ignored result was reported: one of them tells enough.
    ignored_reported: bool,
    failure_counts: BTreeMap<u64, u32>,
    rejected_workers: BTreeSet<String>,
    /// When the last result came, or lost jobs were last looked for.
    last_result_at: Instant,
    republish_after: Duration,
    disconnected_since: Option<Instant>,
    connection_count: u64,
}

impl<'a> Run<'a> {
    pub(crate) async fn new(
        coordinator: &'a Coordinator,
        run: &'a RunId,
        jobs: u64,
        job: &'a dyn Fn(u64) -> Option<Vec<u8>>,
        observer: &'a dyn Observer,
    ) -> Result<Self, QueueError> {
        let client = &coordinator.client;
        let unreachable = |error: &dyn std::fmt::Display| QueueError::Unreachable {
            reason: error.to_string(),
            timeout: coordinator.connection.timeout,
        };
        let streams = Streams::open(client, &coordinator.options).await?;
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
            lost_jobs: BTreeSet::new(),
            replays: coordinator.options.verification.clone().map(Replays::new),
            ignored_reported: false,
            failure_counts: BTreeMap::new(),
            rejected_workers: BTreeSet::new(),
            last_result_at: Instant::now(),
            republish_after: REPUBLISH_AFTER,
            disconnected_since: None,
            connection_count: connection_count(client),
        })
    }

    /// Runs until all results are delivered, `done` breaks, `stop` is set, or an error makes that impossible.
    pub(crate) async fn run(mut self, stop: &AtomicBool, done: &mut Deliver<'_>) -> Result<(), QueueError> {
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
                result = next_result(&mut self.results) => self.receive_result(result).await?,
                verified = next_replay(&mut self.replays) => self.take_replay(verified).await?,
                Some(message) = self.status_messages.next() => self.check_status(&message).await,
                Some(message) = self.failure_messages.next() => self.handle_failure(&message)?,
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
            match timeout(self.coordinator.connection.timeout, next_result(&mut self.results)).await {
                Ok(Some(result)) => self.receive_result(Some(result)).await?,
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

    /// Takes a result if it can belong to its job. `None` means that the subscription is gone.
    async fn receive_result(&mut self, result: Option<jetstream::Message>) -> Result<(), QueueError> {
        let Some(message) = result else {
            self.results = None;
            return Ok(());
        };
        self.last_sequence = message.info().map_or(self.last_sequence, |info| info.stream_sequence);
        let number = parse_result_number(&message.subject).filter(|number| *number < self.jobs);
        let Some(number) = number.filter(|number| *number >= self.next_result) else {
            return Ok(());
        };
        if self.early_results.contains_key(&number) {
            return Ok(());
        }
        let Some(job) = (self.job)(number) else {
            // Nobody wants the result any more.
            self.in_flight.remove(&number);
            return Ok(());
        };
        let signed = Signed { subject: &message.subject, job: &job, payload: &message.payload };
        let Some(worker) = sender(message.headers.as_ref(), signed) else {
            self.ignore_result(number, "its signature does not fit this job");
            return Ok(());
        };
        if self.coordinator.trust().rejection(worker.id()).is_some() {
            self.lost_jobs.insert(number);
            return Ok(());
        }
        let Some(state) = self.assess(number, &worker, job, &message.payload).await? else {
            return Ok(());
        };
        (self.last_result_at, self.republish_after) = (Instant::now(), REPUBLISH_AFTER);
        self.in_flight.remove(&number);
        self.lost_jobs.remove(&number);
        self.early_results.insert(number, EarlyResult { worker, payload: message.payload.to_vec(), state });
        Ok(())
    }

    /// Checks a result, and begins to do its job again if that is due. `None` if the result does not count.
    async fn assess(
        &mut self,
        number: u64,
        worker: &WorkerIdentity,
        job: Vec<u8>,
        result: &[u8],
    ) -> Result<Option<ResultState>, QueueError> {
        let Some(replays) = &mut self.replays else {
            return Ok(Some(ResultState::Accepted));
        };
        if let Err(reason) = replays.verifier().check(&job, result) {
            return Err(self.reject(number, worker.clone(), &reason).await);
        }
        if !replays.verifier().is_repeatable(&job) {
            if worker.is_signed() {
                return Ok(Some(ResultState::Accepted));
            }
            self.ignore_result(number, "it has no signature and cannot be verified");
            return Ok(None);
        }
        let trust = self.coordinator.trust();
        if replays.is_chosen(worker, &trust) {
            replays.begin(number, worker.clone(), job, result.to_vec());
            return Ok(Some(ResultState::InReplay));
        }
        Ok(Some(if trust.is_confirmed(worker) { ResultState::Accepted } else { ResultState::Held }))
    }

    /// The job is published again, because the worker has acknowledged it.
    fn ignore_result(&mut self, number: u64, reason: &str) {
        self.lost_jobs.insert(number);
        if !std::mem::replace(&mut self.ignored_reported, true) {
            self.observer.result_ignored(number, reason);
        }
    }

    /// Drops the trust in a worker, and tells it to exit.
    async fn reject(&mut self, number: u64, worker: WorkerIdentity, reason: &str) -> QueueError {
        let reason = printable(&format!("the result of job {number} is false: {reason}"), MAX_REASON);
        self.coordinator.trust().reject(&worker, &reason);
        self.observer.result_rejected(&worker, &reason);
        self.order_to_leave(worker.id(), &reason).await;
        QueueError::FalseResult { worker, reason }
    }

    /// Takes what doing a job again has shown.
    async fn take_replay(&mut self, verified: Verified) -> Result<(), QueueError> {
        let Verified { number, worker, replay } = verified;
        match replay {
            Replay::Different(reason) => return Err(self.reject(number, worker, &reason).await),
            Replay::Same => {}
            Replay::Impossible(reason) => self.observer.not_verified(number, &reason),
        }
        self.coordinator.trust().confirm(&worker);
        self.last_result_at = Instant::now();
        for (place, result) in &mut self.early_results {
            if *place == number || (result.state == ResultState::Held && result.worker.id() == worker.id()) {
                result.state = ResultState::Accepted;
            }
        }
        Ok(())
    }

    /// Delivers every result whose turn it is.
    fn deliver_results(&mut self, done: &mut Deliver<'_>) -> ControlFlow<()> {
        while self.next_result < self.jobs {
            let number = self.next_result;
            match self.early_results.get(&number).map(|result| result.state) {
                Some(ResultState::Accepted) => {
                    if let Some(EarlyResult { worker, payload, .. }) = self.early_results.remove(&number) {
                        done(number, &payload, &worker)?;
                    }
                }
                Some(ResultState::Held | ResultState::InReplay) => break,
                None if self.in_flight.contains(&number) || number >= self.next_job => break,
                None => {}
            }
            self.next_result += 1;
        }
        ControlFlow::Continue(())
    }

    /// Publishes new jobs, as many as the window has room for.
    async fn publish_new_jobs(&mut self) -> Result<(), QueueError> {
        // Jobs whose results were delivered need not be published.
        self.next_job = self.next_job.max(self.next_result);
        self.publish_lost_jobs().await?;
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

    /// Publishes the jobs again whose results do not count.
    async fn publish_lost_jobs(&mut self) -> Result<(), QueueError> {
        let lost = std::mem::take(&mut self.lost_jobs);
        let jobs: Vec<(u64, Vec<u8>)> = lost
            .into_iter()
            .filter(|number| self.in_flight.contains(number))
            .filter_map(|number| Some((number, (self.job)(number)?)))
            .collect();
        for chunk in jobs.chunks(256) {
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
            if began.elapsed() > self.coordinator.connection.timeout {
                return Err(QueueError::Unreachable { reason, timeout: self.coordinator.connection.timeout });
            }
            sleep(RETRY_INTERVAL).await;
            self.reopen_streams().await;
        }
        Ok(())
    }

    /// Publishes one job. The stream refuses a job that it already has.
    async fn publish_job(&self, (number, job): &(u64, Vec<u8>)) -> Result<(), PublishError> {
        let message = PublishMessage::build().payload(job.clone().into()).expected_last_subject_sequence(0);
        let subject = self.run.job(&self.coordinator.options.version, *number);
        self.streams.context.send_publish(subject, message).await?.await.map(|_| ())
    }

    /// Opens the streams again: a restarted server may have lost them.
    async fn reopen_streams(&mut self) {
        if let Ok(streams) = Streams::open(&self.coordinator.client, &self.coordinator.options).await {
            self.streams = streams;
        }
    }

    /// Tells workers of other versions, and rejected ones, to exit.
    async fn check_status(&mut self, message: &Message) {
        let Ok(status) = serde_json::from_slice::<WorkerStatus>(&message.payload) else {
            return;
        };
        if !is_sender(message, &status.id) {
            return;
        }
        let status = WorkerStatus { worker: printable(&status.worker, MAX_REASON), ..status };
        self.observer.status(&status);
        let address = if status.id.is_empty() { &status.worker } else { &status.id };
        let rejection = self.coordinator.trust().rejection(&status.id).map(str::to_owned);
        if let Some(reason) = rejection {
            return self.order_to_leave(address, &reason).await;
        }
        let own_version = self.coordinator.options.version.to_string();
        if status.version == own_version {
            return;
        }
        let version = printable(&status.version, MAX_REASON);
        let reason = format!(
            "this work is for version {own_version}, and the worker is version {version}: start one of the same version"
        );
        if self.rejected_workers.insert(address.clone()) {
            self.observer.worker_rejected(&status.worker, &reason);
        }
        self.order_to_leave(address, &reason).await;
    }

    async fn order_to_leave(&self, address: &str, reason: &str) {
        let order = serde_json::to_vec(&LeaveOrder { reason: reason.to_owned() }).unwrap_or_default();
        self.coordinator.client.publish(order_subject(address), order.into()).await.ok();
    }

    /// Counts a failed attempt, and ends the run when a job has failed too often.
    fn handle_failure(&mut self, message: &Message) -> Result<(), QueueError> {
        let Ok(failure) = serde_json::from_slice::<JobFailure>(&message.payload) else {
            return Ok(());
        };
        if !is_sender(message, &failure.id) || self.coordinator.trust().rejection(&failure.id).is_some() {
            return Ok(());
        }
        let failure = JobFailure {
            worker: printable(&failure.worker, MAX_REASON),
            reason: printable(&failure.reason, MAX_REASON),
            ..failure
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
        let (client, timeout) = (&self.coordinator.client, self.coordinator.connection.timeout);
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
        let jobs = self.run.jobs(&self.coordinator.options.version);
        self.streams.jobs.purge().filter(jobs).await.ok();
        if finished {
            self.streams.results.purge().filter(self.run.results()).await.ok();
        }
    }
}

/// Whether a message that is not stored comes from the worker with this id. An old worker has none.
fn is_sender(message: &Message, id: &str) -> bool {
    let signed = Signed { subject: &message.subject, job: &[], payload: &message.payload };
    sender(message.headers.as_ref(), signed).is_some_and(|sender| sender.id() == id)
}

/// The next job that was done again. Waits for ever if none is.
async fn next_replay(replays: &mut Option<Replays>) -> Verified {
    match replays {
        None => std::future::pending().await,
        Some(replays) => replays.next().await,
    }
}

/// The next result. Waits for ever while there is no subscription.
async fn next_result(results: &mut Option<pull::Ordered>) -> Option<jetstream::Message> {
    match results {
        None => std::future::pending().await,
        Some(results) => results.next().await?.ok(),
    }
}
