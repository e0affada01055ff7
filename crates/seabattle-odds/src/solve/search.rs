//! [Branch and bound](https://en.wikipedia.org/wiki/Branch_and_bound) over positions, for the fewest misses of any
//! strategy; and the misses of the greedy strategy.

use std::sync::atomic::{AtomicBool, Ordering};

use super::canonical::{CanonicalHash, canonical_hash};
use super::effort::{Effort, EffortPerStage};
use super::lower_bound::misses_lower_bound;
use super::position::{MAX_AREA, Position, Split};
use super::transposition::{Bound, TranspositionTable};
use super::{Limits, SolveError};

/// Positions searched before the effort of the whole search is forecast; they take a few seconds.
const TRIAL_POSITIONS: u64 = 1_000_000;

/// The result of a search: misses summed over all layouts.
pub(super) struct SearchResult {
    pub(super) misses: u32,
    /// `None` where every shot that is needed is a certain hit.
    pub(super) first_cell: Option<usize>,
    pub(super) greedy_misses: u32,
}

pub(super) fn search<const N: usize>(
    start: &Position<N>,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<SearchResult, SolveError> {
    let greedy_misses = greedy(start);
    let mut search = Search::new(limits, stop);
    if start.cells_left() == 0 {
        return Ok(SearchResult { misses: 0, first_cell: None, greedy_misses });
    }
    search.forecast_effort(start, limits)?;
    let (misses, first_cell) = search.best_shot(start, greedy_misses + 1)?;
    Ok(SearchResult { misses, first_cell: Some(first_cell), greedy_misses })
}

/// The misses of the greedy strategy, which always fires at the cell that most layouts cover, the first among equals.
fn greedy<const N: usize>(position: &Position<N>) -> u32 {
    let counts = position.counts();
    let cell = likeliest(&counts);
    if counts[cell] == 0 {
        return 0;
    }
    let Split { miss, hits } = position.fire(cell);
    let missed = miss.as_ref().map_or(0, Position::weight);
    missed + hits.iter().chain(&miss).map(greedy).sum::<u32>()
}

/// The cell that most layouts cover, the first in row order among equals.
fn likeliest(counts: &[u32; MAX_AREA]) -> usize {
    (0..MAX_AREA).rev().max_by_key(|&cell| counts[cell]).unwrap_or(0)
}

/// The positions after 0, 1, 2, … misses of the greedy strategy, as long as several layouts are left.
fn misses_in_a_row<const N: usize>(start: &Position<N>) -> Vec<Position<N>> {
    let next = |position: &Position<N>| position.fire(likeliest(&position.counts())).miss;
    std::iter::successors(Some(start.clone()), next).take_while(|position| position.remainders.len() > 1).collect()
}

/// The state of the search.
struct Search<'a> {
    table: TranspositionTable,
    positions_searched: u64,
    max_positions: u64,
    stop: &'a AtomicBool,
}

/// A position after a shot, with what is known of its misses.
struct Outcome<const N: usize> {
    position: Position<N>,
    bound: Bound,
}

impl<const N: usize> Outcome<N> {
    fn new(position: Position<N>) -> Self {
        let misses = misses_lower_bound(&position);
        let exact = position.cells_left() <= 1 || position.remainders.len() == 1;
        Self { position, bound: Bound { misses, exact } }
    }
}

impl<'a> Search<'a> {
    fn new(limits: Limits, stop: &'a AtomicBool) -> Self {
        let Limits { max_memory_bytes, max_positions, .. } = limits;
        Self { table: TranspositionTable::new(max_memory_bytes), positions_searched: 0, max_positions, stop }
    }

    /// Searches a first part and refuses problems whose forecast effort exceeds the limits.
    ///
    /// The game is solved backwards: after many misses in a row, then after fewer. The growth of the effort from stage
    /// to stage gives the forecast. No work is lost, because the transposition table keeps these positions.
    fn forecast_effort<const N: usize>(&mut self, start: &Position<N>, limits: Limits) -> Result<(), SolveError> {
        let mut growth = EffortPerStage::new();
        self.max_positions = limits.max_positions.min(TRIAL_POSITIONS);
        for (misses, position) in misses_in_a_row(start).iter().enumerate().rev() {
            match self.best_shot(position, greedy(position) + 1) {
                Ok(_) => growth.add(Effort::new(self.positions_searched, self.table.len())),
                Err(SolveError::OutOfPositions { .. }) => {
                    growth.after(misses + 1).check(limits)?;
                    break;
                }
                Err(other) => return Err(other),
            }
        }
        self.max_positions = limits.max_positions;
        Ok(())
    }

    /// Finds the fewest misses and the cell to fire at, if they are fewer than `limit`.
    ///
    /// Otherwise returns a lower bound of the misses that is at least `limit`.
    fn best_shot<const N: usize>(&mut self, position: &Position<N>, limit: u32) -> Result<(u32, usize), SolveError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
        }
        if self.positions_searched > self.max_positions {
            return Err(SolveError::OutOfPositions { max_positions: self.max_positions });
        }
        let mut best = limit;
        let mut best_cell = 0;
        let mut fewest = u32::MAX;
        for cell in shots_worth_trying(position) {
            let misses = self.misses_after(position.fire(cell), best)?;
            fewest = fewest.min(misses);
            if misses < best {
                best = misses;
                best_cell = cell;
            }
        }
        Ok((fewest, best_cell))
    }

    /// The misses after a given first shot, or a lower bound of at least `limit`, as in [`Search::best_shot`].
    fn misses_after<const N: usize>(&mut self, split: Split<N>, limit: u32) -> Result<u32, SolveError> {
        let Split { miss, hits } = split;
        let mut at_least = miss.as_ref().map_or(0, Position::weight);
        let mut outcomes = Vec::with_capacity(hits.len() + 1);
        for position in miss.into_iter().chain(hits) {
            if at_least >= limit {
                return Ok(at_least);
            }
            self.positions_searched += 1;
            let outcome = Outcome::new(position);
            at_least += outcome.bound.misses;
            outcomes.push(outcome);
        }
        outcomes.retain(|outcome| !outcome.bound.exact);
        let mut unknown: Vec<(Outcome<N>, CanonicalHash)> = Vec::with_capacity(outcomes.len());
        for mut outcome in outcomes.into_iter().rev() {
            if at_least >= limit {
                return Ok(at_least);
            }
            let hash = canonical_hash(&outcome.position);
            if let Some(bound) = self.table.get(&hash) {
                at_least += bound.misses - outcome.bound.misses;
                outcome.bound = bound;
            }
            if !outcome.bound.exact {
                unknown.push((outcome, hash));
            }
        }
        for (outcome, hash) in unknown {
            if at_least >= limit {
                return Ok(at_least);
            }
            let old_bound = outcome.bound.misses;
            let remaining_limit = limit - (at_least - old_bound);
            let (misses, _) = self.best_shot(&outcome.position, remaining_limit)?;
            self.table.put(hash, Bound { misses, exact: misses < remaining_limit })?;
            at_least += misses - old_bound;
        }
        Ok(at_least)
    }
}

/// The cells to try, likeliest first: good shots found early prune more. Cells that no layout covers are left out.
fn shots_worth_trying<const N: usize>(position: &Position<N>) -> Vec<usize> {
    let counts = position.counts();
    if let Some(cell) = position.safe_certain_cell(&counts) {
        return vec![cell];
    }
    let mut cells: Vec<usize> = (0..MAX_AREA).filter(|&cell| counts[cell] > 0).collect();
    cells.sort_by_key(|&cell| std::cmp::Reverse(counts[cell]));
    cells
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use seabattle_core::{Cell, Fleet, Rules, layout};

    use super::{Limits, Position, Search, search};

    fn misses_by_first_cell(rules: &Rules, start: &Position<1>) -> Vec<u32> {
        let stop = AtomicBool::new(false);
        let mut search = Search::new(Limits::default(), &stop);
        (0..rules.size().area()).map(|cell| search.misses_after(start.fire(cell), u32::MAX).unwrap()).collect()
    }

    #[test]
    fn images_of_a_first_shot_are_worth_the_same() {
        for text in ["3x3:2", "4x4:2", "4x4:3", "4x3:2", "4x3:3", "5x5:3", "4x3:3,2,announce=hit"] {
            let rules: Rules = text.parse().unwrap();
            let fleets: Vec<Fleet> = layout::all(&rules).collect();
            let start = Position::<1>::start(&rules, &fleets);
            let misses = misses_by_first_cell(&rules, &start);
            let size = rules.size();
            let at = |col, row| misses[size.index(Cell::new(col, row))];
            for cell in size.cells() {
                let (col, row) = (cell.col(), cell.row());
                assert_eq!(at(col, row), at(size.width() - 1 - col, row), "{text} {cell}");
                assert_eq!(at(col, row), at(col, size.height() - 1 - row), "{text} {cell}");
                assert!(size.width() != size.height() || at(col, row) == at(row, col), "{text} {cell}");
            }
            let result = search(&start, Limits::default(), &AtomicBool::new(false)).unwrap();
            assert_eq!(Some(&result.misses), misses.iter().min(), "{text}");
            assert_eq!(result.first_cell.map(|cell| misses[cell]), Some(result.misses), "{text}");
        }
    }
}
