//! Threads at the three pipes of a program, so that none of them can make the arena wait.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

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
#[derive(Default)]
pub(super) struct Tail(Arc<Mutex<Vec<u8>>>);

impl Tail {
    const MOST_BYTES: usize = 2000;

    pub(super) fn of(mut stderr: ChildStderr) -> Self {
        let tail = Self::default();
        let kept = Self(Arc::clone(&tail.0));
        thread::spawn(move || {
            let mut part = [0; 1024];
            while let Ok(count @ 1..) = stderr.read(&mut part) {
                kept.add(&part[..count]);
            }
        });
        tail
    }

    /// Whether the thread that reads the log still does.
    fn is_read(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    fn add(&self, part: &[u8]) {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(part);
        let surplus = bytes.len().saturating_sub(Self::MOST_BYTES);
        bytes.drain(..surplus);
    }

    /// The last lines, as one. A program that has just ended is read to its end, unless another keeps its log open.
    pub(super) fn text(&self) -> String {
        const LINES: usize = 3;
        const PATIENCE: Duration = Duration::from_millis(200);
        let deadline = Instant::now() + PATIENCE;
        while self.is_read() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        last.join(" | ").chars().filter(|letter| !letter.is_control()).collect()
    }
}
