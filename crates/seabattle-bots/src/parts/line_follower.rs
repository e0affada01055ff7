//! Follows a ship from its first hit, in one direction after the other.

use seabattle_core::{Cell, Shot, View};

use crate::parts::direction::Direction;

/// A search outwards from a hit. It continues while it hits, then returns to the origin and takes the next direction.
#[derive(Default)]
pub(crate) struct LineFollower {
    line: Option<FollowedLine>,
}

struct FollowedLine {
    origin: Cell,
    last_hit: Cell,
    directions: std::slice::Iter<'static, Direction>,
    direction: Option<Direction>,
    /// The shot that has no answer yet.
    pending: Option<Cell>,
}

impl LineFollower {
    /// Handles an answer: to a shot on the line, or a new hit that starts a line.
    pub(crate) fn learn(&mut self, shot: Shot, order: &'static [Direction]) {
        match &mut self.line {
            Some(line) if line.pending == Some(shot.cell) => {
                line.pending = None;
                if shot.outcome.is_hit() {
                    line.last_hit = shot.cell;
                } else {
                    line.next_direction();
                }
            }
            _ if shot.outcome.is_hit() => self.line = Some(FollowedLine::new(shot.cell, order)),
            _ => {}
        }
    }

    /// The next cell on the line. Blocked directions are dropped within the same turn.
    ///
    /// There is none while an answer is missing, or once all directions are dropped.
    pub(crate) fn next(&mut self, view: &View<'_>) -> Option<Cell> {
        let line = self.line.as_mut().filter(|line| line.pending.is_none())?;
        while let Some(direction) = line.direction {
            let next = direction.neighbor_of(line.last_hit, view.rules().size());
            if let Some(cell) = next.filter(|&cell| view.is_target(cell)) {
                line.pending = Some(cell);
                return Some(cell);
            }
            line.next_direction();
        }
        None
    }
}

impl FollowedLine {
    fn new(origin: Cell, order: &'static [Direction]) -> Self {
        let mut directions = order.iter();
        Self { origin, last_hit: origin, direction: directions.next().copied(), directions, pending: None }
    }

    fn next_direction(&mut self) {
        self.direction = self.directions.next().copied();
        self.last_hit = self.origin;
    }
}
