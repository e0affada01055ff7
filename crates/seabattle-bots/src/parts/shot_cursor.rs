//! A cursor over the shots of a game, for bots that handle every answer once.

use seabattle_core::{Shot, View};

/// Counts the answers that a bot has read in this game.
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
