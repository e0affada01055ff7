//! Exact odds of Battleship positions: the number of consistent layouts, and the probability of a ship on every cell.
//!
//! Nothing here knows the true fleet. Odds that would take too long to count are estimated by sampling, and say so.

mod analysis;
mod consistent;
mod exact;
mod importance_sampling;
mod lane_enumeration;
mod number;
mod odds;
mod odds_cache;
mod placements;
mod polynomial;
mod position;
mod prior;
mod profile_dp;
mod residual;
mod review;
mod sampler;
pub mod solve;
mod stop;

pub use analysis::{Analysis, AnalysisError, AnalyzedShot, PendingVolley, TurningPoint, TurningReason};
pub use consistent::ConsistentLayouts;
pub use odds::{Limits, Odds, OddsError};
pub use odds_cache::OddsCache;
pub use prior::{PlacementWeights, Prior, WeightError};
pub use review::{Review, ReviewError, ShotReview};
pub use sampler::{Sampler, SamplerError};
pub use stop::StopFlag;
