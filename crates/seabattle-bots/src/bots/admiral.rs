//! `admiral`: exact odds or a small network, and a search for the fewest misses once few layouts are left.

use std::sync::LazyLock;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};
use seabattle_network::PolicyNetwork;

use crate::bots::density::Density;
use crate::parts::cached_odds::CachedOdds;
use crate::parts::endgame::{Endgame, EndgameLimits};
use crate::parts::opening_cache::OpeningCache;

static OPENINGS: LazyLock<OpeningCache> = LazyLock::new(OpeningCache::default);

/// The network takes most of the time that is allowed.
const WITH_A_NETWORK: EndgameLimits =
    EndgameLimits { layouts: 1000, exact: 12, exact_ahead: 0, widths: &[6, 3, 2], steps: 40_000 };

pub(crate) struct Admiral {
    rng: SeededRng,
    cached_odds: CachedOdds,
    endgame: Endgame,
    /// Sees further than the odds do, and in less time.
    network: Option<&'static PolicyNetwork>,
    /// Shoots where there are no odds.
    substitute: Density,
}

impl Admiral {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self {
            rng: seed.rng(),
            cached_odds: CachedOdds::default(),
            endgame: Endgame::new(EndgameLimits::default()),
            network: None,
            substitute: Density::new(seed),
        }
    }

    fn choose(&mut self, view: &View<'_>) -> Option<Cell> {
        self.endgame.best_shot(view.enemy()).or_else(|| self.aim(view))
    }

    fn aim(&mut self, view: &View<'_>) -> Option<Cell> {
        let aimed = || self.network?.evaluate(view.enemy())?.best(|cell| view.is_target(cell));
        aimed().or_else(|| self.cached_odds.likeliest_target(view))
    }
}

impl Bot for Admiral {
    fn start(&mut self, rules: &Rules) {
        self.cached_odds.start();
        self.network = PolicyNetwork::distilled_for(rules);
        self.endgame = Endgame::new(if self.network.is_some() { WITH_A_NETWORK } else { EndgameLimits::default() });
        self.substitute.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let chosen = match view.aimed() {
            [] => OPENINGS.choose(view.enemy(), || self.choose(view)),
            _ => self.aim(view),
        };
        chosen.unwrap_or_else(|| self.substitute.shoot(view))
    }
}
