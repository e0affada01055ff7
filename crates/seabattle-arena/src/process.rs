//! A stranger's program: its own process group, lines in and out, limits on everything, and nothing left behind.

mod build;
mod log;
mod pipes;
mod reaper;
mod sandbox;

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

pub use build::BuildFolder;
pub use log::BotLog;
use pipes::LogTail;
pub(crate) use pipes::{Line, MOST_WAITING};
pub(crate) use sandbox::found as find_program;
pub use sandbox::sandbox_error;

/// How to start a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// KiB of memory of each of its processes.
    pub memory: u64,
    /// Whether it is kept from network and files, where the system can do that.
    pub sandboxed: bool,
    /// Where all of its log is kept, if anywhere.
    pub log: Option<BotLog>,
    /// The folder of an executable that was compiled for this command.
    pub build: Option<BuildFolder>,
}

impl BotCommand {
    /// What to try if it does not come up.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        let is_sandboxed = self.sandboxed && sandbox_error().is_none();
        if self.words.first().is_some_and(|program| is_not_executable(program)) {
            return Some("make it executable (chmod +x), or put before it what runs it, such as python3");
        }
        is_sandboxed.then_some("try --no-sandbox if it needs the network or files outside its folder")
    }
}

fn is_not_executable(program: &str) -> bool {
    let file = program.contains('/').then(|| std::fs::metadata(program).ok()).flatten();
    file.is_some_and(|file| file.is_file() && file.permissions().mode() & 0o111 == 0)
}

/// A running program.
pub(crate) struct Process {
    child: Child,
    group: Pid,
    orders: Option<Sender<String>>,
    lines: Receiver<Line>,
    log: LogTail,
    /// Whether all of its log goes to a file.
    is_kept: bool,
    said: Vec<String>,
}

/// The last lines that are remembered of what was said.
const REMEMBERED: usize = 8;

/// Why no line came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RecvError {
    /// Time is up, and it still runs.
    Timeout,
    /// It has ended, or will say no more.
    Exited(String),
}

/// How long a program may take to leave when it is told to.
pub(crate) const LEAVING: Duration = Duration::from_secs(1);

/// What it gets of our environment.
const ENVIRONMENT: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "SYSTEMROOT"];

impl Process {
    pub(crate) fn start(bot: &BotCommand) -> io::Result<Self> {
        Self::start_writing(bot, None)
    }

    /// Starts a program that may write into this folder, even in the sandbox.
    pub(crate) fn start_writing(bot: &BotCommand, writable: Option<&Path>) -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -d {}; exec \"$@\"", bot.memory), "sh"]);
        command
            .args(sandbox::locked(&bot.words, bot.sandboxed, writable))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.env_clear().envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = reaper::spawn(&mut command)?;
        let group = Pid::from_child(&child);
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let orders = pipes::write_to(stdin);
        let lines = pipes::read_lines(stdout);
        let log = LogTail::of(stderr, bot.log.clone());
        let is_kept = bot.log.is_some();
        Ok(Self { child, group, orders: Some(orders), lines, log, is_kept, said: Vec::new() })
    }

    /// Sends a line. A program that is gone does not read it; that shows when it is asked for an answer.
    pub(crate) fn say(&mut self, line: String) {
        self.note('>', &line);
        if let Some(orders) = &self.orders {
            let _ = orders.send(line + "\n");
        }
    }

    /// The next line, before the deadline.
    pub(crate) fn hear(&mut self, deadline: Instant) -> Result<Line, RecvError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => Err(RecvError::Exited(self.exit_reason())),
            Ok(line) => {
                match &line {
                    Line::Text(text) => self.note('<', text),
                    Line::TooLong | Line::End => self.note('<', "a line without end"),
                }
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(RecvError::Timeout),
        }
    }

    /// The last lines that were said, the arena's behind `>` and its own behind `<`.
    pub(crate) fn said(&self) -> &[String] {
        &self.said
    }

    fn note(&mut self, who: char, line: &str) {
        if self.said.len() == REMEMBERED {
            self.said.remove(0);
        }
        let line: String = line.chars().filter(|letter| !letter.is_control()).take(160).collect();
        self.said.push(format!("{who} {line}"));
    }

    /// A line that is already there.
    pub(crate) fn try_recv(&self) -> Option<Line> {
        self.lines.try_recv().ok().filter(|line| *line != Line::End)
    }

    /// How it ended.
    fn exit_reason(&mut self) -> String {
        let status = self.wait(Instant::now() + Duration::from_millis(200));
        status.map_or("closed its output".to_owned(), |status| format!("ended with {status}"))
    }

    /// Ends it; the last lines of its log.
    pub(crate) fn end(self) -> Vec<String> {
        let log = self.log.clone();
        drop(self);
        log.lines()
    }

    /// Its status, as soon as it has ended.
    fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Asks it to leave; whether it did so by itself, and content.
    pub(crate) fn leave(&mut self, limit: Duration) -> Result<(), RecvError> {
        self.say("quit".to_owned());
        self.orders = None;
        match self.wait(Instant::now() + limit) {
            Some(status) if status.success() => Ok(()),
            Some(_) => Err(RecvError::Exited(self.exit_reason())),
            None => Err(RecvError::Timeout),
        }
    }
}

impl Drop for Process {
    /// Whatever it has started goes with it.
    fn drop(&mut self) {
        // Before its input is closed: what it would say to that is nobody's fault.
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        let _ = self.child.kill();
        self.orders = None;
        let _ = self.child.wait();
        reaper::forget(&self.child);
        if self.is_kept {
            self.log.settle();
        }
    }
}
