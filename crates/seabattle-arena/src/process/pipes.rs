//! The three pipes of an external bot. Each has a thread, so none of them can block the arena.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::log::BotLog;
use crate::protocol::MOST_BYTES;

/// How many received lines may wait. A program that sends more blocks until they are read.
pub(crate) const MOST_WAITING: usize = 64;

/// What a program sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// A line above the limit; nothing more is read.
    TooLong,
    /// The program closed its output.
    End,
}

/// Writes the sent commands, in order, until the program is gone or the sender is dropped.
pub(super) fn write_to(mut stdin: ChildStdin) -> Sender<String> {
    let (sender, commands) = channel::<String>();
    thread::spawn(move || {
        for command in commands {
            if stdin.write_all(command.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

pub(super) fn read_lines(stdout: ChildStdout) -> Receiver<Line> {
    let (sender, lines) = sync_channel(MOST_WAITING);
    thread::spawn(move || {
        // An error means that the program or the receiver is gone; both are noticed elsewhere.
        let _ = send_lines(&mut BufReader::new(stdout), &sender);
        let _ = sender.send(Line::End);
    });
    lines
}

fn send_lines(output: &mut impl BufRead, sender: &SyncSender<Line>) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        output.take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        let received = match line.last() {
            None => return Ok(()),
            Some(b'\n') => Line::Text(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Some(_) if line.len() > MOST_BYTES => Line::TooLong,
            Some(_) => return Ok(()),
        };
        let is_last = received == Line::TooLong;
        if sender.send(received).is_err() || is_last {
            return Ok(());
        }
    }
}

/// The first and the last lines of what a program has written to its log.
#[derive(Clone, Default)]
pub(super) struct LogExcerpt(Arc<LogBuffer>);

#[derive(Default)]
struct LogBuffer {
    text: Mutex<HeadAndTail>,
    is_complete: AtomicBool,
}

/// A text without its middle, if it is long.
#[derive(Default)]
struct HeadAndTail {
    head: Vec<u8>,
    tail: Vec<u8>,
    is_cut: bool,
}

impl HeadAndTail {
    const HEAD_BYTES: usize = 1000;
    const TAIL_BYTES: usize = 4000;

    fn add(&mut self, part: &[u8]) {
        if self.tail.is_empty() && self.head.len() + part.len() <= Self::HEAD_BYTES {
            self.head.extend_from_slice(part);
            return;
        }
        self.tail.extend_from_slice(part);
        let surplus = self.tail.len().saturating_sub(Self::TAIL_BYTES);
        self.tail.drain(..surplus);
        self.is_cut |= surplus > 0;
    }

    /// The lines that are not empty; of a long text the first, which often name the cause, and the last.
    fn lines(&self) -> Vec<String> {
        const MOST: usize = 12;
        const FIRST: usize = 6;
        let [head, tail] = [&self.head, &self.tail].map(|bytes| String::from_utf8_lossy(bytes));
        let shown = |line: &str| line.trim_end().chars().filter(|letter| !letter.is_control()).collect::<String>();
        let lines: Vec<String> = head.lines().chain(tail.lines()).map(shown).filter(|line| !line.is_empty()).collect();
        if lines.len() <= MOST && !self.is_cut {
            return lines;
        }
        let first = FIRST.min(lines.len());
        let last = lines.len().saturating_sub(MOST - FIRST - 1).max(first);
        let middle = std::iter::once("…".to_owned());
        lines[..first].iter().cloned().chain(middle).chain(lines[last..].iter().cloned()).collect()
    }
}

impl LogExcerpt {
    /// Reads the standard error to its end, and copies it to the log file if there is one.
    pub(super) fn of(stderr: ChildStderr, log: Option<BotLog>) -> Self {
        let excerpt = Self::default();
        let buffer = excerpt.clone();
        let log = log.map(|log| (log.next_process(), log));
        thread::spawn(move || {
            let (mut stderr, mut line) = (BufReader::new(stderr), Vec::new());
            while let Ok(1..) = stderr.by_ref().take(MOST_BYTES as u64).read_until(b'\n', &mut line) {
                buffer.0.text.lock().unwrap_or_else(PoisonError::into_inner).add(&line);
                if let Some((process, log)) = &log {
                    log.write(*process, &line);
                }
                line.clear();
            }
            buffer.0.is_complete.store(true, Ordering::Release);
        });
        excerpt
    }

    /// Waits shortly until the log of an ended program is read to its end. Another process may keep the log open.
    pub(super) fn wait_for_end(&self) {
        const TIMEOUT: Duration = Duration::from_millis(200);
        let deadline = Instant::now() + TIMEOUT;
        while !self.0.is_complete.load(Ordering::Acquire) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The first and the last lines, as soon as the log is read.
    pub(super) fn lines(&self) -> Vec<String> {
        self.wait_for_end();
        self.0.text.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }
}

#[cfg(test)]
mod tests {
    use super::HeadAndTail;

    #[test]
    fn a_long_log_is_shown_by_its_first_and_last_lines() {
        let mut log = HeadAndTail::default();
        log.add(b"Exception: the cause\n\n");
        assert_eq!(log.lines(), ["Exception: the cause"]);
        (0..5000).for_each(|line| log.add(format!("  at frame {line}\n").as_bytes()));
        let lines = log.lines();
        assert_eq!(lines[..2], ["Exception: the cause", "  at frame 0"]);
        assert_eq!((lines.len(), lines[6].as_str(), lines[11].as_str()), (12, "…", "  at frame 4999"));
        assert!(log.tail.len() + log.head.len() <= 5000);
    }
}
