//! Whole runs, and what may go wrong in them.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::future::join_all;
use seabattle_queue::{
    ConnectionOptions, Coordinator, CoordinatorOptions, ExitReason, JobFailure, Observer, QueueError, RunId, Version,
    Worker, WorkerEvent, WorkerIdentity, WorkerOptions, WorkerStatus,
};

use crate::nats::Nats;

pub(crate) fn version() -> Version {
    Version::new("1")
}

/// What a coordinator has reported.
#[derive(Default)]
pub(crate) struct Reports {
    pub(crate) failures: Mutex<Vec<JobFailure>>,
    pub(crate) rejected_versions: Mutex<BTreeMap<String, String>>,
    pub(crate) false_results: Mutex<Vec<(WorkerIdentity, String)>>,
    pub(crate) ignored: Mutex<Vec<String>>,
    pub(crate) not_verified: Mutex<Vec<(u64, String)>>,
}

impl Observer for Reports {
    fn status(&self, _: &WorkerStatus) {}

    fn failure(&self, failure: &JobFailure) {
        self.failures.lock().unwrap().push(failure.clone());
    }

    fn worker_rejected(&self, worker: &str, reason: &str) {
        self.rejected_versions.lock().unwrap().insert(worker.to_owned(), reason.to_owned());
    }

    fn result_rejected(&self, worker: &WorkerIdentity, reason: &str) {
        self.false_results.lock().unwrap().push((worker.clone(), reason.to_owned()));
    }

    fn result_ignored(&self, _: u64, reason: &str) {
        self.ignored.lock().unwrap().push(reason.to_owned());
    }

    fn not_verified(&self, number: u64, reason: &str) {
        self.not_verified.lock().unwrap().push((number, reason.to_owned()));
    }

    fn connection(&self, _: bool) {}
}

/// A worker on a thread.
pub(crate) struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<ExitReason, QueueError>>,
    /// What happened to the worker: `connected`, `connected again`, `disconnected`, `no jobs`.
    pub(crate) events: mpsc::Receiver<&'static str>,
}

impl Running {
    pub(crate) fn stop(self) -> ExitReason {
        self.stop.store(true, Ordering::Relaxed);
        self.leave()
    }

    pub(crate) fn leave(self) -> ExitReason {
        self.thread.join().unwrap().unwrap()
    }
}

pub(crate) fn worker(
    nats: &Nats,
    name: &str,
    version: Version,
    job: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static,
) -> Running {
    worker_at(&nats.options(), name, version, job)
}

pub(crate) fn worker_at(
    connection: &ConnectionOptions,
    name: &str,
    version: Version,
    job: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync + 'static,
) -> Running {
    let options = WorkerOptions { name: name.to_owned(), version, threads: NonZero::new(2).unwrap() };
    let stop = Arc::new(AtomicBool::new(false));
    let worker = Worker::new(connection, options, job).unwrap();
    let (flag, (sender, events)) = (Arc::clone(&stop), mpsc::channel());
    let report = move |event: WorkerEvent<'_>| {
        let event = match event {
            WorkerEvent::Connected { again: false } => "connected",
            WorkerEvent::Connected { again: true } => "connected again",
            WorkerEvent::Disconnected { .. } => "disconnected",
            WorkerEvent::NoJobs { .. } => "no jobs",
            WorkerEvent::Status(_) => return,
        };
        sender.send(event).ok();
    };
    let thread = thread::spawn(move || worker.run(&flag, report));
    Running { stop, thread, events }
}

pub(crate) fn options() -> CoordinatorOptions {
    CoordinatorOptions { version: version(), ack_timeout: Duration::from_millis(900), verification: None }
}

pub(crate) fn coordinator(nats: &Nats) -> Coordinator {
    coordinator_at(&nats.options(), options()).unwrap()
}

pub(crate) fn coordinator_at(
    connection: &ConnectionOptions,
    options: CoordinatorOptions,
) -> Result<Coordinator, QueueError> {
    Coordinator::connect(connection, options, &AtomicBool::new(false))
}

pub(crate) fn twice(job: &[u8]) -> Result<Vec<u8>, String> {
    Ok([job, job].concat())
}

pub(crate) fn job(number: u64) -> Option<Vec<u8>> {
    (number % 10 != 3).then(|| number.to_string().into_bytes())
}

/// The results in the order in which they were handed over.
fn collect(nats: &Nats, run: &str, jobs: u64, observer: &dyn Observer) -> Result<Vec<(u64, String)>, QueueError> {
    collect_by(&coordinator(nats), run, jobs, observer)
}

pub(crate) fn collect_by(
    coordinator: &Coordinator,
    run: &str,
    jobs: u64,
    observer: &dyn Observer,
) -> Result<Vec<(u64, String)>, QueueError> {
    let mut results = Vec::new();
    coordinator.run(&RunId::new(run), jobs, &job, &AtomicBool::new(false), observer, &mut |number, result, _| {
        results.push((number, String::from_utf8(result.to_vec()).unwrap()));
        ControlFlow::Continue(())
    })?;
    Ok(results)
}

pub(crate) fn expected(jobs: u64) -> Vec<(u64, String)> {
    let numbers = (0..jobs).filter(|number| number % 10 != 3);
    numbers.map(|number| (number, format!("{number}{number}"))).collect()
}

#[test]
fn results_come_in_order_each_once_and_nothing_is_left_behind() {
    let nats = Nats::start();
    let workers = ["a", "b"].map(|name| worker(&nats, name, version(), twice));
    for _ in 0..2 {
        assert_eq!(collect(&nats, "run", 6000, &Reports::default()).unwrap(), expected(6000));
    }
    for worker in workers {
        assert_eq!(worker.stop(), ExitReason::Stopped);
    }
}

#[test]
fn coordinators_that_start_at_once_all_connect_to_a_new_server() {
    for _ in 0..4 {
        let nats = Nats::start();
        let together = Barrier::new(16);
        let connect = || {
            together.wait();
            coordinator_at(&nats.options(), options()).map(drop).map_err(|error| error.to_string())
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(connect)).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), Ok(()));
            }
        });
    }
}

#[test]
fn a_restarted_coordinator_uses_the_stored_results() {
    let nats = Nats::start();
    let played = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&played);
    let worker = worker(&nats, "a", version(), move |job| {
        counted.fetch_add(1, Ordering::Relaxed);
        twice(job)
    });
    let coordinator = coordinator(&nats);
    let (stop, run) = (AtomicBool::new(false), RunId::new("run"));
    let mut first = 0;
    let stopped = coordinator.run(&run, 500, &job, &stop, &Reports::default(), &mut |_, _, _| {
        first += 1;
        if first == 200 {
            stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    });
    stopped.unwrap();
    assert!((200..450).contains(&first), "stopped in the middle: {first}");
    assert_eq!(collect(&nats, "run", 500, &Reports::default()).unwrap(), expected(500));
    let played = played.load(Ordering::Relaxed);
    assert!(played < 500 + 100, "what is done is not done again: {played}");
    worker.stop();
}

#[test]
fn a_straggler_is_handed_out_however_many_results_wait_for_it() {
    let nats = Nats::start();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    coordinator(&nats);
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
    assert_eq!(collect(&nats, "run", 7000, &Reports::default()).unwrap(), expected(7000));
    assert_eq!(played.load(Ordering::Relaxed), 1, "the one that was missing");
    worker.stop();
}

#[test]
fn the_caller_can_end_a_run_early() {
    let nats = Nats::start();
    let worker = worker(&nats, "a", version(), twice);
    let coordinator = coordinator(&nats);
    let mut last = 0;
    let (stop, reports, run) = (AtomicBool::new(false), Reports::default(), RunId::new("run"));
    let mut until = |number: u64| {
        let mut done = |at: u64, _: &[u8], _: &WorkerIdentity| {
            last = at;
            if at >= number { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        coordinator.run(&run, 1_000_000, &job, &stop, &reports, &mut done).unwrap();
        last
    };
    assert_eq!(until(50), 50);
    assert_eq!(until(20), 20, "from the beginning again");
    worker.stop();
}

/// Blocks threads until it is opened.
#[derive(Default)]
pub(crate) struct Gate(Mutex<bool>, Condvar);

impl Gate {
    pub(crate) fn pass(&self) {
        let open = self.0.lock().unwrap();
        drop(self.1.wait_while(open, |open| !*open).unwrap());
    }

    pub(crate) fn open(&self) {
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
    let patient = CoordinatorOptions { ack_timeout, ..options() };
    let patient = coordinator_at(&nats.options(), patient).unwrap();
    let slow = worker(&nats, "slow", version(), move |job| {
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
    assert_eq!(collect_by(&patient, "run", 20, &Reports::default()).unwrap(), expected(20));
    assert_eq!(begun.load(Ordering::Relaxed), 1, "it was handed out once");
    open_later.join().unwrap();
    slow.stop();
}

#[test]
fn a_worker_that_only_fails_exits_and_others_do_its_jobs() {
    let nats = Nats::start();
    let bad = worker(&nats, "bad", version(), |_| Err("no hands".to_owned()));
    let reports = Reports::default();
    let (good, results) = thread::scope(|scope| {
        let results = scope.spawn(|| collect(&nats, "run", 60, &reports));
        assert_eq!(bad.leave(), ExitReason::AllJobsFailed("no hands".to_owned()));
        (worker(&nats, "good", version(), twice), results.join().unwrap().unwrap())
    });
    assert_eq!(results, expected(60));
    let failures = reports.failures.lock().unwrap();
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
    let reports = Reports::default();
    assert_eq!(collect(&nats, "run", 30, &reports).unwrap(), expected(30));
    let failures = reports.failures.lock().unwrap();
    assert_eq!(failures.iter().map(|failure| failure.number).collect::<Vec<_>>(), [7]);
    worker.stop();
}

#[test]
fn a_job_that_fails_everywhere_ends_the_work_with_its_reason() {
    let nats = Nats::start();
    let worker = worker(&nats, "a", version(), |job| if job == b"5" { Err("odd".to_owned()) } else { twice(job) });
    let error = collect(&nats, "run", 20, &Reports::default()).unwrap_err();
    assert!(matches!(&error, QueueError::JobFailed { number: 5, reason, .. } if reason == "odd"), "{error}");
    worker.stop();
}

#[test]
fn other_versions_are_refused_with_the_reason() {
    let nats = Nats::start();
    let other = worker(&nats, "old", Version::new("0"), twice);
    let own = worker(&nats, "new", version(), twice);
    let reports = Reports::default();
    let slow = |number| {
        // There is work until the other has said that it is there.
        reports.rejected_versions.lock().unwrap().is_empty().then(|| job(number)).flatten()
    };
    let coordinator = coordinator(&nats);
    let stop = AtomicBool::new(false);
    let mut done = |_: u64, _: &[u8], _: &WorkerIdentity| ControlFlow::Continue(());
    coordinator.run(&RunId::new("run"), 1_000_000, &slow, &stop, &reports, &mut done).unwrap();
    let ExitReason::Rejected(reason) = other.leave() else { panic!("it stays") };
    assert!(reason.contains("for version 1, and the worker is version 0"), "{reason}");
    assert_eq!(reports.rejected_versions.lock().unwrap().get("old"), Some(&reason));
    own.stop();
}

#[test]
fn a_server_that_starts_again_costs_nothing() {
    let mut nats = Nats::start();
    let workers = ["a", "b"].map(|name| worker(&nats, name, version(), twice));
    let connection = nats.options();
    let (reached, progress) = mpsc::channel();
    let coordinator = thread::spawn(move || {
        let coordinator = coordinator_at(&connection, options()).unwrap();
        let mut results = Vec::new();
        let stop = AtomicBool::new(false);
        let worked =
            coordinator.run(&RunId::new("run"), 7_000, &job, &stop, &Reports::default(), &mut |number, result, _| {
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
fn a_coordinator_waits_no_longer_than_its_timeout() {
    let mut nats = Nats::start();
    let connection = ConnectionOptions { timeout: Duration::from_millis(300), ..nats.options() };
    nats.kill();
    let Err(error) = coordinator_at(&connection, options()) else { panic!("nobody is there") };
    assert!(error.to_string().contains("no answer from NATS for 0.3 s"), "{error}");
}
