//! Games in pairs: in the second game the other side fires first.

use std::ops::Range;

use seabattle_core::{BySide, Record, Rules, Seed, Side};

use crate::contestant::Contestant;
use crate::finished_game::{FinishedGame, GameKey, Pairing};
use crate::referee::{GameSettings, referee};

/// How the pairs of two contestants are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSettings {
    /// The rules of every game.
    pub rules: Rules,
    /// The secret from which the seeds of all players in all games are derived.
    pub seed: u64,
    /// Whether fleets are revealed when a game is over.
    pub reveal: bool,
    /// Whether bots of this process remember from game to game of a series.
    pub learn: bool,
}

/// The pairing of two who meet nobody else.
const ONLY: Pairing = Pairing { round: 0, a: 0, b: 1 };

impl PairSettings {
    /// Plays pairs in a row between the same two players; both are new when it begins, and sides A and B in every game.
    /// Each game is shown when it is over; with names for them, its record is kept.
    pub fn play(
        &self,
        contestants: BySide<&Contestant>,
        pairs: Range<u64>,
        names: Option<&BySide<String>>,
        over: &dyn Fn(&FinishedGame),
    ) -> Vec<FinishedGame> {
        let mut players = contestants.map(|contestant| contestant.player(self.learn));
        let mut game = |key: GameKey, terms: &GameSettings| {
            let played = referee(&mut players, terms);
            let record = |names: &BySide<String>| {
                let names = BySide { a: names.a.as_str(), b: names.b.as_str() };
                Some(Record::of(played.game.as_ref()?, names, None).to_string())
            };
            let entry = FinishedGame { record: names.and_then(record), ..FinishedGame::of(key, &played) };
            over(&entry);
            entry
        };
        let pair = |pair: u64| self.terms(pair).into_iter().zip(0..).map(move |(terms, game)| (pair, game, terms));
        let games = pairs.flat_map(pair);
        games.map(|(pair, number, terms)| game(GameKey { pairing: ONLY, pair, game: number }, &terms)).collect()
    }

    /// The settings of the two games of a pair. Each game has a seed of its own: a seed that served both sides in turn
    /// would show a player in the first game how the enemy will play the second.
    pub fn terms(&self, pair: u64) -> [GameSettings; 2] {
        let of_pair = Seed::new(self.seed).game(pair);
        let terms = |game, first| GameSettings {
            rules: self.rules.clone(),
            seed: of_pair.game(game),
            first,
            reveal: self.reveal,
        };
        [terms(0, Side::A), terms(1, Side::B)]
    }
}
