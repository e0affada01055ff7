//! A job as it travels: everything that its games depend on, and nothing that this machine has not permissions.

use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use seabattle_arena::{
    Bench, Contender, Contestant, FinishedGame, LayoutGenerator, Layouts, Match, PairSettings, Pairing, Report,
    Schedule, Series, Tournament, TournamentTask,
};
use seabattle_bots::BotInfo;
use seabattle_core::{BySide, Fleet, Side};
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::players::{self, SessionLength};
use crate::variance_reduction;

/// More than any coordinator hands out at once.
const MAX_GAMES: u64 = 1_000_000;

/// What one worker does at a time.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Job {
    Bench(BenchJob),
    Match(MatchJob),
    Task(TaskJob),
}

/// Some series of a bench.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BenchJob {
    pub(crate) bots: Vec<String>,
    pub(crate) rules: String,
    pub(crate) layouts: LayoutJob,
    pub(crate) seed: u64,
    pub(crate) games: u64,
    pub(crate) series: NonZero<u64>,
    pub(crate) cycle: Option<NonZero<u64>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) without_luck: bool,
    pub(crate) part: Range<u64>,
}

/// What is shot at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LayoutJob {
    Uniform,
    Sequential,
    Given(Vec<String>),
    Placed(String),
}

/// Some pairs of a match.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchJob {
    pub(crate) players: Contestants,
    pub(crate) rules: String,
    pub(crate) seed: u64,
    pub(crate) reveal: bool,
    pub(crate) learn: bool,
    pub(crate) pairs: u64,
    pub(crate) series: NonZero<u64>,
    pub(crate) records: bool,
    pub(crate) part: Range<u64>,
}

/// Some pairs of a meeting in a tournament.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskJob {
    pub(crate) players: Contestants,
    #[serde(rename = "format")]
    pub(crate) schedule: String,
    pub(crate) rules: String,
    pub(crate) seed: u64,
    pub(crate) reveal: bool,
    pub(crate) learn: bool,
    pub(crate) pairs: u64,
    pub(crate) series: NonZero<u64>,
    pub(crate) contestants: usize,
    pub(crate) round: u32,
    pub(crate) numbers: [usize; 2],
    pub(crate) part: Range<u64>,
}

/// The two who play.
pub(crate) type Contestants = [PlayerJob; 2];

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerJob {
    /// As records name it.
    pub(crate) name: String,
    /// As it was typed.
    pub(crate) player: String,
    pub(crate) limits: Limits,
}

/// What this machine lets a queue start: bots of the catalog, and commands that were named when the worker was.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerPermissions {
    pub(crate) commands: Vec<String>,
    /// Folders that they may read besides their own files. The queue has no say in that.
    pub(crate) see: Vec<PathBuf>,
    /// Whether they may reach the network and all files. The queue has no say in that.
    pub(crate) no_sandbox: bool,
}

/// Does a job; what went wrong is told in words, with what to do.
pub(crate) fn run_job(payload: &[u8], permissions: &WorkerPermissions) -> Result<Vec<u8>, String> {
    let done = serde_json::from_slice::<Job>(payload).context("the job cannot be read").and_then(|job| match job {
        Job::Bench(job) => job.play(),
        Job::Match(job) => job.play(permissions),
        Job::Task(job) => job.play(permissions),
    });
    done.map_err(|error| format!("{error:#}"))
}

/// Games as lines of text.
fn lines(games: &[FinishedGame]) -> Vec<u8> {
    games.iter().map(|game| game.line() + "\n").collect::<String>().into_bytes()
}

fn check_part(part: &Range<u64>, games_each: u64) -> anyhow::Result<()> {
    let games = part.end.saturating_sub(part.start).saturating_mul(games_each);
    ensure!(part.start < part.end && games <= MAX_GAMES, "a job has 1 to {MAX_GAMES} games, not {games}");
    Ok(())
}

impl BenchJob {
    fn bench(&self) -> anyhow::Result<Bench> {
        let rules = self.rules.parse()?;
        let layouts = match &self.layouts {
            LayoutJob::Uniform => Layouts::Uniform,
            LayoutJob::Sequential => Layouts::Sequential,
            LayoutJob::Given(texts) => {
                Layouts::Given(texts.iter().map(|text| Fleet::parse(&rules, text)).collect::<Result<_, _>>()?)
            }
            LayoutJob::Placed(name) => {
                let placer = seabattle_bots::find(name)?;
                Layouts::Placed(LayoutGenerator::new(|seed| placer.make(seed)))
            }
        };
        let series = Series { length: self.series, cycle: self.cycle };
        let correction = self.without_luck.then(|| variance_reduction::correction_for(&rules)).transpose()?;
        Ok(Bench { rules, layouts, seed: self.seed, games: self.games, series, correction })
    }

    fn play(&self) -> anyhow::Result<Vec<u8>> {
        check_part(&self.part, self.series.get())?;
        ensure!(self.part.end <= self.games.div_ceil(self.series.get()), "the job is beyond the last game");
        let bench = self.bench()?;
        let bots: Vec<&'static BotInfo> =
            self.bots.iter().map(|name| seabattle_bots::find(name)).collect::<Result<_, _>>()?;
        let report: Report = bench.play(&contenders(&bots), self.part.clone())?;
        Ok(serde_json::to_vec(&report)?)
    }
}

/// Bots of the catalog, to be measured.
pub(crate) fn contenders(bots: &[&'static BotInfo]) -> Vec<Contender<'static>> {
    let contender = |entry: &&'static BotInfo| {
        let entry = *entry;
        Contender { name: entry.name.to_owned(), make: Box::new(|seed| entry.make(seed)) }
    };
    bots.iter().map(contender).collect()
}

impl MatchJob {
    fn play(&self, permissions: &WorkerPermissions) -> anyhow::Result<Vec<u8>> {
        check_part(&self.part, 2)?;
        let planned = Match {
            settings: PairSettings {
                rules: self.rules.parse()?,
                seed: self.seed,
                reveal: self.reveal,
                learn: self.learn,
            },
            pairs: self.pairs,
            series: self.series,
            sprt: None,
            give_up: None,
        };
        let contestants =
            permitted_contestants(&self.players, SessionLength::for_series(self.series, self.pairs), permissions)?;
        let names = self.records.then(|| BySide::new(|side| self.players[index(side)].name.clone()));
        let sides = BySide { a: &contestants.a, b: &contestants.b };
        Ok(lines(&planned.play(sides, self.part.clone(), names.as_ref(), &|_| {})))
    }
}

impl TaskJob {
    fn play(&self, permissions: &WorkerPermissions) -> anyhow::Result<Vec<u8>> {
        check_part(&self.part, 2)?;
        let schedule: Schedule = self.schedule.parse()?;
        let tournament = Tournament {
            format: schedule,
            rules: self.rules.parse()?,
            seed: self.seed,
            pairs: self.pairs,
            series: self.series,
            reveal: self.reveal,
            learn: self.learn,
            give_up: None,
        };
        let [a, b] = self.numbers;
        ensure!(a < b && b < self.contestants, "the job names contestants that are not there");
        let contestants = permitted_contestants(
            &self.players,
            SessionLength::for_schedule(schedule, self.series, self.pairs),
            permissions,
        )?;
        let task = TournamentTask { pairing: Pairing { round: self.round, a, b }, pairs: self.part.clone() };
        let sides = BySide { a: &contestants.a, b: &contestants.b };
        Ok(lines(&tournament.play(&task, sides, self.contestants)))
    }
}

fn index(side: Side) -> usize {
    usize::from(side == Side::B)
}

/// Both, if they may play here.
fn permitted_contestants(
    players: &Contestants,
    session: SessionLength,
    permissions: &WorkerPermissions,
) -> anyhow::Result<BySide<Contestant>> {
    let permitted = |PlayerJob { player, limits, .. }: &PlayerJob| {
        if seabattle_bots::find(player).is_err() && !permissions.commands.contains(player) {
            bail!(
                "this worker plays bots of the catalog alone; if you trust the queue with it, start the worker with --allow {}",
                players::quoted(player)
            );
        }
        players::contestant(player, &limits.with_access(&permissions.see, permissions.no_sandbox), session)
    };
    let [a, b] = players;
    Ok(BySide { a: permitted(a)?, b: permitted(b)? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::num::NonZero;

    use super::{Job, MatchJob, PlayerJob, WorkerPermissions, run_job};
    use crate::limits::Limits;

    fn job(first: &str, part: std::ops::Range<u64>) -> Vec<u8> {
        let player = |player: &str| {
            let limits = Limits::default();
            PlayerJob { name: "x".to_owned(), player: player.to_owned(), limits }
        };
        let job = MatchJob {
            players: [player(first), player("random")],
            rules: "classic".to_owned(),
            seed: 1,
            reveal: true,
            learn: false,
            pairs: 10,
            series: NonZero::<u64>::MIN,
            records: false,
            part,
        };
        serde_json::to_vec(&Job::Match(job)).unwrap()
    }

    #[test]
    fn a_queue_starts_nothing_that_was_not_allowed() {
        let refused = run_job(&job("touch /tmp/x", 0..1), &WorkerPermissions::default()).unwrap_err();
        assert!(refused.contains("--allow 'touch /tmp/x'"), "{refused}");
    }

    #[test]
    fn absurd_jobs_are_refused() {
        for part in [5..5, 0..u64::MAX] {
            let refused = run_job(&job("random", part), &WorkerPermissions::default()).unwrap_err();
            assert!(refused.contains("a job has 1 to"), "{refused}");
        }
        assert!(run_job(b"{", &WorkerPermissions::default()).unwrap_err().contains("cannot be read"));
        assert_eq!(
            run_job(&job("random", 0..2), &WorkerPermissions::default()).unwrap().split(|byte| *byte == b'\n').count(),
            5
        );
    }
}
