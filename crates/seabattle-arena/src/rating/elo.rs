//! The [Elo](https://en.wikipedia.org/wiki/Elo_rating_system) difference that a match shows, with its error.

use super::PairCounts;
use super::normal::{TWO_SIDED_95, superiority};

/// How many Elo are one natural unit of the logistic scale.
pub(super) const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The Elo difference between A and B: how much stronger A is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elo {
    /// The logistic Elo of the score; infinite if A won or lost every game.
    pub value: f64,
    /// The error estimates; `None` if every pair had the same score, because that gives no estimate.
    pub spread: Option<Spread>,
}

/// The error estimates of an Elo difference, from the variance between pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Half the width of the 95% interval of the Elo; infinite if it reaches a score of 0 or 1.
    pub error: f64,
    /// The normalised Elo: the lead in standard deviations of one game. It decides how many games a test needs.
    pub normalised: f64,
    /// Half the width of the 95% interval of the normalised Elo.
    pub normalised_error: f64,
    /// The likelihood of superiority: the probability that A is stronger, from 0 to 1.
    pub los: f64,
}

impl PairCounts {
    /// The Elo difference between A and B; `None` without pairs.
    pub fn elo(&self) -> Option<Elo> {
        let (score, variance) = (self.score()?, self.variance()?);
        let spread = (variance > 0.0).then(|| Spread::of(score, variance, self.pairs()));
        Some(Elo { value: elo_of(score), spread })
    }
}

impl Spread {
    fn of(score: f64, variance: f64, pairs: u64) -> Self {
        let stderr = (variance / pairs as f64).sqrt();
        let reach = TWO_SIDED_95 * stderr;
        // A pair is the mean of two games, so one game varies twice as much.
        let normalise = |lead: f64| lead / (2.0 * variance).sqrt() * 2.0 * ELO_PER_UNIT;
        Self {
            error: (elo_of((score + reach).min(1.0)) - elo_of((score - reach).max(0.0))) / 2.0,
            normalised: normalise(score - 0.5),
            normalised_error: normalise(reach),
            los: superiority(score - 0.5, stderr),
        }
    }
}

/// The Elo difference at which a player has this mean score.
pub(super) fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The mean score of a player with this Elo difference.
pub(super) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}
