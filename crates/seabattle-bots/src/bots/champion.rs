//! `champion`: a trained network on top of exact odds, a search of the endgame, and a memory for its opponent.

use std::sync::LazyLock;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, Touching, View};
use seabattle_network::PolicyNetwork;

use crate::bots::density::Density;
use crate::parts::cached_odds::{CachedOdds, likeliest, odds_under};
use crate::parts::endgame::{Endgame, EndgameLimits, RolloutLimits};
use crate::parts::learning::Learner;
use crate::parts::opening_cache::OpeningCache;

static OPENINGS: LazyLock<OpeningCache> = LazyLock::new(OpeningCache::default);

/// Wider and deeper than the admiral's.
const ENDGAME: EndgameLimits =
    EndgameLimits { layouts: 4000, exact: 16, exact_ahead: 0, widths: &[8, 4], steps: 100_000 };

/// PolicyRollout a network that sees further than the search does while more layouts are left.
const LAST_LAYOUTS: EndgameLimits =
    EndgameLimits { layouts: 64, exact: 20, exact_ahead: 0, widths: &[10, 5, 3], steps: 200_000 };

/// How far the network's shots are weighed before that.
const ROLLOUT: RolloutLimits = RolloutLimits { layouts: 4000, share: 8, width: 6, logit_margin: 10.0, evaluations: 40 };

/// Where weighing has been measured to pay: it has not been tried elsewhere.
fn rollouts_pay(rules: &Rules) -> bool {
    let unlike = rules.ship_count() == rules.class_ids().len();
    rules.touching() == Touching::Forbidden && unlike
}

pub(crate) struct Champion {
    rng: SeededRng,
    cached_odds: CachedOdds,
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
            cached_odds: CachedOdds::default(),
            endgame: Endgame::new(ENDGAME),
            network: None,
            learner: Learner::new(),
            substitute: Density::new(seed),
        }
    }

    /// What was learnt about this opponent: a layout it has used before, or where it likes to put ships.
    fn learned_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        let remembered = self.learner.remembered_shot(view).filter(|&cell| view.is_target(cell));
        remembered.or_else(|| likeliest(&odds_under(self.learner.prior()?, view.enemy())?, view))
    }

    fn choose(&mut self, view: &View<'_>) -> Option<Cell> {
        match view.aimed() {
            [] => OPENINGS.choose(view.enemy(), || self.best_shot(view)),
            _ => self.best_shot(view),
        }
    }

    /// Searches where few layouts are left, and aims where they are many.
    fn best_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        let lone_shot = view.aimed().is_empty();
        let searched = if lone_shot { self.endgame.best_shot(view.enemy()) } else { None };
        if searched.is_some() {
            return searched;
        }
        let odds = self.cached_odds.odds(view.enemy())?;
        let aimed = || {
            let output = self.network?.evaluate(view.enemy())?;
            output.best_with(|cell| view.is_target(cell), |seen| odds.probability(seen.cell) as f32)
        };
        aimed().or_else(|| likeliest(&odds, view))
    }
}

impl Bot for Champion {
    fn start(&mut self, rules: &Rules) {
        self.cached_odds.start();
        self.learner.start(rules);
        self.network = PolicyNetwork::trained_for(rules);
        self.endgame = match self.network {
            Some(network) if rollouts_pay(rules) => Endgame::with_rollout(network, LAST_LAYOUTS, ROLLOUT),
            Some(_) => Endgame::new(LAST_LAYOUTS),
            None => Endgame::new(ENDGAME),
        };
        self.substitute.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        self.learner.place(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let chosen = self.learned_shot(view).or_else(|| self.choose(view));
        chosen.unwrap_or_else(|| self.substitute.shoot(view))
    }

    fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        self.learner.finish(view, enemy);
    }
}
