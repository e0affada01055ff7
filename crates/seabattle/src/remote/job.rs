//! Jobs as they travel: everything that their games depend on. A worker starts nothing that its owner has not permitted.

use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use seabattle_arena::{
    Bench, BenchReport, Contender, Contestant, FinishedGame, LayoutGenerator, Layouts, Match, PairSettings, Pairing,
    Schedule, Series, Tournament, TournamentTask,
};
use seabattle_bots::BotInfo;
use seabattle_core::{BySide, Fleet, Side};
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::players::{self, SessionLength};
use crate::variance_reduction;

use super::bounds::MAX_JOB_BYTES;

/// The most memory that a job may give a command, unless the worker permits more; in MiB.
pub(crate) const DEFAULT_MAX_MEMORY: u64 = 4096;

/// A job: the games that one worker plays at a time.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Job {
    Bench(BenchJob),
    Match(MatchJob),
    Task(TaskJob),
}

/// A range of series of a bench.
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

/// The layouts that the bots of a bench shoot at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LayoutJob {
    Uniform,
    Sequential,
    Given(Vec<String>),
    Placed(String),
}

/// A range of pairs of a match.
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

/// A range of pairs of a pairing in a tournament.
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

/// The two contestants of a job.
pub(crate) type Contestants = [PlayerJob; 2];

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerJob {
    /// The name of the contestant in records.
    pub(crate) name: String,
    /// The contestant as it was typed: a bot of the catalog or a command.
    pub(crate) player: String,
    pub(crate) limits: Limits,
}

/// What the owner of this machine permits jobs: bots of the catalog, and these commands.
#[derive(Debug, Clone)]
pub(crate) struct WorkerPermissions {
    pub(crate) commands: Vec<String>,
    /// Folders that commands may read in addition to their own files. No job can change that.
    pub(crate) see: Vec<PathBuf>,
    /// Whether commands may reach the network and all files. No job can change that.
    pub(crate) no_sandbox: bool,
    /// The most memory that a job may give a command, in MiB.
    pub(crate) max_memory: u64,
}

impl Default for WorkerPermissions {
    fn default() -> Self {
        Self { commands: Vec::new(), see: Vec::new(), no_sandbox: false, max_memory: DEFAULT_MAX_MEMORY }
    }
}

/// Does a job if this machine permits it. The error says what is wrong, and what to do.
pub(crate) fn run_job(payload: &[u8], permissions: &WorkerPermissions) -> Result<Vec<u8>, String> {
    let play = || {
        ensure!(payload.len() <= MAX_JOB_BYTES, "a job has at most {MAX_JOB_BYTES} bytes, not {}", payload.len());
        let job: Job = serde_json::from_slice(payload).context("the job cannot be read")?;
        job.check_bounds(permissions.max_memory)?;
        match job {
            Job::Bench(job) => job.play(),
            Job::Match(job) => job.play(permissions),
            Job::Task(job) => job.play(permissions),
        }
    };
    play().map_err(|error| format!("{error:#}"))
}

/// Games as lines of text.
fn lines(games: &[FinishedGame]) -> Vec<u8> {
    games.iter().map(|game| game.line() + "\n").collect::<String>().into_bytes()
}

impl BenchJob {
    /// The numbers of the games that the job plays with each bot.
    pub(super) fn games_in_part(&self) -> Range<u64> {
        let game = |series: u64| series.saturating_mul(self.series.get()).min(self.games);
        game(self.part.start)..game(self.part.end)
    }

    /// The whole bench.
    pub(super) fn bench(&self) -> anyhow::Result<Bench> {
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
        let bench = self.bench()?;
        let bots: Vec<&'static BotInfo> =
            self.bots.iter().map(|name| seabattle_bots::find(name)).collect::<Result<_, _>>()?;
        let report: BenchReport = bench.play(&contenders(&bots), self.part.clone())?;
        Ok(serde_json::to_vec(&report)?)
    }
}

/// Bots of the catalog as contenders of a bench.
pub(crate) fn contenders(bots: &[&'static BotInfo]) -> Vec<Contender<'static>> {
    let contender = |entry: &&'static BotInfo| {
        let entry = *entry;
        Contender { name: entry.name.to_owned(), make: Box::new(|seed| entry.make(seed)) }
    };
    bots.iter().map(contender).collect()
}

impl MatchJob {
    /// The whole match.
    pub(super) fn planned(&self) -> anyhow::Result<Match> {
        let settings =
            PairSettings { rules: self.rules.parse()?, seed: self.seed, reveal: self.reveal, learn: self.learn };
        Ok(Match { settings, pairs: self.pairs, series: self.series, sprt: None, give_up: None })
    }

    /// The names in the records; `None` if no records are wanted.
    pub(super) fn record_names(&self) -> Option<BySide<String>> {
        self.records.then(|| BySide::new(|side| self.players[index(side)].name.clone()))
    }

    fn play(&self, permissions: &WorkerPermissions) -> anyhow::Result<Vec<u8>> {
        let planned = self.planned()?;
        let contestants =
            permitted_contestants(&self.players, SessionLength::for_series(self.series, self.pairs), permissions)?;
        let sides = BySide { a: &contestants.a, b: &contestants.b };
        Ok(lines(&planned.play(sides, self.part.clone(), self.record_names().as_ref(), &|_| {})))
    }
}

impl TaskJob {
    /// The whole tournament.
    pub(super) fn tournament(&self) -> anyhow::Result<Tournament> {
        Ok(Tournament {
            format: self.schedule.parse()?,
            rules: self.rules.parse()?,
            seed: self.seed,
            pairs: self.pairs,
            series: self.series,
            reveal: self.reveal,
            learn: self.learn,
            give_up: None,
        })
    }

    /// Whether the task is a game of the contest.
    pub(super) fn is_contest(&self) -> bool {
        matches!(self.schedule.parse(), Ok(Schedule::Contest { .. }))
    }

    fn play(&self, permissions: &WorkerPermissions) -> anyhow::Result<Vec<u8>> {
        let tournament = self.tournament()?;
        let session = SessionLength::for_schedule(tournament.format, self.series, self.pairs);
        let contestants = permitted_contestants(&self.players, session, permissions)?;
        let [a, b] = self.numbers;
        let task = TournamentTask { pairing: Pairing { round: self.round, a, b }, pairs: self.part.clone() };
        let sides = BySide { a: &contestants.a, b: &contestants.b };
        Ok(lines(&tournament.play(&task, sides, self.contestants)))
    }
}

fn index(side: Side) -> usize {
    usize::from(side == Side::B)
}

/// Both contestants, if the owner permits them to play here.
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
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::{Job, MatchJob, PlayerJob, WorkerPermissions, run_job};
    use crate::limits::Limits;

    pub(crate) fn match_job(first: &str, part: std::ops::Range<u64>) -> Vec<u8> {
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
            series: std::num::NonZero::<u64>::MIN,
            records: false,
            part,
        };
        serde_json::to_vec(&Job::Match(job)).unwrap()
    }

    fn refused(job: &[u8]) -> String {
        run_job(job, &WorkerPermissions::default()).unwrap_err()
    }

    /// A small match with one value changed, named by its path.
    fn changed(path: &str, value: &Value) -> Vec<u8> {
        let mut job: Value = serde_json::from_slice(&match_job("random", 0..2)).unwrap();
        *job.pointer_mut(path).unwrap_or_else(|| panic!("there is no {path}")) = value.clone();
        serde_json::to_vec(&job).unwrap()
    }

    #[test]
    fn a_queue_starts_nothing_that_was_not_allowed() {
        let refused = refused(&match_job("touch /tmp/x", 0..1));
        assert!(refused.contains("--allow 'touch /tmp/x'"), "{refused}");
    }

    #[test]
    fn absurd_jobs_are_refused() {
        for part in [5..5, 0..u64::MAX] {
            let refused = refused(&match_job("random", part));
            assert!(refused.contains("a job has 1 to"), "{refused}");
        }
        assert!(refused(b"{").contains("cannot be read"));
        let played = run_job(&match_job("random", 0..2), &WorkerPermissions::default()).unwrap();
        assert_eq!(played.split(|byte| *byte == b'\n').count(), 5);
    }

    #[test]
    fn a_hostile_coordinator_gets_no_more_than_this_machine_gives() {
        let endless = json!({"secs": u64::MAX, "nanos": 0});
        for (path, value, expected) in [
            ("/match/players/0/limits/time_shot", endless.clone(), "--time-shot"),
            ("/match/players/1/limits/time_game", endless.clone(), "--time-game"),
            ("/match/players/1/limits/margin", endless, "--margin"),
            ("/match/players/0/limits/memory", json!(5000), "--max-memory 5000"),
            ("/match/players/0/limits/processes", json!(1_000_000), "processes"),
            ("/match/players/0/player", json!("x".repeat(5000)), "the player of a job has"),
            ("/match/players/0/name", json!("x".repeat(5000)), "the name of a job has"),
            ("/match/rules", json!("x".repeat(5000)), "the rules of a job has"),
            ("/match/pairs", json!(u64::MAX), "at most"),
            ("/match/pairs", json!(1), "beyond the last pair"),
            ("/match/series", json!(u64::MAX), "at most"),
            ("/match/part/start", json!(u64::MAX), "a job has 1 to"),
        ] {
            let refused = refused(&changed(path, &value));
            assert!(refused.contains(expected), "{path}: {refused}");
        }
        let mut large = match_job("random", 0..2);
        large.resize(2 << 20, b' ');
        assert!(refused(&large).contains("bytes"));
        let generous = WorkerPermissions { max_memory: 5000, ..WorkerPermissions::default() };
        run_job(&changed("/match/players/0/limits/memory", &json!(5000)), &generous).unwrap();
    }
}
