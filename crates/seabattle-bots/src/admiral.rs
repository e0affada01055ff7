//! `admiral`: exact odds; the fewer layouts are left, the further it looks ahead for the fewest misses.

use std::sync::LazyLock;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, Stream, View, layout};

use crate::density::Density;
use crate::endgame::{Endgame, EndgameLimits};
use crate::foresight;
use crate::habit::Habit;
use crate::lookout::{Lookout, likeliest};

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
        let lone_shot = view.aimed().is_empty();
        let searched = if lone_shot { self.endgame.best_shot(view.enemy()) } else { None };
        if searched.is_some() {
            return searched;
        }
        let odds = self.lookout.odds(view.enemy())?;
        let foreseen = if lone_shot { foresight::best_shot(view.enemy(), &odds) } else { None };
        foreseen.or_else(|| likeliest(&odds, view))
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
            _ => self.choose(view),
        };
        chosen.unwrap_or_else(|| self.substitute.shoot(view))
    }
}
