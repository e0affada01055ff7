//! The file of the unfinished game, one for each running program.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// How many programs can run at the same time with separate games.
const MAX_SESSIONS: usize = 9;

/// Reserves a game file for this program until it is dropped.
#[derive(Debug)]
pub(super) struct SessionLock {
    path: PathBuf,
    _lock: Option<File>,
}

impl SessionLock {
    /// Locks a free file, one with an unfinished game first. It falls back to the first file.
    pub(super) fn take(folder: &Path) -> Self {
        fs::create_dir_all(folder).ok();
        let with_game = (1..=MAX_SESSIONS).filter(|&number| game(folder, number).exists());
        let lock = with_game.chain(1..=MAX_SESSIONS).find_map(|number| Self::lock(folder, number));
        lock.unwrap_or_else(|| Self { path: game(folder, 1), _lock: None })
    }

    fn lock(folder: &Path, number: usize) -> Option<Self> {
        let path = game(folder, number);
        let lock = File::create(path.with_extension("lock")).ok()?;
        lock.try_lock().ok()?;
        Some(Self { path, _lock: Some(lock) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

fn game(folder: &Path, number: usize) -> PathBuf {
    match number {
        1 => folder.join("game.toml"),
        _ => folder.join(format!("game-{number}.toml")),
    }
}
