//! Threads at the three pipes of a program, so that none of them can make the arena wait.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::log::BotLog;
use crate::protocol::MOST_BYTES;

/// Lines that wait to be heard; a program that says more than this unasked has to wait itself.
pub(crate) const MOST_WAITING: usize = 64;

/// What came from a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// More than a line may hold; no more is read.
    TooLong,
    /// Its output is closed.
    End,
}

/// Writes what is sent, in order, until the program is gone or nobody sends any more.
pub(super) fn write_to(mut stdin: ChildStdin) -> Sender<String> {
    let (sender, orders) = channel::<String>();
    thread::spawn(move || {
        for order in orders {
            if stdin.write_all(order.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

pub(super) fn read_lines(stdout: ChildStdout) -> Receiver<Line> {
    let (sender, lines) = sync_channel(MOST_WAITING);
    thread::spawn(move || {
        // If nobody listens any more there is nothing to say.
        let _ = pass_on(&mut BufReader::new(stdout), &sender);
        let _ = sender.send(Line::End);
    });
    lines
}

fn pass_on(output: &mut impl BufRead, sender: &SyncSender<Line>) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        output.take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        let said = match line.last() {
            None => return Ok(()),
            Some(b'\n') => Line::Text(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Some(_) if line.len() > MOST_BYTES => Line::TooLong,
            Some(_) => return Ok(()),
        };
        let is_last = said == Line::TooLong;
        if sender.send(said).is_err() || is_last {
            return Ok(());
        }
    }
}

/// The end of what a program has written to its log.
#[derive(Clone, Default)]
pub(super) struct LogTail(Arc<Kept>);

#[derive(Default)]
struct Kept {
    bytes: Mutex<Vec<u8>>,
    is_whole: AtomicBool,
}

impl LogTail {
    const MOST_BYTES: usize = 4000;

    /// Reads to the end of it, into the file where there is one.
    pub(super) fn of(stderr: ChildStderr, log: Option<BotLog>) -> Self {
        let tail = Self::default();
        let kept = tail.clone();
        let log = log.map(|log| (log.next_process(), log));
        thread::spawn(move || {
            let (mut stderr, mut line) = (BufReader::new(stderr), Vec::new());
            while let Ok(1..) = stderr.by_ref().take(MOST_BYTES as u64).read_until(b'\n', &mut line) {
                kept.add(&line);
                if let Some((process, log)) = &log {
                    log.write(*process, &line);
                }
                line.clear();
            }
            kept.0.is_whole.store(true, Ordering::Release);
        });
        tail
    }

    fn add(&self, part: &[u8]) {
        let mut bytes = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(part);
        let surplus = bytes.len().saturating_sub(Self::MOST_BYTES);
        bytes.drain(..surplus);
    }

    /// Waits until a program that has ended is read to its end, unless another keeps its log open.
    pub(super) fn settle(&self) {
        const PATIENCE: Duration = Duration::from_millis(200);
        let deadline = Instant::now() + PATIENCE;
        while !self.0.is_whole.load(Ordering::Acquire) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The last lines that are not empty.
    pub(super) fn lines(&self) -> Vec<String> {
        const LINES: usize = 10;
        self.settle();
        let bytes = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        last.iter().map(|line| line.chars().filter(|letter| !letter.is_control()).collect()).collect()
    }
}
