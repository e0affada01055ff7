//! From what was announced to what is likely: exact counts and probabilities of all layouts that fit a position.
//!
//! Nothing here knows the true fleet. Whatever would take too long is sampled, and says so.

mod analysis;
mod book;
mod exact;
mod fitting;
mod lanes;
mod number;
mod odds;
mod places;
mod polynomial;
mod position;
mod prior;
mod review;
mod rows;
mod sampler;
mod sampling;
mod sea;
pub mod solve;

pub use analysis::{Analysis, AnalysisError, Moment, Step, TurningPoint, Why};
pub use book::Book;
pub use fitting::Fitting;
pub use odds::{Limits, Odds, OddsError};
pub use prior::{PlacementWeights, Prior, WeightError};
pub use review::{JudgeError, Judged, Review};
pub use sampler::{Sampler, SamplerError};
