//! Contestants of matches and tournaments, and how their players are made.

use crate::bench::MakeBot;
use crate::external::{ExternalPlayer, TimeLimits};
use crate::player::{BuiltInPlayer, Player};
use crate::process::BotCommand;

/// A contestant of matches and tournaments: a factory for players.
pub struct Contestant {
    /// The name in tables and records.
    pub name: String,
    /// The kind of its players.
    pub kind: ContestantKind,
}

/// The kind of a contestant's players.
pub enum ContestantKind {
    /// A bot of this process.
    BuiltIn(Box<MakeBot<'static>>),
    /// A program that speaks the line protocol in a process of its own.
    External {
        /// How to start the program.
        command: BotCommand,
        /// How long the program may take.
        limits: TimeLimits,
    },
}

impl Contestant {
    /// Whether it runs in a process of its own.
    pub const fn is_external(&self) -> bool {
        matches!(self.kind, ContestantKind::External { .. })
    }

    /// Makes a player for some games in a row. A built-in player remembers earlier games only if it `learns`.
    pub fn player(&self, learns: bool) -> Box<dyn Player + '_> {
        match &self.kind {
            ContestantKind::BuiltIn(make) => Box::new(BuiltInPlayer::new(make, learns)),
            ContestantKind::External { command, limits } => Box::new(ExternalPlayer::new(command.clone(), *limits)),
        }
    }
}
