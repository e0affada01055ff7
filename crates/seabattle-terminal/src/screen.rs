//! The full-screen game. Pages draw into a buffer, and one event loop feeds them.

mod app;
mod battle;
mod battle_log;
mod board;
mod board_layout;
mod cell_size;
mod dialogs;
mod event;
mod event_loop;
mod game_setup;
mod headless;
mod input;
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
mod terminal_session;
#[cfg(test)]
mod tests;
mod text_input;
mod ticker;
mod viewport;
mod workers;
mod wrap;

pub use event_loop::run;
pub use headless::Headless;
pub use storage::DataFolders;
pub use style::{Theme, UnknownTheme};

use seabattle_bots::BotInfo;
use seabattle_core::{Glyphs, Record, Rules};

use crate::{First, RecordFile};

/// How the full-screen game starts.
pub struct Options {
    /// The first page.
    pub start: Start,
    /// Rules given on the command line. `None` uses the saved ones.
    pub rules: Option<Rules>,
    /// The opponent given on the command line. `None` uses the saved one.
    pub bot: Option<&'static BotInfo>,
    /// Seed of the first game. Every later game adds one.
    pub seed: u64,
    /// Who fires first.
    pub first: First,
    /// An extra file for records. The player's own folder gets them too.
    pub save: Option<RecordFile>,
    /// The theme given on the command line. `None` uses the saved one, if the terminal can show it.
    pub theme: Option<Theme>,
    /// The characters for drawing boards.
    pub glyphs: Glyphs,
    /// Folders for settings, layouts and games.
    pub folders: DataFolders,
}

/// The first page of a session.
pub enum Start {
    /// The menu.
    Menu,
    /// Placing a fleet.
    Game,
    /// The replay of a recorded game.
    Replay(Box<Record>),
}
