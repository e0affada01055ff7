//! The [sequential probability ratio test](https://www.chessprogramming.org/Sequential_Probability_Ratio_Test): it ends a match
//! as soon as one of two hypotheses about the strength fits clearly better.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::PairCounts;
use super::elo::score_of;

/// The default probability of each wrong verdict.
const USUAL_RISK: f64 = 0.05;

/// The largest Elo difference in a hypothesis. Beyond it a float cannot tell the score from 1.
const FARTHEST_ELO: f64 = 2_000.0;

/// Replaces a count of 0, because a result that did not occur yet is still possible. Fishtest and fastchess use this value.
const UNSEEN: f64 = 1e-3;

/// How many bisection steps reach the precision of a float.
const HALVINGS: usize = 64;

/// A sequential test of H1, "A is `elo1` stronger", against H0, "A is `elo0` stronger", in logistic Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtState {
    /// The test is undecided and needs more pairs.
    Continue,
    /// H0 is accepted: A is not as strong as hoped.
    AcceptH0,
    /// H1 is accepted: A is as strong as hoped.
    AcceptH1,
}

/// Why a text or its values are not a sequential test.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SprtError {
    /// There are neither two nor four values.
    #[error("a test is written elo0,elo1 or elo0,elo1,alpha,beta, for example 0,10 or 0,10,0.05,0.05")]
    Shape,
    /// A value is not a number.
    #[error("'{0}' is not a number; write for example 0,10 or 0,10,0.05,0.05")]
    NotANumber(String),
    /// The hypotheses are in the wrong order or out of range.
    #[error("elo0 must be below elo1, both from -2000 to 2000, for example 0,10")]
    Elo,
    /// The error probabilities are out of range.
    #[error("alpha and beta must be above 0 and together below 1, for example 0.05,0.05")]
    Risk,
}

impl Sprt {
    /// A test that accepts H1 wrongly with probability `alpha` and H0 wrongly with probability `beta`.
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

    /// The bounds of the log-likelihood ratio: H0 is accepted at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0; 0 without pairs.
    ///
    /// It is a generalised ratio: a hypothesis fixes only the expected score, so each one takes the distribution of pair
    /// scores with that mean that explains the counts best. So it needs no assumption about draws or about luck in a pair.
    pub fn llr(&self, pairs: &PairCounts) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { UNSEEN } else { count as f64 });
        misfit(&counts, score_of(self.elo0)) - misfit(&counts, score_of(self.elo1))
    }

    /// The state of the test after these pairs.
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

/// How much the log-likelihood of the counts falls if their mean must be `score`.
///
/// The best probabilities under that constraint are `count / total / (1 + multiplier * (value - score))`
/// ([Van den Bergh, Comments on normalized Elo](https://www.cantate.be/Fishtest/normalized_elo.pdf), proposition 1.1).
/// The sum is stationary there, so a small error in the multiplier hardly matters.
fn misfit(counts: &[f64; 5], score: f64) -> f64 {
    let leads = PairCounts::SCORES.map(|value| value - score);
    let multiplier = multiplier(counts, &leads);
    counts.iter().zip(leads).map(|(count, lead)| count * (multiplier * lead).ln_1p()).sum()
}

/// The Lagrange multiplier that makes the mean lead 0. Bisection is safe, because the mean falls monotonically between
/// its two poles.
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

/// Parses `elo0,elo1` or `elo0,elo1,alpha,beta`.
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

/// Writes the text that [`Sprt::from_str`] parses.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}
