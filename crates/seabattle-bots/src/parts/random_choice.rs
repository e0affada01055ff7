//! Fair choices among cells.

use seabattle_core::{Cell, CellSet, SeededRng, View, uniform_below};

/// Any member of a set, each as likely as any other.
pub(crate) fn any_of(cells: &CellSet, rng: &mut SeededRng) -> Option<Cell> {
    cells.nth(uniform_below(rng, cells.len()))
}

/// Any legal shot. A referee asks only while there is one.
pub(crate) fn any_target(view: &View<'_>, rng: &mut SeededRng) -> Cell {
    any_of(&view.targets(), rng).unwrap_or(Cell::new(0, 0))
}
