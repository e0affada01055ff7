//! Games between players, refereed, and what they tell about the players.

mod bench;
mod duel;
mod fault;
mod fingerprint;
mod solo;
mod stats;

pub use bench::{Bench, BenchError, BotResult, Contender, Layouts, MakeBot, Report};
pub use duel::{DuelError, duel};
pub use fault::IllegalShot;
pub use fingerprint::{FingerprintError, fingerprint};
pub use solo::solo;
pub use stats::{Difference, Histogram};
