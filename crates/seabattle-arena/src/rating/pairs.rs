//! Results of pairs of games, in which sides and the first move are swapped.

/// The score of A in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameScore {
    /// A lost: no point.
    Lost,
    /// Nobody won: half a point.
    Drawn,
    /// A won: one point.
    Won,
}

/// Pair counts: how often A scored 0, ½, 1, 1½ and 2 points in a pair of games (a pentanomial model).
///
/// The two games of a pair share their luck, so only pairs are independent. Errors are therefore computed from
/// whole pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairCounts([u64; 5]);

impl PairCounts {
    /// The score per game of each count.
    pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// The counts of pairs in which A scored 0, ½, 1, 1½ and 2 points.
    pub fn new(counts: [u64; 5]) -> Self {
        Self(counts)
    }

    /// Adds one pair.
    pub fn add(&mut self, first: GameScore, second: GameScore) {
        self.0[first as usize + second as usize] += 1;
    }

    /// Adds all pairs of other counts.
    pub fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    /// How many pairs gave A 0, ½, 1, 1½ and 2 points.
    pub fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// The same pairs from B's side.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let mut counts = self.0;
        counts.reverse();
        Self(counts)
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The mean score of A per game, from 0 to 1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        self.mean(|score| score)
    }

    /// The variance of the scores of pairs; `None` without pairs.
    pub(super) fn variance(&self) -> Option<f64> {
        let mean = self.score()?;
        self.mean(|score| (score - mean).powi(2))
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> Option<f64> {
        let sum: f64 = self.0.iter().zip(Self::SCORES).map(|(&count, score)| count as f64 * of(score)).sum();
        (self.pairs() > 0).then(|| sum / self.pairs() as f64)
    }
}
