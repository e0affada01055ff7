//! The file to which finished games are saved.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use seabattle_core::Record;

use crate::{Error, Result};

/// An open file of game records. Opening it proved that it is writable.
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// Opens or creates the file. It refuses a file that contains anything but records.
    pub fn open(path: PathBuf) -> Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(|source| Error::Save { path: path.clone(), source })?;
        match is_empty_or_records(&file) {
            Ok(true) => Ok(Self { path, file }),
            Ok(false) => Err(Error::NotRecords { path }),
            Err(source) => Err(Error::Read { path, source }),
        }
    }

    /// Returns the path as text for messages.
    pub fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// Appends one record. After an error the file has its old length again.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        let length = self.file.seek(SeekFrom::End(0))?;
        let gap = if length == 0 { "" } else { "\n" };
        let written = self.file.write_all(format!("{gap}{record}").as_bytes()).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // Report the first error. A device has no length to restore.
            self.file.set_len(length).ok();
        }
        written
    }
}

fn is_empty_or_records(file: &File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut start = String::new();
    let mut reader = BufReader::new(file).take(1000);
    while start.trim().is_empty() || start.starts_with(';') {
        start.clear();
        match reader.read_line(&mut start) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(start.trim().is_empty() || start.starts_with("[Seabattle "))
}
