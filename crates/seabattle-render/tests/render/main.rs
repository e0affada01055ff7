//! Pictures as readers get them: charts, animations, stills, pages and JSON.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod games;
mod pictures;
