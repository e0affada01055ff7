//! The program in a terminal that is none: a pseudo-terminal, and a screen made of what is written to it.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Longer than anything takes, so that a failure is no hang.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    written: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    pub(crate) all: Vec<u8>,
}

impl Terminal {
    /// Starts the program with a home of its own.
    pub(crate) fn start(args: &[&str], home: &Path, columns: u16, rows: u16, more: &[(&str, &str)]) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_seabattle"));
        command.args(args);
        command.env_clear();
        let own = [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("HOME", home.to_str().unwrap())];
        for (name, value) in own.iter().chain(more) {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (send, written) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let writer = pair.master.take_writer().unwrap();
        let screen = vt100::Parser::new(rows, columns, 0);
        Self { master: pair.master, writer, child, written, screen, all: Vec::new() }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.screen.screen_mut().set_size(rows, columns);
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    pub(crate) fn until(&mut self, wanted: impl Fn(&str) -> bool) {
        while !wanted(&self.text()) {
            let bytes = self.written.recv_timeout(PATIENCE);
            let bytes = bytes.unwrap_or_else(|_| panic!("waited in vain:\n{}", self.text()));
            self.screen.process(&bytes);
            self.all.extend(bytes);
        }
    }

    pub(crate) fn until_shown(&mut self, text: &str) {
        self.until(|screen| screen.contains(text));
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Closes the window: the program loses its terminal.
    pub(crate) fn close(self) -> ExitStatus {
        let Self { master, mut writer, mut child, written, .. } = self;
        drop(written);
        // The answer to a key lets the thread notice that nobody reads any more.
        writer.write_all(b"l").unwrap();
        drop((master, writer));
        child.wait().unwrap()
    }

    /// Waits for the end of the program and for the last it has written.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        while let Ok(bytes) = self.written.recv_timeout(Duration::from_millis(200)) {
            self.screen.process(&bytes);
            self.all.extend(bytes);
        }
        status
    }

    /// Whether lines are read and typed letters shown, as shells expect it.
    pub(crate) fn is_given_back(&self) -> bool {
        let modes = format!("{:?}", self.master.get_termios().unwrap());
        let last = String::from_utf8_lossy(&self.all);
        modes.contains("ICANON")
            && modes.contains("ECHO")
            && last.rfind("\x1b[?1049l") > last.rfind("\x1b[?1049h")
            && last.rfind("\x1b[?25h") > last.rfind("\x1b[?25l")
            && last.rfind("\x1b[?1000l") > last.rfind("\x1b[?1000h")
    }
}
