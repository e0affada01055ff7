//! The arena as its callers use it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod bench;
mod contest;
mod external;
mod hostile;
mod limits;
mod pascal;
mod possible;
mod rating;
mod sandbox;
mod series;
mod set_aside;
mod spy;
