//! Temporary folders of programs that are compiled before they play.

use std::sync::Arc;

use tempfile::TempDir;

/// A temporary folder with an executable; it is deleted with the last copy of the command that runs it.
#[derive(Debug, Clone)]
pub struct BuildFolder(Arc<TempDir>);

impl BuildFolder {
    pub(crate) fn new(folder: TempDir) -> Self {
        Self(Arc::new(folder))
    }
}

impl PartialEq for BuildFolder {
    fn eq(&self, other: &Self) -> bool {
        self.0.path() == other.0.path()
    }
}

impl Eq for BuildFolder {}
