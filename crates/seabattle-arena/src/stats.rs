//! Statistics of many games: histograms, means of series, and paired differences.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// How often each number of shots occurred.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    /// Adds one game.
    pub fn add(&mut self, shots: usize) {
        if shots >= self.counts.len() {
            self.counts.resize(shots + 1, 0);
        }
        self.counts[shots] += 1;
    }

    /// Adds all games of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// Each number of shots that occurred and how often, fewest shots first.
    pub fn bins(&self) -> impl DoubleEndedIterator<Item = (usize, u64)> + '_ {
        self.counts.iter().copied().enumerate().filter(|(_, count)| *count > 0)
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean number of shots; NaN without games.
    pub fn mean(&self) -> f64 {
        self.bins().map(|(shots, count)| shots as f64 * count as f64).sum::<f64>() / self.games() as f64
    }

    /// The standard deviation of one game, estimated from this sample.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.bins().map(|(shots, count)| (shots as f64 - mean).powi(2) * count as f64).sum();
        (squares / (self.games() as f64 - 1.0)).sqrt()
    }

    /// The standard error of the mean; NaN with fewer than two games.
    pub fn stderr(&self) -> f64 {
        self.deviation() / (self.games() as f64).sqrt()
    }

    /// The percentile: the smallest number of shots that at least this percentage of games did not exceed.
    pub fn percentile(&self, percent: u64) -> Option<usize> {
        self.ranked((self.games() * percent).div_ceil(100).max(1))
    }

    /// The median number of shots; NaN without games.
    pub fn median(&self) -> f64 {
        let games = self.games();
        match (self.ranked(games.div_ceil(2).max(1)), self.ranked(games / 2 + 1)) {
            (Some(lower), Some(upper)) => (lower + upper) as f64 / 2.0,
            _ => f64::NAN,
        }
    }

    /// The fewest shots of a game.
    pub fn min(&self) -> Option<usize> {
        self.bins().next().map(|(shots, _)| shots)
    }

    /// The most shots of a game.
    pub fn max(&self) -> Option<usize> {
        self.bins().next_back().map(|(shots, _)| shots)
    }

    /// The shots of the game at this rank, counted from 1.
    fn ranked(&self, rank: u64) -> Option<usize> {
        let mut seen = 0;
        let reached = self.bins().find(|(_, count)| {
            seen += count;
            seen >= rank
        });
        reached.map(|(shots, _)| shots)
    }
}

/// The mean of games that come in series.
///
/// Games of one series are not independent, so the standard error comes from the differences between whole series
/// (a [ratio estimator](https://en.wikipedia.org/wiki/Ratio_estimator) with the series as clusters).
/// All sums are whole numbers, so the order of adding does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SeriesMean {
    series: u64,
    games: u64,
    sum: i64,
    /// Sum over all series of the squared sum of the series.
    squares: i128,
    /// Sum over all series of the sum of the series times its number of games.
    products: i128,
    /// Sum over all series of the squared number of games.
    lengths: i128,
}

impl SeriesMean {
    /// Adds the games of one series; a series without games changes nothing.
    pub fn add(&mut self, games: impl IntoIterator<Item = i64>) {
        let (games, sum) = games.into_iter().fold((0_u64, 0), |(games, sum), shots| (games + 1, sum + shots));
        if games == 0 {
            return;
        }
        self.series += 1;
        self.games += games;
        self.sum += sum;
        self.squares += i128::from(sum).pow(2);
        self.products += i128::from(sum) * i128::from(games);
        self.lengths += i128::from(games).pow(2);
    }

    /// Adds all series of another mean.
    pub fn merge(&mut self, other: Self) {
        self.series += other.series;
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
        self.products += other.products;
        self.lengths += other.lengths;
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of games and the sum of their values.
    pub(crate) fn totals(&self) -> (u64, i64) {
        (self.games, self.sum)
    }

    /// Whether some games have these sums: at most so many series of at most this length, with values in this range.
    pub(crate) fn is_possible(&self, series: u64, length: u64, values: &RangeInclusive<i64>) -> bool {
        let [count, games, length] = [self.series, self.games, length].map(i128::from);
        let [low, high] = [*values.start(), *values.end()].map(i128::from);
        let (sum, most) = (i128::from(self.sum), length * low.abs().max(high.abs()));
        // The products stay small, because each factor was bounded before.
        self.series <= series
            && (count..=count * length).contains(&games)
            && (games * low..=games * high).contains(&sum)
            && (0..=count * most * most).contains(&self.squares)
            && count * self.squares >= sum * sum
            && (games..=games * length).contains(&self.lengths)
            && count * self.lengths >= games * games
            && self.products.abs() <= games * most
    }

    /// Whether both have the same series, and sums that differ by at most this much for each game.
    pub(crate) fn is_near(&self, other: &Self, each: u128) -> bool {
        let most = each.saturating_mul(u128::from(self.games.max(1)));
        // A square differs by about twice its root times the difference of the roots.
        let root = 1 + (self.squares.max(other.squares).max(0) as f64).sqrt() as u128;
        (self.series, self.games, self.lengths) == (other.series, other.games, other.lengths)
            && u128::from(self.sum.abs_diff(other.sum)) <= most
            && self.products.abs_diff(other.products) <= most.saturating_mul(u128::from(self.games.max(1)))
            && self.squares.abs_diff(other.squares) <= most.saturating_mul(root).saturating_mul(4)
    }

    /// The mean over all games; NaN without games.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.games as f64
    }

    /// The standard error of the mean; NaN with fewer than two series.
    pub fn stderr(&self) -> f64 {
        let (series, mean) = (self.series as f64, self.mean());
        let deviations = self.squares as f64 - 2.0 * mean * self.products as f64 + mean.powi(2) * self.lengths as f64;
        let variance = deviations * series / (series - 1.0);
        if variance < 0.0 { 0.0 } else { variance.sqrt() / self.games as f64 }
    }
}

/// The paired difference of two bots, game by game on the same layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difference(SeriesMean);

impl Difference {
    /// Adds the games of both bots on one layout.
    pub fn add(&mut self, shots: usize, reference: usize) {
        self.0.add([shots as i64 - reference as i64]);
    }

    /// Adds the paired games of one series.
    pub(crate) fn add_series(&mut self, pairs: impl Iterator<Item = (usize, usize)>) {
        self.0.add(pairs.map(|(shots, reference)| shots as i64 - reference as i64));
    }

    /// Adds all layouts of another difference.
    pub fn merge(&mut self, other: Self) {
        self.0.merge(other.0);
    }

    /// The sums behind the difference.
    pub(crate) fn sums(&self) -> &SeriesMean {
        &self.0
    }

    /// The mean difference; positive if the reference needs fewer shots.
    pub fn mean(&self) -> f64 {
        self.0.mean()
    }

    /// The standard error of the mean difference.
    pub fn stderr(&self) -> f64 {
        self.0.stderr()
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, Histogram, SeriesMean};

    fn histogram(games: &[usize]) -> Histogram {
        let mut histogram = Histogram::default();
        games.iter().for_each(|&shots| histogram.add(shots));
        histogram
    }

    #[test]
    fn a_sample_by_hand() {
        let sample = histogram(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!((sample.games(), sample.min(), sample.max()), (8, Some(2), Some(9)));
        assert_eq!(sample.mean(), 5.0);
        assert!((sample.deviation() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((sample.stderr() - (4.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(sample.median(), 4.5);
        assert_eq!((sample.percentile(5), sample.percentile(95)), (Some(2), Some(9)));
        assert_eq!(histogram(&[3, 1, 2]).median(), 2.0);
        assert_eq!(histogram(&[7]).median(), 7.0);
    }

    #[test]
    fn the_median_is_the_middle_game_for_any_number_of_games() {
        for games in 1..=300_usize {
            let sample = histogram(&(1..=games).collect::<Vec<_>>());
            assert_eq!(sample.median(), (games as f64 + 1.0) / 2.0, "{games} games");
        }
    }

    #[test]
    fn nothing_is_said_of_too_few_games() {
        assert!(histogram(&[]).mean().is_nan() && histogram(&[]).median().is_nan());
        assert_eq!((histogram(&[]).min(), histogram(&[]).percentile(5)), (None, None));
        let mut one = Difference::default();
        one.add(3, 5);
        assert!(histogram(&[7]).stderr().is_nan() && one.stderr().is_nan());
    }

    #[test]
    fn merging_is_adding() {
        let mut merged = histogram(&[3, 80]);
        merged.merge(&histogram(&[3, 95, 2]));
        assert_eq!(merged, histogram(&[2, 3, 3, 80, 95]));
    }

    #[test]
    fn differences_by_hand() {
        let mut difference = Difference::default();
        for (shots, reference) in [(5, 3), (4, 4), (9, 8)] {
            difference.add(shots, reference);
        }
        assert_eq!(difference.mean(), 1.0);
        assert!((difference.stderr() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    }
    #[test]
    fn the_error_of_series_by_hand() {
        let mut mean = SeriesMean::default();
        assert!(mean.mean().is_nan() && mean.stderr().is_nan());
        for series in [vec![4, 6], vec![], vec![1, 3], vec![7, 9]] {
            mean.add(series);
        }
        assert_eq!((mean.games(), mean.mean()), (6, 5.0));
        assert!((mean.stderr() - 3.0_f64.sqrt()).abs() < 1e-12, "the means of three series are 5, 2 and 8");
    }

    #[test]
    fn series_of_one_game_have_the_error_of_games() {
        let games = [2, 4, 4, 4, 5, 5, 7, 9];
        let mut mean = SeriesMean::default();
        games.iter().for_each(|&shots| mean.add([shots as i64]));
        assert!((mean.stderr() - histogram(&games).stderr()).abs() < 1e-12);
    }
}
