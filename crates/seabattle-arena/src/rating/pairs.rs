//! Results of games played in pairs on the same layouts, sides and first move swapped.

/// What one game brought A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameScore {
    /// No point.
    Lost,
    /// Half a point.
    Drawn,
    /// One point.
    Won,
}

/// How often A scored 0, ½, 1, 1½ and 2 points in a pair of games.
///
/// The two games of a pair share their luck, so only pairs are independent: what is said about errors
/// must come from whole pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairCounts([u64; 5]);

impl PairCounts {
    /// The score per game that each count stands for.
    pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Pairs in which A scored 0, ½, 1, 1½ and 2 points.
    pub fn new(counts: [u64; 5]) -> Self {
        Self(counts)
    }

    /// Takes note of one pair.
    pub fn add(&mut self, first: GameScore, second: GameScore) {
        self.0[first as usize + second as usize] += 1;
    }

    /// Takes note of all pairs of another.
    pub fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    /// Pairs in which A scored 0, ½, 1, 1½ and 2 points.
    pub fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// The same pairs as B sees them.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let mut counts = self.0;
        counts.reverse();
        Self(counts)
    }

    /// Pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Games.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// Points of A per game, from 0 to 1; nothing without pairs.
    pub fn score(&self) -> Option<f64> {
        self.mean(|score| score)
    }

    /// How much the scores of pairs vary; nothing without pairs, 0 if all are alike.
    pub(super) fn variance(&self) -> Option<f64> {
        let mean = self.score()?;
        self.mean(|score| (score - mean).powi(2))
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> Option<f64> {
        let sum: f64 = self.0.iter().zip(Self::SCORES).map(|(&count, score)| count as f64 * of(score)).sum();
        (self.pairs() > 0).then(|| sum / self.pairs() as f64)
    }
}
