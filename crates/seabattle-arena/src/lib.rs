//! Games between players, refereed, and what they tell about the players.

mod bench;
mod duel;
mod fault;
mod fingerprint;
mod rating;
mod report;
mod series;
mod solo;
mod stats;

pub use bench::{Bench, BenchError, Contender, Layouts, MakeBot, Placer};
pub use duel::{DuelError, duel};
pub use fault::IllegalShot;
pub use fingerprint::{FingerprintError, fingerprint};
pub use rating::{Elo, Encounter, GameScore, PairCounts, Rating, Spread, Sprt, SprtError, SprtState, ratings};
pub use report::{BotResult, Report};
pub use series::Series;
pub use solo::solo;
pub use stats::{Difference, Histogram, SeriesMean};
