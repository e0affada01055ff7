//! Variance reduction in the style of [AIVAT](https://arxiv.org/abs/1612.06915): a bench subtracts the luck of each game.
//!
//! The correction has mean zero for any player, so the reduced mean is unbiased and its error is smaller.

use std::fmt;
use std::sync::Arc;

use seabattle_core::Knowledge;

/// Shots are counted in millionths, because sums of whole numbers do not depend on their order.
const MILLIONTHS: f64 = 1e6;

/// An AIVAT-style correction: how many shots of a finished game were bad luck, negative for good luck.
///
/// Its mean over all games must be zero for every player. A value network with exact odds gives such a correction.
#[derive(Clone)]
pub struct AivatCorrection(Arc<dyn Fn(&Knowledge) -> f64 + Send + Sync>);

impl AivatCorrection {
    /// A correction that is computed by this function.
    pub fn new(luck: impl Fn(&Knowledge) -> f64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(luck))
    }

    /// The shots of a game minus its bad luck, in millionths of a shot.
    pub(crate) fn reduced_shots(&self, game: &Knowledge) -> i64 {
        ((game.shots().len() as f64 - (self.0)(game)) * MILLIONTHS).round() as i64
    }
}

impl fmt::Debug for AivatCorrection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AivatCorrection(…)")
    }
}

/// A variance-reduced mean of games, or of differences between games, with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReducedMean {
    /// The mean in shots.
    pub mean: f64,
    /// The standard error of the mean, in shots.
    pub stderr: f64,
}

impl ReducedMean {
    pub(crate) fn of(mean: f64, stderr: f64) -> Self {
        Self { mean: mean / MILLIONTHS, stderr: stderr / MILLIONTHS }
    }
}
