//! What a bench has measured.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use seabattle_core::Knowledge;

use crate::variance_reduction::ReducedMean;
use crate::{AivatCorrection, Difference, Histogram, IllegalShot, SeriesMean};

/// Games that are over before a bot can have learnt much.
const EARLY: usize = 2;

/// What was measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// Games that every bot has played; fewer than asked for if it was stopped.
    pub games: u64,
    /// Threads that played.
    pub threads: usize,
    /// In the order of the contenders.
    pub results: Vec<BotResult>,
}

/// One bot's games.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BotResult {
    /// Its name.
    pub name: String,
    /// Shots per game, of the games without a fault.
    pub shots: Histogram,
    /// The mean of all games, with the error of whole series.
    pub mean: SeriesMean,
    /// Shots in the first game of every series, in the second, and so on.
    pub by_game: Vec<Histogram>,
    /// The mean from the third game of a series on.
    pub from_third: SeriesMean,
    /// Against the first contender on the same layouts; empty for the first itself.
    pub difference: Difference,
    /// The mean and the difference of games without luck, in millionths of a shot; empty if it was not taken out.
    #[serde(rename = "fair")]
    pub(crate) reduced_mean: SeriesMean,
    #[serde(rename = "fair_difference")]
    pub(crate) reduced_difference: SeriesMean,
    /// Time spent in its games on all threads together.
    pub busy: Duration,
    /// Games that ended in a fault.
    pub faults: u64,
    /// The fault of the earliest such game in words, with its number.
    pub first_fault: Option<(u64, String)>,
}

/// A game that was played to the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Game {
    shots: usize,
    /// Millionths of a shot.
    reduced_shots: Option<i64>,
}

impl Game {
    pub(crate) fn new(game: &Knowledge, correction: Option<&AivatCorrection>) -> Self {
        Self { shots: game.shots().len(), reduced_shots: correction.map(|correction| correction.reduced_shots(game)) }
    }
}

impl Report {
    /// Adds other games of the same contenders.
    pub(crate) fn merge(&mut self, part: Self) {
        self.games += part.games;
        self.results.iter_mut().zip(part.results).for_each(|(total, part)| total.merge(part));
    }
}

impl BotResult {
    /// Games per second on so many threads.
    pub fn games_per_second(&self, threads: usize) -> f64 {
        (self.shots.games() + self.faults) as f64 * threads as f64 / self.busy.as_secs_f64()
    }

    /// The mean without luck, if it was taken out.
    pub fn reduced_mean(&self) -> Option<ReducedMean> {
        (self.reduced_mean.games() > 0).then(|| ReducedMean::of(self.reduced_mean.mean(), self.reduced_mean.stderr()))
    }

    /// The difference without luck, if it was taken out and this is not the first contender.
    pub fn reduced_difference(&self) -> Option<ReducedMean> {
        let difference = &self.reduced_difference;
        (difference.games() > 0).then(|| ReducedMean::of(difference.mean(), difference.stderr()))
    }

    /// Takes note of one game, and gives it back if it was played to the end.
    pub(crate) fn take_note(&mut self, number: u64, game: Result<Game, IllegalShot>) -> Option<Game> {
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

    /// Takes note of the games of one series together.
    pub(crate) fn take_note_of_series(&mut self, games: &[Option<Game>]) {
        self.by_game.resize(self.by_game.len().max(games.len()), Histogram::default());
        for (histogram, game) in self.by_game.iter_mut().zip(games) {
            game.iter().for_each(|game| histogram.add(game.shots));
        }
        let late = games.get(EARLY..).unwrap_or_default();
        self.mean.add(games.iter().flatten().map(|game| game.shots as i64));
        self.from_third.add(late.iter().flatten().map(|game| game.shots as i64));
        self.reduced_mean.add(games.iter().flatten().filter_map(|game| game.reduced_shots));
    }

    /// Takes note of the games of one series and of the first contender's on the same layouts, as far as both have played them.
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
