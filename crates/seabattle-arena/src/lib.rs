//! Games between players, refereed, and what they tell about the players.

mod bench;
mod check;
mod contestant;
mod crew;
mod duel;
mod fault;
mod fingerprint;
mod foreign;
mod pairs;
mod player;
mod process;
pub mod protocol;
mod referee;
mod report;
mod score;
mod series;
mod solo;
mod stats;

pub use bench::{Bench, BenchError, Contender, Layouts, MakeBot, Placer};
pub use check::{CheckFailure, check};
pub use contestant::{Contestant, Kind};
pub use duel::{DuelError, duel};
pub use fault::IllegalShot;
pub use fingerprint::{FingerprintError, fingerprint};
pub use foreign::{Foreign, TimeLimits};
pub use pairs::{Pair, Pairing};
pub use player::{Fault, FaultKind, Player, Resident};
pub use process::Launch;
pub use referee::{Played, Terms, referee};
pub use report::{BotResult, Report};
pub use score::Score;
pub use series::Series;
pub use solo::solo;
pub use stats::{Difference, Histogram, SeriesMean};
