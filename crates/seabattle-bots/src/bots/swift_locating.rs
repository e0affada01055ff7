//! `swift-locating`: fires at random, and follows every hit north, south, east and west.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::parts::direction::Direction;
use crate::parts::line_follower::LineFollower;
use crate::parts::random_choice::any_target;
use crate::parts::shot_cursor::ShotCursor;

const ORDER: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];

pub(crate) struct SwiftLocating {
    rng: SeededRng,
    cursor: ShotCursor,
    follower: LineFollower,
}

impl SwiftLocating {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), cursor: ShotCursor::default(), follower: LineFollower::default() }
    }
}

impl Bot for SwiftLocating {
    fn start(&mut self, _rules: &Rules) {
        self.cursor = ShotCursor::default();
        self.follower = LineFollower::default();
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        for &shot in self.cursor.new_shots(view) {
            self.follower.learn(shot, &ORDER);
        }
        self.follower.next(view).unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
