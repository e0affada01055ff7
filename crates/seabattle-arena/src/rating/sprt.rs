//! The sequential probability ratio test: plays on only until it is clear which of two strengths fits better.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::PairCounts;
use super::elo::score_of;

/// Chance of either wrong verdict unless another is asked for.
const USUAL_RISK: f64 = 0.05;

/// Stronger differences leave nothing to test, and nothing of a float between their score and 1.
const FARTHEST_ELO: f64 = 2_000.0;

/// Stands for a count of 0: what was not seen yet is still possible. The value that fishtest and fastchess use.
const UNSEEN: f64 = 1e-3;

/// Halvings that bring any multiplier down to the precision of a float.
const HALVINGS: usize = 64;

/// A test of H1, "A is `elo1` stronger", against H0, "A is `elo0` stronger", in logistic Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtState {
    /// Not decided yet: play on.
    Continue,
    /// A is not as strong as hoped.
    AcceptH0,
    /// A is as strong as hoped.
    AcceptH1,
}

/// Why there is no such test.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SprtError {
    /// Neither two nor four values.
    #[error("a test is written elo0,elo1 or elo0,elo1,alpha,beta, for example 0,10 or 0,10,0.05,0.05")]
    Shape,
    /// A value that is not a number.
    #[error("'{0}' is not a number; write for example 0,10 or 0,10,0.05,0.05")]
    NotANumber(String),
    /// Hypotheses that are no alternatives.
    #[error("elo0 must be below elo1, both from -2000 to 2000, for example 0,10")]
    Elo,
    /// Risks that are no chances, or so large that a coin would do.
    #[error("alpha and beta must be above 0 and together below 1, for example 0.05,0.05")]
    Risk,
}

impl Sprt {
    /// A test that accepts H1 wrongly with chance `alpha` and H0 wrongly with chance `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let possible = -FARTHEST_ELO..=FARTHEST_ELO;
        if !(possible.contains(&elo0) && possible.contains(&elo1) && elo0 < elo1) {
            return Err(SprtError::Elo);
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Risk);
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// H0 is accepted at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Log-likelihood ratio of H1 to H0; 0 without pairs.
    ///
    /// Generalised: a hypothesis fixes the expected score only, so each is given the distribution of pair scores
    /// with that mean that explains the counts best. Nothing need be assumed about draws or the luck in a pair.
    pub fn llr(&self, pairs: &PairCounts) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { UNSEEN } else { count as f64 });
        misfit(&counts, score_of(self.elo0)) - misfit(&counts, score_of(self.elo1))
    }

    /// What the pairs so far decide.
    pub fn state(&self, pairs: &PairCounts) -> SprtState {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        if llr >= upper {
            SprtState::AcceptH1
        } else if llr <= lower {
            SprtState::AcceptH0
        } else {
            SprtState::Continue
        }
    }
}

/// By how much the log-likelihood of the counts falls when their mean must be `score`.
///
/// The best probabilities under that constraint are `count / total / (1 + multiplier * (value - score))`
/// (Van den Bergh, Comments on normalized Elo, proposition 1.1). An error in the multiplier hardly matters:
/// the sum is stationary there.
fn misfit(counts: &[f64; 5], score: f64) -> f64 {
    let leads = PairCounts::SCORES.map(|value| value - score);
    let multiplier = multiplier(counts, &leads);
    counts.iter().zip(leads).map(|(count, lead)| count * (multiplier * lead).ln_1p()).sum()
}

/// The multiplier that brings the mean lead to 0. Bisection, because the mean falls all the way
/// between two poles: nothing else is needed to be safe.
fn multiplier(counts: &[f64; 5], leads: &[f64; 5]) -> f64 {
    let mean_at = |multiplier: f64| -> f64 {
        counts.iter().zip(leads).map(|(count, lead)| count * lead / (1.0 + multiplier * lead)).sum()
    };
    let (mut low, mut high) = (-1.0 / leads[4], -1.0 / leads[0]);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if mean_at(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// `elo0,elo1` or `elo0,elo1,alpha,beta`.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let values: Vec<f64> = text.split(',').map(|value| number(value.trim())).collect::<Result<_, _>>()?;
        match values[..] {
            [elo0, elo1] => Self::new(elo0, elo1, USUAL_RISK, USUAL_RISK),
            [elo0, elo1, alpha, beta] => Self::new(elo0, elo1, alpha, beta),
            _ => Err(SprtError::Shape),
        }
    }
}

fn number(text: &str) -> Result<f64, SprtError> {
    text.parse().map_err(|_| SprtError::NotANumber(text.to_owned()))
}

/// As it is parsed.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}
