//! Rate limits: a token bucket for each address, or for each /64 of IPv6.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::admission::{AddressBlock, Client};

/// How many addresses have a bucket. Beyond that full buckets are dropped.
const MAX_ADDRESSES: usize = 100_000;

/// A rate limit: how many requests at once, and how many a second on average.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimit {
    pub(crate) burst: f64,
    pub(crate) per_second: f64,
}

pub(crate) struct RateLimiter {
    rate: RateLimit,
    buckets: Mutex<HashMap<AddressBlock, Bucket>>,
}

/// A token bucket.
#[derive(Clone, Copy)]
pub(crate) struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn full(rate: RateLimit, now: Instant) -> Self {
        Self { tokens: rate.burst, at: now }
    }

    /// Takes a token. Returns `false` if there is none.
    pub(crate) fn take(&mut self, rate: RateLimit, now: Instant) -> bool {
        *self = Self { tokens: self.tokens_at(rate, now), at: now };
        let allowed = self.tokens >= 1.0;
        self.tokens -= if allowed { 1.0 } else { 0.0 };
        allowed
    }

    fn tokens_at(self, rate: RateLimit, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        (self.tokens + passed * rate.per_second).min(rate.burst)
    }
}

impl RateLimiter {
    pub(crate) fn new(rate: RateLimit) -> Self {
        Self { rate, buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes a token of the client. Returns `false` if there is none.
    pub(crate) fn allows(&self, client: &Client, now: Instant) -> bool {
        let Some(address) = client.address else { return true };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_ADDRESSES {
            buckets.retain(|_, bucket| bucket.tokens_at(self.rate, now) < self.rate.burst);
        }
        if buckets.len() >= MAX_ADDRESSES {
            return false;
        }
        buckets.entry(address).or_insert_with(|| Bucket::full(self.rate, now)).take(self.rate, now)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::{Duration, Instant};

    use super::{RateLimit, RateLimiter};
    use crate::admission::Client;

    #[test]
    fn a_burst_then_so_many_a_second() {
        let limiter = RateLimiter::new(RateLimit { burst: 3.0, per_second: 2.0 });
        let (client, other) =
            (Client::at(IpAddr::V4(Ipv4Addr::LOCALHOST)), Client::at(IpAddr::V4(Ipv4Addr::UNSPECIFIED)));
        let now = Instant::now();
        assert_eq!([(); 4].map(|()| limiter.allows(&client, now)), [true, true, true, false]);
        assert!(limiter.allows(&other, now));
        assert!(limiter.allows(&client, now + Duration::from_millis(500)));
        assert!(!limiter.allows(&client, now + Duration::from_millis(500)));
    }
}
