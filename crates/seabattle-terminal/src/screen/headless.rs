//! The program without a terminal: for tests, and for pictures of it.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::Options;
use super::app::App;
use super::event::Event;

/// Longer than anything takes, so that a failure is no hang.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A sitting that nobody sits at: keys are told, screens are looked at.
pub struct Headless {
    app: App,
    events: Receiver<Event>,
}

impl Headless {
    /// The program as it begins.
    pub fn new(options: Options) -> Self {
        let (send, events) = channel();
        Self { app: App::new(options, &send), events }
    }

    /// Presses keys: letters are themselves, words in angle brackets the others, as in `x<enter>`.
    pub fn press(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let word = rest.strip_prefix('<').and_then(|word| word.split_once('>'));
            let named = word.and_then(|(word, after)| Some((key_code(word)?, after)));
            let (key, after) = named.unwrap_or_else(|| (KeyCode::Char(first), &rest[first.len_utf8()..]));
            self.app.handle(Event::Key(KeyEvent::new(key, KeyModifiers::NONE)));
            rest = after;
        }
    }

    /// Clicks with the left button.
    pub fn click(&mut self, column: u16, row: u16) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    }

    /// Does anything else with the mouse.
    pub(super) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.app.handle(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    /// Presses a key as the terminal tells it.
    #[cfg(test)]
    pub(super) fn key(&mut self, key: KeyEvent) {
        self.app.handle(Event::Key(key));
    }

    /// A thread has panicked.
    #[cfg(test)]
    pub(super) fn panic_in_thread(mut self, text: &str) -> Option<String> {
        self.app.handle(Event::ThreadPanicked(text.to_owned()));
        self.app.failure()
    }

    /// Lets the time go by that the page asked for.
    pub fn tick(&mut self) {
        self.app.handle(Event::Tick);
    }

    /// Waits for what the threads have to say until the screen is as wanted; whether it ever was.
    pub fn wait_until(&mut self, columns: u16, rows: u16, wanted: impl Fn(&str) -> bool) -> bool {
        while !wanted(&self.text(columns, rows)) {
            match self.events.recv_timeout(TIMEOUT) {
                Ok(event) => self.app.handle(event),
                Err(_) => return false,
            }
        }
        true
    }

    /// Whether the program is to end.
    pub fn has_quit(&self) -> bool {
        self.app.has_quit()
    }

    /// The screen with all its colours.
    pub fn screen(&mut self, columns: u16, rows: u16) -> Buffer {
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        self.app.draw(area, &mut buffer);
        buffer
    }

    /// The screen as text, without the spaces at the ends of lines.
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
