//! The odds of a position in bounded time, from an odds cache that all players share.

use std::sync::{Arc, LazyLock};

use seabattle_core::{Cell, Knowledge, View};
use seabattle_odds::{Limits, Odds, OddsCache, Prior};

use crate::parts::opening_cache::OpeningCache;

/// The most cells of a board with odds. On larger boards even an estimate takes too long.
const MAX_CELLS: usize = 200;

/// Limits of about 0.4 seconds where ships may touch, and of less than a second where they may not.
const LIMITS: Limits = Limits {
    max_sunk_assignments: 1000,
    max_multiplications: 100_000_000,
    max_memory_bytes: 512 << 20,
    max_samples: 500,
    max_sampled_cells: 400_000_000,
};

static ODDS_CACHE: LazyLock<OddsCache> = LazyLock::new(|| OddsCache::new(6, 4000, LIMITS));

static LIKELIEST_TARGETS: LazyLock<OpeningCache> = LazyLock::new(OpeningCache::default);

/// Looks up the odds once for each position, since all shots of a salvo share one position.
#[derive(Default)]
pub(crate) struct CachedOdds {
    latest: Option<(usize, Arc<Odds>)>,
}

impl CachedOdds {
    /// Starts a new game.
    pub(crate) fn start(&mut self) {
        self.latest = None;
    }

    /// The odds of a position, or `None` where they take too long.
    pub(crate) fn odds(&mut self, knowledge: &Knowledge) -> Option<Arc<Odds>> {
        let shots = knowledge.shots().len();
        if let Some((known_shots, odds)) = &self.latest
            && *known_shots == shots
        {
            return Some(Arc::clone(odds));
        }
        if knowledge.rules().size().area() > MAX_CELLS {
            return None;
        }
        let odds = ODDS_CACHE.odds(knowledge).ok()?;
        self.latest = Some((shots, Arc::clone(&odds)));
        Some(odds)
    }

    /// The target with the highest probability of a ship, or `None` without odds.
    pub(crate) fn likeliest_target(&mut self, view: &View<'_>) -> Option<Cell> {
        let mut choose = || likeliest_cell(&*self.odds(view.enemy())?, view);
        match view.aimed() {
            [] => LIKELIEST_TARGETS.choose(view.enemy(), choose),
            _ => choose(),
        }
    }
}

/// The odds of a position against an opponent with a placement prior.
pub(crate) fn odds_with_prior(prior: &Prior, knowledge: &Knowledge) -> Option<Odds> {
    let is_small = knowledge.rules().size().area() <= MAX_CELLS;
    is_small.then(|| Odds::with(knowledge, prior, &LIMITS).ok()).flatten()
}

/// The target with the highest probability of a ship, the first in row order among equals. `None` if all are zero.
pub(crate) fn likeliest_cell(odds: &Odds, view: &View<'_>) -> Option<Cell> {
    let better = |best: Option<(f64, Cell)>, cell: Cell| {
        let probability = odds.probability(cell);
        let threshold = best.map_or(0.0, |(best_probability, _)| best_probability + ROUNDING_ERROR);
        if probability > threshold { Some((probability, cell)) } else { best }
    };
    view.targets().iter().fold(None, better).map(|(_, cell)| cell)
}

/// Equal probabilities differ by less than this, after rounding.
const ROUNDING_ERROR: f64 = 1e-9;
