//! AivatCorrection as somebody else judges it, to be taken out of what a bench measures.

use std::fmt;
use std::sync::Arc;

use seabattle_core::Knowledge;

/// Shots are counted in millionths: sums of whole numbers do not depend on their order.
const MILLIONTHS: f64 = 1e6;

/// How many shots of a finished game were luck; fewer than none if it was good. On average, whoever plays, it must be nothing.
#[derive(Clone)]
pub struct AivatCorrection(Arc<dyn Fn(&Knowledge) -> f64 + Send + Sync>);

impl AivatCorrection {
    /// AivatCorrection by this judgement.
    pub fn new(judge: impl Fn(&Knowledge) -> f64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(judge))
    }

    /// What a game would have taken without luck, in millionths of a shot.
    pub(crate) fn reduced_shots(&self, game: &Knowledge) -> i64 {
        ((game.shots().len() as f64 - (self.0)(game)) * MILLIONTHS).round() as i64
    }
}

impl fmt::Debug for AivatCorrection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AivatCorrection(…)")
    }
}

/// A mean of games without luck, or of their differences, and its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReducedMean {
    /// In shots.
    pub mean: f64,
    /// Standard error of the mean.
    pub stderr: f64,
}

impl ReducedMean {
    pub(crate) fn of(mean: f64, stderr: f64) -> Self {
        Self { mean: mean / MILLIONTHS, stderr: stderr / MILLIONTHS }
    }
}
