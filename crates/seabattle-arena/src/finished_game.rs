//! Finished games and their text form: one line of JSON for journals and for results from other machines.

use seabattle_core::{BySide, Side, Termination};
use serde::{Deserialize, Serialize};

use crate::player::FaultKind;
use crate::referee::PlayedGame;

/// A pairing: two contestants, by number, who play each other in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pairing {
    /// The round, from 0.
    pub round: u32,
    /// The contestant with the smaller number.
    pub a: usize,
    /// The contestant with the larger number.
    pub b: usize,
}

/// The key of a game in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameKey {
    /// Who plays.
    pub pairing: Pairing,
    /// The pair of the pairing, from 0.
    pub pair: u64,
    /// The game of the pair: 0 or 1.
    pub game: u8,
}

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameResult {
    /// The winner, if any.
    pub winner: Option<Side>,
    /// The fault of each player, if any.
    pub faults: BySide<Option<FaultKind>>,
    /// How many shots each player fired.
    pub shots: BySide<u16>,
    /// Whether the game ended because a fleet was sunk.
    pub sunk: bool,
}

impl GameResult {
    /// The result of a played game.
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

/// What a game revealed about a player, apart from its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerInfo {
    /// The name that the player gave itself, if any.
    pub name: Option<String>,
    /// The fault of the player in words, if any.
    pub fault: Option<String>,
}

impl PlayerInfo {
    /// The information about both players of a played game.
    pub fn of(played: &PlayedGame) -> BySide<Self> {
        BySide::new(|side| Self {
            name: played.names[side].clone(),
            fault: played.faults[side].as_ref().map(ToString::to_string),
        })
    }
}

/// A finished game with all that journals and tables need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedGame {
    /// Which game it is.
    pub key: GameKey,
    /// The result.
    pub result: GameResult,
    /// What the game revealed about its players.
    pub players: BySide<PlayerInfo>,
    /// The record of the game, if requested.
    pub record: Option<String>,
    /// The id of the worker that played the game; `None` if this process played it.
    pub worker: Option<String>,
}

impl FinishedGame {
    /// The finished game of a played game.
    pub fn of(key: GameKey, played: &PlayedGame) -> Self {
        Self { key, result: GameResult::of(played), players: PlayerInfo::of(played), record: None, worker: None }
    }

    /// A game that was not played.
    pub(crate) fn forfeit(key: GameKey, result: GameResult) -> Self {
        let players = BySide { a: PlayerInfo::default(), b: PlayerInfo::default() };
        Self { key, result, players, record: None, worker: None }
    }

    /// The game as one line of JSON.
    pub fn line(&self) -> String {
        self.line_with(self.players.clone())
    }

    /// The game as one line of JSON with other information about its players.
    pub(crate) fn line_with(&self, players: BySide<PlayerInfo>) -> String {
        serde_json::to_string(&JournalLine::of(self, players)).unwrap_or_default()
    }

    /// Reads a line of JSON. Returns `None` if it is no game among this number of contestants.
    pub fn read(line: &[u8], contestants: usize) -> Option<Self> {
        serde_json::from_slice::<JournalLine>(line).ok()?.read(contestants)
    }
}

/// The JSON form of a finished game. Its fields are a stored format.
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
    /// The names of the players; in a journal only in their first game.
    #[serde(default, skip_serializing_if = "are_none")]
    names: [Option<String>; 2],
    /// The faults in words; in a journal only the first of each contestant.
    #[serde(default, skip_serializing_if = "are_none")]
    causes: [Option<String>; 2],
    /// The record; never in journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record: Option<String>,
    /// The worker that played the game; in results of a worker the coordinator replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worker: Option<String>,
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
    fn of(FinishedGame { key, result, record, worker, .. }: &FinishedGame, players: BySide<PlayerInfo>) -> Self {
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
            worker: worker.clone(),
        }
    }

    /// The game of this line; `None` if it is no game among this number of contestants.
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
        Some(FinishedGame { key, result, players, record: self.record, worker: self.worker })
    }
}
