//! The odds of the position at hand, in bounded time, from an odds cache that all players share.

use std::sync::{Arc, LazyLock};

use seabattle_core::{Cell, Knowledge, View};
use seabattle_odds::{Limits, Odds, OddsCache, Prior};

use crate::parts::opening_cache::OpeningCache;

/// On larger boards even an estimate takes too long.
const MAX_CELLS: usize = 200;

/// About 0.4 seconds where ships may touch; where they may not, less than a second.
const LIMITS: Limits = Limits {
    max_sunk_assignments: 1000,
    max_multiplications: 100_000_000,
    max_memory_bytes: 512 << 20,
    max_samples: 500,
    max_sampled_cells: 400_000_000,
};

static ODDS_CACHE: LazyLock<OddsCache> = LazyLock::new(|| OddsCache::new(6, 4000, LIMITS));

static LIKELIEST_TARGETS: LazyLock<OpeningCache> = LazyLock::new(OpeningCache::default);

/// Asks for the odds once for each position: a salvo has several shots at the same one.
#[derive(Default)]
pub(crate) struct CachedOdds {
    latest: Option<(usize, Arc<Odds>)>,
}

impl CachedOdds {
    /// A new game begins.
    pub(crate) fn start(&mut self) {
        self.latest = None;
    }

    /// The odds of a position, where there are any.
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

    /// The target where a ship is likeliest; nothing where there are no odds.
    pub(crate) fn likeliest_target(&mut self, view: &View<'_>) -> Option<Cell> {
        let mut choose = || likeliest_cell(&*self.odds(view.enemy())?, view);
        match view.aimed() {
            [] => LIKELIEST_TARGETS.choose(view.enemy(), choose),
            _ => choose(),
        }
    }
}

/// The odds of a position against who does not place ships uniformly.
pub(crate) fn odds_with_prior(prior: &Prior, knowledge: &Knowledge) -> Option<Odds> {
    let is_small = knowledge.rules().size().area() <= MAX_CELLS;
    is_small.then(|| Odds::with(knowledge, prior, &LIMITS).ok()).flatten()
}

/// The target where a ship is likeliest, the first in row order of several; nothing where none is likely at all.
pub(crate) fn likeliest_cell(odds: &Odds, view: &View<'_>) -> Option<Cell> {
    let better = |best: Option<(f64, Cell)>, cell: Cell| {
        let probability = odds.probability(cell);
        let threshold = best.map_or(0.0, |(best_probability, _)| best_probability + ROUNDING_ERROR);
        if probability > threshold { Some((probability, cell)) } else { best }
    };
    view.targets().iter().fold(None, better).map(|(_, cell)| cell)
}

/// Rounding makes equal probabilities differ by less than this.
const ROUNDING_ERROR: f64 = 1e-9;
