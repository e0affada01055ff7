//! `admiral`: exact odds or a distilled network, and an endgame search for the fewest misses.

use std::sync::LazyLock;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};
use seabattle_network::PolicyNetwork;

use crate::bots::density::Density;
use crate::parts::cached_odds::CachedOdds;
use crate::parts::endgame::{Endgame, EndgameLimits};
use crate::parts::opening_cache::OpeningCache;

static OPENINGS: LazyLock<OpeningCache> = LazyLock::new(OpeningCache::default);

/// Endgame search beside a network. It is smaller, since the network takes most of the time a shot may take.
const LIMITS_WITH_NETWORK: EndgameLimits =
    EndgameLimits { max_layouts: 1000, max_exact: 12, widths: &[6, 3, 2], max_steps: 40_000 };

pub(crate) struct Admiral {
    rng: SeededRng,
    cached_odds: CachedOdds,
    endgame: Endgame,
    /// The distilled policy network, where there is one for the rules. It plays better than the odds alone, and faster.
    network: Option<&'static PolicyNetwork>,
    /// Shoots in positions without odds.
    fallback: Density,
}

impl Admiral {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self {
            rng: seed.rng(),
            cached_odds: CachedOdds::default(),
            endgame: Endgame::new(EndgameLimits::default()),
            network: None,
            fallback: Density::new(seed),
        }
    }

    fn choose(&mut self, view: &View<'_>) -> Option<Cell> {
        self.endgame.best_shot(view.enemy()).or_else(|| self.policy_shot(view))
    }

    fn policy_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        let by_network = || self.network?.evaluate(view.enemy())?.best(|cell| view.is_target(cell));
        by_network().or_else(|| self.cached_odds.likeliest_target(view))
    }
}

impl Bot for Admiral {
    fn start(&mut self, rules: &Rules) {
        self.cached_odds.start();
        self.network = PolicyNetwork::distilled_for(rules);
        self.endgame =
            Endgame::new(if self.network.is_some() { LIMITS_WITH_NETWORK } else { EndgameLimits::default() });
        self.fallback.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let chosen = match view.aimed() {
            [] => OPENINGS.choose(view.enemy(), || self.choose(view)),
            _ => self.policy_shot(view),
        };
        chosen.unwrap_or_else(|| self.fallback.shoot(view))
    }
}
