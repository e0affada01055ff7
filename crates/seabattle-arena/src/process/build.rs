//! Temporary folders of programs that are compiled before they play.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

/// A temporary folder with an executable; it is deleted with the last copy of the command that runs it.
#[derive(Debug, Clone)]
pub struct BuildFolder(Arc<TempDir>);

/// Every folder that may still have to be deleted.
static FOLDERS: Mutex<Vec<Weak<TempDir>>> = Mutex::new(Vec::new());

impl BuildFolder {
    pub(crate) fn create() -> io::Result<Self> {
        let folder = Arc::new(TempDir::with_prefix("seabattle-")?);
        let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|folder| folder.strong_count() > 0);
        folders.push(Arc::downgrade(&folder));
        Ok(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl PartialEq for BuildFolder {
    fn eq(&self, other: &Self) -> bool {
        self.path() == other.path()
    }
}

impl Eq for BuildFolder {}

/// Deletes the folders of all commands, used or not.
pub(super) fn delete_all() {
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    for folder in folders.iter().filter_map(Weak::upgrade) {
        // What cannot be deleted is left to the system, as all temporary files are.
        let _ = fs::remove_dir_all(folder.path());
    }
}
