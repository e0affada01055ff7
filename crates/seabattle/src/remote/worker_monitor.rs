//! The view of all workers, with their failures apart from the results.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_queue::{JobFailure, Observer, WorkerIdentity, WorkerStatus};

/// A worker that was silent for this long is not shown.
const WORKER_TIMEOUT: Duration = Duration::from_secs(5);
/// How many workers have a line; the others are counted.
const MAX_LISTED_WORKERS: usize = 8;
/// How many workers with failures are remembered.
const MAX_FAILURES: usize = 20;

/// What is shown of workers, below the progress of the work.
pub(crate) struct WorkerMonitor {
    bar: ProgressBar,
    workers: ProgressBar,
    states: Mutex<WorkerStates>,
}

#[derive(Default)]
struct WorkerStates {
    workers: BTreeMap<String, (WorkerStatus, Instant)>,
    /// For each worker, how often it failed, and the first reason.
    failures: BTreeMap<String, (u64, String)>,
}

impl WorkerMonitor {
    /// A view below the progress of the work.
    pub(crate) fn new(bar: &ProgressBar) -> Self {
        let workers = ProgressBar::hidden();
        workers.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
        if !bar.is_hidden() {
            let both = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            both.add(bar.clone());
            both.add(workers.clone());
            workers.set_message("no worker yet: start some with `seabattle worker --nats URL`");
        }
        Self { bar: bar.clone(), workers, states: Mutex::default() }
    }

    fn states(&self) -> MutexGuard<'_, WorkerStates> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print_line(&self, line: &str) {
        self.bar.suspend(|| writeln!(io::stderr(), "seabattle: {line}").ok());
    }

    /// Ends the view and reports the failures of workers.
    pub(crate) fn close(&self) {
        self.workers.finish_and_clear();
        for (worker, (times, why)) in &self.states().failures {
            writeln!(io::stderr(), "seabattle: worker {worker} failed in {times} jobs, first: {why}").ok();
        }
    }
}

impl WorkerStates {
    fn lines(&self) -> String {
        let active = self.workers.values().filter(|(_, last_status)| last_status.elapsed() < WORKER_TIMEOUT);
        let active: Vec<&WorkerStatus> = active.map(|(status, _)| status).collect();
        let threads: usize = active.iter().map(|status| status.threads).sum();
        let done: u64 = self.workers.values().map(|(status, _)| status.done).sum();
        let mut text = format!("{} workers, {threads} threads, {done} jobs done", active.len());
        for status in active.iter().take(MAX_LISTED_WORKERS) {
            let WorkerStatus { worker, threads, busy, done, failed, .. } = status;
            let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
            text += &format!("\n  {worker:<24.24} {busy:>3} of {threads} busy {done:>8} done{failed}");
        }
        if active.len() > MAX_LISTED_WORKERS {
            text += &format!("\n  and {} more", active.len() - MAX_LISTED_WORKERS);
        }
        text
    }
}

/// What tells workers apart: two may have the same name.
fn key(status: &WorkerStatus) -> &str {
    if status.id.is_empty() { &status.worker } else { &status.id }
}

impl Observer for WorkerMonitor {
    fn status(&self, status: &WorkerStatus) {
        let mut states = self.states();
        if status.leaving {
            states.workers.remove(key(status));
        } else {
            states.workers.insert(key(status).to_owned(), (status.clone(), Instant::now()));
        }
        self.workers.set_message(states.lines());
    }

    fn failure(&self, failure: &JobFailure) {
        let JobFailure { worker, number, reason, .. } = failure;
        let mut states = self.states();
        if states.failures.len() >= MAX_FAILURES && !states.failures.contains_key(worker) {
            return;
        }
        let (times, _) = states.failures.entry(worker.clone()).or_insert_with(|| (0, reason.clone()));
        *times += 1;
        let is_first = *times == 1;
        drop(states);
        if is_first {
            self.print_line(&format!("worker {worker} failed in job {number}: {reason}; it goes to another"));
        }
    }

    fn worker_rejected(&self, worker: &str, reason: &str) {
        self.print_line(&format!("worker {worker} is refused: {reason}"));
    }

    fn result_rejected(&self, worker: &WorkerIdentity, reason: &str) {
        self.print_line(&format!(
            "worker {worker} is not believed: {reason}. None of its results counts; others play its games"
        ));
    }

    fn result_ignored(&self, number: u64, reason: &str) {
        self.print_line(&format!("a result of job {number} is ignored: {reason}; the job is handed out again"));
    }

    fn not_verified(&self, number: u64, reason: &str) {
        self.print_line(&format!("job {number} cannot be verified here: {reason}"));
    }

    fn connection(&self, connected: bool) {
        self.print_line(if connected { "NATS is back" } else { "NATS does not answer; waiting for it" });
    }
}
