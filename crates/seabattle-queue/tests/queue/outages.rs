//! Workers without NATS: they say so once, wait, obey a request to stop, and continue.

use std::sync::Arc;
use std::time::{Duration, Instant};

use seabattle_queue::{ConnectionOptions, ExitReason};

use crate::nats::Nats;
use crate::runs::{Gate, Reports, Running, collect_by, coordinator, expected, twice, version, worker, worker_at};

const PATIENCE: Duration = Duration::from_secs(20);

fn next_event(worker: &Running) -> &'static str {
    worker.events.recv_timeout(PATIENCE).expect("nothing happens")
}

fn stops_quickly(worker: Running) {
    let asked = Instant::now();
    assert_eq!(worker.stop(), ExitReason::Stopped);
    assert!(asked.elapsed() < Duration::from_secs(5), "it took {:?}", asked.elapsed());
}

#[test]
fn a_worker_that_starts_before_nats_waits_for_it() {
    let mut nats = Nats::start();
    nats.kill();
    let impatient = ConnectionOptions { timeout: Duration::from_millis(300), ..nats.options() };
    let worker = worker_at(&impatient, "early", version(), twice);
    assert_eq!(next_event(&worker), "disconnected");
    // Longer than anybody waits otherwise, and it says no more.
    assert!(worker.events.recv_timeout(Duration::from_secs(1)).is_err());
    nats.start_again();
    assert_eq!(next_event(&worker), "connected again");
    assert_eq!(collect_by(&coordinator(&nats), "run", 20, &Reports::default()).unwrap(), expected(20));
    stops_quickly(worker);
}

#[test]
fn a_worker_without_nats_obeys_the_first_request_to_stop() {
    let mut nats = Nats::start();
    nats.kill();
    let worker = worker(&nats, "early", version(), twice);
    assert_eq!(next_event(&worker), "disconnected");
    stops_quickly(worker);
}

#[test]
fn a_worker_in_the_middle_of_a_job_obeys_while_nats_is_away() {
    let mut nats = Nats::start();
    let (begun, gate) = (Arc::new(Gate::default()), Arc::new(Gate::default()));
    let (tells, blocks) = (Arc::clone(&begun), Arc::clone(&gate));
    let worker = worker(&nats, "busy", version(), move |job| {
        tells.open();
        blocks.pass();
        twice(job)
    });
    assert_eq!(next_event(&worker), "connected");
    let coordinator = coordinator(&nats);
    std::thread::scope(|scope| {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let stop = &*Box::leak(Box::new(stop));
        let coordinator = &coordinator;
        let run = scope.spawn(move || {
            let run = seabattle_queue::RunId::new("run");
            let mut done = |_: u64, _: &[u8], _: &seabattle_queue::WorkerIdentity| std::ops::ControlFlow::Continue(());
            coordinator.run(&run, 20, &crate::runs::job, stop, &Reports::default(), &mut done)
        });
        begun.pass();
        nats.kill();
        assert_eq!(next_event(&worker), "disconnected");
        stops_quickly(worker);
        let asked = Instant::now();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        run.join().unwrap().unwrap();
        assert!(asked.elapsed() < Duration::from_secs(8), "the coordinator took {:?}", asked.elapsed());
    });
    gate.open();
}

#[test]
fn a_worker_notices_a_server_that_hangs() {
    let nats = Nats::start();
    let wait = Duration::from_secs(4);
    let worker = worker_at(&ConnectionOptions { timeout: wait, ..nats.options() }, "a", version(), twice);
    assert_eq!(next_event(&worker), "connected");
    nats.hang();
    let hung = Instant::now();
    assert_eq!(next_event(&worker), "disconnected");
    assert!(hung.elapsed() < wait, "noticed after {:?}", hung.elapsed());
    nats.resume();
    assert_eq!(next_event(&worker), "connected again");
    assert_eq!(collect_by(&coordinator(&nats), "run", 20, &Reports::default()).unwrap(), expected(20));
    stops_quickly(worker);
}
