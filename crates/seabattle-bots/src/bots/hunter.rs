//! `hunter`: fires at the cell most likely to hold a ship, by exact odds.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::bots::density::Density;
use crate::parts::cached_odds::CachedOdds;

pub(crate) struct Hunter {
    rng: SeededRng,
    cached_odds: CachedOdds,
    /// Shoots in positions without odds.
    fallback: Density,
}

impl Hunter {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), cached_odds: CachedOdds::default(), fallback: Density::new(seed) }
    }
}

impl Bot for Hunter {
    fn start(&mut self, rules: &Rules) {
        self.cached_odds.start();
        self.fallback.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        self.cached_odds.likeliest_target(view).unwrap_or_else(|| self.fallback.shoot(view))
    }
}
