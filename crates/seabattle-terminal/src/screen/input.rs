//! Reads keys, the mouse and pasted text on a thread.

use std::io;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event::{Event as TerminalEvent, poll, read};

use super::event::Event;

/// Starts the thread that reads input. The program ends if the terminal is gone.
pub(super) fn read_input(send: &Sender<Event>) {
    let keys = send.clone();
    thread::spawn(move || {
        loop {
            let event = match next_event() {
                Ok(TerminalEvent::Key(key)) => Event::Key(key),
                Ok(TerminalEvent::Mouse(mouse)) => Event::Mouse(mouse),
                Ok(TerminalEvent::Paste(text)) => Event::Paste(text),
                Ok(TerminalEvent::Resize(..)) => Event::Resized,
                Ok(_) => continue,
                Err(_) => Event::Shutdown,
            };
            let last = matches!(event, Event::Shutdown);
            if keys.send(event).is_err() || last {
                return;
            }
        }
    });
}

/// Waits for the next event.
fn next_event() -> io::Result<TerminalEvent> {
    if !poll(Duration::ZERO)? {
        announce_unread_input();
    }
    read()
}

/// Makes the system announce input that crossterm has left unread.
///
/// Crossterm reads at most 1024 bytes per announcement, and the system announces input once, when it arrives. After a
/// large paste the rest would wait for more keys. Setting the terminal's modes, even to the same values, announces it
/// again.
#[cfg(unix)]
fn announce_unread_input() {
    use rustix::io::ioctl_fionread;
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

    use super::terminal_session::lock_mode;

    let is_full_screen = lock_mode();
    if *is_full_screen
        && ioctl_fionread(io::stdin()).is_ok_and(|unread| unread > 0)
        && let Ok(modes) = tcgetattr(io::stdin())
    {
        tcsetattr(io::stdin(), OptionalActions::Now, &modes).ok();
    }
}

#[cfg(not(unix))]
fn announce_unread_input() {}
