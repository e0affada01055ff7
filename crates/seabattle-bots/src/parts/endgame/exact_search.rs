//! Search to the end over at most 64 layouts: the fewest misses, exactly.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::answer_split::{AnswerSplit, MOST_ANSWERS};
use super::certain_hits::NextStep;
use super::layout_set::{BuildSetHasher, LayoutSet};
use super::layout_table::{Cells, LayoutTable};

/// Branch and bound with a memory of layouts left. Certain hits are taken first, so what happens next depends on the
/// layouts left and on nothing else.
pub(super) struct ExactSearch<'a> {
    table: &'a LayoutTable<1>,
    bounds: HashMap<LayoutSet<1>, MissBound, BuildSetHasher>,
    spare: Vec<Vec<u32>>,
}

/// Misses summed over some layouts: exactly, or at least.
#[derive(Clone, Copy)]
struct MissBound {
    misses: u32,
    exact: bool,
}

/// The steps are used up.
pub(super) struct OutOfSteps;

impl<'a> ExactSearch<'a> {
    pub(super) fn new(table: &'a LayoutTable<1>) -> Self {
        Self { table, bounds: HashMap::default(), spare: Vec::new() }
    }

    /// The spot to shoot at and the fewest misses, summed over all layouts.
    pub(super) fn best_shot(&mut self, steps: &mut usize) -> Result<(usize, u32), OutOfSteps> {
        let all = self.table.all();
        let mut counts = Vec::new();
        match self.table.next_step(&all, 0, &mut counts) {
            NextStep::Search(0) => self.search(&all, 0, &counts, u32::MAX, steps),
            NextStep::Ask(at, split) => {
                Ok((at, self.sum(split.hits(), self.table.spots[at].bit(), 0, u32::MAX, steps)?))
            }
            NextStep::Search(_) | NextStep::Settled => {
                Ok((self.table.certain_hit(&all).unwrap_or(0), self.misses(&all, 0, u32::MAX, steps)?))
            }
        }
    }

    /// The fewest misses if they are fewer than `limit`; else some number that is at least `limit` and not more than
    /// the fewest.
    pub(super) fn misses(
        &mut self,
        layouts: &LayoutSet<1>,
        hits: Cells,
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        if layouts.len() < 2 {
            return Ok(0);
        }
        let mut counts = self.spare.pop().unwrap_or_default();
        let misses = match self.table.next_step(layouts, hits, &mut counts) {
            NextStep::Settled => Ok(0),
            NextStep::Ask(at, split) => self.sum(split.hits(), hits | self.table.spots[at].bit(), 0, limit, steps),
            NextStep::Search(hits) => self.remembered(layouts, hits, &counts, limit, steps),
        };
        self.spare.push(counts);
        misses
    }

    fn remembered(
        &mut self,
        layouts: &LayoutSet<1>,
        hits: Cells,
        counts: &[u32],
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        if layouts.len() == 2 {
            return Ok(1);
        }
        if let Some(known) = self.bounds.get(layouts)
            && (known.exact || known.misses >= limit)
        {
            return Ok(known.misses);
        }
        let (_, misses) = self.search(layouts, hits, counts, limit, steps)?;
        self.bounds.insert(*layouts, MissBound { misses, exact: misses < limit });
        Ok(misses)
    }

    /// Tries every spot that may tell layouts apart, likeliest first.
    fn search(
        &mut self,
        layouts: &LayoutSet<1>,
        hits: Cells,
        counts: &[u32],
        limit: u32,
        steps: &mut usize,
    ) -> Result<(usize, u32), OutOfSteps> {
        *steps = steps.checked_sub(1).ok_or(OutOfSteps)?;
        let all = layouts.len();
        let open = (0..counts.len()).filter(|&at| (1..all).contains(&counts[at]));
        let mut spots: Vec<(Reverse<u32>, usize)> = open.map(|at| (Reverse(counts[at]), at)).collect();
        spots.sort_unstable();
        let at_least = fewest_misses(all, spots.iter().map(|(Reverse(count), _)| *count));
        if at_least >= limit {
            return Ok((0, at_least));
        }
        let (mut best, mut best_spot, mut fewest) = (limit, 0, u32::MAX);
        for &(Reverse(count), at) in &spots {
            if all - count >= best {
                fewest = fewest.min(all - count);
                break;
            }
            let split = self.table.split(layouts, hits, at);
            let misses = self.misses_after(&split, hits, at, best, steps)?;
            fewest = fewest.min(misses);
            if misses < best {
                (best, best_spot) = (misses, at);
            }
            if best == at_least {
                break;
            }
        }
        Ok((best_spot, fewest.max(at_least)))
    }

    /// As [`ExactSearch::misses`], for a given shot: first what every answer costs at least, then each in turn.
    fn misses_after(
        &mut self,
        split: &AnswerSplit<1>,
        hits: Cells,
        at: usize,
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        let hit = hits | self.table.spots[at].bit();
        let parts = || std::iter::once((split.miss(), hits)).chain(split.hits().map(|part| (part, hit)));
        let mut at_least = [0; MOST_ANSWERS];
        let mut sum = split.miss().len();
        for (known, (part, hits)) in at_least.iter_mut().zip(parts()) {
            *known = self.at_least(part, hits);
            sum += *known;
            if sum >= limit {
                return Ok(sum);
            }
        }
        for (known, (part, hits)) in at_least.into_iter().zip(parts()) {
            sum -= known;
            sum += self.misses(part, hits, limit - sum, steps)?;
            if sum >= limit {
                break;
            }
        }
        Ok(sum)
    }

    /// What is known at once: from memory, or from how many layouts cover each spot.
    fn at_least(&mut self, layouts: &LayoutSet<1>, hits: Cells) -> u32 {
        if layouts.len() < 3 {
            return 0;
        }
        if let Some(known) = self.bounds.get(layouts) {
            return known.misses;
        }
        let mut counts = self.spare.pop().unwrap_or_default();
        let misses = match self.table.next_step(layouts, hits, &mut counts) {
            NextStep::Settled | NextStep::Ask(..) => 0,
            NextStep::Search(_) => {
                let all = layouts.len();
                counts.retain(|count| (1..all).contains(count));
                counts.sort_unstable_by_key(|&count| Reverse(count));
                fewest_misses(all, counts.iter().copied())
            }
        };
        self.spare.push(counts);
        misses
    }

    /// Adds the misses of several sets of layouts until there are too many.
    fn sum<'s>(
        &mut self,
        parts: impl Iterator<Item = &'s LayoutSet<1>>,
        hits: Cells,
        start: u32,
        limit: u32,
        steps: &mut usize,
    ) -> Result<u32, OutOfSteps> {
        let mut sum = start;
        for part in parts {
            if sum >= limit {
                break;
            }
            sum += self.misses(part, hits, limit - sum, steps)?;
        }
        Ok(sum)
    }
}

/// No strategy has fewer: before its first hit it shoots at a fixed row of cells, and none of them is hit in more
/// layouts than cover it.
fn fewest_misses(all: u32, counts: impl Iterator<Item = u32>) -> u32 {
    let mut unfinished = all;
    let mut misses = 0;
    for count in counts {
        unfinished = unfinished.saturating_sub(count);
        if unfinished == 0 {
            break;
        }
        misses += unfinished;
    }
    misses
}
