//! Tests of all bots of the catalog.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod catalog;
mod conformance;
mod fingerprints;
mod learning;
mod levels;
mod optimal_play;
mod published_means;
mod shot_order;
mod skill_and_luck;
