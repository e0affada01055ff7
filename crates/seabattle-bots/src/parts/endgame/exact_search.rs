//! An exact search over at most 64 layouts for the fewest misses.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::answer_split::{AnswerSplit, MAX_ANSWERS};
use super::certain_hits::NextStep;
use super::layout_set::{BuildSetHasher, LayoutSet};
use super::layout_table::{CellMask, LayoutTable};

/// Branch and bound with a transposition table. Certain hits come first, so the fewest misses depend only on the
/// layouts that are left.
pub(super) struct ExactSearch<'a> {
    table: &'a LayoutTable<1>,
    bounds: HashMap<LayoutSet<1>, MissBound, BuildSetHasher>,
    count_buffers: Vec<Vec<u32>>,
}

/// A sum of misses over some layouts: the exact number, or a lower bound.
#[derive(Clone, Copy)]
struct MissBound {
    misses: u32,
    exact: bool,
}

/// The error of a search that has no steps left.
pub(super) struct OutOfSteps;

impl<'a> ExactSearch<'a> {
    pub(super) fn new(table: &'a LayoutTable<1>) -> Self {
        Self { table, bounds: HashMap::default(), count_buffers: Vec::new() }
    }

    /// The covered cell to fire at, with the fewest misses, summed over all layouts.
    pub(super) fn best_shot(&mut self, steps: &mut usize) -> Result<(usize, u32), OutOfSteps> {
        let all_layouts = self.table.all_layouts();
        let mut counts = Vec::new();
        match self.table.next_step(&all_layouts, 0, &mut counts) {
            NextStep::Search(0) => self.search(&all_layouts, 0, &counts, u32::MAX, steps),
            NextStep::Fire(index, split) => {
                Ok((index, self.sum_misses(split.hits(), self.table.covered_cells[index].bit(), 0, u32::MAX, steps)?))
            }
            NextStep::Search(_) | NextStep::Settled => {
                Ok((self.table.certain_hit(&all_layouts).unwrap_or(0), self.misses(&all_layouts, 0, u32::MAX, steps)?))
            }
        }
    }

    /// The fewest misses if they are below `limit`. Otherwise a lower bound of them that is at least `limit`.
    pub(super) fn misses(
        &mut self,
        layouts: &LayoutSet<1>,
        hits: CellMask,
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        if layouts.len() < 2 {
            return Ok(0);
        }
        let mut counts = self.count_buffers.pop().unwrap_or_default();
        let misses = match self.table.next_step(layouts, hits, &mut counts) {
            NextStep::Settled => Ok(0),
            NextStep::Fire(index, split) => {
                self.sum_misses(split.hits(), hits | self.table.covered_cells[index].bit(), 0, limit, steps)
            }
            NextStep::Search(hits) => self.misses_cached(layouts, hits, &counts, limit, steps),
        };
        self.count_buffers.push(counts);
        misses
    }

    fn misses_cached(
        &mut self,
        layouts: &LayoutSet<1>,
        hits: CellMask,
        counts: &[u32],
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        if layouts.len() == 2 {
            return Ok(1);
        }
        if let Some(cached) = self.bounds.get(layouts)
            && (cached.exact || cached.misses >= limit)
        {
            return Ok(cached.misses);
        }
        let (_, misses) = self.search(layouts, hits, counts, limit, steps)?;
        self.bounds.insert(*layouts, MissBound { misses, exact: misses < limit });
        Ok(misses)
    }

    /// Tries every uncertain cell, likeliest first.
    fn search(
        &mut self,
        layouts: &LayoutSet<1>,
        hits: CellMask,
        counts: &[u32],
        limit: u32,
        steps: &mut usize,
    ) -> Result<(usize, u32), OutOfSteps> {
        *steps = steps.checked_sub(1).ok_or(OutOfSteps)?;
        let layout_count = layouts.len();
        let open = (0..counts.len()).filter(|&index| (1..layout_count).contains(&counts[index]));
        let mut candidates: Vec<(Reverse<u32>, usize)> = open.map(|index| (Reverse(counts[index]), index)).collect();
        candidates.sort_unstable();
        let lower_bound = counting_bound(layout_count, candidates.iter().map(|(Reverse(count), _)| *count));
        if lower_bound >= limit {
            return Ok((0, lower_bound));
        }
        let (mut best, mut best_index, mut fewest_misses) = (limit, 0, u32::MAX);
        for &(Reverse(count), index) in &candidates {
            if layout_count - count >= best {
                fewest_misses = fewest_misses.min(layout_count - count);
                break;
            }
            let split = self.table.split(layouts, hits, index);
            let misses = self.misses_after(&split, hits, index, best, steps)?;
            fewest_misses = fewest_misses.min(misses);
            if misses < best {
                (best, best_index) = (misses, index);
            }
            if best == lower_bound {
                break;
            }
        }
        Ok((best_index, fewest_misses.max(lower_bound)))
    }

    /// Like [`ExactSearch::misses`], for a given shot. It first adds lower bounds for all answers, then replaces one
    /// after the other with the result of a search.
    fn misses_after(
        &mut self,
        split: &AnswerSplit<1>,
        hits: CellMask,
        index: usize,
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        let hits_after_hit = hits | self.table.covered_cells[index].bit();
        let answers = || {
            std::iter::once((split.miss(), hits)).chain(split.hits().map(|layouts_left| (layouts_left, hits_after_hit)))
        };
        let mut lower_bounds = [0; MAX_ANSWERS];
        let mut total = split.miss().len();
        for (bound, (layouts_left, hits)) in lower_bounds.iter_mut().zip(answers()) {
            *bound = self.lower_bound(layouts_left, hits);
            total += *bound;
            if total >= limit {
                return Ok(total);
            }
        }
        for (bound, (layouts_left, hits)) in lower_bounds.into_iter().zip(answers()) {
            total -= bound;
            total += self.misses(layouts_left, hits, limit - total, steps)?;
            if total >= limit {
                break;
            }
        }
        Ok(total)
    }

    /// A lower bound that is known at once: from the transposition table, or from the counts of covered cells.
    fn lower_bound(&mut self, layouts: &LayoutSet<1>, hits: CellMask) -> u32 {
        if layouts.len() < 3 {
            return 0;
        }
        if let Some(cached) = self.bounds.get(layouts) {
            return cached.misses;
        }
        let mut counts = self.count_buffers.pop().unwrap_or_default();
        let misses = match self.table.next_step(layouts, hits, &mut counts) {
            NextStep::Settled | NextStep::Fire(..) => 0,
            NextStep::Search(_) => {
                let layout_count = layouts.len();
                counts.retain(|count| (1..layout_count).contains(count));
                counts.sort_unstable_by_key(|&count| Reverse(count));
                counting_bound(layout_count, counts.iter().copied())
            }
        };
        self.count_buffers.push(counts);
        misses
    }

    /// Adds the misses of several sets of layouts, until the sum reaches `limit`.
    fn sum_misses<'s>(
        &mut self,
        answers: impl Iterator<Item = &'s LayoutSet<1>>,
        hits: CellMask,
        subtotal: u32,
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        let mut total = subtotal;
        for layouts_left in answers {
            if total >= limit {
                break;
            }
            total += self.misses(layouts_left, hits, limit - total, steps)?;
        }
        Ok(total)
    }
}

/// A lower bound of the misses of any strategy. Before its first hit a strategy fires at a fixed sequence of cells, and
/// each of them hits at most as many layouts as cover it.
fn counting_bound(layout_count: u32, counts: impl Iterator<Item = u32>) -> u32 {
    let mut layouts_without_hit = layout_count;
    let mut misses = 0;
    for count in counts {
        layouts_without_hit = layouts_without_hit.saturating_sub(count);
        if layouts_without_hit == 0 {
            break;
        }
        misses += layouts_without_hit;
    }
    misses
}
