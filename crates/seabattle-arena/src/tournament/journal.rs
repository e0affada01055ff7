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
    file: File,
    results: BTreeMap<GameKey, GameResult>,
}

impl Journal {
    /// The file in a folder.
    pub const FILE: &'static str = "games.jsonl";

    /// Reads what so many contestants have played before; a last line that was not finished is cut off.
    pub fn open(folder: &Path, contestants: usize) -> Result<Self, JournalError> {
        let path = folder.join(Self::FILE);
        let failed = |error| JournalError::Io { path: path.clone(), error };
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let text = fs::read(&path).map_err(failed)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        let lines = text[..whole].split(|byte| *byte == b'\n');
        let results = lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok()?.read(contestants)).collect();
        file.flush().map_err(failed)?;
        Ok(Self { path, file, results })
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
    pub(super) fn add(&mut self, played: &[(GameKey, GameResult)]) -> Result<(), JournalError> {
        let failed = |error| JournalError::Io { path: self.path.clone(), error };
        let mut lines = String::new();
        for (key, result) in played {
            lines += &serde_json::to_string(&Line::of(key, result)).map_err(io::Error::other).map_err(failed)?;
            lines.push('\n');
        }
        self.file.write_all(lines.as_bytes()).map_err(failed)?;
        self.results.extend(played.iter().copied());
        Ok(())
    }
}

impl Line {
    fn of(key: &GameKey, result: &GameResult) -> Self {
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
        }
    }

    /// What it says; nothing if it cannot be from a tournament of so many.
    fn read(self, contestants: usize) -> Option<(GameKey, GameResult)> {
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
        Some((key, result))
    }
}
