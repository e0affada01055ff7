//! Bounds of what a job may ask for. A worker trusts no coordinator: whatever grows or waits has a limit here.

use std::ops::Range;
use std::time::Duration;

use anyhow::ensure;

use super::job::{BenchJob, Job, LayoutJob, MatchJob, PlayerJob, TaskJob};
use crate::limits::Limits;

/// The maximum size of a job. NATS takes no larger messages by default either.
pub(crate) const MAX_JOB_BYTES: usize = 1 << 20;
/// More than any coordinator puts into one job.
const MAX_GAMES: u64 = 1_000_000;
/// The maximum number of games of a whole bench.
const MAX_BENCH_GAMES: u64 = 1 << 40;
const MAX_PAIRS: u64 = 1 << 30;
const MAX_CONTESTANTS: usize = 100_000;
const MAX_ROUNDS: u32 = 1_000_000;
const MAX_BOTS: usize = 1000;
/// Commands and rules, in bytes.
const MAX_TEXT: usize = 4096;
/// All layouts of a job together, in bytes.
const MAX_LAYOUTS: usize = 512 << 10;
/// For one answer of a bot.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(600);
/// For a whole game.
const MAX_GAME_TIME: Duration = Duration::from_secs(86_400);
const MAX_PROCESSES: usize = 4096;

impl Job {
    /// An error if the job asks for more than this machine gives. A bot may use `max_memory` MiB.
    pub(crate) fn check_bounds(&self, max_memory: u64) -> anyhow::Result<()> {
        match self {
            Self::Bench(job) => job.check_bounds(),
            Self::Match(job) => job.check_bounds(max_memory),
            Self::Task(job) => job.check_bounds(max_memory),
        }
    }
}

impl BenchJob {
    fn check_bounds(&self) -> anyhow::Result<()> {
        check_text("rules", &self.rules)?;
        let bots = self.bots.len();
        ensure!((1..=MAX_BOTS).contains(&bots), "a job measures 1 to {MAX_BOTS} bots, not {bots}");
        self.bots.iter().try_for_each(|bot| check_text("bot", bot))?;
        if let LayoutJob::Given(layouts) = &self.layouts {
            let bytes: usize = layouts.iter().map(String::len).sum();
            ensure!(!layouts.is_empty() && bytes <= MAX_LAYOUTS, "a job has 1 to {MAX_LAYOUTS} bytes of layouts");
        }
        ensure!(self.games <= MAX_BENCH_GAMES, "a bench has at most {MAX_BENCH_GAMES} games");
        let series = self.series.get();
        check_games(&self.part, series.saturating_mul(bots as u64))?;
        ensure!(self.part.end <= self.games.div_ceil(series), "the job is beyond the last game");
        Ok(())
    }
}

impl MatchJob {
    fn check_bounds(&self, max_memory: u64) -> anyhow::Result<()> {
        check_text("rules", &self.rules)?;
        check_pairs(&self.part, self.pairs, self.series.get())?;
        self.players.iter().try_for_each(|player| player.check_bounds(max_memory))
    }
}

impl TaskJob {
    fn check_bounds(&self, max_memory: u64) -> anyhow::Result<()> {
        check_text("rules", &self.rules)?;
        check_text("schedule", &self.schedule)?;
        check_pairs(&self.part, self.pairs.max(1), self.series.get())?;
        let [a, b] = self.numbers;
        ensure!(self.contestants <= MAX_CONTESTANTS, "a tournament has at most {MAX_CONTESTANTS} contestants");
        ensure!(a < b && b < self.contestants, "the job names contestants that are not there");
        ensure!(self.round <= MAX_ROUNDS, "a tournament has at most {MAX_ROUNDS} rounds");
        self.players.iter().try_for_each(|player| player.check_bounds(max_memory))
    }
}

impl PlayerJob {
    fn check_bounds(&self, max_memory: u64) -> anyhow::Result<()> {
        check_text("name", &self.name)?;
        check_text("player", &self.player)?;
        check_limits(&self.limits, max_memory)
    }
}

fn check_limits(limits: &Limits, max_memory: u64) -> anyhow::Result<()> {
    let (times, resources) = (limits.times(), limits.resources());
    for (what, time, most) in [
        ("--time-start", times.start, MAX_ANSWER_TIME),
        ("--time-place", times.place, MAX_ANSWER_TIME),
        ("--time-shot", times.shot, MAX_ANSWER_TIME),
        ("--margin", times.margin, MAX_ANSWER_TIME),
        ("--time-game", times.game, MAX_GAME_TIME),
        ("--time-cpu", resources.cpu, MAX_GAME_TIME),
    ] {
        let seconds = time.as_secs_f64();
        ensure!(time <= most, "the job asks for {what} {seconds}s; a worker gives at most {}s", most.as_secs());
    }
    let memory = resources.memory >> 20;
    ensure!(
        memory <= max_memory,
        "the job asks for --memory {memory} (MiB); this worker gives {max_memory}, and more with --max-memory {memory}"
    );
    ensure!(resources.processes <= MAX_PROCESSES, "a bot on a worker runs at most {MAX_PROCESSES} processes");
    Ok(())
}

fn check_text(what: &str, text: &str) -> anyhow::Result<()> {
    let bytes = text.len();
    ensure!((1..=MAX_TEXT).contains(&bytes), "the {what} of a job has 1 to {MAX_TEXT} bytes, not {bytes}");
    Ok(())
}

fn check_games(part: &Range<u64>, games_each: u64) -> anyhow::Result<()> {
    let games = part.end.saturating_sub(part.start).saturating_mul(games_each);
    ensure!(part.start < part.end && games <= MAX_GAMES, "a job has 1 to {MAX_GAMES} games, not {games}");
    Ok(())
}

fn check_pairs(part: &Range<u64>, pairs: u64, series: u64) -> anyhow::Result<()> {
    check_games(part, 2)?;
    ensure!(pairs <= MAX_PAIRS && series <= MAX_PAIRS, "two contestants play at most {MAX_PAIRS} pairs");
    ensure!(part.end <= pairs, "the job is beyond the last pair");
    ensure!(part.start.is_multiple_of(series), "the job begins in the middle of a series");
    Ok(())
}
