//! Fair choices among cells.

use seabattle_core::{Cell, CellSet, Stream, View, below};

/// Any member of a set, each as likely as any other.
pub(crate) fn any_of(cells: &CellSet, rng: &mut Stream) -> Option<Cell> {
    cells.nth(below(rng, cells.len()))
}

/// Any legal shot. A referee asks only while there is one.
pub(crate) fn any_target(view: &View<'_>, rng: &mut Stream) -> Cell {
    any_of(&view.targets(), rng).unwrap_or(Cell::new(0, 0))
}
