//! Processes of external bots: own process group, lines in and out, limits on everything, and no process left behind.

mod build;
mod guardian;
mod limits;
mod log;
mod pipes;
mod reaper;
mod sandbox;
mod usage;
mod watchdog;

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

pub use build::BuildFolder;
pub(crate) use limits::LimitExceeded;
pub use limits::ResourceLimits;
pub use log::BotLog;
use pipes::LogExcerpt;
pub(crate) use pipes::{Line, MOST_WAITING};
pub(crate) use sandbox::find_program;
pub use sandbox::{Access, SandboxError, is_private, sandbox_error};
use watchdog::Watch;

/// Whether limits hold for all processes of an external bot together; elsewhere they hold for each process alone.
pub fn has_whole_bot_limits() -> bool {
    usage::is_measurable()
}

/// Kills all external bots and deletes what was compiled for them.
///
/// Bots end with their players anyway; this is for a program that exits without dropping them.
pub fn kill_external_bots() {
    watchdog::kill_all();
    reaper::kill_all();
    build::delete_all();
}

/// How to start an external bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// What all its processes may use together.
    pub limits: ResourceLimits,
    /// What it can reach of the machine.
    pub access: Access,
    /// The file that keeps its standard error, if any.
    pub log: Option<BotLog>,
    /// The folder of an executable that was compiled for this command.
    pub build: Option<BuildFolder>,
}

impl BotCommand {
    /// A program with these words that keeps no log.
    pub const fn new(words: Vec<String>, limits: ResourceLimits, access: Access) -> Self {
        Self { words, limits, access, log: None, build: None }
    }

    /// A file of another bot in a folder that the sandbox shows this one. `None` if either runs without a sandbox,
    /// where bots read everything anyway, or if both run the same files.
    pub fn exposes(&self, other: &Self) -> Option<PathBuf> {
        let (Access::Sandbox { see }, Access::Sandbox { see: others }) = (&self.access, &other.access) else {
            return None;
        };
        if self.words == other.words {
            return None;
        }
        sandbox::exposed((&self.words, see), (&other.words, others))
    }

    /// What to try if the program does not start.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        if self.words.first().is_some_and(|program| is_not_executable(program)) {
            return Some("make it executable (chmod +x), or put before it what runs it, such as python3");
        }
        let hint = "try --see DIR if it needs other files of a folder, or --no-sandbox if it needs the network";
        self.access.is_sandboxed().then_some(hint)
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
    watch: Watch,
    limits: ResourceLimits,
    commands: Option<Sender<String>>,
    lines: Receiver<Line>,
    log: LogExcerpt,
    /// Whether a file keeps all of the log.
    keeps_log: bool,
    /// The last lines exchanged, those of the arena with `>` and those of the program with `<`.
    transcript: Vec<String>,
}

/// Whether a program was ended because a file grew too large. A sandbox says so by its exit code.
fn is_file_too_large(status: ExitStatus) -> bool {
    let signal = Signal::XFSZ.as_raw();
    status.signal() == Some(signal) || status.code() == Some(128 + signal)
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
    /// The program used more than it may, and was killed.
    Exceeded(LimitExceeded),
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
        let is_sandboxed = bot.access.is_sandboxed();
        let mut command = Command::new("sh");
        // Blocks of 512 bytes for files, KiB for data.
        let most = bot.limits.hard_bytes();
        let limited = format!("ulimit -f {}; ulimit -d {}; exec \"$@\"", most / 512, most / 1024);
        command
            .args(["-c", &limited, "sh"])
            .args(sandbox::command_line(&bot.words, &bot.access, bot.limits, writable)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.env_clear().envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        let mark = if is_sandboxed { None } else { Some(guardian::new_mark()?) };
        if let Some(mark) = &mark {
            command.env(guardian::MARK_NAME, mark);
        }
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = reaper::spawn(&mut command)?;
        let group = Pid::from_child(&child);
        let watch = Watch::new(child.id().cast_signed(), bot.limits, mark);
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let commands = pipes::write_to(stdin);
        let lines = pipes::read_lines(stdout);
        let log = LogExcerpt::of(stderr, bot.log.clone());
        let keeps_log = bot.log.is_some();
        Ok(Self {
            child,
            group,
            watch,
            limits: bot.limits,
            commands: Some(commands),
            lines,
            log,
            keeps_log,
            transcript: Vec::new(),
        })
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
            Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => Err(self.exit_error()),
            Ok(line) => {
                match &line {
                    Line::Text(text) => self.record('<', text),
                    Line::TooLong | Line::End => self.record('<', "a line without end"),
                }
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => {
                Err(self.watch.exceeded().map_or(RecvError::Timeout, RecvError::Exceeded))
            }
        }
    }

    /// A new game begins, with its own limit of processor time.
    pub(crate) fn begin_game(&self) {
        self.watch.begin_game();
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

    /// Why the program ended.
    fn exit_error(&mut self) -> RecvError {
        let status = self.wait(Instant::now() + Duration::from_millis(200));
        if let Some(exceeded) = self.watch.exceeded() {
            return RecvError::Exceeded(exceeded);
        }
        match status {
            Some(status) if is_file_too_large(status) => {
                RecvError::Exceeded(LimitExceeded::File { limit: self.limits.hard_bytes() })
            }
            Some(status) => RecvError::Exited(format!("ended with {status}")),
            None => RecvError::Exited("closed its output".to_owned()),
        }
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
            Some(_) => Err(self.exit_error()),
            None => Err(RecvError::Timeout),
        }
    }
}

impl Drop for Process {
    /// Kills the program and all processes that it started.
    fn drop(&mut self) {
        // Kill it before its input closes, so that it cannot write an error about the closed input. The watchdog kills
        // first: children of a process that has ended are harder to find.
        self.watch.end();
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        let _ = self.child.kill();
        self.commands = None;
        let _ = self.child.wait();
        reaper::reap(&self.child, watchdog::is_watched);
        if self.keeps_log {
            self.log.wait_for_end();
        }
    }
}
