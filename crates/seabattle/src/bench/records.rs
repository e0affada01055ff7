//! Writes the games of a bench as records, one file per bot.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use seabattle_arena::SoloGame;
use seabattle_bots::BotInfo;
use seabattle_core::{BySide, Record};

use crate::interrupt;
use crate::record_input::MAX_BYTES;

/// The maximum number of recorded games per bot.
pub(super) const MAX_GAMES: u64 = 10_000;

/// The record files of all bots of a bench.
pub(super) struct Records<'a> {
    files: Vec<Mutex<RecordFile>>,
    bots: &'a [&'static BotInfo],
    origin: &'a str,
    seed: u64,
}

/// The games to record.
pub(super) struct RecordingPlan<'a> {
    pub(super) folder: &'a Path,
    pub(super) bots: &'a [&'static BotInfo],
    /// Where the fleets come from, as records name it.
    pub(super) origin: &'a str,
    pub(super) seed: u64,
    /// The number of the first game.
    pub(super) first: u64,
    pub(super) games: u64,
}

impl<'a> Records<'a> {
    /// Creates the files before the games, so that a folder that cannot be written fails early.
    pub(super) fn create(plan: &RecordingPlan<'a>) -> anyhow::Result<Self> {
        if plan.games > MAX_GAMES {
            bail!(
                "--records writes at most {MAX_GAMES} games of each bot, not {}: choose fewer with --games",
                plan.games
            );
        }
        let folder = plan.folder;
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let files: anyhow::Result<Vec<_>> =
            plan.bots.iter().map(|entry| RecordFile::create(folder, entry.name, plan.first).map(Mutex::new)).collect();
        Ok(Self { files: files?, bots: plan.bots, origin: plan.origin, seed: plan.seed })
    }

    /// Writes a game in the order of game numbers. After an error the bench stops.
    pub(super) fn add(&self, played: SoloGame<'_>) {
        let text = played.game.map(|game| {
            let names = BySide { a: self.bots[played.contender].name, b: self.origin };
            Record::of_solo(game, names, Some(self.seed)).to_string()
        });
        let mut file = self.files[played.contender].lock().unwrap_or_else(PoisonError::into_inner);
        if !file.add(played.number, text) {
            interrupt::request();
        }
    }

    /// Gives every file its final name. If one could not be written, or nothing was played, all are removed.
    pub(super) fn finish(self, was_played: bool) -> anyhow::Result<()> {
        let files = self.files.into_iter().map(|file| file.into_inner().unwrap_or_else(PoisonError::into_inner));
        let closed: Vec<_> = files.map(RecordFile::close).collect();
        let failed = closed.iter().find_map(|(file, error)| Some((file, error.as_ref()?)));
        if let Some((file, error)) = failed {
            let message = format!("cannot write the records to {}: {error}", file.path.display());
            closed.iter().for_each(|(file, _)| drop(fs::remove_file(&file.part)));
            bail!("{message}; no records were written");
        }
        if !was_played {
            closed.iter().for_each(|(file, _)| drop(fs::remove_file(&file.part)));
            return Ok(());
        }
        for (file, _) in &closed {
            fs::rename(&file.part, &file.path).with_context(|| format!("cannot write {}", file.path.display()))?;
        }
        Ok(())
    }
}

/// One record file, which has a temporary name until it is complete.
struct RecordFile {
    path: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
    bytes: u64,
    /// The number of the next game to write.
    next: u64,
    /// Games that wait for an earlier one; `None` for a game that failed.
    waiting: BTreeMap<u64, Option<String>>,
    error: Option<io::Error>,
}

impl RecordFile {
    fn create(folder: &Path, bot: &str, first: u64) -> anyhow::Result<Self> {
        let path = folder.join(format!("{bot}.txt"));
        if path.exists() {
            bail!("{} already exists: choose another folder with --records", path.display());
        }
        let part = path.with_extension("txt.part");
        let file = File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
        let out = BufWriter::new(file);
        Ok(Self { path, part, out, bytes: 0, next: first, waiting: BTreeMap::new(), error: None })
    }

    /// Adds a game, and returns whether there was no error so far.
    fn add(&mut self, number: u64, game: Option<String>) -> bool {
        self.waiting.insert(number, game);
        while let Some(game) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.write(game);
        }
        self.error.is_none()
    }

    fn write(&mut self, game: Option<String>) {
        let Some(game) = game.filter(|_| self.error.is_none()) else { return };
        let text = if self.bytes == 0 { game } else { format!("\n{game}") };
        self.bytes += text.len() as u64;
        self.error = if self.bytes > MAX_BYTES {
            Some(io::Error::other(format!(
                "one bot has more than {} MiB of records; play fewer games",
                MAX_BYTES >> 20
            )))
        } else {
            self.out.write_all(text.as_bytes()).err()
        };
    }

    /// Writes the waiting games of a stopped bench and flushes the file to disk.
    fn close(mut self) -> (ClosedFile, Option<io::Error>) {
        for game in std::mem::take(&mut self.waiting).into_values() {
            self.write(game);
        }
        let flushed = self.out.flush().and_then(|()| self.out.get_ref().sync_all());
        (ClosedFile { path: self.path, part: self.part }, self.error.or(flushed.err()))
    }
}

struct ClosedFile {
    path: PathBuf,
    part: PathBuf,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::RecordFile;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("seabattle-records-{name}-{}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn games_are_written_in_order_and_failed_ones_left_out() {
        let folder = folder("order");
        let mut file = RecordFile::create(&folder, "star", 5).unwrap();
        for (number, text) in [(7, Some("c\n")), (5, Some("a\n")), (6, None), (9, Some("e\n"))] {
            assert!(file.add(number, text.map(str::to_owned)));
        }
        let (closed, error) = file.close();
        assert!(error.is_none());
        assert_eq!(std::fs::read_to_string(closed.part).unwrap(), "a\n\nc\n\ne\n");
        assert!(!closed.path.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_full_disk_is_noticed() {
        let folder = folder("full");
        let mut file = RecordFile::create(&folder, "star", 0).unwrap();
        file.out = std::io::BufWriter::new(std::fs::File::create("/dev/full").unwrap());
        let is_ok = file.add(0, Some("x".repeat(100_000)));
        let (_, error) = file.close();
        assert!(!is_ok && error.unwrap().to_string().contains("No space left"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
