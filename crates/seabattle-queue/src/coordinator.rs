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

use crate::link::{Link, QueueError, Streams, connections, is_connected};
use crate::names::{RunId, STATUS, Version, number_of_result, orders_for};
use crate::news::{Failure, Order, Status};

/// Jobs handed out, and results that wait for an earlier one: more than any crowd of workers does at once.
const WINDOW: usize = 4096;
/// Room for so many is filled at once.
const REFILL: usize = 512;
/// A job that failed so often fails everywhere.
const MOST_FAILURES: u32 = 12;
/// After so much silence jobs are put back that are not in the queue any more; after twice as much again, and so on.
const SEARCH_AFTER: Duration = Duration::from_secs(4);
const SEARCH_AT_LEAST_EVERY: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(50);
const BETWEEN_TRIES: Duration = Duration::from_millis(250);

/// What can be seen while the work goes on.
pub trait Watch {
    /// A worker says how it is.
    fn status(&self, status: &Status);
    /// A job could not be done, for now.
    fn failure(&self, failure: &Failure);
    /// A worker was sent away.
    fn sent_away(&self, worker: &str, why: &str);
    /// NATS is gone, or back.
    fn connection(&self, stands: bool);
}

/// A coordinator that is connected.
pub struct Coordinator {
    runtime: Runtime,
    client: Client,
    link: Link,
    version: Version,
}

impl Coordinator {
    /// Waits for NATS.
    pub fn connect(link: &Link, version: Version) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime.block_on(link.connect("seabattle coordinator"))?;
        runtime.block_on(Streams::open(&client))?;
        Ok(Self { runtime, client, link: link.clone(), version })
    }

    /// Has jobs done and hands over each result in the order of their numbers. Numbers without a job are passed over.
    /// Results of the same run that are there already are taken; when all is done, nothing of it is left behind.
    pub fn work(
        &self,
        run: &RunId,
        jobs: u64,
        job: &dyn Fn(u64) -> Option<Vec<u8>>,
        stop: &AtomicBool,
        watch: &dyn Watch,
        done: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        self.runtime.block_on(async {
            let work = Work::new(self, run, jobs, job, watch).await?;
            work.run(stop, done).await
        })
    }
}

/// One run.
struct Work<'a> {
    coordinator: &'a Coordinator,
    run: &'a RunId,
    jobs: u64,
    job: &'a dyn Fn(u64) -> Option<Vec<u8>>,
    watch: &'a dyn Watch,
    streams: Streams,
    statuses: Subscriber,
    failures: Subscriber,
    results: Option<pull::Ordered>,
    /// The last result that was read.
    read: u64,
    /// The next result to hand over.
    due: u64,
    /// The next job that was never handed out.
    next: u64,
    out: BTreeSet<u64>,
    waiting: BTreeMap<u64, Vec<u8>>,
    failed: BTreeMap<u64, u32>,
    sent_away: BTreeSet<String>,
    /// When something was last heard of a result.
    heard: Instant,
    search_after: Duration,
    gone_since: Option<Instant>,
    connections: u64,
}

impl<'a> Work<'a> {
    async fn new(
        coordinator: &'a Coordinator,
        run: &'a RunId,
        jobs: u64,
        job: &'a dyn Fn(u64) -> Option<Vec<u8>>,
        watch: &'a dyn Watch,
    ) -> Result<Self, QueueError> {
        let client = &coordinator.client;
        let away = |error: &dyn std::fmt::Display| QueueError::Away {
            why: error.to_string(),
            patience: coordinator.link.patience,
        };
        let streams = Streams::open(client).await?;
        Ok(Self {
            statuses: client.subscribe(STATUS).await.map_err(|error| away(&error))?,
            failures: client.subscribe(run.failures()).await.map_err(|error| away(&error))?,
            coordinator,
            run,
            jobs,
            job,
            watch,
            streams,
            results: None,
            read: 0,
            due: 0,
            next: 0,
            out: BTreeSet::new(),
            waiting: BTreeMap::new(),
            failed: BTreeMap::new(),
            sent_away: BTreeSet::new(),
            heard: Instant::now(),
            search_after: SEARCH_AFTER,
            gone_since: None,
            connections: connections(client),
        })
    }

    async fn run(
        mut self,
        stop: &AtomicBool,
        done: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        self.take_up().await?;
        let mut glance = interval(GLANCE);
        loop {
            if self.hand_over(done).is_break() || self.due >= self.jobs {
                self.tidy_up(true).await;
                return Ok(());
            }
            self.hand_out().await?;
            tokio::select! {
                biased;
                result = next_result(&mut self.results) => self.take(result),
                Some(message) = self.statuses.next() => self.greet(&message.payload).await,
                Some(message) = self.failures.next() => self.blame(&message.payload)?,
                _ = glance.tick() => {
                    if stop.load(Ordering::Relaxed) {
                        self.tidy_up(false).await;
                        return Ok(());
                    }
                    self.look_after().await?;
                }
            }
        }
    }

    /// The results that are there already.
    async fn take_up(&mut self) -> Result<(), QueueError> {
        let mut waits = self.open_results().await?;
        while waits > 0 {
            match timeout(self.coordinator.link.patience, next_result(&mut self.results)).await {
                Ok(Some(result)) => self.take(Some(result)),
                Ok(None) | Err(_) => break,
            }
            waits -= 1;
        }
        Ok(())
    }

    /// Begins to read results after the last one that was read; how many are there.
    async fn open_results(&mut self) -> Result<u64, QueueError> {
        let config = pull::OrderedConfig {
            filter_subject: self.run.results(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.read + 1 },
            ..pull::OrderedConfig::default()
        };
        let failed = |error: &dyn std::fmt::Display| QueueError::NoStream(error.to_string());
        let mut consumer = self.streams.results.create_consumer(config).await.map_err(|error| failed(&error))?;
        let waits = consumer.info().await.map_err(|error| failed(&error))?.num_pending;
        self.results = Some(consumer.messages().await.map_err(|error| failed(&error))?);
        Ok(waits)
    }

    fn take(&mut self, result: Option<jetstream::Message>) {
        let Some(message) = result else {
            self.results = None;
            return;
        };
        (self.heard, self.search_after) = (Instant::now(), SEARCH_AFTER);
        self.read = message.info().map_or(self.read, |info| info.stream_sequence);
        let Some(number) = number_of_result(&message.subject).filter(|number| *number < self.jobs) else {
            return;
        };
        self.out.remove(&number);
        if number >= self.due {
            self.waiting.entry(number).or_insert_with(|| message.payload.to_vec());
        }
    }

    /// Every result whose turn it is.
    fn hand_over(&mut self, done: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
        while self.due < self.jobs {
            if let Some(result) = self.waiting.remove(&self.due) {
                done(self.due, &result)?;
            } else if self.out.contains(&self.due) || self.due >= self.next {
                break;
            }
            self.due += 1;
        }
        ControlFlow::Continue(())
    }

    /// Hands out new jobs, as many as there is room for.
    async fn hand_out(&mut self) -> Result<(), QueueError> {
        // What was handed over needs nobody any more.
        self.next = self.next.max(self.due);
        // Many at once: each time costs a round trip. The one that all others wait for is handed out in any case.
        let is_due = self.next == self.due;
        if self.out.len() + self.waiting.len() > WINDOW - REFILL && !is_due {
            return Ok(());
        }
        let mut fresh = Vec::new();
        while self.next < self.jobs && (self.next == self.due || self.out.len() + self.waiting.len() < WINDOW) {
            let number = self.next;
            self.next += 1;
            if self.waiting.contains_key(&number) {
                continue;
            }
            if let Some(job) = (self.job)(number) {
                self.out.insert(number);
                fresh.push((number, job));
            }
        }
        for chunk in fresh.chunks(256) {
            self.publish(chunk).await?;
        }
        Ok(())
    }

    /// Puts jobs into the queue, unless they are in it.
    async fn publish(&mut self, jobs: &[(u64, Vec<u8>)]) -> Result<(), QueueError> {
        let mut left: Vec<&(u64, Vec<u8>)> = jobs.iter().collect();
        let began = Instant::now();
        while !left.is_empty() {
            let stored = join_all(left.iter().map(|job| self.store(job))).await;
            let (mut again, mut why) = (Vec::new(), String::new());
            for (job, stored) in left.iter().zip(stored) {
                match stored.map_err(|error| (error.kind(), error)) {
                    // It is there already: somebody handed it out before us.
                    Ok(()) | Err((PublishErrorKind::WrongLastSequence, _)) => {}
                    Err((PublishErrorKind::MaxPayloadExceeded, error)) => {
                        return Err(QueueError::NoStream(error.to_string()));
                    }
                    Err((_, error)) => {
                        why = error.to_string();
                        again.push(*job);
                    }
                }
            }
            left = again;
            if left.is_empty() {
                break;
            }
            if began.elapsed() > self.coordinator.link.patience {
                return Err(QueueError::Away { why, patience: self.coordinator.link.patience });
            }
            sleep(BETWEEN_TRIES).await;
            self.reopen().await;
        }
        Ok(())
    }

    /// Puts a job into the queue, which refuses what is in it.
    async fn store(&self, (number, job): &(u64, Vec<u8>)) -> Result<(), PublishError> {
        let message = PublishMessage::build().payload(job.clone().into()).expected_last_subject_sequence(0);
        let subject = self.run.job(&self.coordinator.version, *number);
        self.streams.context.send_publish(subject, message).await?.await.map(|_| ())
    }

    /// The streams may be gone with the server.
    async fn reopen(&mut self) {
        if let Ok(streams) = Streams::open(&self.coordinator.client).await {
            self.streams = streams;
        }
    }

    /// Sends workers of other versions away.
    async fn greet(&mut self, payload: &[u8]) {
        let Ok(status) = serde_json::from_slice::<Status>(payload) else {
            return;
        };
        self.watch.status(&status);
        let own = self.coordinator.version.to_string();
        if status.version == own {
            return;
        }
        let why = format!(
            "this work is for version {own}, and the worker is version {}: start one of the same version",
            status.version
        );
        if self.sent_away.insert(status.worker.clone()) {
            self.watch.sent_away(&status.worker, &why);
        }
        let order = serde_json::to_vec(&Order { why }).unwrap_or_default();
        self.coordinator.client.publish(orders_for(&status.worker), order.into()).await.ok();
    }

    fn blame(&mut self, payload: &[u8]) -> Result<(), QueueError> {
        let Ok(failure) = serde_json::from_slice::<Failure>(payload) else {
            return Ok(());
        };
        self.watch.failure(&failure);
        if !self.out.contains(&failure.number) {
            return Ok(());
        }
        let times = self.failed.entry(failure.number).or_default();
        *times += 1;
        if *times < MOST_FAILURES && !failure.given_up {
            return Ok(());
        }
        let Failure { worker, number, why, .. } = failure;
        Err(QueueError::Impossible { number, why, worker })
    }

    /// Looks for what may have got lost on the way.
    async fn look_after(&mut self) -> Result<(), QueueError> {
        let (client, patience) = (&self.coordinator.client, self.coordinator.link.patience);
        if !is_connected(client) {
            if self.gone_since.is_none() {
                self.watch.connection(false);
            }
            let since = *self.gone_since.get_or_insert_with(Instant::now);
            if since.elapsed() > patience {
                return Err(QueueError::Away { why: "the connection is lost".to_owned(), patience });
            }
            return Ok(());
        }
        if self.gone_since.take().is_some() {
            self.watch.connection(true);
        }
        let connections = connections(client);
        let is_back = std::mem::replace(&mut self.connections, connections) != connections;
        if self.results.is_none() || is_back {
            self.reopen().await;
            if self.open_results().await.is_err() {
                self.results = None;
            }
        }
        if self.heard.elapsed() > self.search_after || is_back {
            self.heard = Instant::now();
            self.search_after = SEARCH_AT_LEAST_EVERY.min(2 * self.search_after);
            self.search().await?;
        }
        Ok(())
    }

    /// Puts every job back that is neither in the queue nor done.
    async fn search(&mut self) -> Result<(), QueueError> {
        self.reopen().await;
        // What was stored while nobody listened comes first.
        self.read = 0;
        self.take_up().await?;
        let lost: Vec<(u64, Vec<u8>)> =
            self.out.iter().filter_map(|&number| Some((number, (self.job)(number)?))).collect();
        for chunk in lost.chunks(256) {
            self.publish(chunk).await?;
        }
        Ok(())
    }

    /// Jobs that are left over are of no use; results are, if somebody goes on later.
    async fn tidy_up(&self, is_over: bool) {
        let jobs = self.run.jobs(&self.coordinator.version);
        self.streams.jobs.purge().filter(jobs).await.ok();
        if is_over {
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
