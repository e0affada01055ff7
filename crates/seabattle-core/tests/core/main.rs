//! The integration tests of the rules library: one binary, one file for each topic.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod announcements;
mod broken_records;
mod counts;
mod fleets;
mod games;
mod knowledge;
mod layouts;
mod naive;
mod positions;

mod records;
mod referee;
mod rules;
mod solo;
mod support;
mod violations;
