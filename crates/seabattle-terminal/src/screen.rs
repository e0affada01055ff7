//! The game on the whole screen: pages that draw themselves, one loop that feeds them.

mod app;
mod bar;
mod battle;
mod board;
mod choice;
mod finish;
mod help;
mod keep;
mod line;
mod log;
mod look;
mod menu;
mod metronome;
mod news;
mod opponents;
mod page;
mod placing;
mod records;
mod rehearsal;
mod rules;
mod show;
mod sight;
mod slot;
mod terms;
#[cfg(test)]
mod tests;
mod text;
mod thinker;
mod window;

pub use keep::Folders;
pub use look::{Theme, UnknownTheme};
pub use rehearsal::Rehearsal;
pub use window::run;

use seabattle_bots::BotInfo;
use seabattle_core::{Glyphs, Record, Rules};

use crate::{First, SaveFile};

/// What a sitting in front of the screen begins with.
pub struct Options {
    /// Where it begins.
    pub start: Start,
    /// If not those of the last sitting.
    pub rules: Option<Rules>,
    /// If not the opponent of the last sitting.
    pub bot: Option<&'static BotInfo>,
    /// Of the first game; the next ones count on from it.
    pub seed: u64,
    /// Who begins.
    pub first: First,
    /// Where records go besides the player's own folder.
    pub save: Option<SaveFile>,
    /// If not the one of the last sitting, or what the terminal can show.
    pub theme: Option<Theme>,
    /// What boards are drawn with.
    pub glyphs: Glyphs,
    /// Where settings and games are kept.
    pub folders: Folders,
}

/// Where a sitting begins.
pub enum Start {
    /// With the menu.
    Menu,
    /// With placing a fleet.
    Game,
    /// With a record to look at.
    Replay(Box<Record>),
}
