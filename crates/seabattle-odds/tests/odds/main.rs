//! The odds against brute force, known numbers, and the results of games.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod brute;
mod calibration;
mod counts;
mod enumeration;
mod odds_cache;
mod sampling;
