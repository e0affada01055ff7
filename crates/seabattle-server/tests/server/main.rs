//! The server as its clients meet it: real sockets, a real store.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod client;
mod games;
mod hostile;
mod live;
