//! Checks of a bench's report: its sums must belong together.

use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use super::{CheckResult, ImpossibleResult, ensure};
use crate::bench::Bench;
use crate::report::{BenchReport, BotResult};
use crate::stats::{Histogram, SeriesMean};

/// No job takes longer, on all threads together.
const MOST_TIME: Duration = Duration::from_secs(365 * 24 * 3600);
/// Variance reduction moves a game by fewer boards full of shots than this.
const MOST_CORRECTION: i64 = 10;
const MILLIONTHS: i64 = 1_000_000;
/// Two machines may round a variance-reduced game to neighbouring millionths, in each of its few terms.
const ROUNDING: u128 = 1000;

/// What the numbers of one job are checked against.
struct Limits {
    games: Range<u64>,
    series: u64,
    length: u64,
    /// The shots that a game can take.
    shots: RangeInclusive<usize>,
    reduced: bool,
}

impl Bench {
    /// Checks the report of a range of series: the right games of the right bots, with sums that belong together.
    pub fn check(&self, names: &[&str], series: Range<u64>, report: &BenchReport) -> CheckResult {
        let length = self.series.length.get();
        let games = series.start.saturating_mul(length)..series.end.saturating_mul(length).min(self.games);
        let limits = Limits {
            series: series.end.saturating_sub(series.start),
            length,
            shots: self.rules.fleet_cells()..=self.rules.size().cells().count(),
            reduced: self.correction.is_some(),
            games,
        };
        let count = limits.games.end.saturating_sub(limits.games.start);
        ensure(report.games == count, || format!("{} games instead of {count}", report.games))?;
        let same = names.iter().eq(report.results.iter().map(|result| &result.name));
        ensure(same, || "the results of other bots".to_owned())?;
        let Some(reference) = report.results.first() else {
            return Ok(());
        };
        report.results.iter().enumerate().try_for_each(|(place, result)| {
            let sums = limits.check(result).and_then(|()| match place {
                0 => limits.check_reference(result),
                _ => limits.check_difference(result, reference),
            });
            sums.map_err(|ImpossibleResult(reason)| ImpossibleResult(format!("{}: {reason}", result.name)))
        })
    }
}

/// The games in a histogram and the sum of their shots; `None` if a game cannot have so many.
fn totals(histogram: &Histogram, shots: &RangeInclusive<usize>, most: u64) -> Option<(u64, i64)> {
    let (mut games, mut sum) = (0_u64, 0_u64);
    for (bin, count) in histogram.bins() {
        games = games.checked_add(count).filter(|games| *games <= most && shots.contains(&bin))?;
        sum = sum.checked_add(count.checked_mul(bin as u64)?)?;
    }
    Some((games, i64::try_from(sum).ok()?))
}

impl Limits {
    fn count(&self) -> u64 {
        self.games.end - self.games.start
    }

    fn totals(&self, histogram: &Histogram) -> Result<(u64, i64), ImpossibleResult> {
        totals(histogram, &self.shots, self.count())
            .ok_or_else(|| ImpossibleResult("a number of shots that no game can take".to_owned()))
    }

    fn shots(&self) -> RangeInclusive<i64> {
        *self.shots.start() as i64..=*self.shots.end() as i64
    }

    fn check(&self, result: &BotResult) -> CheckResult {
        let (games, sum) = self.totals(&result.shots)?;
        let all = games.checked_add(result.faults);
        ensure(all == Some(self.count()), || format!("{games} games and {} faults", result.faults))?;
        let is_mean = |mean: &SeriesMean, (games, sum): (u64, i64)| {
            mean.totals() == (games, sum) && mean.is_possible(self.series, self.length, &self.shots())
        };
        ensure(is_mean(&result.mean, (games, sum)), || "a mean of other games".to_owned())?;
        let places = result.by_game.len() as u64;
        ensure(places <= self.length, || format!("{places} places in series of {}", self.length))?;
        let mut by_game = Histogram::default();
        let mut late = (0, 0);
        for (place, histogram) in result.by_game.iter().enumerate() {
            let (games, sum) = self.totals(histogram)?;
            by_game.merge(histogram);
            if place >= 2 {
                late = (late.0 + games, late.1 + sum);
            }
        }
        ensure(by_game.bins().eq(result.shots.bins()), || "places of other games".to_owned())?;
        ensure(is_mean(&result.from_third, late), || "a mean of other late games".to_owned())?;
        let board = *self.shots.end() as i64 * MILLIONTHS * MOST_CORRECTION;
        let reduced = &result.reduced_mean;
        let is_reduced = reduced.games() == if self.reduced { games } else { 0 }
            && reduced.is_possible(self.series, self.length, &(-board..=board));
        ensure(is_reduced, || "a variance-reduced mean of other games".to_owned())?;
        ensure(result.busy <= MOST_TIME, || "more time than there was".to_owned())?;
        let first = result.first_fault.as_ref().map(|(game, _)| *game);
        let is_first = (result.faults > 0) == first.is_some() && first.is_none_or(|game| self.games.contains(&game));
        ensure(is_first, || "a first fault that is none".to_owned())
    }

    /// The first bot has nothing to be compared with.
    fn check_reference(&self, result: &BotResult) -> CheckResult {
        let empty = SeriesMean::default();
        let is_empty = *result.difference.sums() == empty && result.reduced_difference == empty;
        ensure(is_empty, || "a difference to itself".to_owned())
    }

    fn check_difference(&self, result: &BotResult, reference: &BotResult) -> CheckResult {
        let (difference, reduced) = (result.difference.sums(), &result.reduced_difference);
        let [own, other] = [result, reference].map(|result| result.mean.totals());
        let most = (self.shots.end() - self.shots.start()) as i64;
        let board = 2 * *self.shots.end() as i64 * MILLIONTHS * MOST_CORRECTION;
        let (games, sum) = difference.totals();
        // Without faults both have played the same games, so the difference of the sums is the sum of the differences.
        let is_sum = result.faults + reference.faults > 0 || (games == own.0 && sum == own.1 - other.1);
        let is_possible = games <= own.0.min(other.0)
            && is_sum
            && difference.is_possible(self.series, self.length, &(-most..=most))
            && reduced.games() == if self.reduced { games } else { 0 }
            && reduced.is_possible(self.series, self.length, &(-board..=board));
        ensure(is_possible, || "a difference of other games".to_owned())
    }
}

impl BenchReport {
    /// Whether both reports describe the same games. Times do not count, nor does rounding in variance-reduced sums.
    pub fn is_same_play(&self, other: &Self) -> bool {
        let same = |(one, other): (&BotResult, &BotResult)| one.is_same_play(other);
        self.games == other.games
            && self.results.len() == other.results.len()
            && self.results.iter().zip(&other.results).all(same)
    }
}

impl BotResult {
    fn is_same_play(&self, other: &Self) -> bool {
        self.name == other.name
            && self.shots == other.shots
            && self.mean == other.mean
            && self.by_game == other.by_game
            && self.from_third == other.from_third
            && self.difference == other.difference
            && self.reduced_mean.is_near(&other.reduced_mean, ROUNDING)
            && self.reduced_difference.is_near(&other.reduced_difference, ROUNDING)
            && self.faults == other.faults
            && self.first_fault == other.first_fault
    }
}
