//! A bounded queue for permits. Among those that wait, the client that has used least computing is served first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use super::Client;
use super::cpu_budget::CpuBudgets;

/// How many permits there are, and how many clients may wait for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueueLimits {
    pub(super) permits: usize,
    pub(super) permits_of_client: usize,
    pub(super) max_waiting: usize,
    pub(super) max_waiting_of_client: usize,
}

/// Too many already wait, or too many of the same client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QueueFull;

pub(super) struct FairQueue {
    limits: QueueLimits,
    budgets: Arc<CpuBudgets>,
    state: Mutex<QueueState>,
}

#[derive(Default)]
struct QueueState {
    running: Vec<Client>,
    waiting: Vec<Waiter>,
    next_number: u64,
}

struct Waiter {
    number: u64,
    client: Client,
    granted: oneshot::Sender<()>,
}

/// Held while the work runs.
pub(super) struct QueuePermit {
    queue: Arc<FairQueue>,
    client: Client,
}

impl FairQueue {
    pub(super) fn new(limits: QueueLimits, budgets: Arc<CpuBudgets>) -> Self {
        Self { limits, budgets, state: Mutex::default() }
    }

    /// Waits for a permit. Dropping the future leaves the queue.
    pub(super) async fn acquire(self: &Arc<Self>, client: &Client) -> Result<QueuePermit, QueueFull> {
        let mut ticket = self.enqueue(client)?;
        // The sender is dropped only with the queue, which the ticket keeps.
        (&mut ticket.granted).await.map_err(|_| QueueFull)?;
        ticket.is_taken = true;
        Ok(QueuePermit { queue: Arc::clone(self), client: client.clone() })
    }

    fn enqueue(self: &Arc<Self>, client: &Client) -> Result<Ticket, QueueFull> {
        let mut state = self.lock();
        let of_client = state.waiting.iter().filter(|waiter| is_same(&waiter.client, client)).count();
        let is_free = state.running.len() < self.limits.permits;
        let is_full = !is_free && state.waiting.len() >= self.limits.max_waiting;
        if is_full || of_client >= self.limits.max_waiting_of_client {
            return Err(QueueFull);
        }
        let (granted, receiver) = oneshot::channel();
        let number = state.next_number;
        state.next_number += 1;
        state.waiting.push(Waiter { number, client: client.clone(), granted });
        self.grant(&mut state);
        Ok(Ticket { queue: Arc::clone(self), client: client.clone(), number, granted: receiver, is_taken: false })
    }

    /// How many run and how many wait.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let state = self.lock();
        (state.running.len(), state.waiting.len())
    }

    /// Grants permits while there are any, and clients that may have one.
    fn grant(&self, state: &mut QueueState) {
        let now = Instant::now();
        while state.running.len() < self.limits.permits {
            let may_run = |waiter: &&Waiter| {
                let running = state.running.iter().filter(|client| is_same(client, &waiter.client)).count();
                running < self.limits.permits_of_client
            };
            let order = |waiter: &&Waiter| (self.budgets.most_used(&waiter.client, now), waiter.number);
            let next = state.waiting.iter().filter(may_run).min_by(|a, b| {
                let (a, b) = (order(a), order(b));
                a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
            });
            let Some(number) = next.map(|waiter| waiter.number) else { return };
            let Some(at) = state.waiting.iter().position(|waiter| waiter.number == number) else { return };
            let waiter = state.waiting.remove(at);
            if waiter.granted.send(()).is_ok() {
                state.running.push(waiter.client);
            }
        }
    }

    fn release(&self, client: &Client) {
        let mut state = self.lock();
        if let Some(at) = state.running.iter().position(|running| running == client) {
            state.running.swap_remove(at);
        }
        self.grant(&mut state);
    }

    fn leave(&self, number: u64) {
        self.lock().waiting.retain(|waiter| waiter.number != number);
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether both count as one client: by their address, or by their seat where no address is known.
fn is_same(a: &Client, b: &Client) -> bool {
    match (a.address, b.address) {
        (None, None) => a.seat == b.seat,
        (a, b) => a == b,
    }
}

impl Drop for QueuePermit {
    fn drop(&mut self) {
        self.queue.release(&self.client);
    }
}

/// A place in the queue.
struct Ticket {
    queue: Arc<FairQueue>,
    client: Client,
    number: u64,
    granted: oneshot::Receiver<()>,
    is_taken: bool,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.is_taken {
            return;
        }
        self.granted.close();
        // The permit may have been granted just now, without anyone to take it.
        match self.granted.try_recv() {
            Ok(()) => self.queue.release(&self.client),
            Err(_) => self.queue.leave(self.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use futures_util::FutureExt;

    use super::{FairQueue, QueueFull, QueueLimits};
    use crate::admission::Client;
    use crate::admission::cpu_budget::CpuBudgets;

    const LIMITS: QueueLimits =
        QueueLimits { permits: 2, permits_of_client: 1, max_waiting: 4, max_waiting_of_client: 2 };

    fn client(number: u8) -> Client {
        Client::at(IpAddr::V4(Ipv4Addr::new(10, 0, 0, number)))
    }

    fn queue(budgets: &Arc<CpuBudgets>) -> Arc<FairQueue> {
        Arc::new(FairQueue::new(LIMITS, Arc::clone(budgets)))
    }

    async fn acquire(queue: &Arc<FairQueue>, number: u8) -> Result<super::QueuePermit, QueueFull> {
        queue.acquire(&client(number)).await
    }

    #[tokio::test]
    async fn one_client_has_one_permit_and_bounded_places_while_others_pass() {
        let queue = queue(&Arc::new(CpuBudgets::new(1.0)));
        let first = acquire(&queue, 1).await.unwrap();
        let (mut second, mut third) = (Box::pin(acquire(&queue, 1)), Box::pin(acquire(&queue, 1)));
        assert!((&mut second).now_or_never().is_none() && (&mut third).now_or_never().is_none());
        assert!(acquire(&queue, 1).await.is_err(), "a third place");
        let other = acquire(&queue, 2).now_or_never().unwrap().unwrap();
        assert_eq!(queue.lengths(), (2, 2));
        drop(other);
        assert!((&mut second).now_or_never().is_none(), "a free permit is not for the same client");
        drop(first);
        let second = second.now_or_never().unwrap().unwrap();
        assert!((&mut third).now_or_never().is_none());
        drop((second, third));
        assert_eq!(queue.lengths(), (0, 0), "who leaves, takes nothing along");
    }

    #[tokio::test]
    async fn whoever_has_used_least_is_next() {
        let budgets = Arc::new(CpuBudgets::new(1.0));
        let queue = queue(&budgets);
        let running = (acquire(&queue, 1).await.unwrap(), acquire(&queue, 2).await.unwrap());
        budgets.charge(&client(3), Duration::from_secs(9), Instant::now());
        let (mut greedy, mut modest) = (Box::pin(acquire(&queue, 3)), Box::pin(acquire(&queue, 4)));
        assert!((&mut greedy).now_or_never().is_none() && (&mut modest).now_or_never().is_none());
        drop(running.0);
        assert!((&mut greedy).now_or_never().is_none());
        let modest = modest.now_or_never().unwrap().unwrap();
        drop(running.1);
        assert!(greedy.now_or_never().unwrap().is_ok());
        drop(modest);
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let queue = queue(&Arc::new(CpuBudgets::new(1.0)));
        let running = (acquire(&queue, 1).await.unwrap(), acquire(&queue, 2).await.unwrap());
        let mut waiting: Vec<_> = (3..7).map(|number| Box::pin(acquire(&queue, number))).collect();
        assert!(waiting.iter_mut().all(|waiting| waiting.now_or_never().is_none()));
        assert_eq!(acquire(&queue, 7).await.err(), Some(QueueFull));
        drop(running);
        let served: Vec<_> = waiting.iter_mut().filter_map(|waiting| waiting.now_or_never()).collect();
        assert_eq!(served.len(), 2);
    }
}
