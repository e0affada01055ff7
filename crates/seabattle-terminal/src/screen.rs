//! The game on the whole screen: pages that draw themselves, one loop that feeds them.

mod app;
mod battle;
mod battle_log;
mod board;
mod board_layout;
mod dialogs;
mod event;
mod event_loop;
mod game_setup;
mod headless;
mod key_bar;
mod list;
mod menu;
mod opponents;
mod page;
mod placing;
mod records;
mod replay;
mod result;
mod rules;
mod session_lock;
mod storage;
mod style;
#[cfg(test)]
mod tests;
mod text_input;
mod ticker;
mod workers;
mod wrap;

pub use event_loop::run;
pub use headless::Headless;
pub use storage::Folders;
pub use style::{Theme, UnknownTheme};

use seabattle_bots::BotInfo;
use seabattle_core::{Glyphs, Record, Rules};

use crate::{First, RecordFile};

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
    pub save: Option<RecordFile>,
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
