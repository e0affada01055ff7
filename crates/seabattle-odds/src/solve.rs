//! The best possible play of a lone shooter on a small board, exactly.

mod bound;
mod forecast;
mod memo;
mod name;
mod position;
mod search;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;

use seabattle_core::{Cell, Fleet, Rules, Size, layout};
use thiserror::Error;

use position::{MAX_AREA, Position, heaps};
use search::{Found, search};

/// The most ships of a fleet.
const MAX_SHIPS: usize = 6;

/// The most layouts whatever the limits: sums of misses stay below 2³².
const MAX_LAYOUTS: usize = 1_000_000;

/// How large a problem [`solve`] takes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Rules with more legal fleets are refused before any work; a million at most.
    pub max_layouts: usize,
    /// The search ends with an error rather than remember more than this, and does not begin where that can be
    /// foreseen. What it holds besides, the layouts and the positions between the first shot and the present one,
    /// is small against it.
    pub max_memory_bytes: usize,
    /// The search ends with an error rather than look at more positions, and does not begin where that can be
    /// foreseen. A million take one to three seconds with one ship or two, ten with several and many layouts.
    pub max_positions: u64,
}

/// 2000 layouts, 512 MiB, 50 million positions.
impl Default for Limits {
    fn default() -> Self {
        Self { max_layouts: 2000, max_memory_bytes: 512 << 20, max_positions: 50_000_000 }
    }
}

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SolveError {
    /// More cells than the solver can number.
    #[error("a {size} board is too large to solve: take one of at most {MAX_AREA} cells")]
    TooLarge {
        /// Of the board.
        size: Size,
    },
    /// More ships than the solver can tell apart.
    #[error("a fleet of {ships} ships is too large to solve: take at most {MAX_SHIPS} ships")]
    TooManyShips {
        /// Of the fleet.
        ships: usize,
    },
    /// More legal fleets than the limit.
    #[error("more than {max_layouts} legal fleets: take a smaller board or fewer ships, or raise the limit on layouts")]
    TooManyLayouts {
        /// The limit.
        max_layouts: usize,
    },
    /// The search would look at more positions than the limit, judged by its first part.
    #[error(
        "about {} million positions to look at, {} million allowed: \
         take a smaller board or fewer ships, or raise the limit on positions",
        about(*positions as f64, MILLION), *max_positions as f64 / MILLION
    )]
    TooManyPositions {
        /// Foreseen, for all of the search.
        positions: u64,
        /// The limit.
        max_positions: u64,
    },
    /// The search would remember more than the limit, judged by its first part.
    #[error(
        "about {} MiB of positions to remember, {} MiB allowed: \
         take a smaller board or fewer ships, or raise the limit on memory",
        about(*bytes as f64, MEBIBYTE), *max_memory_bytes as f64 / MEBIBYTE
    )]
    TooMuchMemory {
        /// Foreseen, for all of the search.
        bytes: usize,
        /// The limit.
        max_memory_bytes: usize,
    },
    /// The search has looked at as many positions as the limit allows.
    #[error(
        "no end after {} million positions, as many as allowed: \
         take a smaller board or fewer ships, or raise the limit on positions",
        *max_positions as f64 / MILLION
    )]
    OutOfPositions {
        /// The limit.
        max_positions: u64,
    },
    /// The search needs more memory than the limit.
    #[error("{positions} positions fill the {max_memory_bytes} bytes allowed: raise the limit on memory")]
    OutOfMemory {
        /// The limit.
        max_memory_bytes: usize,
        /// Remembered by then.
        positions: usize,
    },
    /// The stop flag was set.
    #[error("stopped before the solution was found")]
    Stopped,
}

/// What the best strategy of a lone shooter achieves, over all legal fleets alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution {
    /// Legal fleets, ships of one class interchangeable.
    pub layouts: u64,
    /// Shots until the fleet is sunk, summed over the layouts, under optimal play.
    pub total_shots: u64,
    /// A first shot of an optimal strategy; the first in row order among its mirror images.
    pub first_shot: Cell,
    /// As `total_shots`, when every shot goes where a ship is likeliest, in row order among equals.
    pub greedy_total_shots: u64,
}

impl Solution {
    /// Shots of optimal play on average.
    pub fn expected_shots(&self) -> f64 {
        self.total_shots as f64 / self.layouts as f64
    }

    /// Shots on average when every shot goes where a ship is likeliest.
    pub fn greedy_expected_shots(&self) -> f64 {
        self.greedy_total_shots as f64 / self.layouts as f64
    }
}

const MILLION: f64 = 1e6;
const MEBIBYTE: f64 = (1 << 20) as f64;

/// An estimate in this unit, to two digits: more would promise too much.
fn about(number: f64, unit: f64) -> f64 {
    let number = number / unit;
    format!("{number:.1e}").parse().unwrap_or(number)
}

/// The fewest shots on average that sink a fleet drawn uniformly from all legal ones.
///
/// One shot at a time, answered as the rules announce; turns and endings play no part. Time grows steeply with the
/// board: seconds for two ships on 4×4 or 5×4, half a minute on 5×5. What would take more than the limits is refused
/// after a first million positions at most, by how the work grows there: between half and five times what it takes
/// on the boards where both are known. Setting `stop` ends the search soon after.
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
    let found = match heaps(rules) {
        1 => search(&Position::<1>::start(rules, &fleets), limits, stop),
        2 => search(&Position::<2>::start(rules, &fleets), limits, stop),
        3 => search(&Position::<3>::start(rules, &fleets), limits, stop),
        4 => search(&Position::<4>::start(rules, &fleets), limits, stop),
        _ => search(&Position::<MAX_SHIPS>::start(rules, &fleets), limits, stop),
    }?;
    Ok(solution(rules, &fleets, &found))
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

/// Every layout takes as many hits as the fleet has cells, and its misses.
fn solution(rules: &Rules, fleets: &[Fleet], found: &Found) -> Solution {
    let layouts = fleets.len() as u64;
    let certain = || fleets.first().and_then(|fleet| fleet.occupied().first());
    let first_shot = found.first_cell.map(|cell| rules.size().cell(cell)).or_else(certain).unwrap_or(Cell::new(0, 0));
    let hits = layouts * rules.fleet_cells() as u64;
    Solution {
        layouts,
        total_shots: hits + u64::from(found.misses),
        first_shot: first_image(rules.size(), first_shot),
        greedy_total_shots: hits + u64::from(found.greedy_misses),
    }
}

/// The first in row order of the cells that are the same but for turning and mirroring the board.
fn first_image(size: Size, cell: Cell) -> Cell {
    let near = |at: u8, side: u8| at.min(side - 1 - at);
    let (col, row) = (near(cell.col(), size.width()), near(cell.row(), size.height()));
    if size.width() == size.height() { Cell::new(col.max(row), col.min(row)) } else { Cell::new(col, row) }
}
