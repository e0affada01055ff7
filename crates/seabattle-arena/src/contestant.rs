//! Who takes part in a match, and how a player is made of them.

use crate::bench::MakeBot;
use crate::foreign::{Foreign, TimeLimits};
use crate::player::{Player, Resident};
use crate::process::Launch;

/// One who takes part in matches; players are made of it as often as needed.
pub struct Contestant {
    /// As tables show it.
    pub name: String,
    /// What its players are.
    pub kind: Kind,
}

/// What players are made of.
pub enum Kind {
    /// A bot of this process.
    Resident(Box<MakeBot<'static>>),
    /// A program of its own.
    Foreign {
        /// How to start it.
        launch: Launch,
        /// How long it may take.
        limits: TimeLimits,
    },
}

impl Contestant {
    /// A player for some games in a row; a resident one remembers from game to game only if it is to learn.
    pub fn player(&self, learns: bool) -> Box<dyn Player + '_> {
        match &self.kind {
            Kind::Resident(make) => Box::new(Resident::new(make, learns)),
            Kind::Foreign { launch, limits } => Box::new(Foreign::new(launch.clone(), *limits)),
        }
    }
}
