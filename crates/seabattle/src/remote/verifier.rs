//! Judges the results of workers: checks them against their jobs, and plays jobs again to compare.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail, ensure};
use seabattle_arena::{BenchReport, FaultKind, FinishedGame, Pairing, TournamentTask};
use seabattle_core::{BySide, Side};
use seabattle_queue::{Replay, Verifier};

use super::executor::FromJobResult;
use super::job::{BenchJob, Contestants, Job, MatchJob, TaskJob, WorkerPermissions, run_job};

/// A verifier that plays the games of built-in bots again. They play the same from the same seed on every machine.
#[derive(Default)]
pub(crate) struct JobVerifier {
    counts: Mutex<Counts>,
}

/// How many games were verified, and which could not be.
#[derive(Default)]
struct Counts {
    /// Jobs that were counted; a job that is handed out again does not count twice.
    jobs: BTreeSet<u64>,
    verified_games: u64,
    /// For each contestant that is a program, the games that it keeps from being verified.
    unverifiable_games: BTreeMap<String, u64>,
}

impl JobVerifier {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints how many games were verified, and whose games cannot be.
    pub(crate) fn report(&self) {
        let counts = self.counts();
        let mut lines = Vec::new();
        if counts.verified_games > 0 {
            lines.push(format!("verified: {} games were played again here, all the same", counts.verified_games));
        }
        for (player, games) in &counts.unverifiable_games {
            lines.push(format!(
                "not verified: {games} games of {player}, because a program may play differently each time"
            ));
        }
        for line in lines {
            writeln!(io::stderr(), "seabattle: {line}").ok();
        }
    }

    /// Whether the job is counted for the first time.
    fn is_new(&self, job: &[u8]) -> bool {
        let mut hasher = DefaultHasher::new();
        job.hash(&mut hasher);
        self.counts().jobs.insert(hasher.finish())
    }
}

impl Verifier for JobVerifier {
    fn check(&self, job: &[u8], result: &[u8]) -> Result<(), String> {
        let checked = read(job).and_then(|job| match job {
            Job::Bench(job) => job.check(&read_result(result)?),
            Job::Match(job) => job.check(&read_result::<Vec<FinishedGame>>(result)?),
            Job::Task(job) => job.check(&read_result::<Vec<FinishedGame>>(result)?),
        });
        checked.map_err(|error| format!("{error:#}"))
    }

    fn is_repeatable(&self, job: &[u8]) -> bool {
        let Ok(parsed) = read(job) else { return false };
        let programs = parsed.programs();
        if !programs.is_empty() && self.is_new(job) {
            let (games, mut counts) = (parsed.games(), self.counts());
            for program in &programs {
                *counts.unverifiable_games.entry(program.clone()).or_default() += games;
            }
        }
        programs.is_empty()
    }

    fn replay(&self, job: &[u8], result: &[u8]) -> Replay {
        let play = || run_job(job, &WorkerPermissions::default());
        let own = match play() {
            Ok(own) => own,
            Err(reason) => return Replay::Impossible(reason),
        };
        let Some(difference) = difference(result, &own) else {
            if self.is_new(job) {
                let games = read(job).map_or(0, |job| job.games());
                self.counts().verified_games += games;
            }
            return Replay::Same;
        };
        // Before a worker is blamed: does this machine agree with itself?
        match play().map(|again| self::difference(&again, &own)) {
            Ok(None) => Replay::Different(difference),
            Ok(Some(_)) => Replay::Impossible("the bots play differently each time on this machine".to_owned()),
            Err(reason) => Replay::Impossible(reason),
        }
    }
}

fn read(job: &[u8]) -> anyhow::Result<Job> {
    serde_json::from_slice(job).context("the job cannot be read")
}

fn read_result<T: FromJobResult>(result: &[u8]) -> anyhow::Result<T> {
    T::read(result, None).context("it cannot be read: is the worker another program?")
}

impl Job {
    /// The contestants that are programs. Nobody knows how they play.
    fn programs(&self) -> BTreeSet<String> {
        let players = match self {
            Self::Bench(_) => return BTreeSet::new(),
            Self::Match(job) => &job.players,
            Self::Task(job) => &job.players,
        };
        let programs = players.iter().filter(|player| seabattle_bots::find(&player.player).is_err());
        programs.map(|player| player.name.clone()).collect()
    }

    /// The number of games; for a game of the contest 1.
    fn games(&self) -> u64 {
        let length = |part: &Range<u64>| part.end.saturating_sub(part.start);
        match self {
            Self::Bench(job) => {
                let games = job.games_in_part();
                games.end.saturating_sub(games.start) * job.bots.len() as u64
            }
            Self::Match(job) => 2 * length(&job.part),
            Self::Task(job) if job.is_contest() => 1,
            Self::Task(job) => 2 * length(&job.part),
        }
    }
}

impl BenchJob {
    fn check(&self, report: &BenchReport) -> anyhow::Result<()> {
        let names: Vec<&str> = self.bots.iter().map(String::as_str).collect();
        Ok(self.bench()?.check(&names, self.part.clone(), report)?)
    }
}

impl MatchJob {
    fn check(&self, games: &[FinishedGame]) -> anyhow::Result<()> {
        self.planned()?.check(self.part.clone(), games, self.record_names().as_ref())?;
        games.iter().try_for_each(|game| check_built_in(&self.players, game))
    }
}

impl TaskJob {
    fn check(&self, games: &[FinishedGame]) -> anyhow::Result<()> {
        let [a, b] = self.numbers;
        let task = TournamentTask { pairing: Pairing { round: self.round, a, b }, pairs: self.part.clone() };
        self.tournament()?.check(&task, games)?;
        games.iter().try_for_each(|game| check_built_in(&self.players, game))
    }
}

/// A built-in bot has no name of its own, and only two ways to fail.
fn check_built_in(players: &Contestants, game: &FinishedGame) -> anyhow::Result<()> {
    for (side, player) in Side::ALL.into_iter().zip(players) {
        if seabattle_bots::find(&player.player).is_err() {
            continue;
        }
        let name = &player.player;
        ensure!(game.players[side].name.is_none(), "{name} gave itself a name");
        match game.result.faults[side] {
            None | Some(FaultKind::IllegalFleet | FaultKind::IllegalShot) => {}
            Some(fault) => bail!("{name} failed with {fault}"),
        }
    }
    Ok(())
}

/// How a result differs from the one of this machine, if it does.
fn difference(result: &[u8], own: &[u8]) -> Option<String> {
    if let (Ok(result), Ok(own)) = (read_result::<BenchReport>(result), read_result::<BenchReport>(own)) {
        return (!result.is_same_play(&own)).then(|| bench_difference(&result, &own));
    }
    match (read_result::<Vec<FinishedGame>>(result), read_result::<Vec<FinishedGame>>(own)) {
        (Ok(games), Ok(own)) if games.len() == own.len() => games
            .iter()
            .zip(&own)
            .find(|(game, own)| game != own)
            .map(|(game, own)| format!("{}; here {}", described(game), described(own))),
        _ => Some("it has other games than here".to_owned()),
    }
}

fn bench_difference(result: &BenchReport, own: &BenchReport) -> String {
    let mut results = result.results.iter().zip(&own.results);
    let other = results.find(|(result, own)| result.mean != own.mean);
    other.map_or_else(
        || "its games are others than here".to_owned(),
        |(result, own)| format!("{} needs {:.3} shots; here {:.3}", own.name, result.mean.mean(), own.mean.mean()),
    )
}

/// A game in a few words.
fn described(game: &FinishedGame) -> String {
    let FinishedGame { key, result, .. } = game;
    let winner = match result.winner {
        Some(Side::A) => "the first wins",
        Some(Side::B) => "the second wins",
        None => "nobody wins",
    };
    let BySide { a, b } = result.shots;
    format!("pair {}, game {}: {winner} after {a} and {b} shots", key.pair + 1, key.game + 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use seabattle_queue::{Replay, Verifier};

    use super::super::job::tests::match_job;
    use super::{JobVerifier, WorkerPermissions, run_job};

    fn play(job: &[u8]) -> String {
        String::from_utf8(run_job(job, &WorkerPermissions::default()).unwrap()).unwrap()
    }

    #[test]
    fn a_played_job_is_possible_and_the_same_when_it_is_played_again() {
        let (verifier, job) = (JobVerifier::default(), match_job("density", 0..5));
        let result = play(&job);
        assert!(verifier.is_repeatable(&job));
        assert_eq!(verifier.check(&job, result.as_bytes()), Ok(()));
        for _ in 0..2 {
            assert_eq!(verifier.replay(&job, result.as_bytes()), Replay::Same);
        }
        assert_eq!(verifier.counts().verified_games, 10, "counted once");
    }

    #[test]
    fn results_of_other_seeds_pairs_and_bots_are_found() {
        let (verifier, job) = (JobVerifier::default(), match_job("density", 0..5));
        let other_pairs = verifier.check(&job, play(&match_job("density", 5..10)).as_bytes());
        assert!(other_pairs.unwrap_err().contains("are not the games of the job"));
        let other_bot = play(&match_job("star", 0..5));
        assert_eq!(verifier.check(&job, other_bot.as_bytes()), Ok(()), "possible, and still false");
        let Replay::Different(difference) = verifier.replay(&job, other_bot.as_bytes()) else { panic!("not found") };
        assert!(difference.contains("wins after") && difference.contains("; here"), "{difference}");
        let named = play(&job).replacen("\"faults\":[null,null]", "\"faults\":[null,null],\"names\":[\"x\",null]", 1);
        assert!(verifier.check(&job, named.as_bytes()).unwrap_err().contains("density gave itself a name"));
    }

    #[test]
    fn programs_cannot_be_verified_and_are_counted() {
        let (verifier, job) = (JobVerifier::default(), match_job("./bot", 0..5));
        assert!(!verifier.is_repeatable(&job) && !verifier.is_repeatable(&job));
        assert_eq!(verifier.counts().unverifiable_games.get("x"), Some(&10));
    }
}
