//! `champion`: a policy network with exact odds, exact rollouts, an endgame search, and a memory of its opponent.

use std::sync::LazyLock;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, Touching, View};
use seabattle_network::PolicyNetwork;

use crate::bots::density::Density;
use crate::parts::cached_odds::{CachedOdds, likeliest_cell, odds_with_prior};
use crate::parts::endgame::{Endgame, EndgameLimits, RolloutLimits};
use crate::parts::learning::Learner;
use crate::parts::opening_cache::OpeningCache;

static OPENINGS: LazyLock<OpeningCache> = LazyLock::new(OpeningCache::default);

/// Endgame search without a network: wider and deeper than that of `admiral`.
const LIMITS_WITHOUT_NETWORK: EndgameLimits =
    EndgameLimits { max_layouts: 4000, max_exact: 16, widths: &[8, 4], max_steps: 100_000 };

/// Endgame search beside a network. The network is the better judge of larger endgames, so the search starts late.
const LIMITS_WITH_NETWORK: EndgameLimits =
    EndgameLimits { max_layouts: 64, max_exact: 20, widths: &[10, 5, 3], max_steps: 200_000 };

/// Exact rollouts of the network's best shots, in positions with too many layouts for the search.
const ROLLOUT_LIMITS: RolloutLimits =
    RolloutLimits { max_layouts: 4000, search_share: 8, width: 6, logit_margin: 10.0, max_evaluations: 40 };

/// Whether exact rollouts are worth their time under these rules. They were measured only where ships may not touch and
/// every class has a single ship.
fn rollouts_pay(rules: &Rules) -> bool {
    let all_classes_single = rules.ship_count() == rules.class_ids().len();
    rules.touching() == Touching::Forbidden && all_classes_single
}

pub(crate) struct Champion {
    rng: SeededRng,
    cached_odds: CachedOdds,
    endgame: Endgame,
    network: Option<&'static PolicyNetwork>,
    learner: Learner,
    /// Shoots in positions without odds.
    fallback: Density,
}

impl Champion {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self {
            rng: seed.rng(),
            cached_odds: CachedOdds::default(),
            endgame: Endgame::new(LIMITS_WITHOUT_NETWORK),
            network: None,
            learner: Learner::new(),
            fallback: Density::new(seed),
        }
    }

    /// A shot learned in earlier games of the series: from a remembered layout, or from the odds under the placement
    /// prior.
    fn learned_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        let remembered = self.learner.remembered_shot(view).filter(|&cell| view.is_target(cell));
        remembered.or_else(|| likeliest_cell(&odds_with_prior(self.learner.prior()?, view.enemy())?, view))
    }

    fn choose(&mut self, view: &View<'_>) -> Option<Cell> {
        match view.aimed() {
            [] => OPENINGS.choose(view.enemy(), || self.best_shot(view)),
            _ => self.best_shot(view),
        }
    }

    /// The result of the endgame search, else the choice of the network, else the likeliest cell.
    fn best_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        let is_single_shot = view.aimed().is_empty();
        let searched = if is_single_shot { self.endgame.best_shot(view.enemy()) } else { None };
        if searched.is_some() {
            return searched;
        }
        let odds = self.cached_odds.odds(view.enemy())?;
        let by_network = || {
            let output = self.network?.evaluate(view.enemy())?;
            output.best_with(|cell| view.is_target(cell), |candidate| odds.probability(candidate.cell) as f32)
        };
        by_network().or_else(|| likeliest_cell(&odds, view))
    }
}

impl Bot for Champion {
    fn start(&mut self, rules: &Rules) {
        self.cached_odds.start();
        self.learner.start(rules);
        self.network = PolicyNetwork::trained_for(rules);
        self.endgame = match self.network {
            Some(network) if rollouts_pay(rules) => Endgame::with_rollout(network, LIMITS_WITH_NETWORK, ROLLOUT_LIMITS),
            Some(_) => Endgame::new(LIMITS_WITH_NETWORK),
            None => Endgame::new(LIMITS_WITHOUT_NETWORK),
        };
        self.fallback.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        self.learner.place(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let chosen = self.learned_shot(view).or_else(|| self.choose(view));
        chosen.unwrap_or_else(|| self.fallback.shoot(view))
    }

    fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        self.learner.finish(view, enemy);
    }
}
