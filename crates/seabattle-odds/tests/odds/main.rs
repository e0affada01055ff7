//! The odds, checked against plain enumeration, against known numbers, and against what happens in games.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod brute;
mod calibration;
mod counts;
mod enumeration;
mod odds_cache;
mod sampling;
