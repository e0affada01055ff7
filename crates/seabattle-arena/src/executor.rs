//! Executors run numbered jobs and return the results in the order of the numbers, whichever finishes first.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use thiserror::Error;

/// Runs numbered jobs, here or on other machines, and hands over their results in the order of the numbers.
pub trait Executor<J, T> {
    /// Runs jobs 0 to `jobs` until none is left, `stop` is set, or `done` breaks.
    ///
    /// `job` describes the job of a number; it returns `None` for a number with nothing to do.
    fn run(
        &self,
        jobs: u64,
        job: &(dyn Fn(u64) -> Option<J> + Sync),
        stop: &AtomicBool,
        done: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), ExecutorError>;
}

/// Why an executor stopped before its work was done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExecutorError {
    /// The executor cannot continue. The text says why, and what to do about it.
    #[error("{0}")]
    Failed(String),
    /// A worker with this id has delivered a false result, so nothing that it delivered counts.
    ///
    /// The caller forgets these results and runs the executor again, which asks other workers.
    #[error("worker {0} has delivered a false result")]
    Retracted(String),
}

/// An executor that runs jobs on threads of this process.
pub struct ThreadExecutor<F> {
    /// The number of threads.
    pub count: NonZero<usize>,
    /// Runs one job.
    pub play: F,
}

impl<J, T: Send, F: Fn(J) -> T + Sync> Executor<J, T> for ThreadExecutor<F> {
    fn run(
        &self,
        jobs: u64,
        job: &(dyn Fn(u64) -> Option<J> + Sync),
        stop: &AtomicBool,
        done: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), ExecutorError> {
        let play = |number| job(number).map(&self.play);
        run_in_order(jobs, self.count, stop, play, |result| result.map_or(ControlFlow::Continue(()), &mut *done));
        Ok(())
    }
}

/// Runs jobs on threads and hands over each result in order, until no job is left, `stop` is set, or `done` breaks.
pub(crate) fn run_in_order<T: Send>(
    jobs: u64,
    threads: NonZero<usize>,
    stop: &AtomicBool,
    job: impl Fn(u64) -> T + Sync,
    mut done: impl FnMut(T) -> ControlFlow<()>,
) {
    let (next, finished) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, results) = sync_channel(2 * threads.get());
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let (sender, next, finished, job) = (sender.clone(), &next, &finished, &job);
            scope.spawn(move || {
                while !finished.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= jobs || sender.send((number, job(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&expected) {
                expected += 1;
                if !finished.load(Ordering::Relaxed) && done(result).is_break() {
                    finished.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}
