//! What a bench has measured.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Difference, Histogram, IllegalShot, SeriesMean};

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
    /// Time spent in its games on all threads together.
    pub busy: Duration,
    /// Games that ended in a fault.
    pub faults: u64,
    /// The fault of the earliest such game in words, with its number.
    pub first_fault: Option<(u64, String)>,
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

    /// Takes note of one game, and gives its shots back if it was played to the end.
    pub(crate) fn take_note(&mut self, number: u64, game: Result<usize, IllegalShot>) -> Option<usize> {
        match game {
            Ok(shots) => {
                self.shots.add(shots);
                Some(shots)
            }
            Err(fault) => {
                self.faults += 1;
                self.first_fault.get_or_insert_with(|| (number, fault.to_string()));
                None
            }
        }
    }

    /// Takes note of the games of one series together.
    pub(crate) fn take_note_of_series(&mut self, shots: &[Option<usize>]) {
        self.by_game.resize(self.by_game.len().max(shots.len()), Histogram::default());
        for (histogram, shots) in self.by_game.iter_mut().zip(shots) {
            shots.iter().for_each(|&shots| histogram.add(shots));
        }
        let late = shots.get(EARLY..).unwrap_or_default();
        self.mean.add(shots.iter().flatten().map(|&shots| shots as i64));
        self.from_third.add(late.iter().flatten().map(|&shots| shots as i64));
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.shots.merge(&other.shots);
        self.mean.merge(other.mean);
        self.by_game.resize(self.by_game.len().max(other.by_game.len()), Histogram::default());
        self.by_game.iter_mut().zip(&other.by_game).for_each(|(own, other)| own.merge(other));
        self.from_third.merge(other.from_third);
        self.difference.merge(other.difference);
        self.busy += other.busy;
        self.faults += other.faults;
        let faults = self.first_fault.take().into_iter().chain(other.first_fault);
        self.first_fault = faults.min_by_key(|(game, _)| *game);
    }
}
