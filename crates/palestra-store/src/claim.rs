//! The lock on a run: a file lock of the operating system, which ends with its process, however that ends.
//!
//! A row with a heartbeat was the alternative. With it, a killed run can be resumed only after a timeout, and a process
//! that plays one long game, or a machine that slept, is taken for dead.

use crate::error::{Result, StoreError, WithPath};
use crate::records::RunId;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Number of attempts to take the lock, 10 ms apart: [`is_held`] also takes it for an instant.
const ATTEMPTS: u32 = 10;

/// The exclusive right to work on a run; released on drop.
#[derive(Debug)]
pub(crate) struct Claim {
    path: PathBuf,
    /// Holds the lock; never read.
    _file: File,
}

impl Claim {
    /// Takes the lock of a run, or fails with the process that holds it. `store` must be a canonical path, so that
    /// every process uses the same lock file.
    pub(crate) fn take(store: &Path, run: RunId, name: &str) -> Result<Self> {
        let path = lock_path(store, run);
        for _ in 0..ATTEMPTS {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .at(store)?;
            match file.try_lock() {
                // The previous holder may have removed the file after it was opened here: that lock protects nothing.
                Ok(()) if is_still_there(&file, &path) => {
                    // The process id is only for the error message of others; on a full disk it is left out.
                    drop(file.set_len(0).and_then(|()| write!(file, "{}", std::process::id())));
                    return Ok(Self { path, _file: file });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Error(error)) => return Err(StoreError::of_io(store, error)),
            }
        }
        let holder = fs::read_to_string(&path).ok().and_then(|text| text.parse().ok());
        Err(StoreError::InUse { path: store.to_owned(), name: name.to_owned(), holder })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Removed while the lock is still held, so that the file of the next holder is never removed.
        if cfg!(unix) {
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Whether a process works on a run.
pub(crate) fn is_held(store: &Path, run: RunId) -> bool {
    match File::open(lock_path(store, run)).map(|file| file.try_lock_shared()) {
        Ok(Err(TryLockError::WouldBlock)) => true,
        Ok(_) => false,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// The lock file of a run.
fn lock_path(store: &Path, run: RunId) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(format!("-run{}.lock", run.0));
    PathBuf::from(path)
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |data: &fs::Metadata| (data.dev(), data.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(open), Ok(there)) if inode(&open) == inode(&there))
}

/// On other systems the lock file is never removed.
#[cfg(not(unix))]
fn is_still_there(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    #[test]
    fn a_run_has_one_holder_although_its_lock_file_is_removed() {
        let store = std::env::temp_dir().join(format!("palestra-claim-{}.db", std::process::id()));
        let (is_taken, n_claims) = (AtomicBool::new(false), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let Ok(_claim) = Claim::take(&store, RunId(1), "toy") else { continue };
                        assert!(!is_taken.swap(true, Ordering::SeqCst), "two threads hold the lock");
                        assert!(is_held(&store, RunId(1)));
                        n_claims.fetch_add(1, Ordering::SeqCst);
                        is_taken.store(false, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(n_claims.into_inner() > 0);
        assert!(!is_held(&store, RunId(1)));
        assert!(!lock_path(&store, RunId(1)).exists());
    }
}
