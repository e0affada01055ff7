//! Log files of external bots: the standard error of all processes of one contestant.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The log file of an external bot. It grows to a limit, and then says that it was cut.
#[derive(Debug, Clone)]
pub struct BotLog(Arc<Mutex<LogFile>>);

#[derive(Debug)]
struct LogFile {
    /// `None` once nothing more is written.
    file: Option<File>,
    /// How many bytes may still be written.
    left: usize,
    /// How many processes have written to the file.
    processes: u32,
}

impl BotLog {
    /// The maximum size of the file.
    pub const MOST_BYTES: usize = 1 << 20;

    /// Creates the file, or empties it.
    pub fn create(path: &Path) -> io::Result<Self> {
        let log = LogFile { file: Some(File::create(path)?), left: Self::MOST_BYTES, processes: 0 };
        Ok(Self(Arc::new(Mutex::new(log))))
    }

    /// The number of a new process, from 1.
    pub(super) fn next_process(&self) -> u32 {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.processes += 1;
        log.processes
    }

    /// Writes a line with the number of its process before it.
    pub(super) fn write(&self, process: u32, line: &[u8]) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = format!("{process}| ").into_bytes();
        bytes.extend_from_slice(line.trim_ascii_end());
        bytes.push(b'\n');
        log.add(&bytes);
    }
}

impl LogFile {
    fn add(&mut self, bytes: &[u8]) {
        let Some(file) = &mut self.file else {
            return;
        };
        let fits = bytes.len() <= self.left;
        let cut = format!("cut here: {} bytes of a log are kept\n", BotLog::MOST_BYTES);
        let written = file.write_all(if fits { bytes } else { cut.as_bytes() });
        self.left = self.left.saturating_sub(bytes.len());
        // A full disk must not stop a game.
        if !fits || written.is_err() {
            self.file = None;
        }
    }
}

/// Two logs are equal if they write to the same open file.
impl PartialEq for BotLog {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for BotLog {}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::BotLog;

    #[test]
    fn what_is_too_much_is_cut_and_said_so() {
        let path = std::env::temp_dir().join(format!("seabattle-log-{}", std::process::id()));
        let log = BotLog::create(&path).unwrap();
        let (one, other) = (log.next_process(), log.next_process());
        log.write(one, b"first\n");
        log.write(other, b"second, without its end");
        let long = vec![b'x'; 1 << 16];
        (0..20).for_each(|_| log.write(one, &long));
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(text.starts_with("1| first\n2| second, without its end\n1| xxx"), "{text:.60}");
        assert!(text.ends_with("x\ncut here: 1048576 bytes of a log are kept\n"));
        assert!(text.len() < BotLog::MOST_BYTES + 100, "{}", text.len());
        assert_eq!(text.matches("cut here").count(), 1);
    }
}
