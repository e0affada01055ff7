//! Which results are believed: each is checked against its job, and a share of the jobs is done again.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::sync::Semaphore;

use crate::identity::WorkerIdentity;

/// Judges results. The queue itself does not know what jobs and results mean.
pub trait Verifier: Send + Sync {
    /// Checks whether the job can have this result. The error says why not.
    fn check(&self, job: &[u8], result: &[u8]) -> Result<(), String>;

    /// Whether doing the job again must give the same result.
    fn is_repeatable(&self, job: &[u8]) -> bool;

    /// Does the job again and compares the results.
    fn replay(&self, job: &[u8], result: &[u8]) -> Replay;
}

/// What doing a job again has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// The result is the same.
    Same,
    /// The result is another one, as this text says. The worker's result was false.
    Different(String),
    /// The job cannot be done again here, as this text says. That says nothing about the worker.
    Impossible(String),
}

/// How results are verified.
#[derive(Clone)]
pub struct Verification {
    /// Judges the results.
    pub verifier: Arc<dyn Verifier>,
    /// The share of the jobs that are done again, from 0 to 1. The first job of each worker is done again in any case.
    pub share: f64,
    /// How many jobs are done again at the same time.
    pub threads: NonZero<usize>,
}

/// What a coordinator knows about its workers, over all its runs.
#[derive(Debug, Default)]
pub(crate) struct Trust {
    /// Ids of workers of which one job was done again with the same result.
    confirmed: BTreeSet<String>,
    /// Ids of workers with a false result, and why it was false.
    rejected: BTreeMap<String, String>,
}

impl Trust {
    pub(crate) fn confirm(&mut self, worker: &WorkerIdentity) {
        self.confirmed.insert(worker.id().to_owned());
    }

    /// Whether all results of the worker may count that are not verified themselves.
    pub(crate) fn is_confirmed(&self, worker: &WorkerIdentity) -> bool {
        worker.is_signed() && self.confirmed.contains(worker.id())
    }

    pub(crate) fn reject(&mut self, worker: &WorkerIdentity, reason: &str) {
        self.rejected.insert(worker.id().to_owned(), reason.to_owned());
    }

    /// Why the worker with this id is rejected, if it is.
    pub(crate) fn rejection(&self, id: &str) -> Option<&str> {
        self.rejected.get(id).map(String::as_str)
    }
}

/// A job that was done again.
pub(crate) struct Verified {
    pub(crate) number: u64,
    pub(crate) worker: WorkerIdentity,
    pub(crate) replay: Replay,
}

/// The jobs that are being done again.
pub(crate) struct Replays {
    verification: Verification,
    slots: Arc<Semaphore>,
    running: FuturesUnordered<BoxFuture<'static, Verified>>,
    /// Ids of workers whose first job is being done again.
    first: BTreeSet<String>,
}

impl Replays {
    pub(crate) fn new(verification: Verification) -> Self {
        let slots = Arc::new(Semaphore::new(verification.threads.get()));
        Self { verification, slots, running: FuturesUnordered::new(), first: BTreeSet::new() }
    }

    pub(crate) fn verifier(&self) -> &dyn Verifier {
        self.verification.verifier.as_ref()
    }

    /// Whether a repeatable job must be done again: the first of each worker, all without a signature, and a share of
    /// the others. The worker cannot know which, because they are drawn after it has sent the result.
    pub(crate) fn is_chosen(&mut self, worker: &WorkerIdentity, trust: &Trust) -> bool {
        let is_first = !trust.is_confirmed(worker) && self.first.insert(worker.id().to_owned());
        is_first || !worker.is_signed() || is_drawn(self.verification.share)
    }

    /// Begins to do a job again.
    pub(crate) fn begin(&mut self, number: u64, worker: WorkerIdentity, job: Vec<u8>, result: Vec<u8>) {
        let (verifier, slots) = (Arc::clone(&self.verification.verifier), Arc::clone(&self.slots));
        let replay = async move {
            let slot = slots.acquire_owned().await;
            let done = tokio::task::spawn_blocking(move || {
                let _slot = slot;
                catch_unwind(AssertUnwindSafe(|| verifier.replay(&job, &result)))
            });
            let failed = || Replay::Impossible("the program has an error there".to_owned());
            let replay = done.await.map_or_else(|_| failed(), |replay| replay.unwrap_or_else(|_| failed()));
            Verified { number, worker, replay }
        };
        self.running.push(replay.boxed());
    }

    /// The next job that was done again. Waits for ever while none is being done.
    pub(crate) async fn next(&mut self) -> Verified {
        match self.running.next().await {
            Some(verified) => {
                self.first.remove(verified.worker.id());
                verified
            }
            None => std::future::pending().await,
        }
    }
}

/// Draws with this probability, from a source that no worker can foresee.
fn is_drawn(share: f64) -> bool {
    let mut bytes = [0; 8];
    // Without randomness everything is verified.
    getrandom::fill(&mut bytes).is_err() || (u64::from_le_bytes(bytes) as f64) < share * 2.0_f64.powi(64)
}

#[cfg(test)]
mod tests {
    use super::is_drawn;

    #[test]
    fn a_share_is_drawn() {
        let drawn = |share: f64| (0..4000).filter(|_| is_drawn(share)).count();
        assert_eq!((drawn(0.0), drawn(1.0)), (0, 4000));
        let half = drawn(0.5);
        // Seven standard deviations.
        assert!((1780..2220).contains(&half), "{half}");
    }
}
