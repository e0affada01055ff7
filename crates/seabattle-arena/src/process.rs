//! A stranger's program: its own process group, lines in and out, limits on everything, and nothing left behind.

mod keeper;
mod log;
mod pipes;
mod sandbox;

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

pub use log::Log;
use pipes::Tail;
pub(crate) use pipes::{Line, MOST_WAITING};
pub use sandbox::no_sandbox;

/// How to start a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// KiB of memory of each of its processes.
    pub memory: u64,
    /// Whether it is kept from network and files, where the system can do that.
    pub locked: bool,
    /// Where all of its log is kept, if anywhere.
    pub log: Option<Log>,
}

impl Launch {
    /// What to try if it does not come up.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        let is_locked = self.locked && no_sandbox().is_none();
        if self.words.first().is_some_and(|program| is_not_executable(program)) {
            return Some("make it executable (chmod +x), or put before it what runs it, such as python3");
        }
        is_locked.then_some("try --no-sandbox if it needs the network or files outside its folder")
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
    log: Tail,
    /// Whether all of its log goes to a file.
    is_kept: bool,
    said: Vec<String>,
}

/// The last lines that are remembered of what was said.
const REMEMBERED: usize = 8;

/// Why no line came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Time is up, and it still runs.
    Late,
    /// It has ended, or will say no more.
    Ended(String),
}

/// How long a program may take to leave when it is told to.
pub(crate) const LEAVING: Duration = Duration::from_secs(1);

/// What it gets of our environment.
const ENVIRONMENT: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "SYSTEMROOT"];

impl Process {
    pub(crate) fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -d {}; exec \"$@\"", launch.memory), "sh"]);
        command
            .args(sandbox::locked(&launch.words, launch.locked))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.env_clear().envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = keeper::spawn(&mut command)?;
        let group = Pid::from_child(&child);
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let orders = pipes::write_to(stdin);
        let lines = pipes::read_lines(stdout);
        let log = Tail::of(stderr, launch.log.clone());
        let is_kept = launch.log.is_some();
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
    pub(crate) fn hear(&mut self, deadline: Instant) -> Result<Line, Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended(self.epitaph())),
            Ok(line) => {
                match &line {
                    Line::Text(text) => self.note('<', text),
                    Line::TooLong | Line::End => self.note('<', "a line without end"),
                }
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
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
    pub(crate) fn overhear(&self) -> Option<Line> {
        self.lines.try_recv().ok().filter(|line| *line != Line::End)
    }

    /// How it ended.
    fn epitaph(&mut self) -> String {
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
    pub(crate) fn leave(&mut self, limit: Duration) -> Result<(), Silence> {
        self.say("quit".to_owned());
        self.orders = None;
        match self.wait(Instant::now() + limit) {
            Some(status) if status.success() => Ok(()),
            Some(_) => Err(Silence::Ended(self.epitaph())),
            None => Err(Silence::Late),
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
        keeper::forget(&self.child);
        if self.is_kept {
            self.log.settle();
        }
    }
}
