//! Endgame search: the shot with the fewest expected misses, once few layouts are consistent.

mod answer_split;
mod certain_hits;
mod exact_rollout;
mod exact_search;
mod layout_set;
mod layout_table;
mod look_ahead;
#[cfg(test)]
mod tests;

use seabattle_core::{Cell, Knowledge};
use seabattle_network::PolicyNetwork;
use seabattle_odds::ConsistentLayouts;

pub(crate) use exact_rollout::RolloutLimits;
use exact_rollout::{ExactRollout, RolloutCache};
use exact_search::ExactSearch;
use layout_table::LayoutTable;
use look_ahead::LookAhead;

/// Limits of the search. All of them are counts, so the same position always gets the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EndgameLimits {
    /// The most layouts for a search; at most [`MAX_LAYOUTS`].
    pub(crate) max_layouts: usize,
    /// The most layouts for an exact search, as long as it has steps left; at most 64.
    pub(crate) max_exact: usize,
    /// How many cells the search tries for the shot at hand, and for each of the next shots. Later shots are greedy.
    pub(crate) widths: &'static [usize],
    /// The most positions that a search visits. After that it is greedy.
    pub(crate) max_steps: usize,
}

/// Limits for a search of a few milliseconds a shot.
impl Default for EndgameLimits {
    fn default() -> Self {
        Self { max_layouts: 2000, max_exact: 12, widths: &[6, 3, 2], max_steps: 40_000 }
    }
}

/// The largest number of layouts that limits may allow.
pub(crate) const MAX_LAYOUTS: usize = 4096;

/// A search for the best shot in endgames.
pub(crate) struct Endgame {
    limits: EndgameLimits,
    rollout: Option<PolicyRollout>,
}

/// A policy network for exact rollouts, with the results of one game.
struct PolicyRollout {
    network: &'static PolicyNetwork,
    limits: RolloutLimits,
    cache: RolloutCache,
}

/// A shot with its expected misses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RatedShot {
    pub(crate) cell: Cell,
    /// The mean over the layouts, this shot included.
    pub(crate) misses: f64,
}

impl Endgame {
    pub(crate) fn new(limits: EndgameLimits) -> Self {
        Self { limits, rollout: None }
    }

    /// A search with exact rollouts of the network's shots, for positions with too many layouts for the search. Use it
    /// for one game.
    pub(crate) fn with_rollout(
        network: &'static PolicyNetwork,
        limits: EndgameLimits,
        rollout_limits: RolloutLimits,
    ) -> Self {
        Self {
            limits,
            rollout: Some(PolicyRollout { network, limits: rollout_limits, cache: RolloutCache::default() }),
        }
    }

    /// The best shot found. `None` if too many layouts are consistent, or none.
    pub(crate) fn best_shot(&mut self, knowledge: &Knowledge) -> Option<Cell> {
        let rollout_layouts = self.rollout.as_ref().map_or(0, |rollout| rollout.limits.max_layouts);
        let max_layouts = self.limits.max_layouts.max(rollout_layouts).min(MAX_LAYOUTS);
        let layouts = ConsistentLayouts::of(knowledge, max_layouts).filter(|layouts| !layouts.is_empty())?;
        if layouts.len() <= self.limits.max_layouts {
            return self.search(knowledge, &layouts).map(|rated| rated.cell);
        }
        match layouts.len() {
            0..=256 => self.roll_out::<4>(knowledge, &layouts),
            257..=1024 => self.roll_out::<16>(knowledge, &layouts),
            _ => self.roll_out::<64>(knowledge, &layouts),
        }
    }

    fn search(&self, knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<RatedShot> {
        match layouts.len() {
            0..=64 => self.search_in_words::<1>(knowledge, layouts),
            65..=256 => self.search_in_words::<4>(knowledge, layouts),
            257..=1024 => self.search_in_words::<16>(knowledge, layouts),
            _ => self.search_in_words::<64>(knowledge, layouts),
        }
    }

    fn roll_out<const W: usize>(&mut self, knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<Cell> {
        let PolicyRollout { network, limits, cache } = self.rollout.as_mut()?;
        let table = LayoutTable::<W>::in_row_order(knowledge, layouts)?;
        ExactRollout { network, table: &table, search_limits: self.limits, cache, evaluations: limits.max_evaluations }
            .best_shot(knowledge, limits)
    }

    fn search_in_words<const W: usize>(&self, knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<RatedShot> {
        let (table, cells) = LayoutTable::<W>::new(knowledge, layouts)?;
        let mut steps = self.limits.max_steps;
        let exact_result = (W == 1 && layouts.len() <= self.limits.max_exact)
            .then(|| ExactSearch::new(&table.subtable(&table.all_layouts())).best_shot(&mut steps).ok());
        let (index, misses) = match exact_result.flatten() {
            Some(exact_shot) => exact_shot,
            None => LookAhead { limits: &self.limits, steps, count_buffers: Vec::new() }.best_shot(&table),
        };
        let cell = cells[usize::from(table.covered_cells.get(index)?.number)];
        Some(RatedShot { cell, misses: f64::from(misses) / layouts.len() as f64 })
    }
}
