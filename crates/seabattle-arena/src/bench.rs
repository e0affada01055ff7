//! Bots alone against the same layouts, on any number of threads with the same result.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use seabattle_core::layout::{self, LayoutError};
use seabattle_core::{Bot, Fleet, Rules, Seed, Side};
use thiserror::Error;

use crate::{Difference, Histogram, IllegalShot, solo};

/// Makes a new player from a seed.
pub type MakeBot<'a> = dyn Fn(&Seed) -> Box<dyn Bot> + Sync + 'a;

/// A bot to be measured.
pub struct Contender<'a> {
    /// Its name in the report.
    pub name: String,
    /// Makes a new player for one game.
    pub make: Box<MakeBot<'a>>,
}

/// Where the layouts come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layouts {
    /// Uniform over all legal fleets.
    Uniform,
    /// Ship by ship, longest first.
    Sequential,
    /// These, from the start again when they are used up; never empty.
    Given(Vec<Fleet>),
}

/// What is to be played.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The rules of every game.
    pub rules: Rules,
    /// The layouts shot at.
    pub layouts: Layouts,
    /// Decides layouts and chance.
    pub seed: u64,
    /// Games of each bot.
    pub games: u64,
}

/// Why nothing could be measured.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BenchError {
    /// No layout could be drawn.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Given layouts that were made for other rules.
    #[error("layout {number} was made for other rules")]
    OtherRules {
        /// Counted from 1.
        number: u64,
    },
    /// A list without layouts.
    #[error("there is no layout to shoot at")]
    NoLayouts,
}

/// What was measured.
#[derive(Debug, Clone)]
pub struct Report {
    /// Games that every bot has played; fewer than asked for if it was stopped.
    pub games: u64,
    /// Threads that played.
    pub threads: usize,
    /// In the order of the contenders.
    pub results: Vec<BotResult>,
}

/// One bot's games.
#[derive(Debug, Clone, Default)]
pub struct BotResult {
    /// Its name.
    pub name: String,
    /// Shots per game, of the games without a fault.
    pub shots: Histogram,
    /// Against the first contender on the same layouts; empty for the first itself.
    pub difference: Difference,
    /// Time spent in its games on all threads together.
    pub busy: Duration,
    /// Games that ended in a fault.
    pub faults: u64,
    /// The fault of the earliest such game, with its number.
    pub first_fault: Option<(u64, IllegalShot)>,
}

impl BotResult {
    /// Games per second on so many threads.
    pub fn games_per_second(&self, threads: usize) -> f64 {
        (self.shots.games() + self.faults) as f64 * threads as f64 / self.busy.as_secs_f64()
    }

    fn merge(&mut self, other: Self) {
        self.shots.merge(&other.shots);
        self.difference.merge(other.difference);
        self.busy += other.busy;
        self.faults += other.faults;
        let faults = self.first_fault.take().into_iter().chain(other.first_fault);
        self.first_fault = faults.min_by_key(|(game, _)| *game);
    }
}

impl Bench {
    /// The layout of one game, whatever was played before.
    pub fn layout(&self, game: u64) -> Result<Fleet, BenchError> {
        let rng = || self.seed_of(game).layout().stream();
        match &self.layouts {
            Layouts::Uniform => Ok(layout::uniform(&self.rules, &mut rng())?),
            Layouts::Sequential => Ok(layout::sequential(&self.rules, &mut rng())?),
            Layouts::Given(fleets) => {
                let at = game.checked_rem(fleets.len() as u64).ok_or(BenchError::NoLayouts)?;
                let fleet = &fleets[at as usize];
                if *fleet.rules() == self.rules {
                    Ok(fleet.clone())
                } else {
                    Err(BenchError::OtherRules { number: at + 1 })
                }
            }
        }
    }

    fn seed_of(&self, game: u64) -> Seed {
        Seed::new(self.seed).game(game)
    }

    /// Plays all games of all contenders. `progress` is told how many games are done; `stop` ends it early.
    pub fn run(
        &self,
        contenders: &[Contender<'_>],
        threads: NonZero<usize>,
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<Report, BenchError> {
        self.layout(0)?;
        let batch = (self.games / (threads.get() as u64).saturating_mul(16)).clamp(1, 256);
        let threads = threads.get().min(usize::try_from(self.games.div_ceil(batch)).unwrap_or(usize::MAX));
        let next = AtomicU64::new(0);
        let working = AtomicUsize::new(1);
        let total = Mutex::new(Ok(self.empty_report(contenders)));
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let from = next.fetch_add(batch, Ordering::Relaxed);
                if from >= self.games {
                    break;
                }
                let games = from..self.games.min(from + batch);
                let played = games.end - games.start;
                let part = self.play(contenders, games);
                merge_part(&mut total.lock().unwrap_or_else(std::sync::PoisonError::into_inner), part, stop);
                progress(played);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // A system that has no more threads to give is no reason to stop.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
                working.fetch_add(1, Ordering::Relaxed);
            }
            work();
        });
        let mut total = total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
        total.threads = working.into_inner();
        Ok(total)
    }

    /// A batch of games: every contender plays all of them.
    fn play(&self, contenders: &[Contender<'_>], games: std::ops::Range<u64>) -> Result<Report, BenchError> {
        let table =
            |number| Ok(Table { number, seed: self.seed_of(number).side(Side::A), fleet: self.layout(number)? });
        let tables: Vec<Table> = games.map(table).collect::<Result<_, BenchError>>()?;
        let mut report = self.empty_report(contenders);
        report.games = tables.len() as u64;
        let mut reference: Vec<Option<usize>> = Vec::new();
        for (contender, result) in contenders.iter().zip(&mut report.results) {
            let started = Instant::now();
            let shots: Vec<Option<usize>> = tables.iter().map(|table| table.play(contender, result)).collect();
            result.busy = started.elapsed();
            if reference.is_empty() {
                reference = shots;
            } else {
                let pairs =
                    shots.iter().zip(&reference).filter_map(|(shots, reference)| Some(((*shots)?, (*reference)?)));
                pairs.for_each(|(shots, reference)| result.difference.add(shots, reference));
            }
        }
        Ok(report)
    }

    fn empty_report(&self, contenders: &[Contender<'_>]) -> Report {
        let result = |contender: &Contender<'_>| BotResult { name: contender.name.clone(), ..BotResult::default() };
        Report { games: 0, threads: 1, results: contenders.iter().map(result).collect() }
    }
}

/// One game that every contender plays.
struct Table {
    number: u64,
    /// The chance of the player.
    seed: Seed,
    fleet: Fleet,
}

impl Table {
    fn play(&self, contender: &Contender<'_>, result: &mut BotResult) -> Option<usize> {
        let mut bot = (contender.make)(&self.seed);
        match solo(bot.as_mut(), self.fleet.clone()) {
            Ok(game) => {
                let shots = game.knowledge().shots().len();
                result.shots.add(shots);
                Some(shots)
            }
            Err(fault) => {
                result.faults += 1;
                result.first_fault.get_or_insert((self.number, fault));
                None
            }
        }
    }
}

fn merge_part(total: &mut Result<Report, BenchError>, part: Result<Report, BenchError>, stop: &AtomicBool) {
    match (total, part) {
        (Ok(total), Ok(part)) => {
            total.games += part.games;
            total.results.iter_mut().zip(part.results).for_each(|(total, part)| total.merge(part));
        }
        (total, Err(error)) => {
            *total = Err(error);
            stop.store(true, Ordering::Relaxed);
        }
        (Err(_), Ok(_)) => {}
    }
}
