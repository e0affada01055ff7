//! Games in pairs: the same two seeds, with sides and first move swapped.

use std::ops::Range;

use seabattle_core::{BySide, Record, Rules, Seed, Side, uniform_below};

use crate::contestant::Contestant;
use crate::finished_game::{FinishedGame, GameKey, Pairing};
use crate::referee::{GameSettings, referee};

/// How the pairs of two contestants are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSettings {
    /// The rules of every game.
    pub rules: Rules,
    /// All chance comes from it.
    pub seed: u64,
    /// Whether fleets are revealed when a game is over.
    pub reveal: bool,
    /// Whether bots of this process remember from game to game of a series.
    pub learn: bool,
}

/// The pairing of two who meet nobody else.
const ONLY: Pairing = Pairing { round: 0, a: 0, b: 1 };

/// Seeds that programs in any language can read as a number.
const SEEDS: usize = 1 << 31;

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
                Some(Record::of(played.game.as_ref()?, names, Some(terms.seeds.a)).to_string())
            };
            let entry = FinishedGame { record: names.and_then(record), ..FinishedGame::of(key, &played) };
            over(&entry);
            entry
        };
        let pair = |pair: u64| self.terms(pair).into_iter().zip(0..).map(move |(terms, game)| (pair, game, terms));
        let games = pairs.flat_map(pair);
        games.map(|(pair, number, terms)| game(GameKey { pairing: ONLY, pair, game: number }, &terms)).collect()
    }

    /// What the two games of a pair are played by.
    pub fn terms(&self, pair: u64) -> [GameSettings; 2] {
        let mut chance = Seed::new(self.seed).game(pair).rng();
        let [one, other] = [(); 2].map(|()| uniform_below(&mut chance, SEEDS) as u64);
        let terms = |a, b, first| GameSettings {
            rules: self.rules.clone(),
            seeds: BySide { a, b },
            first,
            reveal: self.reveal,
        };
        [terms(one, other, Side::A), terms(other, one, Side::B)]
    }
}
