//! Finished games, each as one line of text: what a journal keeps, and what travels between machines.

use seabattle_core::{BySide, Side, Termination};
use serde::{Deserialize, Serialize};

use crate::player::FaultKind;
use crate::referee::PlayedGame;

/// Two contestants by number who meet in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pairing {
    /// From 0.
    pub round: u32,
    /// The smaller number.
    pub a: usize,
    /// The larger number.
    pub b: usize,
}

/// Which game of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameKey {
    /// Between whom.
    pub pairing: Pairing,
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
    pub fn of(played: &PlayedGame) -> Self {
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
            sunk: end.is_some_and(|end| end.termination == Termination::Sunk && end.winner == played.winner),
        }
    }
}

/// What a game has told of a player beside its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerInfo {
    /// What it calls itself.
    pub name: Option<String>,
    /// How it failed, in words.
    pub fault: Option<String>,
}

impl PlayerInfo {
    /// Of a game that is over.
    pub fn of(played: &PlayedGame) -> BySide<Self> {
        BySide::new(|side| Self {
            name: played.names[side].clone(),
            fault: played.faults[side].as_ref().map(ToString::to_string),
        })
    }
}

/// A game that is over, as journals keep it and sums need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    /// Which game it was.
    pub key: GameKey,
    /// How it came out.
    pub result: GameResult,
    /// What was told of its players.
    pub players: BySide<PlayerInfo>,
    /// What was played, where that was asked for.
    pub record: Option<String>,
}

impl FinishedGame {
    /// Of a game that is over.
    pub fn of(key: GameKey, played: &PlayedGame) -> Self {
        Self { key, result: GameResult::of(played), players: PlayerInfo::of(played), record: None }
    }

    /// All of it as one line of JSON.
    pub fn line(&self) -> String {
        self.line_with(self.players.clone())
    }

    /// The same, with only this told of its players.
    pub(crate) fn line_with(&self, players: BySide<PlayerInfo>) -> String {
        serde_json::to_string(&JournalLine::of(self, players)).unwrap_or_default()
    }

    /// From such a line; nothing if it cannot be from games of so many contestants.
    pub fn read(line: &[u8], contestants: usize) -> Option<Self> {
        serde_json::from_slice::<JournalLine>(line).ok()?.read(contestants)
    }
}

/// The text form.
#[derive(Serialize, Deserialize)]
struct JournalLine {
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
    /// Never in journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record: Option<String>,
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

impl JournalLine {
    fn of(FinishedGame { key, result, record, .. }: &FinishedGame, players: BySide<PlayerInfo>) -> Self {
        let name = |side: Side| result.faults[side].map(|kind| kind.name().to_owned());
        Self {
            round: key.pairing.round,
            a: key.pairing.a,
            b: key.pairing.b,
            pair: key.pair,
            game: key.game,
            winner: result.winner.map(|side| if side == Side::A { Winner::A } else { Winner::B }),
            shots: [result.shots.a, result.shots.b],
            sunk: result.sunk,
            faults: [name(Side::A), name(Side::B)],
            names: [players.a.name, players.b.name],
            causes: [players.a.fault, players.b.fault],
            record: record.clone(),
        }
    }

    /// What it says; nothing if it cannot be from a tournament of so many.
    fn read(self, contestants: usize) -> Option<FinishedGame> {
        if self.a >= self.b || self.b >= contestants || self.game > 1 {
            return None;
        }
        let key =
            GameKey { pairing: Pairing { round: self.round, a: self.a, b: self.b }, pair: self.pair, game: self.game };
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
        let players = BySide { a: PlayerInfo { name: a, fault: c }, b: PlayerInfo { name: b, fault: d } };
        Some(FinishedGame { key, result, players, record: self.record })
    }
}
