//! Finished games, one line each, in a file that only ever grows.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use seabattle_core::{BySide, HowEnded, Side};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Meeting;
use crate::player::FaultKind;
use crate::referee::Played;

/// Which game of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameKey {
    /// Between whom.
    pub meeting: Meeting,
    /// Which pair, from 0.
    pub pair: u64,
    /// The first game of the pair, or the second: 0 or 1.
    pub game: u8,
}

/// How a game came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameResult {
    /// Who won.
    pub winner: Option<Side>,
    /// Who failed.
    pub faults: BySide<Option<FaultKind>>,
    /// Shots of each.
    pub shots: BySide<u16>,
    /// Whether it ended by a sunk fleet.
    pub sunk: bool,
}

impl GameResult {
    /// Of a game that is over.
    pub fn of(played: &Played) -> Self {
        let fired = |side: Side| {
            let shots = played.game.as_ref().map_or(0, |game| game.knowledge(side).shots().len());
            u16::try_from(shots).unwrap_or(u16::MAX)
        };
        let kind = |side: Side| played.faults[side].as_ref().map(|fault| fault.kind);
        let end = played.game.as_ref().and_then(|game| game.end());
        Self {
            winner: played.winner,
            faults: BySide { a: kind(Side::A), b: kind(Side::B) },
            shots: BySide { a: fired(Side::A), b: fired(Side::B) },
            sunk: end.is_some_and(|end| end.how == HowEnded::Sunk && end.winner == played.winner),
        }
    }
}

/// What a game has told of a player beside its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    /// What it calls itself.
    pub name: Option<String>,
    /// How it failed, in words.
    pub fault: Option<String>,
}

impl Note {
    /// Of a game that is over.
    pub fn of(played: &Played) -> BySide<Self> {
        BySide::new(|side| Self {
            name: played.names[side].clone(),
            fault: played.faults[side].as_ref().map(ToString::to_string),
        })
    }
}

/// A game as it goes into the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: GameKey,
    pub(super) result: GameResult,
    pub(super) notes: BySide<Note>,
}

impl Entry {
    pub(super) fn of(key: GameKey, played: &Played) -> Self {
        Self { key, result: GameResult::of(played), notes: Note::of(played) }
    }
}

/// The first in the order of games that was told of each contestant, whichever was played first.
#[derive(Debug, Default)]
struct Firsts(BTreeMap<usize, (GameKey, String)>);

impl Firsts {
    /// Whether it is the first; what is not need not be kept.
    fn take(&mut self, number: usize, key: GameKey, text: &str) -> bool {
        let is_first = self.0.get(&number).is_none_or(|(first, _)| key <= *first);
        if is_first {
            self.0.insert(number, (key, text.to_owned()));
        }
        is_first
    }

    fn get(&self, number: usize) -> Option<&str> {
        self.0.get(&number).map(|(_, text)| text.as_str())
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    round: u32,
    a: usize,
    b: usize,
    pair: u64,
    game: u8,
    winner: Option<Winner>,
    shots: [u16; 2],
    sunk: bool,
    faults: [Option<String>; 2],
    /// Only where nothing earlier is known.
    #[serde(default, skip_serializing_if = "are_none")]
    names: [Option<String>; 2],
    /// Only where nothing earlier is known.
    #[serde(default, skip_serializing_if = "are_none")]
    causes: [Option<String>; 2],
}

fn are_none(texts: &[Option<String>; 2]) -> bool {
    texts.iter().all(Option::is_none)
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    A,
    B,
}

/// Why a journal cannot be kept.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{path}: {error}; what was played so far is safe: free some room or mend the folder, then resume", path = path.display())]
    Io {
        /// Of the file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// All finished games, in memory and on disk.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Opened for the first game that is added: what is only shown again needs no right to write.
    file: Option<File>,
    /// Bytes that were there before, and how many of them are whole lines.
    length: u64,
    whole: u64,
    skipped: u64,
    results: BTreeMap<GameKey, GameResult>,
    names: Firsts,
    causes: Firsts,
}

impl Journal {
    /// The file in a folder.
    pub const FILE: &'static str = "games.jsonl";

    /// Reads what so many contestants have played before; a last line that was not finished does not count.
    pub fn open(folder: &Path, contestants: usize) -> Result<Self, JournalError> {
        let path = folder.join(Self::FILE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| JournalError::Io { path: path.clone(), error })?,
        };
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let (results, names, causes) = (BTreeMap::new(), Firsts::default(), Firsts::default());
        let (length, whole_lines) = (text.len() as u64, whole as u64);
        let mut journal = Self { path, file: None, length, whole: whole_lines, skipped: 0, results, names, causes };
        for line in text[..whole].split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            match serde_json::from_slice::<Line>(line).ok().and_then(|line| line.read(contestants)) {
                Some(entry) => {
                    journal.note(&entry);
                    journal.results.insert(entry.key, entry.result);
                }
                None => journal.skipped += 1,
            }
        }
        Ok(journal)
    }

    /// The file, ready for more; what was left of a torn line is cut off, unless somebody has written behind it since.
    fn file(&mut self) -> io::Result<&mut File> {
        if self.file.is_none() {
            let file = OpenOptions::new().create(true).append(true).open(&self.path)?;
            if self.whole < self.length && file.metadata()?.len() == self.length {
                file.set_len(self.whole)?;
            }
            self.file = Some(file);
        }
        self.file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Lines that could not be read; what they may have held is played again.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Whether games were added since it was opened.
    pub fn has_grown(&self) -> bool {
        self.file.is_some()
    }

    /// What a contestant calls itself.
    pub fn called(&self, number: usize) -> Option<&str> {
        self.names.get(number)
    }

    /// How a contestant failed first.
    pub fn first_fault(&self, number: usize) -> Option<&str> {
        self.causes.get(number)
    }

    /// Remembers what is told of the players for the first time, and whether it was.
    fn note(&mut self, entry: &Entry) -> BySide<Note> {
        let Entry { key, notes, .. } = entry;
        BySide::new(|side| {
            let number = if side == Side::A { key.meeting.a } else { key.meeting.b };
            let Note { name, fault } = &notes[side];
            Note {
                name: name.clone().filter(|name| self.names.take(number, *key, name)),
                fault: fault.clone().filter(|fault| self.causes.take(number, *key, fault)),
            }
        })
    }

    /// Every game by its place.
    pub fn results(&self) -> &BTreeMap<GameKey, GameResult> {
        &self.results
    }

    pub(super) fn holds(&self, key: &GameKey) -> bool {
        self.results.contains_key(key)
    }

    pub(super) fn played(&self, meeting: Meeting) -> u64 {
        let from = GameKey { meeting, pair: 0, game: 0 };
        let to = GameKey { meeting, pair: u64::MAX, game: u8::MAX };
        self.results.range(from..=to).count() as u64
    }

    /// Lines go out in one piece: a process that is killed leaves them whole or not at all.
    pub(super) fn add(&mut self, played: &[Entry]) -> Result<(), JournalError> {
        let mut lines = String::new();
        for entry in played {
            let line = Line::of(entry, self.note(entry));
            let text = serde_json::to_string(&line).map_err(|error| self.failed(io::Error::other(error)))?;
            lines += &text;
            lines.push('\n');
        }
        let written = self.file().and_then(|file| file.write_all(lines.as_bytes()));
        written.map_err(|error| self.failed(error))?;
        self.results.extend(played.iter().map(|entry| (entry.key, entry.result)));
        Ok(())
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

impl Line {
    fn of(Entry { key, result, .. }: &Entry, first: BySide<Note>) -> Self {
        let name = |side: Side| result.faults[side].map(|kind| kind.name().to_owned());
        Self {
            round: key.meeting.round,
            a: key.meeting.a,
            b: key.meeting.b,
            pair: key.pair,
            game: key.game,
            winner: result.winner.map(|side| if side == Side::A { Winner::A } else { Winner::B }),
            shots: [result.shots.a, result.shots.b],
            sunk: result.sunk,
            faults: [name(Side::A), name(Side::B)],
            names: [first.a.name, first.b.name],
            causes: [first.a.fault, first.b.fault],
        }
    }

    /// What it says; nothing if it cannot be from a tournament of so many.
    fn read(self, contestants: usize) -> Option<Entry> {
        if self.a >= self.b || self.b >= contestants || self.game > 1 {
            return None;
        }
        let key =
            GameKey { meeting: Meeting { round: self.round, a: self.a, b: self.b }, pair: self.pair, game: self.game };
        let kind = |name: Option<String>| match name {
            None => Some(None),
            Some(name) => FaultKind::ALL.into_iter().find(|kind| kind.name() == name).map(Some),
        };
        let [a, b] = self.faults;
        let result = GameResult {
            winner: self.winner.map(|winner| match winner {
                Winner::A => Side::A,
                Winner::B => Side::B,
            }),
            faults: BySide { a: kind(a)?, b: kind(b)? },
            shots: BySide { a: self.shots[0], b: self.shots[1] },
            sunk: self.sunk,
        };
        let ([a, b], [c, d]) = (self.names, self.causes);
        let notes = BySide { a: Note { name: a, fault: c }, b: Note { name: b, fault: d } };
        Some(Entry { key, result, notes })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use seabattle_core::{BySide, Side};

    use super::{Entry, GameKey, GameResult, Journal, Meeting, Note};
    use crate::player::FaultKind;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("seabattle-journal-{name}-{}", std::process::id()));
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// The game of the first pair with this number, in which the first contestant fails.
    fn failed(pair: u64, how: &str) -> Entry {
        let faults = BySide { a: Some(FaultKind::Crash), b: None };
        let result = GameResult { winner: Some(Side::B), faults, shots: BySide { a: 0, b: 0 }, sunk: false };
        let note = Note { name: Some(format!("name {how}")), fault: Some(how.to_owned()) };
        let key = GameKey { meeting: Meeting { round: 0, a: 0, b: 1 }, pair, game: 0 };
        Entry { key, result, notes: BySide { a: note, b: Note::default() } }
    }

    #[test]
    fn the_first_in_the_order_of_games_is_told_whoever_was_faster() {
        let folder = folder("firsts");
        let mut journal = Journal::open(&folder, 2).unwrap();
        for (pair, how) in [(5, "late"), (7, "later"), (2, "early")] {
            journal.add(&[failed(pair, how)]).unwrap();
        }
        let told =
            |journal: &Journal| (journal.first_fault(0).map(str::to_owned), journal.called(0).map(str::to_owned));
        let expected = (Some("early".to_owned()), Some("name early".to_owned()));
        assert_eq!(told(&journal), expected);
        assert_eq!(told(&Journal::open(&folder, 2).unwrap()), expected);
        let text = fs::read_to_string(folder.join(Journal::FILE)).unwrap();
        assert!(!text.contains("later"), "what is not the first is not kept: {text}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_journal_that_is_only_read_is_not_touched() {
        let folder = folder("read");
        let file = folder.join(Journal::FILE);
        assert!(!Journal::open(&folder, 2).unwrap().has_grown());
        assert!(!file.exists(), "nothing is made of nothing");
        Journal::open(&folder, 2).unwrap().add(&[failed(0, "x")]).unwrap();
        let torn = fs::read_to_string(&file).unwrap() + "{\"round\":";
        fs::write(&file, &torn).unwrap();
        let mut journal = Journal::open(&folder, 2).unwrap();
        assert_eq!((journal.results().len(), journal.skipped()), (1, 0));
        assert_eq!(fs::read_to_string(&file).unwrap(), torn);
        journal.add(&[failed(1, "y")]).unwrap();
        assert!(journal.has_grown());
        assert_eq!(Journal::open(&folder, 2).unwrap().results().len(), 2, "the torn end is cut off before");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn lines_that_cannot_be_read_are_counted() {
        let folder = folder("garbage");
        Journal::open(&folder, 2).unwrap().add(&[failed(0, "x")]).unwrap();
        let file = folder.join(Journal::FILE);
        let whole = fs::read_to_string(&file).unwrap();
        let stranger = whole.replace("\"b\":1", "\"b\":9");
        fs::write(&file, format!("garbage\n\n{whole}{{}}\n{stranger}")).unwrap();
        let journal = Journal::open(&folder, 2).unwrap();
        assert_eq!((journal.results().len(), journal.skipped()), (1, 3));
        fs::remove_dir_all(folder).unwrap();
    }
}
