//! Following a ship from the cell where it was found, one direction after the other.

use seabattle_core::{Cell, Shot, View};

use crate::parts::direction::Direction;

/// A search outwards from a hit: on while it hits, then back to the origin and the next direction.
#[derive(Default)]
pub(crate) struct LineFollower {
    trail: Option<Trail>,
}

struct Trail {
    origin: Cell,
    tip: Cell,
    directions: std::slice::Iter<'static, Direction>,
    direction: Option<Direction>,
    /// Fired at, not answered yet.
    awaited: Option<Cell>,
}

impl LineFollower {
    /// Takes note of an answer: of a shot on the trail, or of a hit that starts one.
    pub(crate) fn learn(&mut self, shot: Shot, order: &'static [Direction]) {
        match &mut self.trail {
            Some(trail) if trail.awaited == Some(shot.cell) => {
                trail.awaited = None;
                if shot.outcome.is_hit() {
                    trail.tip = shot.cell;
                } else {
                    trail.turn();
                }
            }
            _ if shot.outcome.is_hit() => self.trail = Some(Trail::new(shot.cell, order)),
            _ => {}
        }
    }

    /// The next cell on the trail. Blocked directions are dropped until one is open, all within the same turn.
    ///
    /// There is none while an answer is awaited, and none once all directions are dropped.
    pub(crate) fn next(&mut self, view: &View<'_>) -> Option<Cell> {
        let trail = self.trail.as_mut().filter(|trail| trail.awaited.is_none())?;
        while let Some(direction) = trail.direction {
            let next = direction.neighbour_of(trail.tip, view.rules().size());
            if let Some(cell) = next.filter(|&cell| view.is_target(cell)) {
                trail.awaited = Some(cell);
                return Some(cell);
            }
            trail.turn();
        }
        None
    }
}

impl Trail {
    fn new(origin: Cell, order: &'static [Direction]) -> Self {
        let mut directions = order.iter();
        Self { origin, tip: origin, direction: directions.next().copied(), directions, awaited: None }
    }

    fn turn(&mut self) {
        self.direction = self.directions.next().copied();
        self.tip = self.origin;
    }
}
