//! The Elo difference that a match shows, and how sure it is.

use super::PairCounts;
use super::normal::{TWO_SIDED_95, superiority};

/// Elo of one natural unit of the logistic scale.
pub(super) const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// How much stronger A is than B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elo {
    /// Logistic Elo of the score; infinite if A won or lost every game.
    pub value: f64,
    /// Nothing if all pairs scored alike: then the match does not tell how far chance reaches.
    pub spread: Option<Spread>,
}

/// What the differences among pairs tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Half the width of the 95 % interval of the Elo; infinite if it reaches a score of 0 or 1.
    pub error: f64,
    /// Normalised Elo: the lead in standard deviations of one game, which is what decides how many games prove it.
    pub normalised: f64,
    /// Half the width of the 95 % interval of the normalised Elo.
    pub normalised_error: f64,
    /// Likelihood of superiority: the chance, from 0 to 1, that A is the stronger one.
    pub los: f64,
}

impl PairCounts {
    /// The Elo of A over B; nothing without pairs.
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

/// The difference at which a player scores this much per game.
pub(super) fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// What a player scores per game who is this much stronger.
pub(super) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}
