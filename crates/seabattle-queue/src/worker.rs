//! A worker: takes a job, says while it works that it still does, stores the result, and only then acknowledges the job.

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

use crate::link::{Link, QueueError, Streams, context, is_connected};
use crate::names::{RunId, STATUS, Version, job_of, orders_for};
use crate::news::{Failure, Order, Status};

/// A job that was handed out so often and never came back kills its workers.
const MOST_DELIVERIES: i64 = 12;
/// Who fails so often and has never done a job is of no use.
const FAILURES_IN_VAIN: u64 = 3;
const BETWEEN_STATUS: Duration = Duration::from_secs(1);
const ASKING: Duration = Duration::from_secs(2);
const AFTER_FAILURE: Duration = Duration::from_secs(1);
const BETWEEN_TRIES: Duration = Duration::from_millis(250);

/// How a worker works.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Its name, which nobody else has.
    pub name: String,
    /// Only jobs of the same version are for it.
    pub version: Version,
    /// Jobs at the same time.
    pub threads: NonZero<usize>,
    /// A job of which nothing is heard for so long is given to another.
    pub patience: Duration,
}

/// Why a worker left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// It was told to stop here; the jobs in hand were given back.
    Stopped,
    /// A coordinator has no use for it.
    SentAway(String),
    /// All it was given failed.
    OnlyFails(String),
}

type DoJob = dyn Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync;

/// A worker that is connected.
pub struct Worker {
    runtime: Runtime,
    shop: Arc<Shop>,
}

/// What all slots of a worker share.
struct Shop {
    options: WorkerOptions,
    link: Link,
    client: Client,
    do_job: Box<DoJob>,
    done: AtomicU64,
    failed: AtomicU64,
    busy: AtomicUsize,
    left: watch::Sender<Option<Left>>,
}

impl Worker {
    /// Waits for NATS.
    pub fn connect(
        link: &Link,
        options: WorkerOptions,
        do_job: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static,
    ) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime.block_on(link.connect(&options.name))?;
        let shop = Shop {
            options,
            link: link.clone(),
            client,
            do_job: Box::new(do_job),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
            left: watch::Sender::new(None),
        };
        Ok(Self { runtime, shop: Arc::new(shop) })
    }

    /// Works until it is stopped or has to leave. `seen` is told how it is, every second.
    pub fn run(self, stop: &AtomicBool, mut seen: impl FnMut(&Status)) -> Result<Left, QueueError> {
        let Self { runtime, shop } = self;
        let left = runtime.block_on(async {
            let mut slots = JoinSet::new();
            for _ in 0..shop.options.threads.get() {
                slots.spawn(slot(Arc::clone(&shop)));
            }
            slots.spawn(listen(Arc::clone(&shop)));
            let left = watch_over(&shop, &mut slots, stop, &mut seen).await;
            shop.left.send_replace(Some(Left::Stopped));
            tell(&shop, true).await;
            while slots.join_next().await.is_some() {}
            shop.client.flush().await.ok();
            left
        });
        // A thread in the middle of a job is not waited for: its job is with somebody else by now.
        runtime.shutdown_background();
        left
    }
}

/// Until something ends it.
async fn watch_over(
    shop: &Shop,
    slots: &mut JoinSet<Result<(), QueueError>>,
    stop: &AtomicBool,
    seen: &mut impl FnMut(&Status),
) -> Result<Left, QueueError> {
    let mut left = shop.left.subscribe();
    let (mut status, mut glance) = (interval(BETWEEN_STATUS), interval(Duration::from_millis(50)));
    loop {
        tokio::select! {
            _ = glance.tick() => if stop.load(Ordering::Relaxed) {
                return Ok(Left::Stopped);
            },
            _ = status.tick() => seen(&tell(shop, false).await),
            changed = left.changed() => if let (Ok(()), Some(why)) = (changed, left.borrow_and_update().clone()) {
                return Ok(why);
            },
            Some(ended) = slots.join_next() => if let Ok(Err(error)) = ended {
                return Err(error);
            },
        }
    }
}

async fn tell(shop: &Shop, leaves: bool) -> Status {
    let status = Status {
        worker: shop.options.name.clone(),
        version: shop.options.version.to_string(),
        threads: shop.options.threads.get(),
        busy: shop.busy.load(Ordering::Relaxed),
        done: shop.done.load(Ordering::Relaxed),
        failed: shop.failed.load(Ordering::Relaxed),
        leaves,
    };
    if is_connected(&shop.client) {
        let text = serde_json::to_vec(&status).unwrap_or_default();
        shop.client.publish(STATUS, text.into()).await.ok();
    }
    status
}

/// Hears when it is to leave.
async fn listen(shop: Arc<Shop>) -> Result<(), QueueError> {
    let mut left = shop.left.subscribe();
    let subject = orders_for(&shop.options.name);
    let Ok(mut orders) = shop.client.subscribe(subject).await else {
        return Ok(());
    };
    loop {
        tokio::select! {
            _ = left.changed() => return Ok(()),
            message = orders.next() => {
                let Some(message) = message else { return Ok(()) };
                if let Ok(Order { why }) = serde_json::from_slice(&message.payload) {
                    shop.left.send_replace(Some(Left::SentAway(why)));
                }
            }
        }
    }
}

/// One job after the other.
async fn slot(shop: Arc<Shop>) -> Result<(), QueueError> {
    let mut left = shop.left.subscribe();
    let mut consumer: Option<PullConsumer> = None;
    let mut silent_since: Option<Instant> = None;
    loop {
        if left.borrow().is_some() {
            return Ok(());
        }
        let asked = tokio::select! {
            _ = left.changed() => return Ok(()),
            asked = next_job(&shop, &mut consumer) => asked,
        };
        match asked {
            Ok(job) => {
                silent_since = None;
                if let Some(message) = job {
                    shop.busy.fetch_add(1, Ordering::Relaxed);
                    handle(&shop, message, &mut left).await;
                    shop.busy.fetch_sub(1, Ordering::Relaxed);
                }
            }
            Err(why) => {
                consumer = None;
                let since = *silent_since.get_or_insert_with(Instant::now);
                if since.elapsed() > shop.link.patience {
                    return Err(QueueError::Away { why, patience: shop.link.patience });
                }
                sleep(BETWEEN_TRIES).await;
            }
        }
    }
}

/// The next job, if one comes within a few seconds.
async fn next_job(shop: &Shop, consumer: &mut Option<PullConsumer>) -> Result<Option<Message>, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    if consumer.is_none() {
        let streams = Streams::open(&shop.client).await.map_err(|error| words(&error))?;
        let made = streams.workers(&shop.options.version, shop.options.patience).await;
        *consumer = Some(made.map_err(|error| words(&error))?);
    }
    let Some(consumer) = consumer else { return Ok(None) };
    let batch = consumer.batch().max_messages(1).expires(ASKING).messages().await;
    let mut batch = batch.map_err(|error| words(&error))?;
    // The server answers in time; a server that is gone does not.
    match tokio::time::timeout(2 * ASKING, batch.next()).await {
        Err(_) => Err("it does not answer".to_owned()),
        // Nothing comes of a consumer that is gone, either.
        Ok(None) => consumer.get_info().await.map(|_| None).map_err(|error| words(&error)),
        Ok(Some(message)) => message.map(Some).map_err(|error| words(&error)),
    }
}

async fn handle(shop: &Arc<Shop>, message: Message, left: &mut watch::Receiver<Option<Left>>) {
    let Some((run, number)) = job_of(&message.subject) else {
        message.ack_with(AckKind::Term).await.ok();
        return;
    };
    let deliveries = message.info().map_or(1, |info| info.delivered);
    if deliveries > MOST_DELIVERIES {
        let why = format!("it was handed out {} times and never came back", deliveries - 1);
        report(shop, &run, number, why, true).await;
        message.ack_with(AckKind::Term).await.ok();
        return;
    }
    match work(shop, &message, left).await {
        Worked::Done(result) => finish(shop, &run, number, &message, result).await,
        Worked::Failed(why) => {
            fail(shop, &run, number, why).await;
            message.ack_with(AckKind::Nak(Some(AFTER_FAILURE))).await.ok();
        }
        Worked::Left => {
            message.ack_with(AckKind::Nak(None)).await.ok();
        }
    }
}

enum Worked {
    Done(Vec<u8>),
    Failed(String),
    Left,
}

/// Does the job on a thread of its own and says meanwhile that it is in good hands.
async fn work(shop: &Arc<Shop>, message: &Message, left: &mut watch::Receiver<Option<Left>>) -> Worked {
    let (payload, at_work) = (message.payload.clone(), Arc::clone(shop));
    let mut job = tokio::task::spawn_blocking(move || {
        let done = catch_unwind(AssertUnwindSafe(|| (at_work.do_job)(&payload)));
        done.unwrap_or_else(|_| Err("the program of the worker has an error there (its log says more)".to_owned()))
    });
    let mut heartbeat = interval(shop.options.patience / 3);
    heartbeat.tick().await;
    loop {
        tokio::select! {
            done = &mut job => return match done {
                Ok(Ok(result)) => Worked::Done(result),
                Ok(Err(why)) => Worked::Failed(why),
                Err(error) => Worked::Failed(error.to_string()),
            },
            _ = heartbeat.tick() => {
                message.ack_with(AckKind::Progress).await.ok();
            }
            _ = left.changed() => return Worked::Left,
        }
    }
}

/// Stores the result, then acknowledges the job: in this order nothing can get lost in between.
async fn finish(shop: &Shop, run: &RunId, number: u64, message: &Message, result: Vec<u8>) {
    let most = shop.client.max_payload();
    if result.len() + 1024 > most {
        let why =
            format!("its result has {} bytes, and NATS takes {most}: hand out smaller jobs (--job)", result.len());
        report(shop, run, number, why, true).await;
        message.ack_with(AckKind::Term).await.ok();
        return;
    }
    let context = context(&shop.client);
    let began = Instant::now();
    while began.elapsed() < shop.link.patience {
        let stored = match context.publish(run.result(number), result.clone().into()).await {
            Ok(acknowledged) => acknowledged.await.is_ok(),
            Err(_) => false,
        };
        if stored {
            shop.done.fetch_add(1, Ordering::Relaxed);
            message.double_ack().await.ok();
            return;
        }
        if is_connected(&shop.client) {
            message.ack_with(AckKind::Progress).await.ok();
        }
        sleep(BETWEEN_TRIES).await;
    }
}

/// Another may do it better. Who has never done anything leaves.
async fn fail(shop: &Shop, run: &RunId, number: u64, why: String) {
    let failed = shop.failed.fetch_add(1, Ordering::Relaxed) + 1;
    report(shop, run, number, why.clone(), false).await;
    if failed >= FAILURES_IN_VAIN && shop.done.load(Ordering::Relaxed) == 0 {
        shop.left.send_replace(Some(Left::OnlyFails(why)));
    }
}

async fn report(shop: &Shop, run: &RunId, number: u64, why: String, given_up: bool) {
    let failure = Failure { worker: shop.options.name.clone(), number, why, given_up };
    let text = serde_json::to_vec(&failure).unwrap_or_default();
    shop.client.publish(run.failures(), text.into()).await.ok();
}
