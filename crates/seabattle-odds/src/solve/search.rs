//! Branch and bound over positions: the fewest misses, and the greedy player's.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bound::fewest_misses;
use super::memo::{Known, Memo};
use super::name::{Name, name};
use super::position::{MAX_AREA, Position, Split};
use super::{Limits, SolveError};

/// Sums of misses over all layouts.
pub(super) struct Found {
    pub(super) misses: u32,
    /// None where the first shots are certain hits and nothing is left to find out.
    pub(super) first_cell: Option<usize>,
    pub(super) greedy_misses: u32,
}

pub(super) fn search<const N: usize>(
    start: &Position<N>,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<Found, SolveError> {
    let greedy_misses = greedy(start);
    let mut search = Search { memo: Memo::new(limits.max_memory_bytes), stop };
    if start.cells_left() == 0 {
        return Ok(Found { misses: 0, first_cell: None, greedy_misses });
    }
    let (misses, first_cell) = search.best_shot(start, greedy_misses + 1)?;
    Ok(Found { misses, first_cell: Some(first_cell), greedy_misses })
}

/// Misses of the player who always shoots where most layouts have a ship, in row order among equals.
fn greedy<const N: usize>(position: &Position<N>) -> u32 {
    let counts = position.counts();
    let likeliest = (0..MAX_AREA).rev().max_by_key(|&cell| counts[cell]).unwrap_or(0);
    if counts[likeliest] == 0 {
        return 0;
    }
    let Split { miss, hits } = position.fire(likeliest);
    let missed = miss.as_ref().map_or(0, Position::weight);
    missed + hits.iter().chain(&miss).map(greedy).sum::<u32>()
}

struct Search<'a> {
    memo: Memo,
    stop: &'a AtomicBool,
}

struct Outcome<const N: usize> {
    position: Position<N>,
    known: Known,
}

impl<const N: usize> Outcome<N> {
    fn new(position: Position<N>) -> Self {
        let misses = fewest_misses(&position);
        let exact = position.cells_left() <= 1 || position.rests.len() == 1;
        Self { position, known: Known { misses, exact } }
    }
}

impl Search<'_> {
    /// The fewest misses and the cell to shoot at, if there are fewer than `limit`; else some number of misses that
    /// is at least `limit` and not more than the fewest.
    fn best_shot<const N: usize>(&mut self, position: &Position<N>, limit: u32) -> Result<(u32, usize), SolveError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
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

    /// As [`Search::best_shot`], for a given first shot.
    fn misses_after<const N: usize>(&mut self, split: Split<N>, limit: u32) -> Result<u32, SolveError> {
        let Split { miss, hits } = split;
        let mut at_least = miss.as_ref().map_or(0, Position::weight);
        let mut outcomes = Vec::with_capacity(hits.len() + 1);
        for position in miss.into_iter().chain(hits) {
            if at_least >= limit {
                return Ok(at_least);
            }
            let outcome = Outcome::new(position);
            at_least += outcome.known.misses;
            outcomes.push(outcome);
        }
        outcomes.retain(|outcome| !outcome.known.exact);
        let mut open: Vec<(Outcome<N>, Name)> = Vec::with_capacity(outcomes.len());
        for mut outcome in outcomes.into_iter().rev() {
            if at_least >= limit {
                return Ok(at_least);
            }
            let name = name(&outcome.position);
            if let Some(known) = self.memo.get(&name) {
                at_least += known.misses - outcome.known.misses;
                outcome.known = known;
            }
            if !outcome.known.exact {
                open.push((outcome, name));
            }
        }
        for (outcome, name) in open {
            if at_least >= limit {
                return Ok(at_least);
            }
            let before = outcome.known.misses;
            let share = limit - (at_least - before);
            let (misses, _) = self.best_shot(&outcome.position, share)?;
            self.memo.put(name, Known { misses, exact: misses < share })?;
            at_least += misses - before;
        }
        Ok(at_least)
    }
}

/// Likeliest first, because good play is found early then; a cell that no layout covers tells nothing.
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

    use super::{Limits, Memo, Position, Search, search};

    fn misses_by_first_cell(rules: &Rules, start: &Position<1>) -> Vec<u32> {
        let stop = AtomicBool::new(false);
        let mut search = Search { memo: Memo::new(usize::MAX), stop: &stop };
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
            let found = search(&start, Limits::default(), &AtomicBool::new(false)).unwrap();
            assert_eq!(Some(&found.misses), misses.iter().min(), "{text}");
            assert_eq!(found.first_cell.map(|cell| misses[cell]), Some(found.misses), "{text}");
        }
    }
}
