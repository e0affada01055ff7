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

/// The end of a program's log.
#[derive(Clone, Default)]
pub(super) struct LogTail(Arc<TailBuffer>);

#[derive(Default)]
struct TailBuffer {
    bytes: Mutex<Vec<u8>>,
    /// Whether the log was read to its end.
    is_complete: AtomicBool,
}

impl LogTail {
    const MOST_BYTES: usize = 4000;

    /// Reads the standard error to its end, and copies it to the log file if there is one.
    pub(super) fn of(stderr: ChildStderr, log: Option<BotLog>) -> Self {
        let tail = Self::default();
        let buffer = tail.clone();
        let log = log.map(|log| (log.next_process(), log));
        thread::spawn(move || {
            let (mut stderr, mut line) = (BufReader::new(stderr), Vec::new());
            while let Ok(1..) = stderr.by_ref().take(MOST_BYTES as u64).read_until(b'\n', &mut line) {
                buffer.add(&line);
                if let Some((process, log)) = &log {
                    log.write(*process, &line);
                }
                line.clear();
            }
            buffer.0.is_complete.store(true, Ordering::Release);
        });
        tail
    }

    fn add(&self, part: &[u8]) {
        let mut bytes = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(part);
        let surplus = bytes.len().saturating_sub(Self::MOST_BYTES);
        bytes.drain(..surplus);
    }

    /// Waits shortly until the log of an ended program is read to its end. Another process may keep the log open.
    pub(super) fn wait_for_end(&self) {
        const TIMEOUT: Duration = Duration::from_millis(200);
        let deadline = Instant::now() + TIMEOUT;
        while !self.0.is_complete.load(Ordering::Acquire) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The last lines of the log that are not empty.
    pub(super) fn lines(&self) -> Vec<String> {
        const LINES: usize = 10;
        self.wait_for_end();
        let bytes = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        last.iter().map(|line| line.chars().filter(|letter| !letter.is_control()).collect()).collect()
    }
}
