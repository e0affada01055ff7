//! A file for the game at hand, one for each program that runs at the same time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Programs at the same time that are kept apart.
const MAX_SESSIONS: usize = 9;

/// A file that no other program writes as long as this lives.
#[derive(Debug)]
pub(super) struct SessionLock {
    path: PathBuf,
    _lock: Option<File>,
}

impl SessionLock {
    /// One with a game that was left, if there is any; where nothing can be locked, the first.
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
