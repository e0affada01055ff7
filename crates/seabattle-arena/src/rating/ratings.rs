//! Ratings of all players of a tournament from all their games.

use std::collections::{BTreeMap, BTreeSet};

use super::cholesky::Cholesky;
use super::elo::ELO_PER_UNIT;
use super::normal::superiority;

/// Steps; a tournament of unbeaten players needs a few dozen.
const MOST_STEPS: usize = 1_000;

/// A step below it changes nothing that could be seen.
const SMALL_STEP: f64 = 1e-11;

/// So many parts of a unit are told apart, fewer than rounding could: players with equal results shall be equal.
const EQUALS: f64 = 1e10;

/// Games of two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairingResult<P> {
    /// One player.
    pub first: P,
    /// The other one. Games against oneself say nothing and do not count.
    pub second: P,
    /// Games that the first won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that the first lost.
    pub losses: u64,
}

/// How strong a player is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating<P> {
    /// Who.
    pub player: P,
    /// Elo above the mean of all players.
    pub elo: f64,
    /// Standard error of it.
    pub stderr: f64,
    /// The chance, from 0 to 1, to be stronger than the next in the list; nothing for the last.
    pub los: Option<f64>,
}

/// Ratings of all who appear in the encounters, best first; equals in the order of `P`.
///
/// Maximum likelihood in the model of Bradley and Terry, a draw being half a win for each; their mean is 0. The
/// encounters may come in any order, several of the same players add up.
///
/// Each player is given one drawn game against a player of mean strength, else the unbeaten were infinitely strong.
/// This also places groups that never met: each around the mean, with errors that show how little that means.
///
/// Errors come from the Fisher information and take all games as independent and undrawn, so they are
/// rather too large where games are drawn or layouts are played twice with sides swapped.
pub fn ratings<P: Copy + Ord>(encounters: &[PairingResult<P>]) -> Vec<Rating<P>> {
    let players: Vec<P> =
        encounters.iter().flat_map(|met| [met.first, met.second]).collect::<BTreeSet<_>>().into_iter().collect();
    let table = HeadToHead::new(&players, encounters);
    let strengths = table.fit();
    let covariance = Information::at(&table, &strengths).covariance();
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

/// Points of two players against each other.
#[derive(Clone, Copy, Default)]
struct Tally {
    first: f64,
    second: f64,
}

/// Who met whom, players known by their places. Sorted and of whole halves, so that the order of encounters
/// does not matter.
struct HeadToHead {
    players: usize,
    met: BTreeMap<(usize, usize), Tally>,
}

impl HeadToHead {
    fn new<P: Ord>(players: &[P], encounters: &[PairingResult<P>]) -> Self {
        let place = |player: &P| players.partition_point(|other| other < player);
        let mut met: BTreeMap<(usize, usize), Tally> = BTreeMap::new();
        for encounter in encounters {
            let (first, second) = (place(&encounter.first), place(&encounter.second));
            let points = |wins: u64| wins as f64 + encounter.draws as f64 / 2.0;
            let (ours, theirs) = (points(encounter.wins), points(encounter.losses));
            let (low, high) = if first < second { (ours, theirs) } else { (theirs, ours) };
            if first != second {
                let tally = met.entry((first.min(second), first.max(second))).or_default();
                tally.first += low;
                tally.second += high;
            }
        }
        Self { players: players.len(), met }
    }

    /// The likeliest strengths, in natural units. Newton's method, each step shortened as far as the curvature of
    /// the logistic model might grow on the way: no step can lead away from the maximum.
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
        // Adding 0 makes 0 of -0.
        strengths.iter().map(|strength| (strength * EQUALS).round() / EQUALS + 0.0).collect()
    }

    /// Points made above those expected; as a difference of small numbers even for the unbeaten.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> = strengths.iter().map(|&strength| 0.5 - logistic(strength)).collect();
        for (&(first, second), tally) in &self.met {
            let difference = strengths[first] - strengths[second];
            let above = tally.first * logistic(-difference) - tally.second * logistic(difference);
            gradient[first] += above;
            gradient[second] -= above;
        }
        gradient
    }
}

/// Fisher information about the strengths, ready to be inverted where their sum stays 0.
struct Information {
    whole: Cholesky,
    /// Where a push on all players at once would lead.
    drift: Vec<f64>,
}

impl Information {
    fn at(table: &HeadToHead, strengths: &[f64]) -> Self {
        let mut matrix = vec![vec![0.0; table.players]; table.players];
        for (at, &strength) in strengths.iter().enumerate() {
            matrix[at][at] = uncertainty(strength);
        }
        for (&(first, second), tally) in &table.met {
            let weight = (tally.first + tally.second) * uncertainty(strengths[first] - strengths[second]);
            matrix[first][first] += weight;
            matrix[second][second] += weight;
            matrix[second][first] -= weight;
        }
        let whole = Cholesky::new(&matrix);
        let drift = whole.solve(&vec![1.0; table.players]);
        Self { whole, drift }
    }

    /// Where a push leads if the sum must not change.
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

/// Variance of one game between players with this difference; never quite 0, so that every matrix has an inverse.
fn uncertainty(difference: f64) -> f64 {
    (logistic(difference) * logistic(-difference)).max(f64::EPSILON)
}
