//! Uniform random choices among cells.

use seabattle_core::{Cell, CellSet, SeededRng, View, uniform_below};

/// Any cell of a set, each with the same probability.
pub(crate) fn any_of(cells: &CellSet, rng: &mut SeededRng) -> Option<Cell> {
    cells.nth(uniform_below(rng, cells.len()))
}

/// Any target, each with the same probability. The referee asks only while there is one.
pub(crate) fn any_target(view: &View<'_>, rng: &mut SeededRng) -> Cell {
    any_of(&view.targets(), rng).unwrap_or(Cell::new(0, 0))
}
