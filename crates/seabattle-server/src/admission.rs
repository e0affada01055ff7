//! Admission: which expensive work may run now, and who pays for it.
//!
//! Each kind of work has its own permits, queue and deadline, so that reviews never take the place of shots. The client
//! pays with CPU time, both by address and by seat. Whoever has used least is served first.

mod client;
mod cpu_budget;
mod fair_queue;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use seabattle_odds::StopFlag;
use tokio::sync::oneshot;

use crate::api_error::{ApiError, ErrorKind};
use crate::http::DEFAULT_RATE;
use crate::metrics::{Metrics, WorkLabel};

pub(crate) use client::{AddressBlock, Client};
use cpu_budget::CpuBudgets;
use fair_queue::{FairQueue, QueueFull, QueueLimits, QueuePermit};

/// The nice value of threads that do work which nobody's shot waits for.
#[cfg(target_os = "linux")]
const BACKGROUND_NICE: i32 = 10;

/// A kind of expensive work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// A volley or a fleet of a computer opponent.
    ComputerMove,
    /// The search for a layout that shows that rules can be played.
    Rules,
    /// A random fleet.
    Layout,
    /// The odds of one position.
    Odds,
    /// The analysis of a game.
    Review,
    /// The GIF of a game.
    Animation,
}

impl Work {
    pub(crate) const ALL: [Self; 6] =
        [Self::ComputerMove, Self::Rules, Self::Layout, Self::Odds, Self::Review, Self::Animation];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ComputerMove => "computer-move",
            Self::Rules => "rules",
            Self::Layout => "layout",
            Self::Odds => "odds",
            Self::Review => "review",
            Self::Animation => "animation",
        }
    }

    /// How much of this work may run and wait, on a machine with so many cores. Who may ask often, may also wait often.
    fn queue_limits(self, cores: usize, rate: u32) -> QueueLimits {
        let rate = rate as usize;
        let limits = |permits: usize, permits_of_client, waiting_of_client| QueueLimits {
            permits,
            permits_of_client,
            max_waiting: usize::max(1024, waiting_of_client),
            max_waiting_of_client: waiting_of_client,
        };
        match self {
            // The computer's moves are never refused: each game has at most one.
            Self::ComputerMove => QueueLimits {
                permits: cores.max(2),
                permits_of_client: cores.max(2) - 1,
                max_waiting: usize::MAX,
                max_waiting_of_client: usize::MAX,
            },
            Self::Rules | Self::Layout | Self::Odds => {
                limits(cores.div_ceil(2), cores.div_ceil(4), rate.saturating_mul(4))
            }
            Self::Review | Self::Animation => limits(cores.div_ceil(4), 1, rate.div_ceil(6)),
        }
    }

    /// When work is stopped. Computer moves, rules and layouts bound their own steps.
    fn deadline(self) -> Option<Duration> {
        match self {
            Self::ComputerMove | Self::Rules | Self::Layout => None,
            Self::Odds => Some(Duration::from_secs(5)),
            Self::Review | Self::Animation => Some(Duration::from_secs(20)),
        }
    }
}

/// Why work has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkError {
    /// The deadline passed, and the work was stopped.
    DeadlinePassed,
    /// The work panicked, or no thread could be started.
    Failed,
}

/// Decides which work may run.
pub(crate) struct Admission {
    budgets: Arc<CpuBudgets>,
    queues: HashMap<Work, Arc<FairQueue>>,
    metrics: Metrics,
}

/// The right to do one piece of work, on the account of a client.
pub(crate) struct Permit {
    work: Work,
    client: Client,
    budgets: Arc<CpuBudgets>,
    _slot: QueuePermit,
}

impl Admission {
    /// `rate` is how many requests a second one client may make. Budgets grow with it.
    pub(crate) fn new(cores: usize, rate: u32, metrics: Metrics) -> Self {
        let budgets = Arc::new(CpuBudgets::new(f64::from(rate.max(1)) / f64::from(DEFAULT_RATE)));
        let queue = |work: Work| (work, Arc::new(FairQueue::new(work.queue_limits(cores, rate), Arc::clone(&budgets))));
        Self { queues: Work::ALL.into_iter().map(queue).collect(), budgets, metrics }
    }

    /// Waits for a permit, in a fair queue. The error says when to try again.
    pub(crate) async fn admit(&self, work: Work, client: &Client) -> Result<Permit, ApiError> {
        let refused = |error| {
            self.metrics.work_refused.get_or_create(&WorkLabel { work: work.name() }).inc();
            error
        };
        if work != Work::ComputerMove
            && let Some(wait) = self.budgets.time_until_positive(client, Instant::now())
        {
            return Err(refused(budget_spent(wait)));
        }
        let slot = self.queues[&work].acquire(client).await.map_err(|QueueFull| refused(queue_full()))?;
        Ok(Permit { work, client: client.clone(), budgets: Arc::clone(&self.budgets), _slot: slot })
    }

    /// How much work of each kind runs and waits.
    pub(crate) fn queue_lengths(&self) -> impl Iterator<Item = (Work, usize, usize)> + '_ {
        Work::ALL.into_iter().map(|work| {
            let (running, waiting) = self.queues[&work].lengths();
            (work, running, waiting)
        })
    }
}

fn budget_spent(wait: Duration) -> ApiError {
    let error = ApiError::new(
        ErrorKind::TooManyRequests,
        "busy",
        "the server has computed much for you lately; wait a moment and ask again",
    );
    error.retry_after(wait)
}

fn queue_full() -> ApiError {
    let error = ApiError::new(
        ErrorKind::TooManyRequests,
        "busy",
        "too many computations are waiting; wait a moment and ask again",
    );
    error.retry_after(Duration::from_secs(3))
}

impl Permit {
    /// Does the work on a thread of its own. The client pays for the time. If the caller goes away, the work is stopped.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        let flag = StopFlag::default();
        let _stop = StopOnDrop(flag.clone());
        let (deadline, done) = (self.work.deadline(), self.start(flag.clone(), work));
        let result = match deadline {
            None => done.await,
            Some(deadline) => {
                tokio::pin!(done);
                match tokio::time::timeout(deadline, &mut done).await {
                    Ok(result) => result,
                    Err(_) => {
                        flag.set();
                        // The thread ends soon. What it returns is incomplete.
                        done.await.ok();
                        return Err(WorkError::DeadlinePassed);
                    }
                }
            }
        };
        result.map_err(|_| WorkError::Failed)
    }

    fn start<T: Send + 'static>(
        self,
        flag: StopFlag,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (result, done) = oneshot::channel();
        let is_background = self.work != Work::ComputerMove;
        let paid_work = move || {
            let began = Instant::now();
            // Charged even if the work panics. The permit is held until the work has really ended.
            let charge = ChargeOnDrop { permit: self, began };
            let value = flag.watch(work);
            drop(charge);
            result.send(value).ok();
        };
        if is_background {
            let thread = std::thread::Builder::new().name("background".to_owned());
            // Without a thread `done` fails.
            let started = thread.spawn(move || {
                lower_priority();
                paid_work();
            });
            started.map(drop).ok();
        } else {
            tokio::task::spawn_blocking(paid_work);
        }
        done
    }
}

/// Lets threads that serve go first. On Linux the value belongs to the thread.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    rustix::process::setpriority_process(None, BACKGROUND_NICE).ok();
}

struct ChargeOnDrop {
    permit: Permit,
    began: Instant,
}

impl Drop for ChargeOnDrop {
    fn drop(&mut self) {
        self.permit.budgets.charge(&self.permit.client, self.began.elapsed(), Instant::now());
    }
}

struct StopOnDrop(StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use seabattle_core::{Knowledge, Rules};
    use seabattle_odds::{Limits, OddsCache, StopFlag};

    use super::{Admission, Client, DEFAULT_RATE, Work, WorkError};
    use crate::metrics::Metrics;

    fn client(number: u8) -> Client {
        Client::at(IpAddr::V4(Ipv4Addr::new(10, 0, 0, number)))
    }

    #[tokio::test]
    async fn endless_work_of_each_kind_leaves_a_permit_for_the_computer_of_others() {
        let admission = Arc::new(Admission::new(2, DEFAULT_RATE, Metrics::new()));
        let mut attacks = Vec::new();
        for work in Work::ALL {
            for _ in 0..3 {
                let admission = Arc::clone(&admission);
                attacks.push(tokio::spawn(async move {
                    let permit = admission.admit(work, &client(1)).await.ok()?;
                    permit
                        .run(|| {
                            while !StopFlag::stops_this_thread() {
                                std::thread::yield_now();
                            }
                        })
                        .await
                        .ok()
                }));
            }
        }
        while admission.queue_lengths().any(|(_, running, waiting)| (running, waiting) != (1, 2)) {
            tokio::task::yield_now().await;
        }
        let permit = admission.admit(Work::ComputerMove, &client(2)).await.unwrap();
        assert_eq!(permit.run(|| 7).await, Ok(7));
        // The attacker goes away: everything stops, although no deadline has passed.
        attacks.iter().for_each(tokio::task::JoinHandle::abort);
        while admission.queue_lengths().any(|(_, running, waiting)| running + waiting > 0) {
            tokio::task::yield_now().await;
        }
    }

    /// The clock jumps to the deadline as soon as nothing else happens.
    #[tokio::test(start_paused = true)]
    async fn a_deadline_stops_the_counting_itself() {
        let admission = Admission::new(1, DEFAULT_RATE, Metrics::new());
        let rules: Rules = "15x15:5,4,4,3,3,3,2,2,2,2,touching=forbidden".parse().unwrap();
        let cache = OddsCache::new(
            0,
            0,
            Limits { max_sampled_cells: usize::MAX, max_samples: usize::MAX, ..Limits::default() },
        );
        let permit = admission.admit(Work::Review, &client(1)).await.unwrap();
        // This would take days.
        let odds = permit.run(move || cache.odds(&Knowledge::new(&rules)).map(drop)).await;
        assert_eq!(odds, Err(WorkError::DeadlinePassed));
        assert!(admission.queue_lengths().all(|(_, running, waiting)| running + waiting == 0), "the thread is free");
    }

    #[tokio::test]
    async fn work_that_panics_gives_its_permit_back() {
        let admission = Admission::new(1, DEFAULT_RATE, Metrics::new());
        for _ in 0..3 {
            let permit = admission.admit(Work::Review, &client(1)).await.unwrap();
            assert!(permit.run(|| panic!("on purpose")).await.is_err());
        }
    }
}
