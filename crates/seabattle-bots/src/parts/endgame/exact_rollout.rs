//! Weighs the shots that a network logits for: each is followed to the end over all layouts left, the network shooting on.

mod policy_with_odds;
mod position;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use seabattle_core::{Cell, Knowledge};
use seabattle_network::PolicyNetwork;

use policy_with_odds::PolicyWithOdds;
use position::{RolloutPosition, mixed};

use super::EndgameLimits;
use super::exact_search::ExactSearch;
use super::layout_set::BuildSetHasher;
use super::layout_table::{Cells, LayoutTable};
use super::look_ahead::{LookAhead, likeliest};

/// How much is weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RolloutLimits {
    /// With more layouts nothing is; at most [`MOST_LAYOUTS`](super::MOST_LAYOUTS).
    pub(crate) layouts: usize,
    /// Once one of so many is left, the search takes over.
    pub(crate) share: usize,
    /// Shots that are weighed.
    pub(crate) width: usize,
    /// How much weaker than the strongest logit of the network a shot may be, in logits.
    pub(crate) logit_margin: f32,
    /// Looks of the network for all of them; a shot for which they do not suffice is passed over.
    pub(crate) evaluations: usize,
}

/// What came of positions: that depends on nothing else.
pub(super) type RolloutCache = HashMap<u128, RolloutResult, BuildSetHasher>;

#[derive(Clone, Copy)]
pub(super) struct RolloutResult {
    /// Summed over the layouts that fit.
    misses: u32,
    /// How often the network evaluations until then.
    evaluations: usize,
}

pub(super) struct ExactRollout<'a, const W: usize> {
    pub(super) network: &'a PolicyNetwork,
    /// In row order.
    pub(super) table: &'a LayoutTable<W>,
    /// The search of the last layouts.
    pub(super) last: EndgameLimits,
    pub(super) cache: &'a mut RolloutCache,
    /// Looks that are left. What is remembered takes as many as if it were new, so that cache changes no shot.
    pub(super) evaluations: usize,
}

/// No look is left.
#[derive(Debug)]
struct OutOfEvaluations;

impl<const W: usize> ExactRollout<'_, W> {
    /// The shot with the fewest misses to come; the network's own where several have.
    pub(super) fn best_shot(&mut self, knowledge: &Knowledge, limits: &RolloutLimits) -> Option<Cell> {
        let mut now = RolloutPosition::new(knowledge, self.table.all());
        let few = (now.layouts.len() as usize / limits.share).next_power_of_two();
        self.last.layouts = few.max(self.last.layouts);
        now.hash ^= u128::from(mixed(self.last.layouts as u64)); // What follows depends on it.
        let mut counts = Vec::new();
        self.table.counts(&now.layouts, 0, &mut counts);
        let cell_of = |at: usize| knowledge.rules().size().cell(usize::from(self.table.spots[at].cell));
        if let Some(at) = self.table.certain_hit(&now.layouts) {
            return Some(cell_of(at));
        }
        let spots = self.strongest_shots(&now, &counts, limits)?;
        if let [only] = spots[..] {
            return Some(cell_of(only));
        }
        let mut best = (u32::MAX, *spots.first()?);
        for at in spots {
            if let Ok(misses) = self.misses_after(&now, at)
                && misses < best.0
            {
                best = (misses, at);
            }
        }
        Some(cell_of(best.1))
    }

    /// The spots worth weighing, the network's choice first.
    fn strongest_shots(
        &self,
        position: &RolloutPosition<W>,
        counts: &[u32],
        limits: &RolloutLimits,
    ) -> Option<Vec<usize>> {
        let output = self.network.evaluate(&position.knowledge)?;
        let policy = PolicyWithOdds::new(self.table, position, counts, output);
        let chosen = policy.best()?;
        let strongest = policy.logits().map(|(logit, _)| logit).fold(f32::NEG_INFINITY, f32::max);
        let near = |&(logit, at): &(f32, usize)| at != chosen && logit >= strongest - limits.logit_margin;
        let mut others: Vec<(f32, usize)> = policy.logits().filter(near).collect();
        // Wishes that differ by rounding alone stay in row order, on every machine.
        others.sort_by_key(|(logit, _)| (-100.0 * logit).round() as i32);
        Some(std::iter::once(chosen).chain(others.into_iter().map(|(_, at)| at)).take(limits.width).collect())
    }

    /// The misses to come, summed over the layouts.
    fn misses(&mut self, position: &RolloutPosition<W>) -> Result<u32, OutOfEvaluations> {
        let layouts = position.layouts.len();
        if layouts < 2 {
            return Ok(0);
        }
        let before = self.evaluations;
        if let Some(&RolloutResult { misses, evaluations }) = self.cache.get(&position.hash) {
            self.evaluations = before.saturating_sub(evaluations);
            return if evaluations <= before { Ok(misses) } else { Err(OutOfEvaluations) };
        }
        let misses = match layouts as usize {
            many if many > self.last.layouts => self.followed(position)?,
            ..=64 => self.searched(&self.table.packed::<1>(&position.layouts), position.hits),
            65..=256 => self.searched(&self.table.packed::<4>(&position.layouts), position.hits),
            257..=1024 => self.searched(&self.table.packed::<16>(&position.layouts), position.hits),
            _ => self.searched(&self.table.packed::<W>(&position.layouts), position.hits),
        };
        self.cache.insert(position.hash, RolloutResult { misses, evaluations: before - self.evaluations });
        Ok(misses)
    }

    /// Few layouts are searched.
    fn searched<const V: usize>(&self, table: &LayoutTable<V>, hits: Cells) -> u32 {
        let mut steps = self.last.steps;
        let all = table.all();
        let exactly = (all.len() as usize <= self.last.exact).then(|| {
            let table = table.packed::<1>(&all);
            ExactSearch::new(&table).misses(&table.all(), hits, u32::MAX, &mut steps).ok()
        });
        exactly
            .flatten()
            .unwrap_or_else(|| LookAhead { limits: &self.last, steps, spare: Vec::new() }.misses_after(table, hits))
    }

    /// Many are shot at: certain hits first, then where the network logits.
    fn followed(&mut self, position: &RolloutPosition<W>) -> Result<u32, OutOfEvaluations> {
        let mut counts = Vec::new();
        let counted = self.table.counts(&position.layouts, position.hits, &mut counts);
        if !counted.uncertain {
            return Ok(0);
        }
        let all = position.layouts.len();
        let is_certain = |at: &usize| counts[*at] == all && position.hits & self.table.spots[*at].bit() == 0;
        let certain = (0..counts.len()).find(is_certain);
        if certain.is_none() {
            self.evaluations = self.evaluations.checked_sub(1).ok_or(OutOfEvaluations)?;
        }
        let by_policy = || {
            let output = self.network.evaluate_once(&position.knowledge)?;
            PolicyWithOdds::new(self.table, position, &counts, output).best()
        };
        match certain.or_else(by_policy).or_else(|| likeliest(&counts, all)) {
            Some(at) => self.misses_after(position, at),
            None => Ok(0),
        }
    }

    /// As [`ExactRollout::misses`], for a given shot, its own miss included.
    fn misses_after(&mut self, position: &RolloutPosition<W>, at: usize) -> Result<u32, OutOfEvaluations> {
        let split = self.table.split(&position.layouts, position.hits, at);
        let mut sum = split.miss().len();
        for (outcome, layouts) in split.by_answer().filter(|(_, layouts)| !layouts.is_empty()) {
            if let Some(next) = position.after(self.table.spots[at].cell, outcome, layouts) {
                sum += self.misses(&next)?;
            }
        }
        Ok(sum)
    }
}
