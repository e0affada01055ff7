//! The file of an SQLite store: private to its user, used by one server, and where it was.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

use crate::store::StoreError;

/// Only the user of the server may read and write.
const PRIVATE: u32 = 0o600;

/// Creates the file if there is none. SQLite gives its log the same permissions.
pub(super) fn create_private(path: &str) -> Result<File, StoreError> {
    let opened = OpenOptions::new().create(true).append(true).mode(PRIVATE).open(path);
    opened.map_err(|source| StoreError::File { path: path.to_owned(), source })
}

/// Held while a server uses a store. It is a file beside the store, so that backups can read the store itself.
pub(super) struct FileLock(#[expect(dead_code, reason = "held, not used")] File);

impl FileLock {
    pub(super) fn new(path: &str) -> Result<Self, StoreError> {
        let file = create_private(&format!("{path}-lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => {
                tracing::warn!(path, %error, "cannot lock the store; make sure that no other server uses it");
                Ok(Self(file))
            }
        }
    }
}

/// Which file a path named when it was opened.
pub(super) struct FileIdentity {
    path: String,
    device_and_inode: (u64, u64),
}

impl FileIdentity {
    pub(super) fn of(path: &str) -> Result<Self, StoreError> {
        let found = device_and_inode(path).map_err(|source| StoreError::File { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), device_and_inode: found })
    }

    /// Whether the path still names the file. What is written to a deleted file is lost.
    pub(super) fn is_unchanged(&self) -> bool {
        device_and_inode(&self.path).is_ok_and(|found| found == self.device_and_inode)
    }

    pub(super) fn moved(&self) -> StoreError {
        StoreError::Moved(self.path.clone())
    }
}

fn device_and_inode(path: &str) -> std::io::Result<(u64, u64)> {
    let found = fs::metadata(path)?;
    Ok((found.dev(), found.ino()))
}
