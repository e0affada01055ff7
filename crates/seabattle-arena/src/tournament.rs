//! Tournaments: rounds of pairings, every finished game written down at once, so that nothing but games in flight can be lost.

mod contest;
mod journal;
mod rounds;
mod table;

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use seabattle_core::{BySide, Rules, Seed, uniform_below};
use thiserror::Error;

use crate::contestant::Contestant;
use crate::crew::{Crew, CrewError, Go, work};
use crate::entry::{Entry, GameKey, Meeting, Note};
use crate::pairs::Pairing;
use crate::referee::referee;

pub use contest::{ContestStanding, ContestTable};
pub use journal::{Journal, JournalError};
pub use rounds::{Format, UnknownFormat};
pub use table::{Crossing, Standing, Table};

/// What is to be played. Everything but the contestants themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournament {
    /// Who meets whom.
    pub format: Format,
    /// The rules of every game.
    pub rules: Rules,
    /// All chance comes from it.
    pub seed: u64,
    /// Pairs of games in every pairing.
    pub pairs: u64,
    /// Pairs in a row between the same two players.
    pub series: NonZero<u64>,
    /// Whether fleets are revealed when a game is over.
    pub reveal: bool,
    /// Whether bots of this process remember from game to game of a series.
    pub learn: bool,
}

/// What is handed out together: some series of pairs, or a game of the contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Who meets.
    pub meeting: Meeting,
    /// Which of their pairs.
    pub pairs: Range<u64>,
}

impl Task {
    fn keys(&self) -> impl Iterator<Item = GameKey> + use<> {
        let meeting = self.meeting;
        self.pairs.clone().flat_map(move |pair| [0, 1].map(|game| GameKey { meeting, pair, game }))
    }
}

/// Why a tournament cannot go on.
#[derive(Debug, Error)]
pub enum TournamentError {
    /// Its games cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Nobody plays them.
    #[error(transparent)]
    Crew(#[from] CrewError),
}

/// Why a tournament stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// All is played.
    Finished,
    /// It was told to stop.
    Interrupted,
}

/// What happens while a tournament is played.
pub trait Audience: Sync {
    /// So many games are to be played in a round, some of which may have been played before.
    fn round(&self, round: u32, games: u64, played: u64);

    /// A game is over, and this was told of its players.
    fn game(&self, meeting: Meeting, notes: &BySide<Note>);
}

impl Tournament {
    /// Plays what the journal does not hold yet, on threads of this process.
    pub fn run(
        &self,
        contestants: &[Contestant],
        journal: Journal,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        audience: &dyn Audience,
    ) -> Result<(Journal, Stopped), TournamentError> {
        let journal = Mutex::new(journal);
        let stopped = self.rounds(contestants.len(), &journal, stop, audience, &mut |meetings| {
            let tasks = self.tasks(meetings, NonZero::<u64>::MIN);
            let mut failed = None;
            let play = |job: u64| self.play_missing(&tasks[job as usize], contestants, &journal, stop, audience);
            work(tasks.len() as u64, threads, stop, play, |done| match done {
                Ok(()) => Go::On,
                Err(error) => {
                    failed.get_or_insert(error);
                    Go::Stop
                }
            });
            failed.map_or(Ok(()), |error| Err(error.into()))
        })?;
        Ok((into_inner(journal), stopped))
    }

    /// Has a crew play what the journal does not hold yet, so many series at once: those of which any game is missing are
    /// played whole.
    pub fn run_by(
        &self,
        crew: &dyn Crew<Task, Vec<Entry>>,
        at_once: NonZero<u64>,
        contestants: usize,
        journal: Journal,
        stop: &AtomicBool,
        audience: &dyn Audience,
    ) -> Result<(Journal, Stopped), TournamentError> {
        let journal = Mutex::new(journal);
        let stopped = self.rounds(contestants, &journal, stop, audience, &mut |meetings| {
            let tasks = self.tasks(meetings, at_once);
            let mut failed = None;
            let job = |number: u64| {
                let task = tasks.get(number as usize)?;
                (!self.is_played(task, &lock(&journal))).then(|| task.clone())
            };
            crew.work(tasks.len() as u64, &job, stop, &mut |games| match take(&games, &journal, audience) {
                Ok(()) => Go::On,
                Err(error) => {
                    failed = Some(error);
                    Go::Stop
                }
            })?;
            failed.map_or(Ok(()), |error| Err(error.into()))
        })?;
        Ok((into_inner(journal), stopped))
    }

    /// Round after round, as long as one follows from the results before.
    fn rounds(
        &self,
        contestants: usize,
        journal: &Mutex<Journal>,
        stop: &AtomicBool,
        audience: &dyn Audience,
        play: &mut dyn FnMut(&[Meeting]) -> Result<(), TournamentError>,
    ) -> Result<Stopped, TournamentError> {
        for round in 0.. {
            let meetings = self.format.round(round, contestants, lock(journal).results());
            if meetings.is_empty() {
                break;
            }
            let played = meetings.iter().map(|meeting| self.played(*meeting, &lock(journal))).sum();
            audience.round(round, meetings.len() as u64 * self.games(), played);
            play(&meetings)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(Stopped::Interrupted);
            }
        }
        Ok(Stopped::Finished)
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self, contestants: usize, journal: &Journal) -> bool {
        let rounds = (0..).map(|round| self.format.round(round, contestants, journal.results()));
        let mut meetings = rounds.take_while(|meetings| !meetings.is_empty()).flatten();
        meetings.all(|meeting| self.played(meeting, journal) >= self.games())
    }

    /// Games of a meeting.
    fn games(&self) -> u64 {
        match self.format {
            Format::Contest { .. } => 1,
            _ => 2 * self.pairs,
        }
    }

    /// Games of a meeting that need not be played again.
    fn played(&self, meeting: Meeting, journal: &Journal) -> u64 {
        match self.format {
            Format::Contest { sets } => u64::from(is_decided(meeting, sets, journal)),
            _ => journal.played(meeting),
        }
    }

    /// So many series of pairs at once; a game of the contest is one.
    fn tasks(&self, meetings: &[Meeting], at_once: NonZero<u64>) -> Vec<Task> {
        if let Format::Contest { .. } = self.format {
            return meetings.iter().map(|meeting| Task { meeting: *meeting, pairs: 0..1 }).collect();
        }
        let length = self.series.get().saturating_mul(at_once.get());
        let series = |start: u64| start * length..self.pairs.min((start + 1).saturating_mul(length));
        let all = |meeting: &Meeting| {
            let meeting = *meeting;
            (0..self.pairs.div_ceil(length)).map(move |start| Task { meeting, pairs: series(start) })
        };
        meetings.iter().flat_map(all).collect()
    }

    fn is_played(&self, task: &Task, journal: &Journal) -> bool {
        match self.format {
            Format::Contest { sets } => is_decided(task.meeting, sets, journal),
            _ => task.keys().all(|key| journal.holds(&key)),
        }
    }

    /// Plays a task whole, wherever that is; only the two who meet in it need to be there.
    pub fn play(&self, task: &Task, players: BySide<&Contestant>, contestants: usize) -> Vec<Entry> {
        let pairing = self.pairing(task.meeting, contestants);
        let new_players = || players.map(|contestant| contestant.player(self.learn));
        if let Format::Contest { sets } = self.format {
            return contest::play(new_players(), &pairing, (task.meeting, sets), || false).unwrap_or_default();
        }
        let series = |first: u64| {
            let mut players = new_players();
            let pairs = first..task.pairs.end.min(first + self.series.get());
            let game = |key: GameKey| {
                let terms = &pairing.terms(key.pair)[usize::from(key.game)];
                Entry::of(key, &referee(&mut players, terms))
            };
            Task { pairs, ..*task }.keys().map(game).collect::<Vec<_>>()
        };
        task.pairs.clone().step_by(self.series.get() as usize).flat_map(series).collect()
    }

    /// Plays a game of the contest, unless it is decided. It is written down when it is over: players who may have learnt from its
    /// first sets cannot be had back for the others.
    fn play_contest(
        &self,
        (meeting, sets): (Meeting, NonZero<u32>),
        contestants: BySide<&Contestant>,
        journal: &Mutex<Journal>,
        stop: &AtomicBool,
        pairing: &Pairing,
    ) -> Result<Option<BySide<Note>>, JournalError> {
        if is_decided(meeting, sets, &lock(journal)) {
            return Ok(None);
        }
        let players = contestants.map(|contestant| contestant.player(self.learn));
        let stopped = || stop.load(Ordering::Relaxed);
        let Some(mut played) = contest::play(players, pairing, (meeting, sets), stopped) else {
            return Ok(None);
        };
        lock(journal).add(&played)?;
        Ok(played.pop().map(|last| last.notes))
    }

    /// Plays what is missing of a series. Who learns must have played all of it.
    fn play_missing(
        &self,
        task: &Task,
        contestants: &[Contestant],
        journal: &Mutex<Journal>,
        stop: &AtomicBool,
        audience: &dyn Audience,
    ) -> Result<(), JournalError> {
        let meeting = task.meeting;
        let (Some(a), Some(b)) = (contestants.get(meeting.a), contestants.get(meeting.b)) else {
            return Ok(());
        };
        let pairing = self.pairing(meeting, contestants.len());
        if let Format::Contest { sets } = self.format {
            let played = self.play_contest((meeting, sets), BySide { a, b }, journal, stop, &pairing)?;
            if let Some(notes) = played {
                audience.game(meeting, &notes);
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
            let terms = &pairing.terms(key.pair)[usize::from(key.game)];
            let entry = Entry::of(key, &referee(&mut players, terms));
            lock(journal).add(std::slice::from_ref(&entry))?;
            audience.game(meeting, &entry.notes);
        }
        Ok(())
    }

    fn pairing(&self, meeting: Meeting, count: usize) -> Pairing {
        let number = (meeting.round as usize * count + meeting.a) * count + meeting.b;
        let mut chance = Seed::new(self.seed).game(number as u64).rng();
        let seed = uniform_below(&mut chance, 1 << 62) as u64;
        Pairing { rules: self.rules.clone(), seed, reveal: self.reveal, learn: self.learn }
    }

    /// What the games so far add up to.
    pub fn table(&self, names: &[String], journal: &Journal) -> Table {
        let mut table = Table::new(names, journal.results());
        for line in &mut table.standings {
            line.first_fault = journal.first_fault(line.number).map(str::to_owned);
        }
        table
    }

    /// The points of a contest; nothing if this is none.
    pub fn contest_table(&self, names: &[String], journal: &Journal) -> Option<ContestTable> {
        let Format::Contest { sets } = self.format else {
            return None;
        };
        let mut table = ContestTable::new(names, sets, journal.results());
        for line in &mut table.standings {
            line.first_fault = journal.first_fault(line.number).map(str::to_owned);
        }
        Some(table)
    }
}

/// Writes down what is new.
fn take(games: &[Entry], journal: &Mutex<Journal>, audience: &dyn Audience) -> Result<(), JournalError> {
    let mut journal = lock(journal);
    let new: Vec<Entry> = games.iter().filter(|entry| !journal.holds(&entry.key)).cloned().collect();
    journal.add(&new)?;
    drop(journal);
    new.iter().for_each(|entry| audience.game(entry.key.meeting, &entry.notes));
    Ok(())
}

fn is_decided(meeting: Meeting, sets: NonZero<u32>, journal: &Journal) -> bool {
    contest::outcome(sets, contest::decided(meeting, sets, journal.results())).is_some()
}

fn lock(journal: &Mutex<Journal>) -> MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner(journal: Mutex<Journal>) -> Journal {
    journal.into_inner().unwrap_or_else(PoisonError::into_inner)
}
