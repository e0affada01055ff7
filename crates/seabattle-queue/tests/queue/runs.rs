//! Whole runs, and what may go wrong in them.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::future::join_all;
use seabattle_queue::{
    Coordinator, ExitReason, JobFailure, Observer, QueueError, RunId, Version, Worker, WorkerOptions, WorkerStatus,
};

use crate::nats::Nats;

fn version() -> Version {
    Version::new("1")
}

/// What a coordinator was shown.
#[derive(Default)]
struct Seen {
    failures: Mutex<Vec<JobFailure>>,
    sent_away: Mutex<BTreeMap<String, String>>,
}

impl Observer for Seen {
    fn status(&self, _: &WorkerStatus) {}

    fn failure(&self, failure: &JobFailure) {
        self.failures.lock().unwrap().push(failure.clone());
    }

    fn worker_rejected(&self, worker: &str, reason: &str) {
        self.sent_away.lock().unwrap().insert(worker.to_owned(), reason.to_owned());
    }

    fn connection(&self, _: bool) {}
}

/// A worker on a thread.
struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<ExitReason, QueueError>>,
}

impl Running {
    fn stop(self) -> ExitReason {
        self.stop.store(true, Ordering::Relaxed);
        self.leave()
    }

    fn leave(self) -> ExitReason {
        self.thread.join().unwrap().unwrap()
    }
}

fn worker(
    nats: &Nats,
    name: &str,
    version: Version,
    job: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static,
) -> Running {
    worker_with_timeout(nats, name, version, Duration::from_millis(900), job)
}

fn worker_with_timeout(
    nats: &Nats,
    name: &str,
    version: Version,
    ack_timeout: Duration,
    job: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static,
) -> Running {
    let options = WorkerOptions { name: name.to_owned(), version, threads: NonZero::new(2).unwrap(), ack_timeout };
    let stop = Arc::new(AtomicBool::new(false));
    let (connection, flag) = (nats.options(), Arc::clone(&stop));
    let thread = thread::spawn(move || Worker::connect(&connection, options, job)?.run(&flag, |_| {}));
    Running { stop, thread }
}

fn twice(job: &[u8]) -> Result<Vec<u8>, String> {
    Ok([job, job].concat())
}

fn job(number: u64) -> Option<Vec<u8>> {
    (number % 10 != 3).then(|| number.to_string().into_bytes())
}

/// The results in the order in which they were handed over.
fn collect(nats: &Nats, run: &str, jobs: u64, observer: &dyn Observer) -> Result<Vec<(u64, String)>, QueueError> {
    let coordinator = Coordinator::connect(&nats.options(), version())?;
    let mut results = Vec::new();
    coordinator.run(&RunId::new(run), jobs, &job, &AtomicBool::new(false), observer, &mut |number, result| {
        results.push((number, String::from_utf8(result.to_vec()).unwrap()));
        ControlFlow::Continue(())
    })?;
    Ok(results)
}

fn expected(jobs: u64) -> Vec<(u64, String)> {
    let numbers = (0..jobs).filter(|number| number % 10 != 3);
    numbers.map(|number| (number, format!("{number}{number}"))).collect()
}

#[test]
fn results_come_in_order_each_once_and_nothing_is_left_behind() {
    let nats = Nats::start();
    let workers = ["a", "b"].map(|name| worker(&nats, name, version(), twice));
    for _ in 0..2 {
        assert_eq!(collect(&nats, "run", 6000, &Seen::default()).unwrap(), expected(6000));
    }
    for worker in workers {
        assert_eq!(worker.stop(), ExitReason::Stopped);
    }
}

#[test]
fn all_who_come_to_a_fresh_server_at_once_are_let_in() {
    for _ in 0..4 {
        let nats = Nats::start();
        let together = Barrier::new(16);
        let come = || {
            together.wait();
            Coordinator::connect(&nats.options(), version()).map(drop).map_err(|error| error.to_string())
        };
        thread::scope(|scope| {
            let came: Vec<_> = (0..16).map(|_| scope.spawn(come)).collect();
            for one in came {
                assert_eq!(one.join().unwrap(), Ok(()));
            }
        });
    }
}

#[test]
fn a_coordinator_that_comes_back_takes_up_what_is_done() {
    let nats = Nats::start();
    let played = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&played);
    let worker = worker(&nats, "a", version(), move |job| {
        counted.fetch_add(1, Ordering::Relaxed);
        twice(job)
    });
    let coordinator = Coordinator::connect(&nats.options(), version()).unwrap();
    let (stop, run) = (AtomicBool::new(false), RunId::new("run"));
    let mut first = 0;
    let stopped = coordinator.run(&run, 500, &job, &stop, &Seen::default(), &mut |_, _| {
        first += 1;
        if first == 200 {
            stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    });
    stopped.unwrap();
    assert!((200..450).contains(&first), "stopped in the middle: {first}");
    assert_eq!(collect(&nats, "run", 500, &Seen::default()).unwrap(), expected(500));
    let played = played.load(Ordering::Relaxed);
    assert!(played < 500 + 100, "what is done is not done again: {played}");
    worker.stop();
}

#[test]
fn a_straggler_is_handed_out_however_many_results_wait_for_it() {
    let nats = Nats::start();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    Coordinator::connect(&nats.options(), version()).unwrap();
    runtime.block_on(async {
        let jetstream = async_nats::jetstream::new(async_nats::connect(nats.options().url).await.unwrap());
        // Acknowledged, each: what is only sent may not be stored yet when the coordinator looks.
        for chunk in expected(7000)[1..].chunks(256) {
            let store = |(number, result): &(u64, String)| {
                jetstream.publish(format!("seabattle.results.run.{number}"), result.clone().into())
            };
            for stored in join_all(chunk.iter().map(store)).await {
                stored.unwrap().await.unwrap();
            }
        }
    });
    let played = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&played);
    let worker = worker(&nats, "a", version(), move |job| {
        counted.fetch_add(1, Ordering::Relaxed);
        twice(job)
    });
    assert_eq!(collect(&nats, "run", 7000, &Seen::default()).unwrap(), expected(7000));
    assert_eq!(played.load(Ordering::Relaxed), 1, "the one that was missing");
    worker.stop();
}

#[test]
fn a_decision_ends_the_work_early() {
    let nats = Nats::start();
    let worker = worker(&nats, "a", version(), twice);
    let coordinator = Coordinator::connect(&nats.options(), version()).unwrap();
    let mut last = 0;
    let (stop, seen, run) = (AtomicBool::new(false), Seen::default(), RunId::new("run"));
    let mut until = |number: u64| {
        let mut done = |at: u64, _: &[u8]| {
            last = at;
            if at >= number { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        coordinator.run(&run, 1_000_000, &job, &stop, &seen, &mut done).unwrap();
        last
    };
    assert_eq!(until(50), 50);
    assert_eq!(until(20), 20, "from the beginning again");
    worker.stop();
}

/// Blocks whoever comes first until it is opened.
#[derive(Default)]
struct Gate(Mutex<bool>, Condvar);

impl Gate {
    fn pass(&self) {
        let open = self.0.lock().unwrap();
        drop(self.1.wait_while(open, |open| !*open).unwrap());
    }

    fn open(&self) {
        *self.0.lock().unwrap() = true;
        self.1.notify_all();
    }
}

#[test]
fn a_long_job_stays_with_its_worker() {
    let nats = Nats::start();
    let (begun, gate) = (Arc::new(AtomicU64::new(0)), Arc::new(Gate::default()));
    let (count, blocks) = (Arc::clone(&begun), Arc::clone(&gate));
    // A busy machine may be silent for a second or two.
    let ack_timeout = Duration::from_secs(4);
    let slow = worker_with_timeout(&nats, "slow", version(), ack_timeout, move |job| {
        if job == b"0" && count.fetch_add(1, Ordering::Relaxed) == 0 {
            blocks.pass();
        }
        twice(job)
    });
    let open_later = {
        let gate = Arc::clone(&gate);
        // Twice as long as anybody waits for a sign of life.
        thread::spawn(move || {
            thread::park_timeout(2 * ack_timeout);
            gate.open();
        })
    };
    assert_eq!(collect(&nats, "run", 20, &Seen::default()).unwrap(), expected(20));
    assert_eq!(begun.load(Ordering::Relaxed), 1, "it was handed out once");
    open_later.join().unwrap();
    slow.stop();
}

#[test]
fn who_only_fails_leaves_and_others_do_the_work() {
    let nats = Nats::start();
    let bad = worker(&nats, "bad", version(), |_| Err("no hands".to_owned()));
    let seen = Seen::default();
    let (good, results) = thread::scope(|scope| {
        let results = scope.spawn(|| collect(&nats, "run", 60, &seen));
        assert_eq!(bad.leave(), ExitReason::AllJobsFailed("no hands".to_owned()));
        (worker(&nats, "good", version(), twice), results.join().unwrap().unwrap())
    });
    assert_eq!(results, expected(60));
    let failures = seen.failures.lock().unwrap();
    assert!(failures.iter().all(|failure| failure.worker == "bad" && failure.reason == "no hands"), "{failures:?}");
    assert!(failures.len() >= 3);
    good.stop();
}

#[test]
fn a_panic_is_a_failure_of_its_job_alone() {
    let nats = Nats::start();
    let panicked = Arc::new(AtomicBool::new(false));
    let once = Arc::clone(&panicked);
    let worker = worker(&nats, "a", version(), move |job| {
        assert!(job != b"7" || once.swap(true, Ordering::Relaxed), "planted");
        twice(job)
    });
    let seen = Seen::default();
    assert_eq!(collect(&nats, "run", 30, &seen).unwrap(), expected(30));
    let failures = seen.failures.lock().unwrap();
    assert_eq!(failures.iter().map(|failure| failure.number).collect::<Vec<_>>(), [7]);
    worker.stop();
}

#[test]
fn a_job_that_fails_everywhere_ends_the_work_with_its_reason() {
    let nats = Nats::start();
    let worker = worker(&nats, "a", version(), |job| if job == b"5" { Err("odd".to_owned()) } else { twice(job) });
    let error = collect(&nats, "run", 20, &Seen::default()).unwrap_err();
    assert!(matches!(&error, QueueError::JobFailed { number: 5, reason, .. } if reason == "odd"), "{error}");
    worker.stop();
}

#[test]
fn other_versions_are_refused_with_the_reason() {
    let nats = Nats::start();
    let other = worker(&nats, "old", Version::new("0"), twice);
    let own = worker(&nats, "new", version(), twice);
    let seen = Seen::default();
    let slow = |number| {
        // There is work until the other has said that it is there.
        seen.sent_away.lock().unwrap().is_empty().then(|| job(number)).flatten()
    };
    let coordinator = Coordinator::connect(&nats.options(), version()).unwrap();
    let stop = AtomicBool::new(false);
    let mut done = |_: u64, _: &[u8]| ControlFlow::Continue(());
    coordinator.run(&RunId::new("run"), 1_000_000, &slow, &stop, &seen, &mut done).unwrap();
    let ExitReason::Rejected(reason) = other.leave() else { panic!("it stays") };
    assert!(reason.contains("for version 1, and the worker is version 0"), "{reason}");
    assert_eq!(seen.sent_away.lock().unwrap().get("old"), Some(&reason));
    own.stop();
}

#[test]
fn a_server_that_starts_again_costs_nothing() {
    let mut nats = Nats::start();
    let workers = ["a", "b"].map(|name| worker(&nats, name, version(), twice));
    let connection = nats.options();
    let (reached, progress) = std::sync::mpsc::channel();
    let coordinator = thread::spawn(move || {
        let coordinator = Coordinator::connect(&connection, version()).unwrap();
        let mut results = Vec::new();
        let stop = AtomicBool::new(false);
        let worked =
            coordinator.run(&RunId::new("run"), 7_000, &job, &stop, &Seen::default(), &mut |number, result| {
                results.push((number, String::from_utf8(result.to_vec()).unwrap()));
                reached.send(number).unwrap();
                ControlFlow::Continue(())
            });
        worked.map(|()| results)
    });
    for (at, forgets) in [(500, false), (2_000, true), (5_000, false)] {
        let reached = progress.iter().find(|number| *number >= at);
        assert!(reached.is_some(), "it ended early");
        nats.kill();
        if forgets {
            nats.forget_everything();
        }
        nats.start_again();
    }
    assert_eq!(coordinator.join().unwrap().unwrap(), expected(7_000));
    workers.into_iter().for_each(|worker| assert_eq!(worker.stop(), ExitReason::Stopped));
}

#[test]
fn nobody_waits_for_ever() {
    let mut nats = Nats::start();
    let connection = seabattle_queue::ConnectionOptions { timeout: Duration::from_millis(300), ..nats.options() };
    nats.kill();
    let Err(error) = Coordinator::connect(&connection, version()) else { panic!("nobody is there") };
    assert!(error.to_string().contains("no answer from NATS for 0.3 s"), "{error}");
}
