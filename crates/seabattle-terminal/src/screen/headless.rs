//! The program without a terminal, for tests and for recording animations.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::Options;
use super::app::App;
use super::event::Event;

/// Longer than any computation takes, so a failing test ends.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A session driven by code: the caller sends keys and reads screens.
pub struct Headless {
    app: App,
    events: Receiver<Event>,
    /// The clock, which only [`Self::pass`] advances.
    now: Duration,
}

impl Headless {
    /// Starts the program.
    pub fn new(options: Options) -> Self {
        let (send, events) = channel();
        Self { app: App::new(options, &send), events, now: Duration::ZERO }
    }

    /// Starts the program with the animations of a real terminal.
    #[cfg(test)]
    pub(super) fn animated(options: Options) -> Self {
        let (send, events) = channel();
        Self { app: App::new(options, &send).animated(), events, now: Duration::ZERO }
    }

    fn handle(&mut self, event: Event) {
        self.app.handle(event, self.now);
    }

    /// Presses keys. Letters stand for themselves; other keys are named, as in `x<enter>`.
    pub fn press(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let word = rest.strip_prefix('<').and_then(|word| word.split_once('>'));
            let named = word.and_then(|(word, after)| Some((key_code(word)?, after)));
            let (key, after) = named.unwrap_or_else(|| (KeyCode::Char(first), &rest[first.len_utf8()..]));
            self.handle(Event::Key(KeyEvent::new(key, KeyModifiers::NONE)));
            rest = after;
        }
    }

    /// Clicks the left mouse button.
    pub fn click(&mut self, column: u16, row: u16) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    }

    /// Sends any mouse event.
    pub(super) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.handle(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    /// Sends a key event as a terminal reports it.
    #[cfg(test)]
    pub(super) fn key(&mut self, key: KeyEvent) {
        self.handle(Event::Key(key));
    }

    /// Reports a panic of another thread and returns the failure message.
    #[cfg(test)]
    pub(super) fn panic_in_thread(mut self, text: &str) -> Option<String> {
        self.handle(Event::ThreadPanicked(text.to_owned()));
        self.app.failure()
    }

    /// Pastes a text.
    #[cfg(test)]
    pub(super) fn paste(&mut self, text: &str) {
        self.handle(Event::Paste(text.to_owned()));
    }

    /// Whether the program has asked to be suspended.
    #[cfg(test)]
    pub(super) fn take_suspension(&mut self) -> bool {
        self.app.take_suspension()
    }

    /// Advances the clock and sends one tick.
    pub fn pass(&mut self, time: Duration) {
        self.now += time;
        self.handle(Event::Tick);
    }

    /// Handles events from the workers until the screen is as wanted. Returns whether that happened in time.
    pub fn wait_until(&mut self, columns: u16, rows: u16, wanted: impl Fn(&str) -> bool) -> bool {
        while !wanted(&self.text(columns, rows)) {
            match self.events.recv_timeout(TIMEOUT) {
                Ok(event) => self.handle(event),
                Err(_) => return false,
            }
        }
        true
    }

    /// Handles the next event of a worker. Returns whether there was one in time.
    #[cfg(test)]
    pub(super) fn wait_for_event(&mut self) -> bool {
        self.events.recv_timeout(TIMEOUT).map(|event| self.handle(event)).is_ok()
    }

    /// Handles events until an analysis has arrived. Returns whether it came in time.
    #[cfg(test)]
    pub(super) fn wait_for_analysis(&mut self) -> bool {
        loop {
            let Ok(event) = self.events.recv_timeout(TIMEOUT) else { return false };
            let is_analysis = matches!(event, Event::Analysis { .. });
            self.handle(event);
            if is_analysis {
                return true;
            }
        }
    }

    /// Whether the program has quit.
    pub fn has_quit(&self) -> bool {
        self.app.has_quit()
    }

    /// Draws the screen with all its colors.
    pub fn screen(&mut self, columns: u16, rows: u16) -> Buffer {
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        self.app.draw(area, &mut buffer);
        buffer
    }

    /// Draws the screen as text, without trailing spaces.
    pub fn text(&mut self, columns: u16, rows: u16) -> String {
        let buffer = self.screen(columns, rows);
        let line = |y: u16| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..rows).map(line).collect::<Vec<_>>().join("\n")
    }
}

fn key_code(word: &str) -> Option<KeyCode> {
    Some(match word {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "back" => KeyCode::Backspace,
        "del" => KeyCode::Delete,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        _ => return None,
    })
}
