//! All workers in one view, their failures apart from the results.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_queue::{JobFailure, Observer, WorkerStatus};

/// Who has been silent for so long is gone.
const SILENT: Duration = Duration::from_secs(5);
/// Lines for workers; the others are counted.
const LINES: usize = 8;
/// Names and reasons that are kept of failures.
const KEPT_FAILURES: usize = 20;

/// What is shown of workers, below the progress of the work.
pub(crate) struct Show {
    bar: ProgressBar,
    workers: ProgressBar,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    workers: BTreeMap<String, (WorkerStatus, Instant)>,
    /// By worker: how often, and the first reason.
    failures: BTreeMap<String, (u64, String)>,
}

impl Show {
    /// Shown where the progress is shown.
    pub(crate) fn new(bar: &ProgressBar) -> Self {
        let workers = ProgressBar::hidden();
        workers.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
        if !bar.is_hidden() {
            let both = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            both.add(bar.clone());
            both.add(workers.clone());
            workers.set_message("no worker yet: start some with `seabattle worker --nats URL`");
        }
        Self { bar: bar.clone(), workers, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| writeln!(io::stderr(), "seabattle: {line}").ok());
    }

    /// Ends the view and tells the failures of workers.
    pub(crate) fn close(&self) {
        self.workers.finish_and_clear();
        for (worker, (times, why)) in &self.seen().failures {
            writeln!(io::stderr(), "seabattle: worker {worker} failed in {times} jobs, first: {why}").ok();
        }
    }
}

impl Seen {
    fn lines(&self) -> String {
        let here = self.workers.values().filter(|(_, heard)| heard.elapsed() < SILENT);
        let here: Vec<&WorkerStatus> = here.map(|(status, _)| status).collect();
        let threads: usize = here.iter().map(|status| status.threads).sum();
        let done: u64 = self.workers.values().map(|(status, _)| status.done).sum();
        let mut text = format!("{} workers, {threads} threads, {done} jobs done", here.len());
        for status in here.iter().take(LINES) {
            let WorkerStatus { worker, threads, busy, done, failed, .. } = status;
            let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
            text += &format!("\n  {worker:<24.24} {busy:>3} of {threads} busy {done:>8} done{failed}");
        }
        if here.len() > LINES {
            text += &format!("\n  and {} more", here.len() - LINES);
        }
        text
    }
}

impl Observer for Show {
    fn status(&self, status: &WorkerStatus) {
        let mut seen = self.seen();
        if status.leaving {
            seen.workers.remove(&status.worker);
        } else {
            seen.workers.insert(status.worker.clone(), (status.clone(), Instant::now()));
        }
        self.workers.set_message(seen.lines());
    }

    fn failure(&self, failure: &JobFailure) {
        let JobFailure { worker, number, reason, .. } = failure;
        let mut seen = self.seen();
        if seen.failures.len() >= KEPT_FAILURES && !seen.failures.contains_key(worker) {
            return;
        }
        let (times, _) = seen.failures.entry(worker.clone()).or_insert_with(|| (0, reason.clone()));
        *times += 1;
        let is_first = *times == 1;
        drop(seen);
        if is_first {
            self.say(&format!("worker {worker} failed in job {number}: {reason}; it goes to another"));
        }
    }

    fn worker_rejected(&self, worker: &str, reason: &str) {
        self.say(&format!("worker {worker} is refused: {reason}"));
    }

    fn connection(&self, connected: bool) {
        self.say(if connected { "NATS is back" } else { "NATS is gone; waiting for it" });
    }
}
