//! What one address holds: places in the lobby, and seats in games of strangers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::admission::AddressBlock;

/// How many addresses are remembered. Beyond that all are forgotten, which refuses nobody.
const MAX_ADDRESSES: usize = 50_000;

/// The games that each address holds, at most so many.
pub(super) struct Holdings {
    max: usize,
    addresses: Mutex<HashMap<AddressBlock, Held>>,
}

#[derive(Default)]
struct Held {
    games: Vec<String>,
    /// Games that are being created or joined.
    reserved: usize,
}

/// A place among the games of an address, given back unless a game takes it.
pub(super) struct Reservation {
    holdings: Arc<Holdings>,
    address: AddressBlock,
}

impl Holdings {
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, addresses: Mutex::default() })
    }

    /// Reserves a place. `None` if the address holds too many games.
    pub(super) fn reserve(self: &Arc<Self>, address: AddressBlock) -> Option<Reservation> {
        let mut addresses = self.lock();
        if addresses.len() >= MAX_ADDRESSES && !addresses.contains_key(&address) {
            addresses.clear();
        }
        let held = addresses.entry(address).or_default();
        if held.games.len() + held.reserved >= self.max {
            return None;
        }
        held.reserved += 1;
        Some(Reservation { holdings: Arc::clone(self), address })
    }

    pub(super) fn games(&self, address: AddressBlock) -> Vec<String> {
        self.lock().get(&address).map(|held| held.games.clone()).unwrap_or_default()
    }

    /// Forgets games that the address holds no longer.
    pub(super) fn forget(&self, address: AddressBlock, gone: &[String]) {
        let mut addresses = self.lock();
        if let Some(held) = addresses.get_mut(&address) {
            held.games.retain(|game| !gone.contains(game));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AddressBlock, Held>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// The game takes the place.
    pub(super) fn take(self, game: &str) {
        if let Some(held) = self.holdings.lock().get_mut(&self.address) {
            held.games.push(game.to_owned());
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut addresses = self.holdings.lock();
        let Some(held) = addresses.get_mut(&self.address) else { return };
        held.reserved = held.reserved.saturating_sub(1);
        if held.reserved == 0 && held.games.is_empty() {
            addresses.remove(&self.address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Holdings;
    use crate::admission::AddressBlock;

    #[test]
    fn an_address_holds_so_many_games_until_they_are_gone() {
        let holdings = Holdings::new(2);
        let [anna, boris] = [1, 2].map(|number| AddressBlock::of([10, 0, 0, number].into()));
        holdings.reserve(anna).unwrap().take("one");
        let second = holdings.reserve(anna).unwrap();
        assert!(holdings.reserve(anna).is_none(), "one held, one reserved");
        drop(second);
        holdings.reserve(anna).unwrap().take("two");
        assert!(holdings.reserve(anna).is_none() && holdings.reserve(boris).is_some());
        assert_eq!(holdings.games(anna), ["one", "two"]);
        holdings.forget(anna, &["one".to_owned()]);
        assert!(holdings.reserve(anna).is_some());
        assert_eq!(holdings.lock().len(), 1, "whoever holds nothing is not remembered");
    }
}
