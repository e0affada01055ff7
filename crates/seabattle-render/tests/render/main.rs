//! The output of the crate: charts, animations, still pictures, pages and JSON.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod games;
mod pictures;
