//! Bots alone against the same layouts, on any number of threads with the same result.

use std::fmt;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use seabattle_core::layout::{self, LayoutError};
use seabattle_core::{Bot, Fleet, Rules, Seed, Side, Solo};
use thiserror::Error;

use crate::executor::{Executor, ExecutorError};
use crate::report::Game;
use crate::series::{Enemy, PlannedSeries, placed};
use crate::{AivatCorrection, BotResult, Report, Series};

/// A thread plays more and more series at once as long as they take less time than this: whoever waits for progress, or for
/// the end of what was stopped, waits about as long.
const AT_ONCE: Duration = Duration::from_millis(200);
/// Games that are played at once at the most.
const MOST_AT_ONCE: u64 = 256;

/// Makes a new player from a seed.
pub type MakeBot<'a> = dyn Fn(&Seed) -> Box<dyn Bot> + Send + Sync + 'a;

/// One game of a bench that is over.
#[derive(Debug, Clone, Copy)]
pub struct SoloGame<'a> {
    /// The place of the bot among the contenders.
    pub contender: usize,
    /// The number of the game, from 0.
    pub number: u64,
    /// The game; nothing if the bot failed.
    pub game: Option<&'a Solo>,
}

/// Sees every game of a bench as soon as it is over, on the thread that played it.
pub type ObserveGame<'a> = dyn Fn(SoloGame<'_>) + Sync + 'a;

/// A bot to be measured.
pub struct Contender<'a> {
    /// Its name in the report.
    pub name: String,
    /// Makes a new player for one series of games.
    pub make: Box<MakeBot<'a>>,
}

/// A bot that places the fleets shot at.
#[derive(Clone)]
pub struct LayoutGenerator(Arc<MakeBot<'static>>);

impl LayoutGenerator {
    /// A placer made anew for every series.
    pub fn new(make: impl Fn(&Seed) -> Box<dyn Bot> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(crate) fn make(&self, seed: &Seed) -> Box<dyn Bot> {
        (self.0)(seed)
    }
}

impl fmt::Debug for LayoutGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LayoutGenerator(…)")
    }
}

/// Where the layouts come from.
#[derive(Debug, Clone)]
pub enum Layouts {
    /// Uniform over all legal fleets.
    Uniform,
    /// Ship by ship, longest first.
    Sequential,
    /// These, from the start again when they are used up; never empty.
    Given(Vec<Fleet>),
    /// A bot's own. It hears where it was shot at, so it may place otherwise against another shooter.
    Placed(LayoutGenerator),
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
    /// Games of each bot; the last series may be shorter.
    pub games: u64,
    /// How many of them are played in a row.
    pub series: Series,
    /// Takes the luck out of games, beside what they took, where someone can tell it.
    pub correction: Option<AivatCorrection>,
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
    /// A bot that places disregards the rules.
    #[error("the bot that places the layouts placed a fleet for other rules")]
    PlacedForOtherRules,
    /// Nobody plays.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
}

impl Bench {
    /// The layout of one game, whatever was played before: of a bot that places, the first that it would choose.
    pub fn layout(&self, game: u64) -> Result<Fleet, BenchError> {
        let rng = || self.seed_of(game).layout().rng();
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
            Layouts::Placed(placer) => placed(placer.make(&self.seed_of(game).side(Side::B)).as_mut(), &self.rules),
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
        self.run_after(0, contenders, threads, &|_| {}, progress, stop)
    }

    /// As [`Bench::run`], but skips the first series, which were played before, and shows every game to `observe`.
    pub fn run_after(
        &self,
        skipped: u64,
        contenders: &[Contender<'_>],
        threads: NonZero<usize>,
        observe: &ObserveGame<'_>,
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<Report, BenchError> {
        self.layout(0)?;
        let length = self.series.length.get();
        let all = self.games.div_ceil(length);
        let left = all.saturating_sub(skipped);
        let most = (left / (threads.get() as u64).saturating_mul(16)).clamp(1, (MOST_AT_ONCE / length).max(1));
        let threads = threads.get().min(usize::try_from(left.div_ceil(most)).unwrap_or(usize::MAX));
        let next = AtomicU64::new(skipped);
        let working = AtomicUsize::new(1);
        let total = Mutex::new(Ok(self.empty_report(contenders)));
        let work = || {
            let mut batch = 1;
            while !stop.load(Ordering::Relaxed) {
                let from = next.fetch_add(batch, Ordering::Relaxed);
                if from >= all {
                    break;
                }
                let started = Instant::now();
                let part = self.play_observed(contenders, from..all.min(from + batch), observe);
                let played = part.as_ref().map_or(0, |part| part.games);
                merge_part(&mut total.lock().unwrap_or_else(std::sync::PoisonError::into_inner), part, stop);
                progress(played);
                batch = if started.elapsed() < AT_ONCE { most.min(2 * batch) } else { 1.max(batch / 2) };
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

    /// Has a executor play all games after these series, so many series at once, and adds up what it has found.
    pub fn run_by(
        &self,
        skipped: u64,
        executor: &dyn Executor<Range<u64>, Report>,
        contenders: &[Contender<'_>],
        at_once: NonZero<u64>,
        progress: &dyn Fn(u64),
        stop: &AtomicBool,
    ) -> Result<Report, BenchError> {
        self.layout(0)?;
        let all = self.games.div_ceil(self.series.length.get());
        let start = |number: u64| all.min(number.saturating_mul(at_once.get()).saturating_add(skipped));
        let job = |number: u64| Some(start(number)..start(number + 1));
        let mut total = self.empty_report(contenders);
        executor.run(all.saturating_sub(skipped).div_ceil(at_once.get()), &job, stop, &mut |part| {
            progress(part.games);
            total.merge(part);
            ControlFlow::Continue(())
        })?;
        Ok(total)
    }

    /// A batch of series: every contender plays all of them.
    pub fn play(&self, contenders: &[Contender<'_>], series: Range<u64>) -> Result<Report, BenchError> {
        self.play_observed(contenders, series, &|_| {})
    }

    fn play_observed(
        &self,
        contenders: &[Contender<'_>],
        series: Range<u64>,
        observe: &ObserveGame<'_>,
    ) -> Result<Report, BenchError> {
        let tables: Vec<PlannedSeries<'_>> = series.map(|number| self.table(number)).collect::<Result<_, _>>()?;
        let mut report = self.empty_report(contenders);
        report.games = tables.iter().map(|table| table.games).sum();
        let mut reference: Vec<Vec<Option<Game>>> = Vec::new();
        for (at, (contender, result)) in contenders.iter().zip(&mut report.results).enumerate() {
            let observe = |number, game: Option<&Solo>| observe(SoloGame { contender: at, number, game });
            let games =
                tables.iter().map(|table| table.play(contender, &observe, result)).collect::<Result<Vec<_>, _>>()?;
            if reference.is_empty() {
                reference = games;
            } else {
                games.iter().zip(&reference).for_each(|(games, reference)| result.compare(games, reference));
            }
        }
        Ok(report)
    }

    fn table(&self, number: u64) -> Result<PlannedSeries<'_>, BenchError> {
        let first = number * self.series.length.get();
        let games = self.series.length.get().min(self.games - first);
        let seed = self.seed_of(first);
        let enemy = match &self.layouts {
            Layouts::Placed(placer) => Enemy::Bot { placer, seed: seed.side(Side::B) },
            Layouts::Uniform | Layouts::Sequential | Layouts::Given(_) => {
                let layout = |game| self.layout(self.series.layout_of(first, game));
                Enemy::Drawn((first..first + games).map(layout).collect::<Result<_, _>>()?)
            }
        };
        let correction = self.correction.as_ref();
        Ok(PlannedSeries { rules: &self.rules, first, games, seed: seed.side(Side::A), enemy, correction })
    }

    fn empty_report(&self, contenders: &[Contender<'_>]) -> Report {
        let result = |contender: &Contender<'_>| BotResult { name: contender.name.clone(), ..BotResult::default() };
        Report { games: 0, threads: 1, results: contenders.iter().map(result).collect() }
    }
}

fn merge_part(total: &mut Result<Report, BenchError>, part: Result<Report, BenchError>, stop: &AtomicBool) {
    match (total, part) {
        (Ok(total), Ok(part)) => total.merge(part),
        (total, Err(error)) => {
            *total = Err(error);
            stop.store(true, Ordering::Relaxed);
        }
        (Err(_), Ok(_)) => {}
    }
}
