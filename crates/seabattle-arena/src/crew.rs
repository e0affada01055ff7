//! Threads that play numbered jobs; results come back in the order of the numbers, whoever was first.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// Yes.
    On,
    /// No.
    Stop,
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
