//! Ratings of all players of a tournament in the [Bradley–Terry model](https://en.wikipedia.org/wiki/Bradley%E2%80%93Terry_model).

use std::collections::{BTreeMap, BTreeSet};

use super::cholesky::Cholesky;
use super::elo::ELO_PER_UNIT;
use super::normal::superiority;

/// The maximum number of steps. A tournament with unbeaten players needs a few dozen.
const MOST_STEPS: usize = 1_000;

/// A step below this size changes no visible digit.
const SMALL_STEP: f64 = 1e-11;

/// Strengths are rounded to this fraction of a unit, so that players with equal results have equal ratings.
const EQUALS: f64 = 1e10;

/// The result of all games of a pairing of two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairingResult<P> {
    /// The first player.
    pub first: P,
    /// The second player. Games of a player against itself do not count.
    pub second: P,
    /// How many games the first player won.
    pub wins: u64,
    /// How many games were drawn.
    pub draws: u64,
    /// How many games the first player lost.
    pub losses: u64,
}

/// The rating of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating<P> {
    /// The player.
    pub player: P,
    /// The Elo above the mean of all players.
    pub elo: f64,
    /// The standard error of the Elo.
    pub stderr: f64,
    /// The likelihood of superiority over the next player in the list; `None` for the last player.
    pub los: Option<f64>,
}

/// Rates all players of the results, best first; equal players in the order of `P`.
///
/// The ratings are the maximum likelihood estimate in the Bradley–Terry model. A draw counts as half a win for each
/// player. The mean of all ratings is 0. The order of the results does not matter, and several results of the same
/// players add up.
///
/// Each player has one virtual draw against a player of mean strength. Without it an unbeaten player would be infinitely
/// strong. It also rates groups that never met: each is around the mean, with wide errors.
///
/// Errors come from the Fisher information. It treats all games as independent and without draws, so the errors are too
/// large where games are drawn or pairs share layouts.
pub fn ratings<P: Copy + Ord>(results: &[PairingResult<P>]) -> Vec<Rating<P>> {
    let players: Vec<P> =
        results.iter().flat_map(|result| [result.first, result.second]).collect::<BTreeSet<_>>().into_iter().collect();
    let points = HeadToHead::new(&players, results);
    let strengths = points.fit();
    let covariance = Information::at(&points, &strengths).covariance();
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&left, &right| strengths[right].total_cmp(&strengths[left]));
    let rating = |rank: usize, at: usize| Rating {
        player: players[at],
        elo: strengths[at] * ELO_PER_UNIT,
        stderr: covariance[at][at].max(0.0).sqrt() * ELO_PER_UNIT,
        los: order.get(rank + 1).map(|&next| {
            let variance = covariance[at][at] + covariance[next][next] - 2.0 * covariance[at][next];
            superiority(strengths[at] - strengths[next], variance.max(0.0).sqrt())
        }),
    };
    order.iter().enumerate().map(|(rank, &at)| rating(rank, at)).collect()
}

/// The points of two players against each other.
#[derive(Clone, Copy, Default)]
struct Tally {
    first: f64,
    second: f64,
}

/// The points of all players against each other, by their indices.
///
/// The map is sorted and the points are whole halves, so the order of the results does not matter.
struct HeadToHead {
    players: usize,
    points: BTreeMap<(usize, usize), Tally>,
}

impl HeadToHead {
    fn new<P: Ord>(players: &[P], results: &[PairingResult<P>]) -> Self {
        let index = |player: &P| players.partition_point(|other| other < player);
        let mut head_to_head: BTreeMap<(usize, usize), Tally> = BTreeMap::new();
        for result in results {
            let (first, second) = (index(&result.first), index(&result.second));
            let points = |wins: u64| wins as f64 + result.draws as f64 / 2.0;
            let (ours, theirs) = (points(result.wins), points(result.losses));
            let (low, high) = if first < second { (ours, theirs) } else { (theirs, ours) };
            if first != second {
                let tally = head_to_head.entry((first.min(second), first.max(second))).or_default();
                tally.first += low;
                tally.second += high;
            }
        }
        Self { players: players.len(), points: head_to_head }
    }

    /// The likeliest strengths, in natural units, by Newton's method.
    ///
    /// Each step is shortened by the factor by which the curvature of the logistic model can grow on the way. So no step
    /// leads away from the maximum.
    fn fit(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players];
        for _ in 0..MOST_STEPS {
            let step = Information::at(self, &strengths).centred(&self.gradient(&strengths));
            let reach = step.iter().copied().fold(0.0, f64::max) - step.iter().copied().fold(0.0, f64::min);
            if reach < SMALL_STEP {
                break;
            }
            let share = reach.ln_1p() / reach;
            strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += share * step);
        }
        // Adding 0 turns -0 into 0.
        strengths.iter().map(|strength| (strength * EQUALS).round() / EQUALS + 0.0).collect()
    }

    /// The gradient: points minus expected points, computed without cancellation even for unbeaten players.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> = strengths.iter().map(|&strength| 0.5 - logistic(strength)).collect();
        for (&(first, second), tally) in &self.points {
            let difference = strengths[first] - strengths[second];
            let above = tally.first * logistic(-difference) - tally.second * logistic(difference);
            gradient[first] += above;
            gradient[second] -= above;
        }
        gradient
    }
}

/// The [Fisher information](https://en.wikipedia.org/wiki/Fisher_information) about the strengths, decomposed for solving under the condition that their sum is 0.
struct Information {
    whole: Cholesky,
    /// The solution for an equal push on all players.
    drift: Vec<f64>,
}

impl Information {
    fn at(results: &HeadToHead, strengths: &[f64]) -> Self {
        let mut matrix = vec![vec![0.0; results.players]; results.players];
        for (at, &strength) in strengths.iter().enumerate() {
            matrix[at][at] = uncertainty(strength);
        }
        for (&(first, second), tally) in &results.points {
            let weight = (tally.first + tally.second) * uncertainty(strengths[first] - strengths[second]);
            matrix[first][first] += weight;
            matrix[second][second] += weight;
            matrix[second][first] -= weight;
        }
        let whole = Cholesky::new(&matrix);
        let drift = whole.solve(&vec![1.0; results.players]);
        Self { whole, drift }
    }

    /// The solution for a push if the sum must not change.
    fn centred(&self, push: &[f64]) -> Vec<f64> {
        let mut moved = self.whole.solve(push);
        let share = moved.iter().sum::<f64>() / self.drift.iter().sum::<f64>();
        moved.iter_mut().zip(&self.drift).for_each(|(moved, drift)| *moved -= share * drift);
        moved
    }

    fn covariance(&self) -> Vec<Vec<f64>> {
        let players = self.drift.len();
        let unit = |at: usize| (0..players).map(|other| f64::from(u8::from(other == at))).collect::<Vec<_>>();
        (0..players).map(|at| self.centred(&unit(at))).collect()
    }
}

fn logistic(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The variance of one game between players with this difference. It is never 0, so every matrix has an inverse.
fn uncertainty(difference: f64) -> f64 {
    (logistic(difference) * logistic(-difference)).max(f64::EPSILON)
}
