//! Pairs of games: in the second game the other side fires first.

use std::ops::Range;

use seabattle_core::{BySide, Record, Rules, Seed, Side};

use crate::contestant::Contestant;
use crate::finished_game::{FinishedGame, GameKey, Pairing};
use crate::referee::{GameSettings, referee};

/// The settings of all pairs between two contestants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSettings {
    /// The rules of every game.
    pub rules: Rules,
    /// The secret from which the seeds of all players in all games are derived.
    pub seed: u64,
    /// Whether the fleets are revealed to the players after each game.
    pub reveal: bool,
    /// Whether built-in bots remember earlier games of a series.
    pub learn: bool,
}

/// The pairing in a match, which has no other.
pub(crate) const MATCH_PAIRING: Pairing = Pairing { round: 0, a: 0, b: 1 };

impl PairSettings {
    /// Plays pairs in a row between the same two new players. The first player is side A in every game.
    ///
    /// `on_game` gets each game as soon as it ends. If `names` are given, the games have records under these names.
    pub fn play(
        &self,
        contestants: BySide<&Contestant>,
        pairs: Range<u64>,
        names: Option<&BySide<String>>,
        on_game: &dyn Fn(&FinishedGame),
    ) -> Vec<FinishedGame> {
        let mut players = contestants.map(|contestant| contestant.player(self.learn));
        let mut game = |key: GameKey, settings: &GameSettings| {
            let played = referee(&mut players, settings);
            let record = |names: &BySide<String>| {
                let names = BySide { a: names.a.as_str(), b: names.b.as_str() };
                Some(Record::of(played.game.as_ref()?, names, None).to_string())
            };
            let finished = FinishedGame { record: names.and_then(record), ..FinishedGame::of(key, &played) };
            on_game(&finished);
            finished
        };
        let pair =
            |pair: u64| self.games(pair).into_iter().zip(0..).map(move |(settings, game)| (pair, game, settings));
        let games = pairs.flat_map(pair);
        games
            .map(|(pair, number, settings)| game(GameKey { pairing: MATCH_PAIRING, pair, game: number }, &settings))
            .collect()
    }

    /// The settings of the two games of a pair.
    ///
    /// Each game has its own seed. If one seed served both sides in turn, a player could foresee in the first game how the
    /// enemy will play the second one.
    pub fn games(&self, pair: u64) -> [GameSettings; 2] {
        let pair_seed = Seed::new(self.seed).game(pair);
        let game = |number, first| GameSettings {
            rules: self.rules.clone(),
            seed: pair_seed.game(number),
            first,
            reveal: self.reveal,
        };
        [game(0, Side::A), game(1, Side::B)]
    }
}
