//! A few shots ahead over many layouts: the likeliest cells are tried, then the likeliest alone until few layouts are left.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::EndgameLimits;
use super::certain_hits::NextStep;
use super::exact_search::ExactSearch;
use super::layout_set::{BuildSetHasher, LayoutSet};
use super::layout_table::{Cells, LayoutTable};

pub(super) struct LookAhead<'a> {
    pub(super) limits: &'a EndgameLimits,
    /// Positions that may still be looked at.
    pub(super) steps: usize,
    /// Room for counts.
    pub(super) spare: Vec<Vec<u32>>,
}

/// Smaller sets are sooner searched than found.
const WORTH_REMEMBERING: u32 = 6;

/// What the misses of a position depend on, besides the layouts.
#[derive(Clone, Copy)]
struct SearchState {
    hits: Cells,
    /// Shots since the position at hand.
    depth: usize,
}

impl SearchState {
    fn miss(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn hit(self, cell: Cells) -> Self {
        Self { hits: self.hits | cell, depth: self.depth + 1 }
    }

    fn sure_hit(self, cell: Cells) -> Self {
        Self { hits: self.hits | cell, ..self }
    }
}

/// A table, and the misses of greed for sets of its layouts.
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
    /// The spot to shoot at and the misses expected, summed over all layouts.
    pub(super) fn best_shot<const W: usize>(&mut self, table: &LayoutTable<W>) -> (usize, u32) {
        let all = table.all();
        let now = SearchState { hits: 0, depth: 0 };
        let cache = &mut GreedyCache::new(table);
        let mut counts = Vec::new();
        match table.next_step(&all, 0, &mut counts) {
            NextStep::Search(0) => self.search(cache, &all, now, &counts, u32::MAX),
            NextStep::Ask(at, split) => {
                (at, self.sum(cache, split.hits(), now.sure_hit(table.spots[at].bit()), 0, u32::MAX))
            }
            NextStep::Search(_) | NextStep::Settled => {
                (table.certain_hit(&all).unwrap_or(0), self.misses_here(cache, &all, now, u32::MAX))
            }
        }
    }

    /// The misses expected state some hits, summed over all layouts.
    pub(super) fn misses_after<const W: usize>(&mut self, table: &LayoutTable<W>, hits: Cells) -> u32 {
        self.misses_of_all(table, SearchState { hits, depth: 0 }, u32::MAX)
    }

    /// The misses expected, as far as they are fewer than `limit`. What greed makes of some layouts is remembered.
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
        let misses = self.misses_in_smallest(cache, layouts, state, limit);
        if is_greedy && misses < limit && layouts.len() >= WORTH_REMEMBERING {
            cache.greedy.insert(*layouts, misses);
        }
        misses
    }

    /// From the smallest table that holds the layouts.
    fn misses_in_smallest<const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        layouts: &LayoutSet<W>,
        state: SearchState,
        limit: u32,
    ) -> u32 {
        match layouts.len() {
            ..=64 if W > 1 => self.misses_of_all(&cache.table.packed::<1>(layouts), state, limit),
            65..=256 if W > 4 => self.misses_of_all(&cache.table.packed::<4>(layouts), state, limit),
            257..=1024 if W > 16 => self.misses_of_all(&cache.table.packed::<16>(layouts), state, limit),
            _ => self.misses_here(cache, layouts, state, limit),
        }
    }

    fn misses_of_all<const W: usize>(&mut self, table: &LayoutTable<W>, state: SearchState, limit: u32) -> u32 {
        self.misses_here(&mut GreedyCache::new(table), &table.all(), state, limit)
    }

    fn misses_here<const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        layouts: &LayoutSet<W>,
        state: SearchState,
        limit: u32,
    ) -> u32 {
        let table = cache.table;
        if layouts.len() as usize <= self.limits.exact_ahead {
            let packed = table.packed::<1>(layouts);
            if let Ok(misses) = ExactSearch::new(&packed).misses(&packed.all(), state.hits, limit, &mut self.steps) {
                return misses;
            }
        }
        let mut counts = self.spare.pop().unwrap_or_default();
        let misses = match table.next_step(layouts, state.hits, &mut counts) {
            NextStep::Settled => 0,
            NextStep::Ask(at, split) => self.sum(cache, split.hits(), state.sure_hit(table.spots[at].bit()), 0, limit),
            NextStep::Search(hits) => self.search(cache, layouts, SearchState { hits, ..state }, &counts, limit).1,
        };
        self.spare.push(counts);
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
        let mut best_spot = None;
        let (one, several);
        let spots = if width == 1 {
            one = likeliest(counts, layouts.len());
            one.as_slice()
        } else {
            several = likeliest_of_all(counts, layouts.len(), width);
            &several
        };
        for &at in spots {
            let split = table.split(layouts, state.hits, at);
            let missed = split.miss().len();
            if missed >= best && best_spot.is_some() {
                break;
            }
            let after_miss = missed + self.misses(cache, split.miss(), state.miss(), best.saturating_sub(missed));
            let misses = self.sum(cache, split.hits(), state.hit(table.spots[at].bit()), after_miss, best);
            if misses < best || best_spot.is_none() {
                (best, best_spot) = (misses, Some(at));
            }
        }
        (best_spot.unwrap_or(0), best)
    }

    fn sum<'s, const W: usize>(
        &mut self,
        cache: &mut GreedyCache<'_, W>,
        parts: impl Iterator<Item = &'s LayoutSet<W>>,
        state: SearchState,
        start: u32,
        limit: u32,
    ) -> u32 {
        let mut sum = start;
        for part in parts {
            if sum >= limit {
                break;
            }
            sum += self.misses(cache, part, state, limit - sum);
        }
        sum
    }
}

/// The first of the spots that most layouts cover but not all.
pub(super) fn likeliest(counts: &[u32], all: u32) -> Option<usize> {
    let most = counts.iter().fold(0, |most: u32, &count| most.max(if count == all { 0 } else { count }));
    counts.iter().position(|&count| count == most).filter(|_| most > 0)
}

/// Several of them, most first.
fn likeliest_of_all(counts: &[u32], all: u32, width: usize) -> Vec<usize> {
    let mut spots: Vec<usize> = (0..counts.len()).filter(|&at| (1..all).contains(&counts[at])).collect();
    spots.sort_unstable_by_key(|&at| (Reverse(counts[at]), at));
    spots.truncate(width);
    spots
}

#[cfg(test)]
mod tests {
    use super::{likeliest, likeliest_of_all};

    #[test]
    fn the_likeliest_is_the_first_of_all() {
        let check = |counts: &[u32], expected: Option<usize>| {
            assert_eq!(likeliest(counts, 5), expected, "{counts:?}");
            assert_eq!(likeliest_of_all(counts, 5, 1).first().copied(), expected, "{counts:?}");
        };
        check(&[], None);
        check(&[0, 5, 0], None);
        check(&[0, 5, 1], Some(2));
        check(&[2, 4, 5, 4, 0], Some(1));
    }
}
