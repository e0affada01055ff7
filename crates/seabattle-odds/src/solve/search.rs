//! Branch and bound over positions: the fewest misses, and the greedy player's.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bound::fewest_misses;
use super::forecast::{Effort, Growth};
use super::memo::{Known, Memo};
use super::name::{Name, name};
use super::position::{MAX_AREA, Position, Split};
use super::{Limits, SolveError};

/// Positions looked at before it is judged whether the search will end within its limits: a few seconds.
const TRIAL_POSITIONS: u64 = 1_000_000;

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
    let mut search = Search::new(limits, stop);
    if start.cells_left() == 0 {
        return Ok(Found { misses: 0, first_cell: None, greedy_misses });
    }
    search.try_out(start, limits)?;
    let (misses, first_cell) = search.best_shot(start, greedy_misses + 1)?;
    Ok(Found { misses, first_cell: Some(first_cell), greedy_misses })
}

/// Misses of the player who always shoots where most layouts have a ship, in row order among equals.
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

/// The first in row order of the cells that most layouts cover.
fn likeliest(counts: &[u32; MAX_AREA]) -> usize {
    (0..MAX_AREA).rev().max_by_key(|&cell| counts[cell]).unwrap_or(0)
}

/// The position after 0, 1, 2, ... misses of that player, as long as something is left to find out.
fn misses_in_a_row<const N: usize>(start: &Position<N>) -> Vec<Position<N>> {
    let next = |position: &Position<N>| position.fire(likeliest(&position.counts())).miss;
    std::iter::successors(Some(start.clone()), next).take_while(|position| position.rests.len() > 1).collect()
}

struct Search<'a> {
    memo: Memo,
    looked_at: u64,
    max_positions: u64,
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

impl<'a> Search<'a> {
    fn new(limits: Limits, stop: &'a AtomicBool) -> Self {
        let Limits { max_memory_bytes, max_positions, .. } = limits;
        Self { memo: Memo::new(max_memory_bytes), looked_at: 0, max_positions, stop }
    }

    /// Refuses what will not end within the limits, after a short part of the work.
    ///
    /// The game is solved from its end, after ever fewer misses in a row, and the work of all other stages foreseen
    /// from how it grows. Nothing of it is lost: the search meets these positions again and knows them.
    fn try_out<const N: usize>(&mut self, start: &Position<N>, limits: Limits) -> Result<(), SolveError> {
        let mut growth = Growth::new();
        self.max_positions = limits.max_positions.min(TRIAL_POSITIONS);
        for (misses, position) in misses_in_a_row(start).iter().enumerate().rev() {
            match self.best_shot(position, greedy(position) + 1) {
                Ok(_) => growth.add(Effort::new(self.looked_at, self.memo.len())),
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

    /// The fewest misses and the cell to shoot at, if there are fewer than `limit`; else some number of misses that
    /// is at least `limit` and not more than the fewest.
    fn best_shot<const N: usize>(&mut self, position: &Position<N>, limit: u32) -> Result<(u32, usize), SolveError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
        }
        if self.looked_at > self.max_positions {
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

    /// As [`Search::best_shot`], for a given first shot.
    fn misses_after<const N: usize>(&mut self, split: Split<N>, limit: u32) -> Result<u32, SolveError> {
        let Split { miss, hits } = split;
        let mut at_least = miss.as_ref().map_or(0, Position::weight);
        let mut outcomes = Vec::with_capacity(hits.len() + 1);
        for position in miss.into_iter().chain(hits) {
            if at_least >= limit {
                return Ok(at_least);
            }
            self.looked_at += 1;
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
            let found = search(&start, Limits::default(), &AtomicBool::new(false)).unwrap();
            assert_eq!(Some(&found.misses), misses.iter().min(), "{text}");
            assert_eq!(found.first_cell.map(|cell| misses[cell]), Some(found.misses), "{text}");
        }
    }
}
