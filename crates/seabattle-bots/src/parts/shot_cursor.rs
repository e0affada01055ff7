//! The answers that came since a bot last looked.

use seabattle_core::{Shot, View};

/// Remembers how many shots of this game a bot has taken note of.
#[derive(Default)]
pub(crate) struct ShotCursor {
    shots_read: usize,
}

impl ShotCursor {
    /// The shots answered since the last call, oldest first.
    pub(crate) fn new_shots<'a>(&mut self, view: &View<'a>) -> &'a [Shot] {
        let shots = view.enemy().shots();
        let new_shots = shots.get(self.shots_read..).unwrap_or_default();
        self.shots_read = shots.len();
        new_shots
    }
}
