//! Everything that can happen to a screen.

use std::sync::Arc;

use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use seabattle_core::{Cell, Fleet, Side};
use seabattle_odds::{Analysis, Odds};

use super::workers::GameId;

/// One thing that has happened.
pub(super) enum Event {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// The window has another size: draw anew.
    Resized,
    /// Time has gone by that the screen asked for.
    Tick,
    /// The program is asked to end.
    Shutdown,
    /// A thread has panicked: the program cannot go on.
    ThreadPanicked(String),
    /// The bot of a side has placed its fleet.
    Fleet {
        game_id: GameId,
        side: Side,
        fleet: Fleet,
    },
    /// The bot to move has chosen its shots.
    Volley {
        game_id: GameId,
        cells: Vec<Cell>,
    },
    /// The odds after so many shots, if there are any.
    Odds {
        game_id: GameId,
        shots: usize,
        odds: Option<Arc<Odds>>,
    },
    /// How well both sides have shot, if that can be said.
    Analysis {
        game_id: GameId,
        analysis: Option<Box<Analysis>>,
    },
}
