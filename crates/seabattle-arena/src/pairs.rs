//! Pairs of games: both games have the same two seeds, with sides and the first move swapped.

use std::ops::Range;

use seabattle_core::{BySide, Record, Rules, Seed, Side, uniform_below};

use crate::contestant::Contestant;
use crate::finished_game::{FinishedGame, GameKey, Pairing};
use crate::referee::{GameSettings, referee};

/// The settings of all pairs between two contestants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSettings {
    /// The rules of every game.
    pub rules: Rules,
    /// The random seed of all pairs.
    pub seed: u64,
    /// Whether the fleets are revealed to the players after each game.
    pub reveal: bool,
    /// Whether built-in bots remember earlier games of a series.
    pub learn: bool,
}

/// The pairing in a match, which has no other.
const MATCH_PAIRING: Pairing = Pairing { round: 0, a: 0, b: 1 };

/// Seeds are below this, so that programs in every language can read them as an integer.
const SEEDS: usize = 1 << 31;

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
                Some(Record::of(played.game.as_ref()?, names, Some(settings.seeds.a)).to_string())
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
    pub fn games(&self, pair: u64) -> [GameSettings; 2] {
        let mut rng = Seed::new(self.seed).game(pair).rng();
        let [one, other] = [(); 2].map(|()| uniform_below(&mut rng, SEEDS) as u64);
        let game = |a, b, first| GameSettings {
            rules: self.rules.clone(),
            seeds: BySide { a, b },
            first,
            reveal: self.reveal,
        };
        [game(one, other, Side::A), game(other, one, Side::B)]
    }
}
