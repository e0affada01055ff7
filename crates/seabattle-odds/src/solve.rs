//! Optimal play of a lone shooter on a small board, found by exhaustive search.

mod canonical;
mod effort;
mod lower_bound;
mod position;
mod search;
#[cfg(test)]
mod tests;
mod transposition;

use std::sync::atomic::AtomicBool;

use seabattle_core::{Cell, Fleet, Rules, Size, layout};
use thiserror::Error;

use position::{MAX_AREA, Position, distinguishable_ships};
use search::{SearchResult, search};

/// The most ships of a fleet that the solver accepts.
const MAX_SHIPS: usize = 6;

/// The most layouts, whatever the limits: sums of misses stay below 2³².
const MAX_LAYOUTS: usize = 1_000_000;

/// How large a problem [`solve`] accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most legal fleets, at most a million. Rules with more are refused before any work.
    pub max_layouts: usize,
    /// The most bytes of the transposition table; all other memory is small in comparison. The search ends with an error
    /// before it needs more, and does not start if that can be forecast.
    pub max_memory_bytes: usize,
    /// The most positions to search. The search ends with an error before it needs more, and does not start if that can
    /// be forecast. A million take one to three seconds with one or two ships, and ten with several.
    pub max_positions: u64,
}

/// The default limits: 2000 layouts, 512 MiB, 50 million positions.
impl Default for Limits {
    fn default() -> Self {
        Self { max_layouts: 2000, max_memory_bytes: 512 << 20, max_positions: 50_000_000 }
    }
}

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SolveError {
    /// The board has more cells than the solver can number.
    #[error("a {size} board is too large to solve: take one of at most {MAX_AREA} cells")]
    TooLarge {
        /// The size of the board.
        size: Size,
    },
    /// The fleet has more ships than the solver can distinguish.
    #[error("a fleet of {ships} ships is too large to solve: take at most {MAX_SHIPS} ships")]
    TooManyShips {
        /// How many ships the fleet has.
        ships: usize,
    },
    /// The rules have more legal fleets than the limit allows.
    #[error("more than {max_layouts} legal fleets: take a smaller board or fewer ships, or raise the limit on layouts")]
    TooManyLayouts {
        /// The limit.
        max_layouts: usize,
    },
    /// The forecast number of positions exceeds the limit.
    #[error(
        "about {} million positions to search, {} million allowed: \
         take a smaller board or fewer ships, or raise the limit on positions",
        rounded(*positions as f64, MILLION), *max_positions as f64 / MILLION
    )]
    TooManyPositions {
        /// The forecast for the whole search.
        positions: u64,
        /// The limit.
        max_positions: u64,
    },
    /// The forecast memory exceeds the limit.
    #[error(
        "about {} MiB of positions to store, {} MiB allowed: \
         take a smaller board or fewer ships, or raise the limit on memory",
        rounded(*bytes as f64, MEBIBYTE), *max_memory_bytes as f64 / MEBIBYTE
    )]
    TooMuchMemory {
        /// The forecast for the whole search.
        bytes: usize,
        /// The limit.
        max_memory_bytes: usize,
    },
    /// The search reached the limit on positions.
    #[error(
        "no end after {} million positions, as many as allowed: \
         take a smaller board or fewer ships, or raise the limit on positions",
        *max_positions as f64 / MILLION
    )]
    OutOfPositions {
        /// The limit.
        max_positions: u64,
    },
    /// The search reached the limit on memory.
    #[error("{positions} positions fill the {max_memory_bytes} bytes allowed: raise the limit on memory")]
    OutOfMemory {
        /// The limit.
        max_memory_bytes: usize,
        /// The positions in the transposition table at that moment.
        positions: usize,
    },
    /// The stop flag was set.
    #[error("stopped before the solution was found")]
    Stopped,
}

/// Optimal play of a lone shooter against a fleet drawn uniformly from all legal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution {
    /// The number of legal fleets, ships of one class interchangeable.
    pub layouts: u64,
    /// The shots of optimal play until the fleet is sunk, summed over all layouts.
    pub total_shots: u64,
    /// A first shot of an optimal strategy; among its mirror images the first in row order.
    pub first_shot: Cell,
    /// The shots of the greedy strategy, summed over all layouts. It fires at the likeliest cell, the first among equals.
    pub greedy_total_shots: u64,
}

impl Solution {
    /// The mean number of shots of optimal play.
    pub fn expected_shots(&self) -> f64 {
        self.total_shots as f64 / self.layouts as f64
    }

    /// The mean number of shots of the greedy strategy, which always fires at the likeliest cell.
    pub fn greedy_expected_shots(&self) -> f64 {
        self.greedy_total_shots as f64 / self.layouts as f64
    }
}

const MILLION: f64 = 1e6;
const MEBIBYTE: f64 = (1 << 20) as f64;

/// An estimate in this unit, rounded to two digits.
fn rounded(number: f64, unit: f64) -> f64 {
    let number = number / unit;
    format!("{number:.1e}").parse().unwrap_or(number)
}

/// Finds the fewest shots, on average, that sink a fleet drawn uniformly from all legal ones.
///
/// Shots are fired one at a time and answered as the rules announce. Turns and endings do not matter. Time grows
/// steeply with the board: a tenth of a second for two ships on 4×4, half a minute at most on 5×5.
///
/// A problem that would exceed the limits is refused after a million positions at most. The forecast comes from how the
/// work grows until then; where it could be checked, it was between half and five times the real work. Setting `stop`
/// ends the search soon after.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use seabattle_core::Rules;
/// use seabattle_odds::solve::{Limits, solve};
///
/// let rules: Rules = "3x3:2".parse()?;
/// let solution = solve(&rules, Limits::default(), &AtomicBool::new(false))?;
/// assert_eq!(solution.expected_shots(), 4.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(rules: &Rules, limits: Limits, stop: &AtomicBool) -> Result<Solution, SolveError> {
    let fleets = fleets_within(rules, limits)?;
    let result = match distinguishable_ships(rules) {
        1 => search(&Position::<1>::start(rules, &fleets), limits, stop),
        2 => search(&Position::<2>::start(rules, &fleets), limits, stop),
        3 => search(&Position::<3>::start(rules, &fleets), limits, stop),
        4 => search(&Position::<4>::start(rules, &fleets), limits, stop),
        _ => search(&Position::<MAX_SHIPS>::start(rules, &fleets), limits, stop),
    }?;
    Ok(solution(rules, &fleets, &result))
}

fn fleets_within(rules: &Rules, limits: Limits) -> Result<Vec<Fleet>, SolveError> {
    if rules.size().area() > MAX_AREA {
        return Err(SolveError::TooLarge { size: rules.size() });
    }
    if rules.ship_count() > MAX_SHIPS {
        return Err(SolveError::TooManyShips { ships: rules.ship_count() });
    }
    let max_layouts = limits.max_layouts.min(MAX_LAYOUTS);
    let fleets: Vec<Fleet> = layout::all(rules).take(max_layouts + 1).collect();
    if fleets.len() > max_layouts {
        return Err(SolveError::TooManyLayouts { max_layouts });
    }
    Ok(fleets)
}

/// The solution from the misses: every layout also takes as many hits as the fleet has cells.
fn solution(rules: &Rules, fleets: &[Fleet], result: &SearchResult) -> Solution {
    let layouts = fleets.len() as u64;
    let certain = || fleets.first().and_then(|fleet| fleet.occupied().first());
    let first_shot = result.first_cell.map(|cell| rules.size().cell(cell)).or_else(certain).unwrap_or(Cell::new(0, 0));
    let hits = layouts * rules.fleet_cells() as u64;
    Solution {
        layouts,
        total_shots: hits + u64::from(result.misses),
        first_shot: first_image(rules.size(), first_shot),
        greedy_total_shots: hits + u64::from(result.greedy_misses),
    }
}

/// The first cell in row order among the mirror images and rotations of a cell.
fn first_image(size: Size, cell: Cell) -> Cell {
    let near = |at: u8, side: u8| at.min(side - 1 - at);
    let (col, row) = (near(cell.col(), size.width()), near(cell.row(), size.height()));
    if size.width() == size.height() { Cell::new(col.max(row), col.min(row)) } else { Cell::new(col, row) }
}
