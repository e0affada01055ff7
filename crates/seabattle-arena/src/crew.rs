//! Threads that play numbered jobs; results come back in the order of the numbers, whoever was first.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use thiserror::Error;

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// Yes.
    On,
    /// No.
    Stop,
}

/// Who does numbered jobs, here or on other machines, and hands over their results in the order of the numbers.
pub trait Crew<J, T> {
    /// Does jobs until there are no more or it is told to stop. A number may have nothing to do.
    fn work(
        &self,
        jobs: u64,
        job: &(dyn Fn(u64) -> Option<J> + Sync),
        stop: &AtomicBool,
        done: &mut dyn FnMut(T) -> Go,
    ) -> Result<(), CrewError>;
}

/// Why a crew cannot go on, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct CrewError(pub String);

/// Threads of this process.
pub struct Threads<F> {
    /// How many.
    pub count: NonZero<usize>,
    /// How a job is done.
    pub play: F,
}

impl<J, T: Send, F: Fn(J) -> T + Sync> Crew<J, T> for Threads<F> {
    fn work(
        &self,
        jobs: u64,
        job: &(dyn Fn(u64) -> Option<J> + Sync),
        stop: &AtomicBool,
        done: &mut dyn FnMut(T) -> Go,
    ) -> Result<(), CrewError> {
        let play = |number| job(number).map(&self.play);
        work(jobs, self.count, stop, play, |result| result.map_or(Go::On, &mut *done));
        Ok(())
    }
}

/// Does jobs on threads and hands over each result in order, until there are no more or it is told to stop.
pub(crate) fn work<T: Send>(
    jobs: u64,
    threads: NonZero<usize>,
    stop: &AtomicBool,
    job: impl Fn(u64) -> T + Sync,
    mut done: impl FnMut(T) -> Go,
) {
    let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let (sender, results) = sync_channel(2 * threads.get());
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let (sender, next, over, job) = (sender.clone(), &next, &over, &job);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= jobs || sender.send((number, job(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                if !over.load(Ordering::Relaxed) && done(result) == Go::Stop {
                    over.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}
