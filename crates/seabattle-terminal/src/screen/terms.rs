//! What a game is played by.

use seabattle_bots::Entry;
use seabattle_core::{Rules, Seed, Side, below};

use crate::{COMPUTER, First, HUMAN};

/// Rules, opponent, chance and who begins.
#[derive(Clone)]
pub(super) struct Terms {
    pub(super) rules: Rules,
    pub(super) bot: &'static Entry,
    pub(super) seed: u64,
    pub(super) first: First,
}

impl Terms {
    pub(super) fn chance(&self) -> Seed {
        Seed::new(self.seed)
    }

    pub(super) fn first_side(&self) -> Side {
        match self.first {
            First::Me => HUMAN,
            First::Bot => COMPUTER,
            First::Random => Side::ALL[below(&mut self.chance().first().stream(), 2)],
        }
    }

    /// The game after this one.
    pub(super) fn next(mut self) -> Self {
        self.seed = self.seed.wrapping_add(1);
        self
    }
}
