//! `admiral`: exact odds, and a search for the fewest misses once few layouts are left.

use std::sync::LazyLock;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, Stream, View, layout};

use crate::density::Density;
use crate::endgame::{Endgame, EndgameLimits};
use crate::habit::Habit;
use crate::lookout::Lookout;

static HABIT: LazyLock<Habit> = LazyLock::new(Habit::default);

pub(crate) struct Admiral {
    rng: Stream,
    lookout: Lookout,
    endgame: Endgame,
    /// Shoots where there are no odds.
    substitute: Density,
}

impl Admiral {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self {
            rng: seed.stream(),
            lookout: Lookout::default(),
            endgame: Endgame::new(EndgameLimits::default()),
            substitute: Density::new(seed),
        }
    }

    fn choose(&mut self, view: &View<'_>) -> Option<Cell> {
        self.endgame.best_shot(view.enemy()).or_else(|| self.lookout.likeliest_target(view))
    }
}

impl Bot for Admiral {
    fn start(&mut self, rules: &Rules) {
        self.lookout.start();
        self.substitute.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let chosen = match view.aimed() {
            [] => HABIT.choose(view.enemy(), || self.choose(view)),
            _ => self.lookout.likeliest_target(view),
        };
        chosen.unwrap_or_else(|| self.substitute.shoot(view))
    }
}
