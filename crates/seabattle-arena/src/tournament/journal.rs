//! The journal: finished games in a file, one line each. The file only grows.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use seabattle_core::{BySide, Side};
use thiserror::Error;

use crate::finished_game::{FinishedGame, GameKey, GameResult, Pairing, PlayerInfo};

/// The first text about each contestant by the order of games, not by the time of playing.
#[derive(Debug, Default)]
struct FirstTexts(BTreeMap<usize, (GameKey, String)>);

impl FirstTexts {
    /// Keeps the text if it is the first of the contestant, and returns whether it is.
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

/// Why a journal cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{path}: {error}; what was played so far is safe: free some room or mend the folder, then resume", path = path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// All finished games, in memory and on disk.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// The file, opened when the first game is added: showing results needs no right to write.
    file: Option<File>,
    /// The bytes in the file when it was read, and how many of them belong to whole lines.
    length: u64,
    whole: u64,
    skipped: u64,
    results: BTreeMap<GameKey, GameResult>,
    names: FirstTexts,
    causes: FirstTexts,
}

impl Journal {
    /// The name of the file in the folder of a tournament.
    pub const FILE: &'static str = "games.jsonl";

    /// Reads the games among this number of contestants. An unfinished last line does not count.
    pub fn open(folder: &Path, contestants: usize) -> Result<Self, JournalError> {
        let path = folder.join(Self::FILE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| JournalError::Io { path: path.clone(), error })?,
        };
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let (results, names, causes) = (BTreeMap::new(), FirstTexts::default(), FirstTexts::default());
        let (length, whole_lines) = (text.len() as u64, whole as u64);
        let mut journal = Self { path, file: None, length, whole: whole_lines, skipped: 0, results, names, causes };
        for line in text[..whole].split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            match FinishedGame::read(line, contestants) {
                Some(entry) => {
                    journal.note(&entry);
                    journal.results.insert(entry.key, entry.result);
                }
                None => journal.skipped += 1,
            }
        }
        Ok(journal)
    }

    /// The file, open for appending. An unfinished last line is cut off, unless the file has grown since it was read.
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

    /// The number of lines that could not be read. Their games are played again.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Whether games were added since the journal was opened.
    pub fn has_grown(&self) -> bool {
        self.file.is_some()
    }

    /// The name that a contestant gave itself.
    pub fn called(&self, number: usize) -> Option<&str> {
        self.names.get(number)
    }

    /// The first fault of a contestant, in words.
    pub fn first_fault(&self, number: usize) -> Option<&str> {
        self.causes.get(number)
    }

    /// Keeps the names and faults of a game that are the first of their contestants, and returns those.
    fn note(&mut self, entry: &FinishedGame) -> BySide<PlayerInfo> {
        let FinishedGame { key, players, .. } = entry;
        BySide::new(|side| {
            let number = if side == Side::A { key.pairing.a } else { key.pairing.b };
            let PlayerInfo { name, fault } = &players[side];
            PlayerInfo {
                name: name.clone().filter(|name| self.names.take(number, *key, name)),
                fault: fault.clone().filter(|fault| self.causes.take(number, *key, fault)),
            }
        })
    }

    /// All results, by their games.
    pub fn results(&self) -> &BTreeMap<GameKey, GameResult> {
        &self.results
    }

    pub(super) fn holds(&self, key: &GameKey) -> bool {
        self.results.contains_key(key)
    }

    pub(super) fn played(&self, pairing: Pairing) -> u64 {
        let from = GameKey { pairing, pair: 0, game: 0 };
        let to = GameKey { pairing, pair: u64::MAX, game: u8::MAX };
        self.results.range(from..=to).count() as u64
    }

    /// Adds games. Their lines are written in one piece, so a killed process leaves all of a line or nothing.
    pub(super) fn add(&mut self, played: &[FinishedGame]) -> Result<(), JournalError> {
        let mut lines = String::new();
        for entry in played {
            let first = self.note(entry);
            lines += &entry.line_with(first);
            lines.push('\n');
        }
        let written = self.file().and_then(|file| file.write_all(lines.as_bytes()));
        written.map_err(|error| self.failed(error))?;
        self.results.extend(played.iter().map(|entry| (entry.key, entry.result)));
        Ok(())
    }

    /// Drops all games that a worker played, and of later rounds all games: their pairings may follow from those.
    ///
    /// The file is replaced as a whole, so a crash leaves either the old or the new one.
    pub(super) fn retract(&mut self, worker: &str) -> Result<(), JournalError> {
        self.rewrite_without(worker).map_err(|error| self.failed(error))
    }

    fn rewrite_without(&mut self, worker: &str) -> io::Result<()> {
        let text = match fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            read => read?,
        };
        let lines = || text.split(|byte| *byte == b'\n');
        let read =
            |line: &[u8]| FinishedGame::read(line, usize::MAX).filter(|game| self.results.contains_key(&game.key));
        let is_theirs = |game: &FinishedGame| game.worker.as_deref() == Some(worker);
        let rounds = lines().filter_map(read).filter(is_theirs).map(|game| game.key.pairing.round);
        let Some(first) = rounds.min() else {
            return Ok(());
        };
        let (mut remaining, mut games) = (Vec::new(), Vec::new());
        for line in lines() {
            if let Some(game) = read(line).filter(|game| !is_theirs(game) && game.key.pairing.round <= first) {
                remaining.extend_from_slice(line);
                remaining.push(b'\n');
                games.push(game);
            }
        }
        let draft = self.path.with_extension("new");
        let mut file = File::create(&draft)?;
        file.write_all(&remaining)?;
        file.sync_all()?;
        fs::rename(&draft, &self.path)?;
        (self.file, self.length, self.whole) = (None, remaining.len() as u64, remaining.len() as u64);
        (self.results, self.names, self.causes) = (BTreeMap::new(), FirstTexts::default(), FirstTexts::default());
        for game in games {
            self.note(&game);
            self.results.insert(game.key, game.result);
        }
        Ok(())
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use seabattle_core::{BySide, Side};

    use super::{FinishedGame, GameKey, GameResult, Journal, Pairing, PlayerInfo};
    use crate::player::FaultKind;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("seabattle-journal-{name}-{}", std::process::id()));
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// The game of the first pair with this number, in which the first contestant fails.
    fn failed(pair: u64, how: &str) -> FinishedGame {
        let faults = BySide { a: Some(FaultKind::Crash), b: None };
        let result = GameResult { winner: Some(Side::B), faults, shots: BySide { a: 0, b: 0 }, sunk: false };
        let failing = PlayerInfo { name: Some(format!("name {how}")), fault: Some(how.to_owned()) };
        let key = GameKey { pairing: Pairing { round: 0, a: 0, b: 1 }, pair, game: 0 };
        FinishedGame {
            key,
            result,
            players: BySide { a: failing, b: PlayerInfo::default() },
            record: None,
            worker: None,
        }
    }

    #[test]
    fn the_first_in_the_order_of_games_is_told_whoever_was_faster() {
        let folder = folder("firsts");
        let mut journal = Journal::open(&folder, 2).unwrap();
        for (pair, how) in [(5, "late"), (7, "later"), (2, "early")] {
            journal.add(&[failed(pair, how)]).unwrap();
        }
        let message =
            |journal: &Journal| (journal.first_fault(0).map(str::to_owned), journal.called(0).map(str::to_owned));
        let expected = (Some("early".to_owned()), Some("name early".to_owned()));
        assert_eq!(message(&journal), expected);
        assert_eq!(message(&Journal::open(&folder, 2).unwrap()), expected);
        let text = fs::read_to_string(folder.join(Journal::FILE)).unwrap();
        assert!(!text.contains("later"), "only the first is stored: {text}");
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
    fn the_games_of_a_worker_that_lied_are_dropped() {
        let folder = folder("retract");
        let mut journal = Journal::open(&folder, 2).unwrap();
        let by = |worker: Option<&str>, pair| FinishedGame { worker: worker.map(str::to_owned), ..failed(pair, "x") };
        let round = |round, game: FinishedGame| FinishedGame {
            key: GameKey { pairing: Pairing { round, ..game.key.pairing }, ..game.key },
            ..game
        };
        let games = [by(None, 0), by(Some("good"), 1), round(1, by(Some("bad"), 0)), round(2, by(Some("good"), 0))];
        journal.add(&games).unwrap();
        journal.retract("unknown").unwrap();
        assert_eq!(journal.results().len(), 4);
        journal.retract("bad").unwrap();
        let expected: Vec<GameKey> = games[..2].iter().map(|game| game.key).collect();
        let keys = |journal: &Journal| journal.results().keys().copied().collect::<Vec<_>>();
        assert_eq!(keys(&journal), expected, "nor does a round count that follows from them");
        assert_eq!((journal.first_fault(0), journal.called(0)), (Some("x"), Some("name x")));
        journal.add(&[by(None, 2)]).unwrap();
        assert_eq!(Journal::open(&folder, 2).unwrap().results().len(), 3);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn lines_that_cannot_be_read_are_counted() {
        let folder = folder("garbage");
        Journal::open(&folder, 2).unwrap().add(&[failed(0, "x")]).unwrap();
        let file = folder.join(Journal::FILE);
        let whole = fs::read_to_string(&file).unwrap();
        let unknown_player = whole.replace("\"b\":1", "\"b\":9");
        fs::write(&file, format!("garbage\n\n{whole}{{}}\n{unknown_player}")).unwrap();
        let journal = Journal::open(&folder, 2).unwrap();
        assert_eq!((journal.results().len(), journal.skipped()), (1, 3));
        fs::remove_dir_all(folder).unwrap();
    }
}
