//! Looks a few shots ahead over many layouts. It tries the likeliest cells first, then plays greedily.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::EndgameLimits;
use super::certain_hits::NextStep;
use super::layout_set::{BuildSetHasher, LayoutSet};
use super::layout_table::{CellMask, LayoutTable};

pub(super) struct LookAhead<'a> {
    pub(super) limits: &'a EndgameLimits,
    /// The number of positions that the search may still visit.
    pub(super) steps: usize,
    /// Buffers for counts, used again and again.
    pub(super) count_buffers: Vec<Vec<u32>>,
}

/// The fewest layouts whose misses are cached. Fewer are searched faster than found.
const MIN_CACHED_LAYOUTS: u32 = 6;

/// The state that the misses depend on, apart from the layouts.
#[derive(Clone, Copy)]
struct SearchState {
    hits: CellMask,
    /// The number of uncertain shots since the root.
    depth: usize,
}

impl SearchState {
    fn after_miss(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn after_hit(self, cell: CellMask) -> Self {
        Self { hits: self.hits | cell, depth: self.depth + 1 }
    }

    fn after_certain_hit(self, cell: CellMask) -> Self {
        Self { hits: self.hits | cell, ..self }
    }
}

/// A table with a cache of the misses that greedy play costs some of its layouts.
struct GreedyCache<'t, const W: usize> {
    table: &'t LayoutTable<W>,
    greedy: HashMap<LayoutSet<W>, u32, BuildSetHasher>,
}

impl<'t, const W: usize> GreedyCache<'t, W> {
    fn new(table: &'t LayoutTable<W>) -> Self {
        Self { table, greedy: HashMap::default() }
    }
}

impl LookAhead<'_> {
    /// The covered cell to fire at, with the expected misses, summed over all layouts.
    pub(super) fn best_shot<const W: usize>(&mut self, table: &LayoutTable<W>) -> (usize, u32) {
        let all_layouts = table.all_layouts();
        let root = SearchState { hits: 0, depth: 0 };
        let cache = &mut GreedyCache::new(table);
        let mut counts = Vec::new();
        match table.next_step(&all_layouts, 0, &mut counts) {
            NextStep::Search(0) => self.search(cache, &all_layouts, root, &counts, u32::MAX),
            NextStep::Fire(index, split) => (
                index,
                self.sum_misses(
                    cache,
                    split.hits(),
                    root.after_certain_hit(table.covered_cells[index].bit()),
                    0,
                    u32::MAX,
                ),
            ),
            NextStep::Search(_) | NextStep::Settled => (
                table.certain_hit(&all_layouts).unwrap_or(0),
                self.misses_uncached(cache, &all_layouts, root, u32::MAX),
            ),
        }
    }

    /// The expected misses after some hits, summed over all layouts.
    pub(super) fn misses_after<const W: usize>(&mut self, table: &LayoutTable<W>, hits: CellMask) -> u32 {
        self.misses_in_table(table, SearchState { hits, depth: 0 }, u32::MAX)
    }

    /// The expected misses if they are below `limit`, else at least `limit`. Results of greedy play are cached.
    fn misses<const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        layouts: &LayoutSet<W>,
        state: SearchState,
        limit: u32,
    ) -> u32 {
        if layouts.len() < 2 {
            return 0;
        }
        let is_greedy = state.depth >= self.limits.widths.len();
        if is_greedy && let Some(&misses) = cache.greedy.get(layouts) {
            return misses;
        }
        let misses = self.misses_in_subtable(cache, layouts, state, limit);
        if is_greedy && misses < limit && layouts.len() >= MIN_CACHED_LAYOUTS {
            cache.greedy.insert(*layouts, misses);
        }
        misses
    }

    /// The misses from the smallest table that holds the layouts, since small bit sets are faster.
    fn misses_in_subtable<const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        layouts: &LayoutSet<W>,
        state: SearchState,
        limit: u32,
    ) -> u32 {
        match layouts.len() {
            ..=64 if W > 1 => self.misses_in_table(&cache.table.subtable::<1>(layouts), state, limit),
            65..=256 if W > 4 => self.misses_in_table(&cache.table.subtable::<4>(layouts), state, limit),
            257..=1024 if W > 16 => self.misses_in_table(&cache.table.subtable::<16>(layouts), state, limit),
            _ => self.misses_uncached(cache, layouts, state, limit),
        }
    }

    fn misses_in_table<const W: usize>(&mut self, table: &LayoutTable<W>, state: SearchState, limit: u32) -> u32 {
        self.misses_uncached(&mut GreedyCache::new(table), &table.all_layouts(), state, limit)
    }

    fn misses_uncached<const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        layouts: &LayoutSet<W>,
        state: SearchState,
        limit: u32,
    ) -> u32 {
        let table = cache.table;
        let mut counts = self.count_buffers.pop().unwrap_or_default();
        let misses = match table.next_step(layouts, state.hits, &mut counts) {
            NextStep::Settled => 0,
            NextStep::Fire(index, split) => self.sum_misses(
                cache,
                split.hits(),
                state.after_certain_hit(table.covered_cells[index].bit()),
                0,
                limit,
            ),
            NextStep::Search(hits) => self.search(cache, layouts, SearchState { hits, ..state }, &counts, limit).1,
        };
        self.count_buffers.push(counts);
        misses
    }

    fn search<const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        layouts: &LayoutSet<W>,
        state: SearchState,
        counts: &[u32],
        limit: u32,
    ) -> (usize, u32) {
        let table = cache.table;
        let width = if self.steps == 0 { 1 } else { self.limits.widths.get(state.depth).copied().unwrap_or(1) };
        self.steps = self.steps.saturating_sub(1);
        let mut best = limit;
        let mut best_index = None;
        let (single, ranked);
        let candidates = if width == 1 {
            single = likeliest_index(counts, layouts.len());
            single.as_slice()
        } else {
            ranked = likeliest_indices(counts, layouts.len(), width);
            &ranked
        };
        for &index in candidates {
            let split = table.split(layouts, state.hits, index);
            let missed = split.miss().len();
            if missed >= best && best_index.is_some() {
                break;
            }
            let after_miss = missed + self.misses(cache, split.miss(), state.after_miss(), best.saturating_sub(missed));
            let misses = self.sum_misses(
                cache,
                split.hits(),
                state.after_hit(table.covered_cells[index].bit()),
                after_miss,
                best,
            );
            if misses < best || best_index.is_none() {
                (best, best_index) = (misses, Some(index));
            }
        }
        (best_index.unwrap_or(0), best)
    }

    fn sum_misses<'s, const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        answers: impl Iterator<Item = &'s LayoutSet<W>>,
        state: SearchState,
        subtotal: u32,
        limit: u32,
    ) -> u32 {
        let mut total = subtotal;
        for layouts_left in answers {
            if total >= limit {
                break;
            }
            total += self.misses(cache, layouts_left, state, limit - total);
        }
        total
    }
}

/// The likeliest uncertain cell: the first with the highest count below `layout_count`.
pub(super) fn likeliest_index(counts: &[u32], layout_count: u32) -> Option<usize> {
    let highest =
        counts.iter().fold(0, |highest: u32, &count| highest.max(if count == layout_count { 0 } else { count }));
    counts.iter().position(|&count| count == highest).filter(|_| highest > 0)
}

/// The likeliest uncertain cells, at most `width`, highest count first.
fn likeliest_indices(counts: &[u32], layout_count: u32, width: usize) -> Vec<usize> {
    let mut indices: Vec<usize> =
        (0..counts.len()).filter(|&index| (1..layout_count).contains(&counts[index])).collect();
    indices.sort_unstable_by_key(|&index| (Reverse(counts[index]), index));
    indices.truncate(width);
    indices
}

#[cfg(test)]
mod tests {
    use super::{likeliest_index, likeliest_indices};

    #[test]
    fn the_likeliest_cell_is_the_first_of_the_likeliest_cells() {
        let check = |counts: &[u32], expected: Option<usize>| {
            assert_eq!(likeliest_index(counts, 5), expected, "{counts:?}");
            assert_eq!(likeliest_indices(counts, 5, 1).first().copied(), expected, "{counts:?}");
        };
        check(&[], None);
        check(&[0, 5, 0], None);
        check(&[0, 5, 1], Some(2));
        check(&[2, 4, 5, 4, 0], Some(1));
    }
}
