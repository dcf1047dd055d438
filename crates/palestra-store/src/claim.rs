//! Who works on a run: a lock of the operating system, which ends with its process, however that ends.
//!
//! A row with a heartbeat was the alternative. It makes a killed run wait until it may go on, and takes a process
//! that plays one long game, or a machine that slept, for dead.

use crate::error::{Result, StoreError, WithPath};
use crate::records::RunId;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often a claim is tried: [`is_held`] takes the lock too, for less than a moment.
const TRIES: u32 = 10;

/// The right to work on one run; given back when dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    path: PathBuf,
    /// Holds the lock, and is never read.
    _file: File,
}

impl Claim {
    /// Claims a run, or says who has it. `store` must be a path without links, the same for every process.
    pub(crate) fn take(store: &Path, run: RunId, name: &str) -> Result<Self> {
        let path = lock_path(store, run);
        for _ in 0..TRIES {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .at(store)?;
            match file.try_lock() {
                // Whoever had it before may have removed the file after we opened it: then the lock is on nothing.
                Ok(()) if is_still_there(&file, &path) => {
                    // Only said to whoever comes second: on a full disk it is left out.
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
        // While the lock is still held, so that nobody else's file is removed.
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

/// The file whose lock stands for a run.
fn lock_path(store: &Path, run: RunId) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(format!("-run{}.lock", run.0));
    PathBuf::from(path)
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |data: &fs::Metadata| (data.dev(), data.ino());
    matches!((file.metadata(), fs::metadata(path)), (Ok(ours), Ok(there)) if place(&ours) == place(&there))
}

/// Elsewhere the file stays where it is.
#[cfg(not(unix))]
fn is_still_there(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    #[test]
    fn a_run_has_one_holder_though_its_file_comes_and_goes() {
        let store = std::env::temp_dir().join(format!("palestra-claim-{}.db", std::process::id()));
        let (is_taken, n_claims) = (AtomicBool::new(false), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let Ok(_claim) = Claim::take(&store, RunId(1), "toy") else { continue };
                        assert!(!is_taken.swap(true, Ordering::SeqCst), "two have it");
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
