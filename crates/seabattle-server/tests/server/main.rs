//! The server as its clients meet it: real sockets, a real store.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod attacks;
mod client;
mod full_disk;
mod games;
mod hostile;
mod live;
mod opponents;
mod placing;
mod stopping;
mod storing;
