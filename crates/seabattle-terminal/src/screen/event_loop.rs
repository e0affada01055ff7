//! The real terminal: reads its input, draws on it, and always restores it.

use std::io::{self, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show as ShowCursor;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event as TerminalEvent, read};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

use super::Options;
use super::app::App;
use super::event::Event;
use super::ticker::Ticker;
use crate::{Error, Result};

/// The most events handled between two drawings of the screen.
const MAX_BATCH: usize = 64;

/// Whether the terminal is in full-screen mode. It is restored once, so later output stays visible.
static SESSION_ACTIVE: AtomicBool = AtomicBool::new(false);

/// Runs the program in the terminal until the player quits.
pub fn run(options: Options) -> Result<()> {
    let (send, events) = channel();
    handle_signals(&send);
    let mut app = App::new(options, &send);
    let mut terminal = TerminalSession::open(&send)?;
    read_input(&send);
    let mut ticker = Ticker::default();
    // If drawing fails, the terminal is gone and nobody would see an error.
    while !app.has_quit() && terminal.draw(&mut app).is_ok() {
        process_events(&mut app, &events, &mut ticker);
    }
    app.failure().map_or(Ok(()), |text| Err(Error::Broken(text)))
}

/// Waits for an event, then handles all waiting events.
fn process_events(app: &mut App, events: &Receiver<Event>, ticker: &mut Ticker) {
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
    app.handle(first);
    for more in events.try_iter().take(MAX_BATCH) {
        if app.has_quit() {
            return;
        }
        app.handle(more);
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

/// Reads keys and the mouse on a thread. The program ends if the terminal is gone.
fn read_input(send: &Sender<Event>) {
    let keys = send.clone();
    thread::spawn(move || {
        loop {
            let event = match read() {
                Ok(TerminalEvent::Key(key)) => Event::Key(key),
                Ok(TerminalEvent::Mouse(mouse)) => Event::Mouse(mouse),
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

/// A panic of this thread restores the terminal before the message. A panic of another thread ends the program cleanly.
fn install_panic_hook(send: &Sender<Event>) {
    let (main_thread, send, default_hook) = (thread::current().id(), send.clone(), panic::take_hook());
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == main_thread {
            restore_terminal();
            default_hook(info);
        } else {
            send.send(Event::ThreadPanicked(info.to_string())).ok();
        }
    }));
}

/// The terminal in full-screen mode. Dropping it restores the terminal.
struct TerminalSession {
    /// Never dropped, because it would print an error about a closed terminal.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl TerminalSession {
    fn open(send: &Sender<Event>) -> io::Result<Self> {
        install_panic_hook(send);
        enable_raw_mode()?;
        SESSION_ACTIVE.store(true, Ordering::SeqCst);
        let entered = execute!(stdout(), EnterAlternateScreen, EnableMouseCapture);
        entered
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())))
            .map(|terminal| Self { terminal: ManuallyDrop::new(terminal) })
            .inspect_err(|_| restore_terminal())
    }

    fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if app.take_redraw() {
            // `clear` would ask for the cursor position and wait for the thread that reads the answer.
            let size = self.terminal.size()?;
            self.terminal.resize(size.into())?;
        }
        self.terminal.draw(|frame| {
            let area = frame.area();
            app.draw(area, frame.buffer_mut());
        })?;
        Ok(())
    }
}

impl Drop for TerminalSession {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Restores the terminal. Errors are ignored, since nothing more can be done.
fn restore_terminal() {
    if SESSION_ACTIVE.swap(false, Ordering::SeqCst) {
        execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, ShowCursor).ok();
        disable_raw_mode().ok();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::env;
    use std::io::Read;

    use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};

    use super::*;

    /// Runs one of the tests below in a pseudo-terminal. Returns its output and the terminal.
    fn in_pseudo_terminal(test: &str) -> (String, Box<dyn MasterPty + Send>) {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "--nocapture", &format!("screen::event_loop::tests::{test}")]);
        let mut child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let reading = thread::spawn(move || {
            let mut written = Vec::new();
            // Some systems report the end of a pseudo-terminal as an error.
            reader.read_to_end(&mut written).ok();
            String::from_utf8_lossy(&written).into_owned()
        });
        child.wait().unwrap();
        let modes = pair.master.get_termios().map(|modes| format!("{modes:?}")).unwrap_or_default();
        assert!(modes.contains("ICANON") && modes.contains("ECHO"), "{modes}");
        drop(pair.slave);
        (reading.join().unwrap(), pair.master)
    }

    #[test]
    fn a_panic_restores_the_terminal_before_its_message() {
        let (written, _terminal) = in_pseudo_terminal("panic_while_drawing");
        let (left, message) = (written.find("\x1b[?1049l"), written.find("at the drawing board"));
        assert!(written.contains("\x1b[?1049h") && left.is_some() && left < message, "{written:?}");
        assert_eq!(written.matches("\x1b[?1049l").count(), 1, "{written:?}");
    }

    #[test]
    fn a_panic_of_another_thread_restores_the_terminal_before_its_message() {
        let (written, _terminal) = in_pseudo_terminal("panic_while_thinking");
        let (left, message) = (written.find("\x1b[?1049l"), written.find("deep in thought"));
        assert!(left.is_some() && left < message, "{written:?}");
    }

    #[test]
    #[ignore = "run by another test in a pseudo-terminal"]
    fn panic_while_drawing() {
        let _session = TerminalSession::open(&channel().0).unwrap();
        panic!("at the drawing board");
    }

    #[test]
    #[ignore = "run by another test in a pseudo-terminal"]
    fn panic_while_thinking() {
        let (send, events) = channel();
        let terminal = TerminalSession::open(&send).unwrap();
        thread::spawn(|| panic!("deep in thought"));
        let Event::ThreadPanicked(text) = events.recv().unwrap() else { panic!("something else") };
        drop(terminal);
        println!("{text}");
    }
}
