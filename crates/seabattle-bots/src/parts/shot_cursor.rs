//! The answers that came since a bot last looked.

use seabattle_core::{Shot, View};

/// Remembers how many shots of this game a bot has taken note of.
#[derive(Default)]
pub(crate) struct Watch {
    seen: usize,
}

impl Watch {
    /// The shots answered since the last call, oldest first.
    pub(crate) fn news<'a>(&mut self, view: &View<'a>) -> &'a [Shot] {
        let shots = view.enemy().shots();
        let news = shots.get(self.seen..).unwrap_or_default();
        self.seen = shots.len();
        news
    }
}
