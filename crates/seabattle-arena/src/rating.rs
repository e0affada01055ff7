//! Ratings: Elo of matches, sequential tests (SPRT), and Bradley–Terry ratings of tournaments.

mod cholesky;
mod elo;
mod normal;
mod pairs;
mod ratings;
mod sprt;

pub use elo::{Elo, Spread};
pub use pairs::{GameScore, PairCounts};
pub use ratings::{PairingResult, Rating, ratings};
pub use sprt::{Sprt, SprtError, SprtState};
