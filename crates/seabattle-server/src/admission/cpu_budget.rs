//! CPU budgets: how much computing each client has used lately.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{AddressBlock, Client};

/// The seconds of computing that an address has at first and at most, at the default rate. Many players can share one.
const ADDRESS_SECONDS: f64 = 120.0;
/// The share of one core that an address may use for ever.
const ADDRESS_SHARE: f64 = 0.5;

/// The same for a seat.
const SEAT_SECONDS: f64 = 60.0;
const SEAT_SHARE: f64 = 0.25;

/// How many accounts of each sort are kept. Full ones are dropped first: a new one is as full.
const MAX_ACCOUNTS: usize = 50_000;

/// The budgets of all clients. They are paid after the work, so they can be overdrawn by one piece of work.
pub(super) struct CpuBudgets {
    /// How much greater than the default the budgets are.
    scale: f64,
    accounts: Mutex<Accounts>,
}

#[derive(Default)]
struct Accounts {
    addresses: HashMap<AddressBlock, Account>,
    seats: HashMap<String, Account>,
}

/// The seconds used and not yet forgiven, at a moment.
#[derive(Debug, Clone, Copy)]
struct Account {
    used: f64,
    at: Instant,
}

impl Account {
    fn used_at(self, now: Instant, share: f64) -> f64 {
        (self.used - share * now.saturating_duration_since(self.at).as_secs_f64()).max(0.0)
    }
}

impl CpuBudgets {
    pub(super) fn new(scale: f64) -> Self {
        Self { scale, accounts: Mutex::default() }
    }

    /// How long the client has to wait until it may start more work. `None` if it need not wait.
    pub(super) fn time_until_positive(&self, client: &Client, now: Instant) -> Option<Duration> {
        let (address, seat) = self.used(client, now);
        let wait = |used: f64, seconds: f64, share: f64| (used - self.scale * seconds) / (self.scale * share);
        let wait = wait(address, ADDRESS_SECONDS, ADDRESS_SHARE).max(wait(seat, SEAT_SECONDS, SEAT_SHARE));
        (wait > 0.0).then(|| Duration::from_secs_f64(wait))
    }

    /// The greater of the seconds that the address and the seat have used.
    pub(super) fn most_used(&self, client: &Client, now: Instant) -> f64 {
        let (address, seat) = self.used(client, now);
        address.max(seat)
    }

    pub(super) fn charge(&self, client: &Client, time: Duration, now: Instant) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(address) = client.address {
            add(&mut accounts.addresses, &address, time, now, self.scale * ADDRESS_SHARE);
        }
        if let Some(seat) = &client.seat {
            add(&mut accounts.seats, seat, time, now, self.scale * SEAT_SHARE);
        }
    }

    fn used(&self, client: &Client, now: Instant) -> (f64, f64) {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let address = client.address.and_then(|address| accounts.addresses.get(&address));
        let seat = client.seat.as_ref().and_then(|seat| accounts.seats.get(seat));
        let used =
            |account: Option<&Account>, share| account.map_or(0.0, |account| account.used_at(now, self.scale * share));
        (used(address, ADDRESS_SHARE), used(seat, SEAT_SHARE))
    }
}

fn add<K: Hash + Eq + Clone>(accounts: &mut HashMap<K, Account>, key: &K, time: Duration, now: Instant, share: f64) {
    if accounts.len() >= MAX_ACCOUNTS && !accounts.contains_key(key) {
        accounts.retain(|_, account| account.used_at(now, share) > 0.0);
        if accounts.len() >= MAX_ACCOUNTS {
            // Whoever used least is forgotten: that forgives least.
            let used = |account: &Account| account.used_at(now, share);
            let least = accounts.iter().min_by(|a, b| used(a.1).total_cmp(&used(b.1))).map(|(key, _)| key.clone());
            least.map(|least| accounts.remove(&least));
        }
    }
    let account = accounts.entry(key.clone()).or_insert(Account { used: 0.0, at: now });
    *account = Account { used: account.used_at(now, share) + time.as_secs_f64(), at: now };
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::{Duration, Instant};

    use super::{ADDRESS_SECONDS, ADDRESS_SHARE, CpuBudgets, SEAT_SECONDS, SEAT_SHARE};
    use crate::admission::Client;

    fn client(address: u8, seat: Option<&str>) -> Client {
        Client::at(IpAddr::V4(Ipv4Addr::new(10, 0, 0, address))).with_seat(seat.map(str::to_owned))
    }

    #[test]
    fn a_spent_budget_fills_up_with_time_and_belongs_to_one_address() {
        let (budgets, now) = (CpuBudgets::new(1.0), Instant::now());
        let anna = client(1, None);
        assert_eq!(budgets.time_until_positive(&anna, now), None);
        budgets.charge(&anna, Duration::from_secs_f64(ADDRESS_SECONDS + 2.0), now);
        assert_eq!(budgets.time_until_positive(&anna, now), Some(Duration::from_secs_f64(2.0 / ADDRESS_SHARE)));
        assert_eq!(budgets.time_until_positive(&client(2, None), now), None);
        let later = now + Duration::from_secs_f64(2.0 / ADDRESS_SHARE);
        assert_eq!(budgets.time_until_positive(&anna, later), None);
        assert!(budgets.most_used(&anna, later) > budgets.most_used(&client(2, None), later));
    }

    #[test]
    fn a_seat_that_changes_its_address_still_pays() {
        let (budgets, now) = (CpuBudgets::new(1.0), Instant::now());
        for address in 0..10 {
            budgets.charge(&client(address, Some("seat")), Duration::from_secs_f64(SEAT_SECONDS / 10.0 + 0.1), now);
        }
        let wait = budgets.time_until_positive(&client(99, Some("seat")), now).unwrap();
        assert!((wait.as_secs_f64() - 1.0 / SEAT_SHARE).abs() < 1e-6, "{wait:?}");
        assert_eq!(budgets.time_until_positive(&client(1, Some("other")), now), None);
    }
}
