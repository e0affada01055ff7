//! Tournaments: rounds of pairings. A finished game goes to the journal at once: a crash loses only games in play.

mod contest;
mod journal;
mod schedule;
mod table;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use seabattle_core::{BySide, Rules, Seed, uniform_below};
use thiserror::Error;

use crate::contestant::Contestant;
use crate::executor::{Executor, ExecutorError, run_in_order};
use crate::finished_game::{FinishedGame, GameKey, GameResult, Pairing, PlayerInfo};
use crate::pairs::PairSettings;
use crate::referee::referee;
use crate::set_aside;

pub use contest::{ContestStanding, ContestTable};
pub(crate) use contest::{is_decided as is_contest_decided, keys as contest_keys};
pub use journal::{Journal, JournalError};
pub use schedule::{Schedule, UnknownSchedule};
pub use table::{CrossTableCell, RatingTable, Standing};

/// The settings of a tournament, without its contestants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    /// The schedule: who meets whom in which round.
    pub format: Schedule,
    /// The rules of every game.
    pub rules: Rules,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of pairs of games in each pairing.
    pub pairs: u64,
    /// The number of pairs that the same two players play in a row.
    pub series: NonZero<u64>,
    /// Whether fleets are revealed when a game is over.
    pub reveal: bool,
    /// Whether built-in bots remember earlier games of a series.
    pub learn: bool,
    /// The number of faults in a row after which a contestant loses the other games of the pairing, except in a contest.
    pub give_up: Option<NonZero<u64>>,
}

/// A part of a tournament that one worker plays: some series of a pairing, or a game of the contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentTask {
    /// The two contestants and their round.
    pub pairing: Pairing,
    /// The pairs of the pairing that belong to this part.
    pub pairs: Range<u64>,
}

impl TournamentTask {
    fn keys(&self) -> impl Iterator<Item = GameKey> + use<> {
        let pairing = self.pairing;
        self.pairs.clone().flat_map(move |pair| [0, 1].map(|game| GameKey { pairing, pair, game }))
    }
}

/// Why a tournament cannot continue.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The executor cannot play the games.
    #[error(transparent)]
    Executor(#[from] ExecutorError),
}

/// Why a tournament stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// All games are played.
    Finished,
    /// The caller asked it to stop.
    Interrupted,
}

/// Receives the progress of a tournament.
pub trait TournamentObserver: Sync {
    /// A round begins. It has this number of games, of which `played` are in the journal already.
    fn round(&self, round: u32, games: u64, played: u64);

    /// A game has ended. `players` has what it revealed about both players.
    fn game(&self, pairing: Pairing, players: &BySide<PlayerInfo>);
}

impl Tournament {
    /// Plays the games that the journal lacks, on threads of this process.
    pub fn run(
        &self,
        contestants: &[Contestant],
        journal: Journal,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        observer: &dyn TournamentObserver,
    ) -> Result<(Journal, StopReason), TournamentError> {
        let journal = Mutex::new(journal);
        let stopped = self.rounds(contestants.len(), &journal, stop, observer, &mut |pairings| {
            let tasks = self.tasks(pairings, NonZero::<u64>::MIN);
            let mut failed = None;
            let play = |job: u64| self.play_missing(&tasks[job as usize], contestants, &journal, stop, observer);
            run_in_order(tasks.len() as u64, threads, stop, play, |done| match done {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed.get_or_insert(error);
                    ControlFlow::Break(())
                }
            });
            failed.map_or(Ok(()), |error| Err(error.into()))
        })?;
        Ok((into_inner(journal), stopped))
    }

    /// Lets an executor play the games that the journal lacks, `at_once` series per job. A series that lacks any game
    /// is played as a whole.
    ///
    /// If the executor retracts the results of a worker, the journal drops them, and the tournament continues without.
    pub fn run_by(
        &self,
        executor: &dyn Executor<TournamentTask, Vec<FinishedGame>>,
        at_once: NonZero<u64>,
        contestants: usize,
        journal: Journal,
        stop: &AtomicBool,
        observer: &dyn TournamentObserver,
    ) -> Result<(Journal, StopReason), TournamentError> {
        let journal = Mutex::new(journal);
        let mut play = |pairings: &[Pairing]| {
            let tasks = self.tasks(pairings, at_once);
            let mut failed = None;
            let job = |number: u64| {
                let task = tasks.get(number as usize)?;
                (!self.is_played(task, &lock(&journal))).then(|| task.clone())
            };
            executor.run(tasks.len() as u64, &job, stop, &mut |games| match take(&games, &journal, observer) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            })?;
            failed.map_or(Ok(()), |error| Err(error.into()))
        };
        loop {
            match self.rounds(contestants, &journal, stop, observer, &mut play) {
                Ok(stopped) => return Ok((into_inner(journal), stopped)),
                Err(TournamentError::Executor(ExecutorError::Retracted(worker))) => lock(&journal).retract(&worker)?,
                Err(error) => return Err(error),
            }
        }
    }

    /// Plays round after round. The pairings of a round may depend on the results of earlier rounds.
    fn rounds(
        &self,
        contestants: usize,
        journal: &Mutex<Journal>,
        stop: &AtomicBool,
        observer: &dyn TournamentObserver,
        play: &mut dyn FnMut(&[Pairing]) -> Result<(), TournamentError>,
    ) -> Result<StopReason, TournamentError> {
        for round in 0.. {
            let pairings = self.format.round(round, contestants, &self.results(&lock(journal)));
            if pairings.is_empty() {
                break;
            }
            let played = pairings.iter().map(|pairing| self.played(*pairing, &lock(journal))).sum();
            observer.round(round, pairings.len() as u64 * self.games(), played);
            play(&pairings)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(StopReason::Interrupted);
            }
        }
        Ok(StopReason::Finished)
    }

    /// The results that count. A contestant that fails again and again loses the games after that, played or not.
    fn results(&self, journal: &Journal) -> BTreeMap<GameKey, GameResult> {
        match self.format {
            Schedule::Contest { .. } => journal.results().clone(),
            _ => set_aside::counted(journal.results(), self.give_up),
        }
    }

    /// Whether all games are played.
    pub fn is_over(&self, contestants: usize, journal: &Journal) -> bool {
        let results = self.results(journal);
        let rounds = (0..).map(|round| self.format.round(round, contestants, &results));
        let mut pairings = rounds.take_while(|pairings| !pairings.is_empty()).flatten();
        pairings.all(|pairing| self.played(pairing, journal) >= self.games())
    }

    /// The number of games of a pairing.
    fn games(&self) -> u64 {
        match self.format {
            Schedule::Contest { .. } => 1,
            _ => 2 * self.pairs,
        }
    }

    /// The number of games of a pairing that are played already.
    fn played(&self, pairing: Pairing, journal: &Journal) -> u64 {
        match self.format {
            Schedule::Contest { sets } => u64::from(is_decided(pairing, sets, journal)),
            _ => journal.played(pairing),
        }
    }

    /// The tasks of a round: each has `at_once` series, or one game of the contest.
    fn tasks(&self, pairings: &[Pairing], at_once: NonZero<u64>) -> Vec<TournamentTask> {
        if let Schedule::Contest { .. } = self.format {
            return pairings.iter().map(|pairing| TournamentTask { pairing: *pairing, pairs: 0..1 }).collect();
        }
        let length = self.series.get().saturating_mul(at_once.get());
        let series = |start: u64| start * length..self.pairs.min((start + 1).saturating_mul(length));
        let all = |pairing: &Pairing| {
            let pairing = *pairing;
            (0..self.pairs.div_ceil(length)).map(move |start| TournamentTask { pairing, pairs: series(start) })
        };
        pairings.iter().flat_map(all).collect()
    }

    fn is_played(&self, task: &TournamentTask, journal: &Journal) -> bool {
        match self.format {
            Schedule::Contest { sets } => is_decided(task.pairing, sets, journal),
            _ => task.keys().all(|key| journal.holds(&key)),
        }
    }

    /// Plays a whole task, on any machine. It needs only the two contestants of the task, not the others.
    pub fn play(&self, task: &TournamentTask, players: BySide<&Contestant>, contestants: usize) -> Vec<FinishedGame> {
        let settings = self.settings(task.pairing, contestants);
        let new_players = || players.map(|contestant| contestant.player(self.learn));
        if let Schedule::Contest { sets } = self.format {
            return contest::play(new_players(), &settings, (task.pairing, sets), || false).unwrap_or_default();
        }
        let series = |first: u64| {
            let mut players = new_players();
            let pairs = first..task.pairs.end.min(first + self.series.get());
            let game = |key: GameKey| {
                let terms = &settings.games(key.pair)[usize::from(key.game)];
                FinishedGame::of(key, &referee(&mut players, terms))
            };
            TournamentTask { pairs, ..*task }.keys().map(game).collect::<Vec<_>>()
        };
        task.pairs.clone().step_by(self.series.get() as usize).flat_map(series).collect()
    }

    /// Plays a game of the contest, unless it is decided. The journal gets the whole game at once: players may learn from
    /// one set to the next, so a game cannot continue with new players.
    fn play_contest(
        &self,
        (pairing, sets): (Pairing, NonZero<u32>),
        contestants: BySide<&Contestant>,
        journal: &Mutex<Journal>,
        stop: &AtomicBool,
        settings: &PairSettings,
    ) -> Result<Option<BySide<PlayerInfo>>, JournalError> {
        if is_decided(pairing, sets, &lock(journal)) {
            return Ok(None);
        }
        let players = contestants.map(|contestant| contestant.player(self.learn));
        let stopped = || stop.load(Ordering::Relaxed);
        let Some(mut played) = contest::play(players, settings, (pairing, sets), stopped) else {
            return Ok(None);
        };
        lock(journal).add(&played)?;
        Ok(played.pop().map(|last| last.players))
    }

    /// Plays the missing games of a series; all of them if bots learn from game to game.
    fn play_missing(
        &self,
        task: &TournamentTask,
        contestants: &[Contestant],
        journal: &Mutex<Journal>,
        stop: &AtomicBool,
        observer: &dyn TournamentObserver,
    ) -> Result<(), JournalError> {
        let pairing = task.pairing;
        let (Some(a), Some(b)) = (contestants.get(pairing.a), contestants.get(pairing.b)) else {
            return Ok(());
        };
        let settings = self.settings(pairing, contestants.len());
        if let Schedule::Contest { sets } = self.format {
            let played = self.play_contest((pairing, sets), BySide { a, b }, journal, stop, &settings)?;
            if let Some(notes) = played {
                observer.game(pairing, &notes);
            }
            return Ok(());
        }
        let all: Vec<GameKey> = task.keys().collect();
        let missing: Vec<GameKey> = all.iter().copied().filter(|key| !lock(journal).holds(key)).collect();
        let due = if self.learn && !missing.is_empty() { all } else { missing };
        if due.is_empty() {
            return Ok(());
        }
        let mut players = BySide { a: a.player(self.learn), b: b.player(self.learn) };
        for key in due {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let forfeit = set_aside::forfeited(key, lock(journal).results(), self.give_up);
            let entry = match forfeit {
                Some(result) => FinishedGame::forfeit(key, result),
                None => {
                    let terms = &settings.games(key.pair)[usize::from(key.game)];
                    FinishedGame::of(key, &referee(&mut players, terms))
                }
            };
            lock(journal).add(std::slice::from_ref(&entry))?;
            observer.game(pairing, &entry.players);
        }
        Ok(())
    }

    fn settings(&self, pairing: Pairing, count: usize) -> PairSettings {
        let number = (pairing.round as usize * count + pairing.a) * count + pairing.b;
        let mut rng = Seed::new(self.seed).game(number as u64).rng();
        let seed = uniform_below(&mut rng, 1 << 62) as u64;
        PairSettings { rules: self.rules.clone(), seed, reveal: self.reveal, learn: self.learn }
    }

    /// The table after the games in the journal.
    pub fn table(&self, names: &[String], journal: &Journal) -> RatingTable {
        let mut table = RatingTable::new(names, &self.results(journal));
        for line in &mut table.standings {
            line.first_fault = journal.first_fault(line.number).map(str::to_owned);
        }
        table
    }

    /// The table of a contest; `None` for other schedules.
    pub fn contest_table(&self, names: &[String], journal: &Journal) -> Option<ContestTable> {
        let Schedule::Contest { sets } = self.format else {
            return None;
        };
        let mut table = ContestTable::new(names, sets, journal.results());
        for line in &mut table.standings {
            line.first_fault = journal.first_fault(line.number).map(str::to_owned);
        }
        Some(table)
    }
}

/// Adds the games to the journal that it lacks.
fn take(
    games: &[FinishedGame],
    journal: &Mutex<Journal>,
    observer: &dyn TournamentObserver,
) -> Result<(), JournalError> {
    let mut journal = lock(journal);
    let new: Vec<FinishedGame> = games.iter().filter(|entry| !journal.holds(&entry.key)).cloned().collect();
    journal.add(&new)?;
    drop(journal);
    new.iter().for_each(|entry| observer.game(entry.key.pairing, &entry.players));
    Ok(())
}

fn is_decided(pairing: Pairing, sets: NonZero<u32>, journal: &Journal) -> bool {
    contest::outcome(sets, contest::decided(pairing, sets, journal.results())).is_some()
}

fn lock(journal: &Mutex<Journal>) -> MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner(journal: Mutex<Journal>) -> Journal {
    journal.into_inner().unwrap_or_else(PoisonError::into_inner)
}
