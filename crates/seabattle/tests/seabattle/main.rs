//! The program as its users meet it: real processes, real files, the documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod arena;
mod author;
mod bench;
mod contest;
mod documents;
<<<<<<< HEAD
#[path = "../../../seabattle-queue/tests/queue/nats.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod nats;
=======
#[path = "../../../seabattle-server/tests/nats.rs"]
mod nats;
mod nodes;
>>>>>>> 98232406d3df8902e390d1473ec553a4ed9f254b
mod odds;
mod plain;
#[path = "../../../seabattle-server/tests/postgres.rs"]
mod postgres;
mod program;
mod remote;
mod saving;
mod screen;
mod server;
mod terminal;
mod tournament;
