//! The program as its users meet it: real processes, real files, the documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod architecture;
mod arena;
mod author;
mod bench;
mod bots;
mod command_line;
mod contest;
mod documents;
mod games;
mod links;
#[path = "../../../seabattle-server/tests/nats.rs"]
mod nats;
mod nodes;
mod odds;
mod plain;
#[path = "../../../seabattle-server/tests/postgres.rs"]
mod postgres;
mod program;
#[path = "../../../seabattle-queue/tests/queue/nats.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod queue_nats;
mod remote;
mod sandbox;
mod saving;
mod screen;
mod server;
mod terminal;
mod tournament;
