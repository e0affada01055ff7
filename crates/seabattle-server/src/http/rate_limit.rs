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

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
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
            buckets.retain(|_, bucket| self.filled(*bucket, now) < self.rate.burst);
        }
        if buckets.len() >= MAX_ADDRESSES {
            return false;
        }
        let bucket = buckets.entry(address).or_insert(Bucket { tokens: self.rate.burst, at: now });
        *bucket = Bucket { tokens: self.filled(*bucket, now), at: now };
        let allowed = bucket.tokens >= 1.0;
        bucket.tokens -= if allowed { 1.0 } else { 0.0 };
        allowed
    }

    fn filled(&self, bucket: Bucket, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        (bucket.tokens + passed * self.rate.per_second).min(self.rate.burst)
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
