//! `swift-locating`: random shots; a hit is followed north, south, east and west.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::parts::random_choice::any_target;
use crate::parts::direction::Compass;
use crate::parts::line_follower::Follow;
use crate::parts::shot_cursor::Watch;

const ORDER: [Compass; 4] = [Compass::North, Compass::South, Compass::East, Compass::West];

pub(crate) struct SwiftLocating {
    rng: SeededRng,
    watch: Watch,
    follow: Follow,
}

impl SwiftLocating {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), watch: Watch::default(), follow: Follow::default() }
    }
}

impl Bot for SwiftLocating {
    fn start(&mut self, _rules: &Rules) {
        self.watch = Watch::default();
        self.follow = Follow::default();
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        for &shot in self.watch.news(view) {
            self.follow.learn(shot, &ORDER);
        }
        self.follow.next(view).unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
