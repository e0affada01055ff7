//! A bench: solo games of several bots on the same layouts. The result does not depend on the number of threads.

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
use crate::series::{FleetSource, PlannedSeries, placed};
use crate::{AivatCorrection, BenchReport, BotResult, Series};

/// The time a thread aims to spend on one batch of series. Progress and a request to stop wait about this long.
const BATCH_TIME: Duration = Duration::from_millis(200);
/// The largest batch, in games.
const MOST_GAMES_IN_BATCH: u64 = 256;

/// A function that makes a new bot from a seed.
pub type MakeBot<'a> = dyn Fn(&Seed) -> Box<dyn Bot> + Send + Sync + 'a;

/// A finished game of a bench.
#[derive(Debug, Clone, Copy)]
pub struct SoloGame<'a> {
    /// The index of the bot among the contenders.
    pub contender: usize,
    /// The number of the game, from 0.
    pub number: u64,
    /// The game; `None` if it ended in a fault.
    pub game: Option<&'a Solo>,
}

/// A function that gets every game of a bench as soon as it ends, on the thread that played it.
pub type ObserveGame<'a> = dyn Fn(SoloGame<'_>) + Sync + 'a;

/// A bot that a bench measures.
pub struct Contender<'a> {
    /// The name in the report.
    pub name: String,
    /// Makes a new bot for one series of games.
    pub make: Box<MakeBot<'a>>,
}

/// A bot whose fleets the contenders shoot at.
#[derive(Clone)]
pub struct LayoutGenerator(Arc<MakeBot<'static>>);

impl LayoutGenerator {
    /// A generator that makes a new bot for every series.
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

/// Where the layouts of a bench come from.
#[derive(Debug, Clone)]
pub enum Layouts {
    /// Drawn uniformly from all legal fleets.
    Uniform,
    /// Placed at random ship by ship, the longest first.
    Sequential,
    /// A fixed list, played from its start again when it ends. It must not be empty.
    Given(Vec<Fleet>),
    /// Placed by a bot. It learns where it was shot at, so it may place differently against another shooter.
    Placed(LayoutGenerator),
}

/// The settings of a bench.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The rules of every game.
    pub rules: Rules,
    /// The layouts that the bots shoot at.
    pub layouts: Layouts,
    /// The random seed of layouts and bots.
    pub seed: u64,
    /// How many games each bot plays. The last series may be shorter.
    pub games: u64,
    /// How the games are grouped into series.
    pub series: Series,
    /// Measures a variance-reduced mean beside the plain one, if given.
    pub correction: Option<AivatCorrection>,
}

/// Why a bench cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BenchError {
    /// No layout could be drawn.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A given layout is for other rules.
    #[error("layout {number} was made for other rules")]
    OtherRules {
        /// The number of the layout, from 1.
        number: u64,
    },
    /// The list of layouts is empty.
    #[error("there is no layout to shoot at")]
    NoLayouts,
    /// The layout generator placed a fleet for other rules.
    #[error("the bot that places the layouts placed a fleet for other rules")]
    PlacedForOtherRules,
    /// The executor cannot go on.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
}

impl Bench {
    /// The layout of one game, apart from any series. For a layout generator it is the first fleet of a new bot.
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
            Layouts::Placed(generator) => {
                placed(generator.make(&self.seed_of(game).side(Side::B)).as_mut(), &self.rules)
            }
        }
    }

    fn seed_of(&self, game: u64) -> Seed {
        Seed::new(self.seed).game(game)
    }

    /// Plays all games of all contenders. `progress` gets the number of games just finished; `stop` ends the bench early.
    pub fn run(
        &self,
        contenders: &[Contender<'_>],
        threads: NonZero<usize>,
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<BenchReport, BenchError> {
        self.run_after(0, contenders, threads, &|_| {}, progress, stop)
    }

    /// Plays like [`Bench::run`], but skips the first series, which were played before. `observe` gets every game.
    pub fn run_after(
        &self,
        skipped: u64,
        contenders: &[Contender<'_>],
        threads: NonZero<usize>,
        observe: &ObserveGame<'_>,
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<BenchReport, BenchError> {
        self.layout(0)?;
        let length = self.series.length.get();
        let all = self.games.div_ceil(length);
        let left = all.saturating_sub(skipped);
        let most = (left / (threads.get() as u64).saturating_mul(16)).clamp(1, (MOST_GAMES_IN_BATCH / length).max(1));
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
                batch = if started.elapsed() < BATCH_TIME { most.min(2 * batch) } else { 1.max(batch / 2) };
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If the system has no more threads, the bench continues with those it has.
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

    /// Lets an executor play all series after the skipped ones, `at_once` series per job, and adds up the reports.
    ///
    /// `progress` gets the number of games finished so far. If the executor retracts results, they are added up again.
    pub fn run_by(
        &self,
        skipped: u64,
        executor: &dyn Executor<Range<u64>, BenchReport>,
        contenders: &[Contender<'_>],
        at_once: NonZero<u64>,
        progress: &dyn Fn(u64),
        stop: &AtomicBool,
    ) -> Result<BenchReport, BenchError> {
        self.layout(0)?;
        let all = self.games.div_ceil(self.series.length.get());
        let start = |number: u64| all.min(number.saturating_mul(at_once.get()).saturating_add(skipped));
        let job = |number: u64| Some(start(number)..start(number + 1));
        loop {
            let mut total = self.empty_report(contenders);
            let ran = executor.run(all.saturating_sub(skipped).div_ceil(at_once.get()), &job, stop, &mut |part| {
                total.merge(part);
                progress(total.games);
                ControlFlow::Continue(())
            });
            match ran {
                Ok(()) => return Ok(total),
                Err(ExecutorError::Retracted(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Plays a batch of series with every contender.
    pub fn play(&self, contenders: &[Contender<'_>], series: Range<u64>) -> Result<BenchReport, BenchError> {
        self.play_observed(contenders, series, &|_| {})
    }

    fn play_observed(
        &self,
        contenders: &[Contender<'_>],
        series: Range<u64>,
        observe: &ObserveGame<'_>,
    ) -> Result<BenchReport, BenchError> {
        let planned: Vec<PlannedSeries<'_>> =
            series.map(|number| self.planned_series(number)).collect::<Result<_, _>>()?;
        let mut report = self.empty_report(contenders);
        report.games = planned.iter().map(|series| series.games).sum();
        let mut reference: Vec<Vec<Option<Game>>> = Vec::new();
        for (index, (contender, result)) in contenders.iter().zip(&mut report.results).enumerate() {
            let observe = |number, game: Option<&Solo>| observe(SoloGame { contender: index, number, game });
            let games = planned.iter().map(|series| series.play(contender, &observe, result));
            let games = games.collect::<Result<Vec<_>, _>>()?;
            if reference.is_empty() {
                reference = games;
            } else {
                games.iter().zip(&reference).for_each(|(games, reference)| result.compare(games, reference));
            }
        }
        Ok(report)
    }

    fn planned_series(&self, number: u64) -> Result<PlannedSeries<'_>, BenchError> {
        let first = number * self.series.length.get();
        let games = self.series.length.get().min(self.games - first);
        let seed = self.seed_of(first);
        let fleets = match &self.layouts {
            Layouts::Placed(generator) => FleetSource::Bot { generator, seed: seed.side(Side::B) },
            Layouts::Uniform | Layouts::Sequential | Layouts::Given(_) => {
                let layout = |game| self.layout(self.series.layout_of(first, game));
                FleetSource::Drawn((first..first + games).map(layout).collect::<Result<_, _>>()?)
            }
        };
        let correction = self.correction.as_ref();
        Ok(PlannedSeries { rules: &self.rules, first, games, seed: seed.side(Side::A), fleets, correction })
    }

    fn empty_report(&self, contenders: &[Contender<'_>]) -> BenchReport {
        let result = |contender: &Contender<'_>| BotResult { name: contender.name.clone(), ..BotResult::default() };
        BenchReport { games: 0, threads: 1, results: contenders.iter().map(result).collect() }
    }
}

fn merge_part(total: &mut Result<BenchReport, BenchError>, part: Result<BenchReport, BenchError>, stop: &AtomicBool) {
    match (total, part) {
        (Ok(total), Ok(part)) => total.merge(part),
        (total, Err(error)) => {
            *total = Err(error);
            stop.store(true, Ordering::Relaxed);
        }
        (Err(_), Ok(_)) => {}
    }
}
