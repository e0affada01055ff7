//! Everything that pages react to.

use std::sync::Arc;

use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use seabattle_core::{Cell, Fleet, Side};
use seabattle_odds::{Analysis, Odds};

use super::workers::GameId;

/// Input, a tick, or an answer of a worker.
pub(super) enum Event {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// Text pasted into the terminal.
    Paste(String),
    /// The window has a new size.
    Resized,
    /// The tick interval of the page has passed.
    Tick,
    /// The system asks the program to end.
    Shutdown,
    /// A thread has panicked. The program must end.
    ThreadPanicked(String),
    /// A side's bot has placed its fleet.
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
    /// The odds of the position after this number of shots, if they could be computed.
    Odds {
        game_id: GameId,
        shots: usize,
        odds: Option<Arc<Odds>>,
    },
    /// The analysis of a finished game, if it could be computed.
    Analysis {
        game_id: GameId,
        analysis: Option<Box<Analysis>>,
    },
}
