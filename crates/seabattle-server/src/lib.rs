//! Battleship in the browser: rooms that are folds over stored events, views that tell each viewer what that viewer may know.
//!
//! Data flows one way: a command is decided by a room into events, the events are stored, then folded into the room, and then
//! everybody who watches is told that there is a newer view. `docs/server.md` describes what is said over the wire.

mod clock;
mod command;
mod computer;
mod event;
mod hall;
mod http;
mod limiter;
mod metrics;
mod news;
mod placement;
mod room;
mod secret;
mod store;
mod terms;
mod view;
mod wait;

#[cfg(test)]
mod tests;

pub use http::{Node, ServeError, Serving, USUAL_RATE, serve};
pub use news::{News, NewsError};
pub use store::{Store, StoreError};
pub use wait::{Passing, wait_for};
