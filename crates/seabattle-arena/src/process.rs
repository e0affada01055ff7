//! Processes of external bots: own process group, lines in and out, limits on everything, and no process left behind.

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
pub(crate) use sandbox::find_program;
pub use sandbox::{SandboxError, sandbox_error};

/// Kills all external bots and deletes what was compiled for them.
///
/// Bots end with their players anyway; this is for a program that exits without dropping them.
pub fn kill_external_bots() {
    reaper::kill_all();
    build::delete_all();
}

/// How to start an external bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The memory limit of each of its processes, in KiB.
    pub memory: u64,
    /// Whether it runs in a sandbox without network and other files, where the system has one.
    pub sandboxed: bool,
    /// The file that keeps its standard error, if any.
    pub log: Option<BotLog>,
    /// The folder of an executable that was compiled for this command.
    pub build: Option<BuildFolder>,
}

impl BotCommand {
    /// What to try if the program does not start.
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
    commands: Option<Sender<String>>,
    lines: Receiver<Line>,
    log: LogTail,
    /// Whether a file keeps all of the log.
    keeps_log: bool,
    /// The last lines exchanged, those of the arena with `>` and those of the program with `<`.
    transcript: Vec<String>,
}

/// How many of the last exchanged lines are kept.
const TRANSCRIPT_LINES: usize = 8;

/// Why no line was received.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RecvError {
    /// The deadline passed and the program still runs.
    Timeout,
    /// The program exited or closed its output, and how.
    Exited(String),
}

/// How long a program may take to exit after `quit`.
pub(crate) const QUIT_TIME: Duration = Duration::from_secs(1);

/// The environment variables that external bots get.
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
            .args(sandbox::command_line(&bot.words, bot.sandboxed, writable))
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
        let commands = pipes::write_to(stdin);
        let lines = pipes::read_lines(stdout);
        let log = LogTail::of(stderr, bot.log.clone());
        let keeps_log = bot.log.is_some();
        Ok(Self { child, group, commands: Some(commands), lines, log, keeps_log, transcript: Vec::new() })
    }

    /// Sends a line. If the program is gone, the next [`Process::recv`] reports it.
    pub(crate) fn send(&mut self, line: String) {
        self.record('>', &line);
        if let Some(commands) = &self.commands {
            let _ = commands.send(line + "\n");
        }
    }

    /// Receives the next line, at the latest by the deadline.
    pub(crate) fn recv(&mut self, deadline: Instant) -> Result<Line, RecvError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => Err(RecvError::Exited(self.exit_reason())),
            Ok(line) => {
                match &line {
                    Line::Text(text) => self.record('<', text),
                    Line::TooLong | Line::End => self.record('<', "a line without end"),
                }
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(RecvError::Timeout),
        }
    }

    /// The last lines exchanged, those of the arena with `>` and those of the program with `<`.
    pub(crate) fn transcript(&self) -> &[String] {
        &self.transcript
    }

    fn record(&mut self, who: char, line: &str) {
        if self.transcript.len() == TRANSCRIPT_LINES {
            self.transcript.remove(0);
        }
        let line: String = line.chars().filter(|letter| !letter.is_control()).take(160).collect();
        self.transcript.push(format!("{who} {line}"));
    }

    /// Receives a line if one is already there.
    pub(crate) fn try_recv(&self) -> Option<Line> {
        self.lines.try_recv().ok().filter(|line| *line != Line::End)
    }

    /// How the program ended, in words.
    fn exit_reason(&mut self) -> String {
        let status = self.wait(Instant::now() + Duration::from_millis(200));
        status.map_or("closed its output".to_owned(), |status| format!("ended with {status}"))
    }

    /// Kills the program. Returns the last lines of its log.
    pub(crate) fn end(self) -> Vec<String> {
        let log = self.log.clone();
        drop(self);
        log.lines()
    }

    /// Waits for the program to exit, at the latest by the deadline.
    fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Sends `quit`, and checks that the program exits in time with success.
    pub(crate) fn quit(&mut self, limit: Duration) -> Result<(), RecvError> {
        self.send("quit".to_owned());
        self.commands = None;
        match self.wait(Instant::now() + limit) {
            Some(status) if status.success() => Ok(()),
            Some(_) => Err(RecvError::Exited(self.exit_reason())),
            None => Err(RecvError::Timeout),
        }
    }
}

impl Drop for Process {
    /// Kills the program and all processes that it started.
    fn drop(&mut self) {
        // Kill it before its input closes, so that it cannot write an error about the closed input.
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        let _ = self.child.kill();
        self.commands = None;
        let _ = self.child.wait();
        reaper::reap(&self.child);
        if self.keeps_log {
            self.log.wait_for_end();
        }
    }
}
