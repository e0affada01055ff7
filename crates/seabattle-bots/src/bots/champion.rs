//! `champion`: a trained network on top of exact odds, a search of the endgame, and a memory for its opponent.

use std::sync::LazyLock;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, Touching, View};
use seabattle_network::PolicyNetwork;

use crate::bots::density::Density;
use crate::parts::endgame::{Endgame, EndgameLimits, ForesightLimits};
use crate::parts::opening_cache::Habit;
use crate::parts::learning::Learner;
use crate::parts::cached_odds::{Lookout, likeliest, odds_under};

static HABIT: LazyLock<Habit> = LazyLock::new(Habit::default);

/// Wider and deeper than the admiral's.
const ENDGAME: EndgameLimits =
    EndgameLimits { layouts: 4000, exact: 16, exact_ahead: 0, widths: &[8, 4], steps: 100_000 };

/// Beside a network that sees further than the search does while more layouts are left.
const LAST_LAYOUTS: EndgameLimits =
    EndgameLimits { layouts: 64, exact: 20, exact_ahead: 0, widths: &[10, 5, 3], steps: 200_000 };

/// How far the network's shots are weighed before that.
const FORESIGHT: ForesightLimits = ForesightLimits { layouts: 4000, share: 8, width: 6, behind: 10.0, looks: 40 };

/// Where weighing has been measured to pay: it has not been tried elsewhere.
fn weighs(rules: &Rules) -> bool {
    let unlike = rules.ship_count() == rules.class_ids().len();
    rules.touching() == Touching::Forbidden && unlike
}

pub(crate) struct Champion {
    rng: SeededRng,
    lookout: Lookout,
    endgame: Endgame,
    network: Option<&'static PolicyNetwork>,
    learner: Learner,
    /// Shoots where there are no odds.
    substitute: Density,
}

impl Champion {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self {
            rng: seed.rng(),
            lookout: Lookout::default(),
            endgame: Endgame::new(ENDGAME),
            network: None,
            learner: Learner::new(),
            substitute: Density::new(seed),
        }
    }

    /// What was learnt about this opponent: a layout it has used before, or where it likes to put ships.
    fn recall(&mut self, view: &View<'_>) -> Option<Cell> {
        let remembered = self.learner.remembered_shot(view).filter(|&cell| view.is_target(cell));
        remembered.or_else(|| likeliest(&odds_under(self.learner.prior()?, view.enemy())?, view))
    }

    fn choose(&mut self, view: &View<'_>) -> Option<Cell> {
        match view.aimed() {
            [] => HABIT.choose(view.enemy(), || self.think(view)),
            _ => self.think(view),
        }
    }

    /// Searches where few layouts are left, and aims where they are many.
    fn think(&mut self, view: &View<'_>) -> Option<Cell> {
        let lone_shot = view.aimed().is_empty();
        let searched = if lone_shot { self.endgame.best_shot(view.enemy()) } else { None };
        if searched.is_some() {
            return searched;
        }
        let odds = self.lookout.odds(view.enemy())?;
        let aimed = || {
            let sight = self.network?.evaluate(view.enemy())?;
            sight.best_with(|cell| view.is_target(cell), |seen| odds.probability(seen.cell) as f32)
        };
        aimed().or_else(|| likeliest(&odds, view))
    }
}

impl Bot for Champion {
    fn start(&mut self, rules: &Rules) {
        self.lookout.start();
        self.learner.start(rules);
        self.network = PolicyNetwork::trained_for(rules);
        self.endgame = match self.network {
            Some(network) if weighs(rules) => Endgame::beside(network, LAST_LAYOUTS, FORESIGHT),
            Some(_) => Endgame::new(LAST_LAYOUTS),
            None => Endgame::new(ENDGAME),
        };
        self.substitute.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        self.learner.place(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let chosen = self.recall(view).or_else(|| self.choose(view));
        chosen.unwrap_or_else(|| self.substitute.shoot(view))
    }

    fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        self.learner.finish(view, enemy);
    }
}
