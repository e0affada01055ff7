//! Battleship in the browser: rooms, live connections, stores and the page.
//!
//! Data flows one way. A room decides a command into events. The events are stored, then applied to the room. Then every
//! viewer gets a newer view, with only what that viewer may know. `docs/server.md` describes the interface.

mod admission;
mod api_error;
mod bounded_cache;
mod compute_pool;
mod crypto;
mod http;
mod metrics;
mod notifications;
mod retry;
mod rooms;
mod shared_work;
mod store;
mod timestamp;

pub use http::{DEFAULT_RATE, NodeOptions, ServeError, Server, serve};
pub use notifications::{NotificationError, Notifications};
pub use retry::{Transient, retry_transient};
pub use store::{Store, StoreError};
