//! The queue against a real nats-server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod nats;
mod outages;
mod permissions;
mod runs;
mod trust;
