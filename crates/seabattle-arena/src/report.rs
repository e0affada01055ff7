//! The report of a bench: what it measured for each bot.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use seabattle_core::Knowledge;

use crate::variance_reduction::ReducedMean;
use crate::{AivatCorrection, Difference, Histogram, IllegalShot, SeriesMean};

/// The first games of a series, before a bot can have learned much.
const EARLY: usize = 2;

/// The result of a bench.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BenchReport {
    /// How many games every bot played; fewer than requested if the bench was stopped.
    pub games: u64,
    /// How many threads played.
    pub threads: usize,
    /// The results in the order of the contenders.
    pub results: Vec<BotResult>,
}

/// What a bench measured for one bot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BotResult {
    /// The name of the bot.
    pub name: String,
    /// How many shots the games without a fault took.
    pub shots: Histogram,
    /// Mean shots of all games. Its error comes from whole series.
    pub mean: SeriesMean,
    /// Shots in the first game of every series, in the second game, and so on.
    pub by_game: Vec<Histogram>,
    /// Mean shots from the third game of each series on.
    pub from_third: SeriesMean,
    /// The difference to the first contender on the same layouts; empty for the first contender.
    pub difference: Difference,
    /// The variance-reduced mean in millionths of a shot; empty without a correction.
    #[serde(rename = "fair")]
    pub(crate) reduced_mean: SeriesMean,
    /// The variance-reduced difference to the first contender, in millionths of a shot.
    #[serde(rename = "fair_difference")]
    pub(crate) reduced_difference: SeriesMean,
    /// The time of its games, summed over all threads.
    pub busy: Duration,
    /// How many games ended in a fault.
    pub faults: u64,
    /// The earliest game that ended in a fault: its number and the fault in words.
    pub first_fault: Option<(u64, String)>,
}

/// A game that was played to its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Game {
    shots: usize,
    /// The shots minus the luck, in millionths of a shot, if there is a correction.
    reduced_shots: Option<i64>,
}

impl Game {
    pub(crate) fn new(game: &Knowledge, correction: Option<&AivatCorrection>) -> Self {
        Self { shots: game.shots().len(), reduced_shots: correction.map(|correction| correction.reduced_shots(game)) }
    }
}

impl BenchReport {
    /// Adds the report of other games of the same contenders.
    pub(crate) fn merge(&mut self, part: Self) {
        self.games += part.games;
        self.results.iter_mut().zip(part.results).for_each(|(total, part)| total.merge(part));
    }
}

impl BotResult {
    /// How many games a second this number of threads plays.
    pub fn games_per_second(&self, threads: usize) -> f64 {
        (self.shots.games() + self.faults) as f64 * threads as f64 / self.busy.as_secs_f64()
    }

    /// The variance-reduced mean, if the bench has a correction.
    pub fn reduced_mean(&self) -> Option<ReducedMean> {
        (self.reduced_mean.games() > 0).then(|| ReducedMean::of(self.reduced_mean.mean(), self.reduced_mean.stderr()))
    }

    /// The variance-reduced difference to the first contender, if the bench has a correction.
    pub fn reduced_difference(&self) -> Option<ReducedMean> {
        let difference = &self.reduced_difference;
        (difference.games() > 0).then(|| ReducedMean::of(difference.mean(), difference.stderr()))
    }

    /// Adds one game, and returns it if it was played to its end.
    pub(crate) fn add_game(&mut self, number: u64, game: Result<Game, IllegalShot>) -> Option<Game> {
        match game {
            Ok(game) => {
                self.shots.add(game.shots);
                Some(game)
            }
            Err(fault) => {
                self.faults += 1;
                self.first_fault.get_or_insert_with(|| (number, fault.to_string()));
                None
            }
        }
    }

    /// Adds the games of one series together.
    pub(crate) fn add_series(&mut self, games: &[Option<Game>]) {
        self.by_game.resize(self.by_game.len().max(games.len()), Histogram::default());
        for (histogram, game) in self.by_game.iter_mut().zip(games) {
            game.iter().for_each(|game| histogram.add(game.shots));
        }
        let late = games.get(EARLY..).unwrap_or_default();
        self.mean.add(games.iter().flatten().map(|game| game.shots as i64));
        self.from_third.add(late.iter().flatten().map(|game| game.shots as i64));
        self.reduced_mean.add(games.iter().flatten().filter_map(|game| game.reduced_shots));
    }

    /// Compares the games of one series with the first contender's on the same layouts, where both were played to the end.
    pub(crate) fn compare(&mut self, games: &[Option<Game>], reference: &[Option<Game>]) {
        let pairs = || games.iter().zip(reference).filter_map(|(game, reference)| (*game).zip(*reference));
        self.difference.add_series(pairs().map(|(game, reference)| (game.shots, reference.shots)));
        self.reduced_difference
            .add(pairs().filter_map(|(game, reference)| Some(game.reduced_shots? - reference.reduced_shots?)));
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.shots.merge(&other.shots);
        self.mean.merge(other.mean);
        self.by_game.resize(self.by_game.len().max(other.by_game.len()), Histogram::default());
        self.by_game.iter_mut().zip(&other.by_game).for_each(|(own, other)| own.merge(other));
        self.from_third.merge(other.from_third);
        self.difference.merge(other.difference);
        self.reduced_mean.merge(other.reduced_mean);
        self.reduced_difference.merge(other.reduced_difference);
        self.busy += other.busy;
        self.faults += other.faults;
        let faults = self.first_fault.take().into_iter().chain(other.first_fault);
        self.first_fault = faults.min_by_key(|(game, _)| *game);
    }
}
