//! The best shot when few layouts are left: the fewest misses on average, by search over the layouts that fit.

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

/// How far the search goes. All limits are counts, so the same position always gets the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EndgameLimits {
    /// With more layouts there is no answer; at most [`MAX_LAYOUTS`].
    pub(crate) max_layouts: usize,
    /// With at most so many layouts the answer is exact, as long as the steps suffice; at most 64.
    pub(crate) max_exact: usize,
    /// While looking ahead, positions with at most so many layouts are search_sized to the end; at most 64.
    pub(crate) max_exact_ahead: usize,
    /// Cells tried for the shot at hand, and for each of the shots after it; then the likeliest cell alone is.
    pub(crate) widths: &'static [usize],
    /// Positions looked at before the search is cut short.
    pub(crate) max_steps: usize,
}

/// Two thousand layouts: a few milliseconds a shot at most.
impl Default for EndgameLimits {
    fn default() -> Self {
        Self { max_layouts: 2000, max_exact: 12, max_exact_ahead: 0, widths: &[6, 3, 2], max_steps: 40_000 }
    }
}

/// The most layouts that any limits may ask for.
pub(crate) const MAX_LAYOUTS: usize = 4096;

/// Searches endgames.
pub(crate) struct Endgame {
    limits: EndgameLimits,
    rollout: Option<PolicyRollout>,
}

/// A network that plays until few layouts are left, and what is remembered of a game.
struct PolicyRollout {
    network: &'static PolicyNetwork,
    limits: RolloutLimits,
    cache: RolloutCache,
}

/// A shot with the misses expected from then on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RatedShot {
    pub(crate) cell: Cell,
    /// On average over the layouts, this shot included.
    pub(crate) misses: f64,
}

impl Endgame {
    pub(crate) fn new(limits: EndgameLimits) -> Self {
        Self { limits, rollout: None }
    }

    /// For one game rollout a network: its shots are weighed while more layouts are left than the search takes.
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

    /// The best shot found; nothing where too many layouts fit, or none.
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
