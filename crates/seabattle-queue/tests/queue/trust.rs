//! Workers that lie, and forged messages: found, named, and without influence on the results.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_nats::HeaderMap;
use seabattle_queue::{
    Coordinator, CoordinatorOptions, ExitReason, QueueError, Replay, Verification, Verifier, WorkerIdentity,
};

use crate::nats::Nats;
use crate::runs::{Reports, collect_by, coordinator_at, expected, options, twice, version, worker};

/// Knows that every result is its job, written twice.
#[derive(Default)]
struct DoublingVerifier {
    replayed: Mutex<Vec<String>>,
    /// Jobs that cannot be repeated, and jobs that nobody can do here.
    unrepeatable: Option<&'static [u8]>,
    broken: Option<&'static [u8]>,
}

impl Verifier for DoublingVerifier {
    fn check(&self, _: &[u8], result: &[u8]) -> Result<(), String> {
        let is_number = !result.is_empty() && result.iter().all(u8::is_ascii_digit);
        if is_number { Ok(()) } else { Err("it is no number".to_owned()) }
    }

    fn is_repeatable(&self, job: &[u8]) -> bool {
        self.unrepeatable != Some(job)
    }

    fn replay(&self, job: &[u8], result: &[u8]) -> Replay {
        if self.broken == Some(job) {
            return Replay::Impossible("out of order".to_owned());
        }
        self.replayed.lock().unwrap().push(String::from_utf8(job.to_vec()).unwrap());
        if twice(job).as_deref() == Ok(result) { Replay::Same } else { Replay::Different("another number".to_owned()) }
    }
}

fn verifying_coordinator(nats: &Nats, share: f64, verifier: &Arc<DoublingVerifier>) -> Coordinator {
    let verifier = Arc::clone(verifier) as Arc<dyn Verifier>;
    let verification = Verification { verifier, share, threads: NonZero::new(2).unwrap() };
    coordinator_at(&nats.options(), CoordinatorOptions { verification: Some(verification), ..options() }).unwrap()
}

fn lie(_: &[u8]) -> Result<Vec<u8>, String> {
    Ok(b"1000".to_vec())
}

/// Runs until nobody lies any more; the results, and who lied.
fn collect(coordinator: &Coordinator, jobs: u64, reports: &Reports) -> (Vec<(u64, String)>, Vec<WorkerIdentity>) {
    let mut liars = Vec::new();
    loop {
        match collect_by(coordinator, "run", jobs, reports) {
            Ok(results) => return (results, liars),
            Err(QueueError::FalseResult { worker, .. }) => liars.push(worker),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_worker_that_lies_is_named_and_others_do_its_jobs() {
    let nats = Nats::start();
    let coordinator = verifying_coordinator(&nats, 0.0, &Arc::default());
    let liar = worker(&nats, "liar", version(), lie);
    let reports = Reports::default();
    let error = collect_by(&coordinator, "run", 50, &reports).unwrap_err().to_string();
    assert!(error.contains("worker liar (") && error.contains("is false: another number"), "{error}");
    let ExitReason::Rejected(reason) = liar.leave() else { panic!("it stays") };
    assert!(reason.contains("another number"), "{reason}");
    let honest = worker(&nats, "honest", version(), twice);
    assert_eq!(collect(&coordinator, 50, &reports), (expected(50), Vec::new()), "the liar is known already");
    let reported = reports.false_results.lock().unwrap();
    assert_eq!(reported.iter().map(|(worker, _)| worker.name()).collect::<Vec<_>>(), ["liar"]);
    honest.stop();
}

#[test]
fn a_worker_that_lies_later_is_found_too() {
    let nats = Nats::start();
    let coordinator = verifying_coordinator(&nats, 0.2, &Arc::default());
    let done = AtomicU64::new(0);
    let later = move |job: &[u8]| if done.fetch_add(1, Ordering::Relaxed) < 20 { twice(job) } else { lie(job) };
    let liar = worker(&nats, "liar", version(), later);
    let reports = Reports::default();
    let (honest, (results, liars)) = std::thread::scope(|scope| {
        let collected = scope.spawn(|| collect(&coordinator, 400, &reports));
        // Alone at first, so that it has lies to tell.
        assert!(matches!(liar.leave(), ExitReason::Rejected(_)));
        (worker(&nats, "honest", version(), twice), collected.join().unwrap())
    });
    assert_eq!(results, expected(400));
    assert_eq!(liars.iter().map(WorkerIdentity::name).collect::<Vec<_>>(), ["liar"]);
    honest.stop();
}

#[test]
fn an_impossible_result_is_false_without_being_done_again() {
    let nats = Nats::start();
    let verifier = Arc::<DoublingVerifier>::default();
    let coordinator = verifying_coordinator(&nats, 1.0, &verifier);
    let _liar = worker(&nats, "liar", version(), |_| Ok(b"x".to_vec()));
    let error = collect_by(&coordinator, "run", 5, &Reports::default()).unwrap_err().to_string();
    assert!(error.contains("is false: it is no number"), "{error}");
    assert!(verifier.replayed.lock().unwrap().is_empty());
}

#[test]
fn the_first_job_of_each_worker_is_verified_and_a_share_of_the_others() {
    let nats = Nats::start();
    for (share, range) in [(0.0, 1..=1), (0.5, 150..=300), (1.0, 450..=450)] {
        let verifier = Arc::<DoublingVerifier>::default();
        let coordinator = verifying_coordinator(&nats, share, &verifier);
        let honest = worker(&nats, "honest", version(), twice);
        let (results, liars) = collect(&coordinator, 500, &Reports::default());
        assert_eq!((results, liars.len()), (expected(500), 0));
        let replayed = verifier.replayed.lock().unwrap().len();
        assert!(range.contains(&replayed), "{replayed} of 450 for {share}");
        honest.stop();
    }
}

/// Stores a result as anyone can who may publish results.
fn forge(nats: &Nats, number: u64, result: &'static [u8], headers: HeaderMap) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(nats.options().url).await.unwrap();
        let jetstream = async_nats::jetstream::new(client);
        let subject = format!("seabattle.results.run.{number}");
        jetstream.publish_with_headers(subject, headers, result.into()).await.unwrap().await.unwrap();
    });
}

#[test]
fn a_forged_message_is_found_and_has_no_name() {
    let nats = Nats::start();
    let coordinator = verifying_coordinator(&nats, 0.0, &Arc::default());
    forge(&nats, 5, b"1000", HeaderMap::new());
    let honest = worker(&nats, "honest", version(), twice);
    let reports = Reports::default();
    let (results, liars) = collect(&coordinator, 20, &reports);
    assert_eq!(results, expected(20));
    assert_eq!(liars.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a worker without a name (unsigned)"]);
    honest.stop();
}

#[test]
fn a_true_result_without_a_signature_counts_after_it_was_verified() {
    let nats = Nats::start();
    let verifier = Arc::<DoublingVerifier>::default();
    let coordinator = verifying_coordinator(&nats, 0.0, &verifier);
    for (number, result) in [(0, b"00"), (1, b"11"), (2, b"22")] {
        forge(&nats, number, result, HeaderMap::new());
    }
    assert_eq!(collect(&coordinator, 3, &Reports::default()), (expected(3), Vec::new()));
    let mut replayed = verifier.replayed.lock().unwrap().clone();
    replayed.sort_unstable();
    assert_eq!(replayed, ["0", "1", "2"]);
}

#[test]
fn nobody_can_speak_for_another_worker() {
    let nats = Nats::start();
    let coordinator = verifying_coordinator(&nats, 0.0, &Arc::default());
    let mut headers = HeaderMap::new();
    headers.insert("Seabattle-Worker", "honest");
    headers.insert("Seabattle-Key", "ab".repeat(32).as_str());
    headers.insert("Seabattle-Signature", "cd".repeat(64).as_str());
    forge(&nats, 5, b"1000", headers);
    let honest = worker(&nats, "honest", version(), twice);
    let reports = Reports::default();
    assert_eq!(collect(&coordinator, 20, &reports), (expected(20), Vec::new()), "nobody is blamed");
    assert_eq!(*reports.ignored.lock().unwrap(), ["its signature does not fit this job"]);
    honest.stop();
}

#[test]
fn what_cannot_be_repeated_counts_unless_it_is_unsigned() {
    let nats = Nats::start();
    let verifier = Arc::new(DoublingVerifier { unrepeatable: Some(b"5"), ..DoublingVerifier::default() });
    let coordinator = verifying_coordinator(&nats, 1.0, &verifier);
    forge(&nats, 5, b"1000", HeaderMap::new());
    let honest = worker(&nats, "honest", version(), twice);
    let reports = Reports::default();
    assert_eq!(collect(&coordinator, 10, &reports), (expected(10), Vec::new()));
    assert_eq!(*reports.ignored.lock().unwrap(), ["it has no signature and cannot be verified"]);
    assert!(!verifier.replayed.lock().unwrap().contains(&"5".to_owned()));
    honest.stop();
}

#[test]
fn who_cannot_be_verified_here_is_not_blamed() {
    let nats = Nats::start();
    let verifier = Arc::new(DoublingVerifier { broken: Some(b"5"), ..DoublingVerifier::default() });
    let coordinator = verifying_coordinator(&nats, 1.0, &verifier);
    let honest = worker(&nats, "honest", version(), twice);
    let reports = Reports::default();
    assert_eq!(collect(&coordinator, 10, &reports), (expected(10), Vec::new()));
    assert_eq!(*reports.not_verified.lock().unwrap(), [(5, "out of order".to_owned())]);
    honest.stop();
}
