//! The terminal in full-screen mode: entered, suspended, and always restored.

use std::io::{self, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show as ShowCursor;
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::app::App;
use super::event::Event;

/// Whether the terminal is in full-screen mode. It is restored once, so later output stays visible.
static IS_FULL_SCREEN: Mutex<bool> = Mutex::new(false);

/// Locks the mode of the terminal, so that only one thread changes it.
pub(super) fn lock_mode() -> MutexGuard<'static, bool> {
    IS_FULL_SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The terminal in full-screen mode. Dropping it restores the terminal.
pub(super) struct TerminalSession {
    /// Never dropped, because it would print an error about a closed terminal.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl TerminalSession {
    pub(super) fn open(send: &Sender<Event>) -> io::Result<Self> {
        install_panic_hook(send);
        enter()
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())))
            .map(|terminal| Self { terminal: ManuallyDrop::new(terminal) })
            .inspect_err(|_| restore_terminal())
    }

    pub(super) fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if app.take_redraw() {
            self.forget_screen()?;
        }
        self.terminal.draw(|frame| {
            let area = frame.area();
            app.draw(area, frame.buffer_mut());
        })?;
        Ok(())
    }

    /// Makes the next drawing write every cell.
    fn forget_screen(&mut self) -> io::Result<()> {
        // `clear` would ask for the cursor position and wait for the thread that reads the answer.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Gives the terminal back to the shell until the player resumes the program with `fg`.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        restore_terminal();
        stop_process_group();
        enter()?;
        self.forget_screen()
    }
}

impl Drop for TerminalSession {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Enters full-screen mode. The screen is cleared, since a killed program may have left text there.
fn enter() -> io::Result<()> {
    let mut is_full_screen = lock_mode();
    enable_raw_mode()?;
    *is_full_screen = true;
    execute!(stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture, EnableBracketedPaste)
}

/// Restores the terminal. Errors are ignored, since nothing more can be done.
fn restore_terminal() {
    let mut is_full_screen = lock_mode();
    if std::mem::take(&mut *is_full_screen) {
        execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, ShowCursor).ok();
        disable_raw_mode().ok();
    }
}

/// Stops this process and its group, as Ctrl-Z does in other programs.
#[cfg(unix)]
fn stop_process_group() {
    use std::time::Duration;

    /// Another thread may receive the signal first; the stop takes effect within this time.
    const SIGNAL_DELAY: Duration = Duration::from_millis(20);

    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP).ok();
    thread::sleep(SIGNAL_DELAY);
}

#[cfg(not(unix))]
fn stop_process_group() {}

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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::env;
    use std::io::{Read, Write};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
    use seabattle_core::Glyphs;

    use super::*;
    use crate::First;
    use crate::screen::{DataFolders, Options, Start, Theme, run};

    /// Longer than any test takes, so a failing test ends.
    const TIMEOUT: Duration = Duration::from_secs(30);

    /// A program in a pseudo-terminal, driven by code.
    struct Pseudoterminal {
        master: Box<dyn MasterPty + Send>,
        writer: Box<dyn Write + Send>,
        child: Box<dyn Child + Send + Sync>,
        output: Receiver<Vec<u8>>,
        screen: vt100::Parser,
        written: String,
    }

    impl Pseudoterminal {
        /// Starts a shell script. `$TEST NAME` runs one of the ignored tests below.
        fn start(script: &str) -> Self {
            let pair = native_pty_system().openpty(PtySize::default()).unwrap();
            let mut command = CommandBuilder::new("sh");
            let test = env::current_exe().unwrap();
            let test = format!("{} --ignored --exact --nocapture screen::terminal_session::tests::", test.display());
            command.args(["-c", &script.replace("$TEST ", &test)]);
            command.env("TERM", "xterm-256color");
            let child = pair.slave.spawn_command(command).unwrap();
            let mut reader = pair.master.try_clone_reader().unwrap();
            let (send, output) = channel();
            thread::spawn(move || {
                let mut bytes = [0; 4096];
                // Some systems report the end of a pseudo-terminal as an error.
                while let Ok(count @ 1..) = reader.read(&mut bytes) {
                    if send.send(bytes[..count].to_vec()).is_err() {
                        return;
                    }
                }
            });
            let writer = pair.master.take_writer().unwrap();
            let screen = vt100::Parser::new(24, 80, 0);
            Self { master: pair.master, writer, child, output, screen, written: String::new() }
        }

        fn send(&mut self, keys: &str) -> &mut Self {
            self.writer.write_all(keys.as_bytes()).unwrap();
            self
        }

        /// Waits until the screen shows a text.
        fn until(&mut self, text: &str) -> &mut Self {
            while !self.screen.screen().contents().contains(text) {
                let bytes = self.output.recv_timeout(TIMEOUT);
                let bytes = bytes.unwrap_or_else(|_| panic!("{text:?} never shown: {:?}", self.written));
                self.screen.process(&bytes);
                self.written += &String::from_utf8_lossy(&bytes);
            }
            self
        }

        /// Waits for the end of the program, and checks that the terminal reads lines and shows typed letters.
        fn end(mut self) -> String {
            self.child.wait().unwrap();
            let modes = self.master.get_termios().map(|modes| format!("{modes:?}")).unwrap_or_default();
            assert!(modes.contains("ICANON") && modes.contains("ECHO"), "{modes}");
            drop((self.master, self.writer));
            let rest: Vec<u8> = self.output.iter().flatten().collect();
            self.written + &String::from_utf8_lossy(&rest)
        }
    }

    /// Runs one of the tests below in a pseudo-terminal. Returns its output.
    fn in_pseudo_terminal(test: &str) -> String {
        Pseudoterminal::start(&format!("$TEST {test}")).end()
    }

    #[test]
    #[ignore = "run by another test in a pseudo-terminal"]
    fn play() {
        let options = Options {
            start: Start::Menu,
            rules: None,
            bot: None,
            seed: 1,
            first: First::Me,
            save: None,
            theme: Some(Theme::Mono),
            glyphs: Glyphs::Ascii,
            folders: DataFolders::default(),
        };
        run(options).unwrap();
    }

    #[test]
    fn the_start_clears_what_a_killed_program_left_on_the_screen() {
        let mut terminal = Pseudoterminal::start("printf '\\033[?1049hleft over'; $TEST play");
        let written = terminal.until("? help").send("q").written.clone();
        let (entered, cleared) = (written.rfind("\x1b[?1049h").unwrap(), written.find("\x1b[2J").unwrap());
        assert!(entered < cleared && cleared < written.find("Seabattle").unwrap(), "{written:?}");
        terminal.end();
    }

    #[test]
    fn ctrl_z_suspends_and_fg_restores() {
        let script = "set -m; $TEST play; echo \"is stop\"ped; fg; echo \"is do\"ne";
        let mut terminal = Pseudoterminal::start(script);
        terminal.until("? help").send("?").until("next theme").send("\x1a").until("is stopped");
        let left = terminal.written.rfind("\x1b[?1049l");
        assert!(left.is_some() && left < terminal.written.find("is stopped"), "{:?}", terminal.written);
        terminal.until("next theme").send(" ").until("Opponent").send("q").until("is done");
        let written = terminal.end();
        assert_eq!(written.matches("\x1b[?1049h").count(), 2, "{written:?}");
        assert_eq!(written.matches("\x1b[?1049l").count(), 2, "{written:?}");
    }

    #[test]
    fn esc_works_after_a_large_paste() {
        let mut terminal = Pseudoterminal::start("$TEST play");
        // This terminal does not mark pasted text, so it arrives as keys.
        terminal.until("? help").send("j\r").until("custom").send("\x1b[F\r").until("Rules: classic_");
        terminal.send(&"a".repeat(3500)).send("\x1b").until("Type a size").send("\x1b").until("Opponent").send("q");
        terminal.end();
    }

    #[test]
    fn marked_pasted_text_never_acts_as_keys() {
        let mut terminal = Pseudoterminal::start("$TEST play");
        terminal.until("? help").send("\x1b[200~q\x1b[201~").until("no text field to paste into").send("q");
        let written = terminal.end();
        let (on, off) = (written.find("\x1b[?2004h"), written.rfind("\x1b[?2004l"));
        assert!(on.is_some() && on < off, "{written:?}");
    }

    #[test]
    fn a_panic_restores_the_terminal_before_its_message() {
        let written = in_pseudo_terminal("panic_while_drawing");
        let (left, message) = (written.find("\x1b[?1049l"), written.find("at the drawing board"));
        assert!(written.contains("\x1b[?1049h") && left.is_some() && left < message, "{written:?}");
        assert_eq!(written.matches("\x1b[?1049l").count(), 1, "{written:?}");
    }

    #[test]
    fn a_panic_of_another_thread_restores_the_terminal_before_its_message() {
        let written = in_pseudo_terminal("panic_while_thinking");
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
