//! Games in pairs: the same two seeds, with sides and first move swapped.

use seabattle_core::{BySide, Rules, Seed, Side, below};

use crate::contestant::Contestant;
use crate::referee::{Played, Terms, referee};

/// How the pairs of two contestants are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// The rules of every game.
    pub rules: Rules,
    /// All chance comes from it.
    pub seed: u64,
    /// Whether fleets are revealed when a game is over.
    pub reveal: bool,
    /// Whether bots of this process remember from game to game of a series.
    pub learn: bool,
}

/// Two games; the contestants are sides A and B in both, and A fires first in the first of them.
pub type Pair = [Played; 2];

/// Seeds that programs in any language can read as a number.
const SEEDS: usize = 1 << 31;

impl Pairing {
    /// Plays pairs in a row between the same two players; both are new when it begins. Each game is shown when it is over.
    pub fn play(
        &self,
        contestants: BySide<&Contestant>,
        pairs: std::ops::Range<u64>,
        over: &dyn Fn(&Played),
    ) -> Vec<Pair> {
        let mut players = BySide { a: contestants.a.player(self.learn), b: contestants.b.player(self.learn) };
        let mut game = |terms: Terms| {
            let played = referee(&mut players, &terms);
            over(&played);
            played
        };
        pairs.map(|pair| self.terms(pair).map(&mut game)).collect()
    }

    /// What the two games of a pair are played by.
    pub fn terms(&self, pair: u64) -> [Terms; 2] {
        let mut chance = Seed::new(self.seed).game(pair).stream();
        let [one, other] = [(); 2].map(|()| below(&mut chance, SEEDS) as u64);
        let terms =
            |a, b, first| Terms { rules: self.rules.clone(), seeds: BySide { a, b }, first, reveal: self.reveal };
        [terms(one, other, Side::A), terms(other, one, Side::B)]
    }
}
