//! The event loop: waits for input, ticks and workers, and draws the screen.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::Options;
use super::app::App;
use super::event::Event;
use super::input::read_input;
use super::terminal_session::TerminalSession;
use super::ticker::Ticker;
use crate::{Error, Result};

/// The most events handled between two drawings of the screen.
const MAX_BATCH: usize = 64;

/// Runs the program in the terminal until the player quits.
pub fn run(options: Options) -> Result<()> {
    let (send, events) = channel();
    handle_signals(&send);
    let mut app = App::new(options, &send).animated();
    let mut terminal = TerminalSession::open(&send)?;
    read_input(&send);
    let (mut ticker, start) = (Ticker::default(), Instant::now());
    // If drawing fails, the terminal is gone and nobody would see an error.
    while !app.has_quit() && terminal.draw(&mut app).is_ok() {
        process_events(&mut app, &events, &mut ticker, start);
        if app.take_suspension() && terminal.suspend().is_err() {
            break;
        }
    }
    drop(terminal);
    let is_saved = app.saves_games();
    app.failure().map_or(Ok(()), |text| Err(Error::Broken { text, is_saved }))
}

/// Waits for an event, then handles all waiting events.
fn process_events(app: &mut App, events: &Receiver<Event>, ticker: &mut Ticker, start: Instant) {
    let first = match ticker.time_left(app.tick_interval(), Instant::now()) {
        None => events.recv().unwrap_or(Event::Shutdown),
        Some(Duration::ZERO) => Event::Tick,
        Some(time) => match events.recv_timeout(time) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => Event::Tick,
            Err(RecvTimeoutError::Disconnected) => Event::Shutdown,
        },
    };
    if matches!(first, Event::Tick) {
        ticker.ticked();
    }
    app.handle(first, start.elapsed());
    for more in events.try_iter().take(MAX_BATCH) {
        if app.has_quit() {
            return;
        }
        app.handle(more, start.elapsed());
    }
}

fn handle_signals(send: &Sender<Event>) {
    let signals = send.clone();
    // Without the handler, the key Ctrl-C still works.
    ctrlc::set_handler(move || {
        signals.send(Event::Shutdown).ok();
    })
    .ok();
}
