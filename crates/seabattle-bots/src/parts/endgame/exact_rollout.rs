//! Exact rollouts: each of a network's best shots is played out against every consistent layout, with the network
//! choosing the shots that follow.

mod policy_with_odds;
mod rollout_position;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use seabattle_core::{Cell, Knowledge};
use seabattle_network::PolicyNetwork;

use policy_with_odds::PolicyWithOdds;
use rollout_position::{RolloutPosition, splitmix64};

use super::EndgameLimits;
use super::exact_search::ExactSearch;
use super::layout_set::BuildSetHasher;
use super::layout_table::{CellMask, LayoutTable};
use super::look_ahead::{LookAhead, likeliest_index};

/// Limits of a rollout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RolloutLimits {
    /// The most layouts for a rollout; at most [`MAX_LAYOUTS`](super::MAX_LAYOUTS).
    pub(crate) max_layouts: usize,
    /// A rollout ends in a search once one layout in `search_share` is left.
    pub(crate) search_share: usize,
    /// The most candidate shots.
    pub(crate) width: usize,
    /// How many logits a candidate shot may be below the network's strongest one.
    pub(crate) logit_margin: f32,
    /// The most network evaluations for all candidates. A candidate for which they do not suffice is skipped.
    pub(crate) max_evaluations: usize,
}

/// Results of rollouts by position. A result depends on nothing else, so it is valid for the whole game.
pub(super) type RolloutCache = HashMap<u128, RolloutResult, BuildSetHasher>;

#[derive(Clone, Copy)]
pub(super) struct RolloutResult {
    /// Summed over the consistent layouts.
    misses: u32,
    /// The number of network evaluations that the result took.
    evaluations: usize,
}

pub(super) struct ExactRollout<'a, const W: usize> {
    pub(super) network: &'a PolicyNetwork,
    /// A table of all consistent layouts, with the cells in row order.
    pub(super) table: &'a LayoutTable<W>,
    /// Limits of the search that ends a rollout.
    pub(super) search_limits: EndgameLimits,
    pub(super) cache: &'a mut RolloutCache,
    /// The network evaluations left. A cached result costs as many as a new one, so that the cache changes no shot.
    pub(super) evaluations: usize,
}

/// The error of a rollout that has no evaluations left.
#[derive(Debug)]
struct OutOfEvaluations;

impl<const W: usize> ExactRollout<'_, W> {
    /// The candidate with the fewest misses; among equals the one that comes first, which is the network's own choice.
    pub(super) fn best_shot(&mut self, knowledge: &Knowledge, limits: &RolloutLimits) -> Option<Cell> {
        let mut root = RolloutPosition::new(knowledge, self.table.all_layouts());
        let max_searched = (root.layouts.len() as usize / limits.search_share).next_power_of_two();
        self.search_limits.max_layouts = max_searched.max(self.search_limits.max_layouts);
        root.hash ^= u128::from(splitmix64(self.search_limits.max_layouts as u64)); // What follows depends on it.
        let mut counts = Vec::new();
        self.table.count_coverage(&root.layouts, 0, &mut counts);
        let cell_of = |index: usize| knowledge.rules().size().cell(usize::from(self.table.covered_cells[index].number));
        if let Some(index) = self.table.certain_hit(&root.layouts) {
            return Some(cell_of(index));
        }
        let candidates = self.candidate_shots(&root, &counts, limits)?;
        if let [only_index] = candidates[..] {
            return Some(cell_of(only_index));
        }
        let mut best = (u32::MAX, *candidates.first()?);
        for index in candidates {
            if let Ok(misses) = self.misses_after(&root, index)
                && misses < best.0
            {
                best = (misses, index);
            }
        }
        Some(cell_of(best.1))
    }

    /// The covered cells worth a rollout, the network's own choice first.
    fn candidate_shots(
        &self,
        position: &RolloutPosition<W>,
        counts: &[u32],
        limits: &RolloutLimits,
    ) -> Option<Vec<usize>> {
        let output = self.network.evaluate(&position.knowledge)?;
        let policy = PolicyWithOdds::new(self.table, position, counts, output);
        let chosen = policy.best_index()?;
        let strongest = policy.logits().map(|(logit, _)| logit).fold(f32::NEG_INFINITY, f32::max);
        let is_near = |&(logit, index): &(f32, usize)| index != chosen && logit >= strongest - limits.logit_margin;
        let mut others: Vec<(f32, usize)> = policy.logits().filter(is_near).collect();
        // Logits that differ only by rounding stay in row order, so all machines choose the same shots.
        others.sort_by_key(|(logit, _)| (-100.0 * logit).round() as i32);
        Some(std::iter::once(chosen).chain(others.into_iter().map(|(_, index)| index)).take(limits.width).collect())
    }

    /// The misses to come in a position, summed over the layouts.
    fn misses(&mut self, position: &RolloutPosition<W>) -> Result<u32, OutOfEvaluations> {
        let layout_count = position.layouts.len();
        if layout_count < 2 {
            return Ok(0);
        }
        let evaluations_before = self.evaluations;
        if let Some(&RolloutResult { misses, evaluations }) = self.cache.get(&position.hash) {
            self.evaluations = evaluations_before.saturating_sub(evaluations);
            return if evaluations <= evaluations_before { Ok(misses) } else { Err(OutOfEvaluations) };
        }
        let misses = match layout_count as usize {
            many if many > self.search_limits.max_layouts => self.misses_by_policy(position)?,
            ..=64 => self.misses_by_search(&self.table.subtable::<1>(&position.layouts), position.hits),
            65..=256 => self.misses_by_search(&self.table.subtable::<4>(&position.layouts), position.hits),
            257..=1024 => self.misses_by_search(&self.table.subtable::<16>(&position.layouts), position.hits),
            _ => self.misses_by_search(&self.table.subtable::<W>(&position.layouts), position.hits),
        };
        self.cache.insert(position.hash, RolloutResult { misses, evaluations: evaluations_before - self.evaluations });
        Ok(misses)
    }

    /// The misses to come with few layouts, by search.
    fn misses_by_search<const V: usize>(&self, table: &LayoutTable<V>, hits: CellMask) -> u32 {
        let mut steps = self.search_limits.max_steps;
        let all_layouts = table.all_layouts();
        let exact_misses = (all_layouts.len() as usize <= self.search_limits.max_exact).then(|| {
            let table = table.subtable::<1>(&all_layouts);
            ExactSearch::new(&table).misses(&table.all_layouts(), hits, u32::MAX, &mut steps).ok()
        });
        exact_misses.flatten().unwrap_or_else(|| {
            LookAhead { limits: &self.search_limits, steps, count_buffers: Vec::new() }.misses_after(table, hits)
        })
    }

    /// The misses to come with many layouts, if the network shoots. Certain hits come first.
    fn misses_by_policy(&mut self, position: &RolloutPosition<W>) -> Result<u32, OutOfEvaluations> {
        let mut counts = Vec::new();
        let coverage = self.table.count_coverage(&position.layouts, position.hits, &mut counts);
        if !coverage.has_uncertain_cell {
            return Ok(0);
        }
        let layout_count = position.layouts.len();
        let is_certain = |index: &usize| {
            counts[*index] == layout_count && position.hits & self.table.covered_cells[*index].bit() == 0
        };
        let certain = (0..counts.len()).find(is_certain);
        if certain.is_none() {
            self.evaluations = self.evaluations.checked_sub(1).ok_or(OutOfEvaluations)?;
        }
        let by_policy = || {
            let output = self.network.evaluate_once(&position.knowledge)?;
            PolicyWithOdds::new(self.table, position, &counts, output).best_index()
        };
        match certain.or_else(by_policy).or_else(|| likeliest_index(&counts, layout_count)) {
            Some(index) => self.misses_after(position, index),
            None => Ok(0),
        }
    }

    /// Like [`ExactRollout::misses`], after a given shot, with its own misses included.
    fn misses_after(&mut self, position: &RolloutPosition<W>, index: usize) -> Result<u32, OutOfEvaluations> {
        let split = self.table.split(&position.layouts, position.hits, index);
        let mut total = split.miss().len();
        for (outcome, layouts) in split.by_answer().filter(|(_, layouts)| !layouts.is_empty()) {
            if let Some(next) = position.after(self.table.covered_cells[index].number, outcome, layouts) {
                total += self.misses(&next)?;
            }
        }
        Ok(total)
    }
}
