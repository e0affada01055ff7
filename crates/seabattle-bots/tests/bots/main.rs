//! What every bot of the catalog must do, whatever it plays.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod best_play;
mod conformance;
mod fingerprints;
mod judging;
mod learning;
mod levels;
mod opponents;
mod order;
mod published;
