//! Where players scratch: a folder for this program, and in it one for every process.
//!
//! All programs of one user keep them in one place, which is hidden from all players, so that no player can look at
//! another's. What a killed program left there is removed by the next one.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{SystemTime, UNIX_EPOCH};

/// The folder of this program; gone with the last of its processes.
#[derive(Debug)]
struct WorkRoot {
    path: PathBuf,
    /// Held as long as the folder is in use.
    _lock: File,
    rooms: AtomicU64,
}

static HOME: Mutex<Weak<WorkRoot>> = Mutex::new(Weak::new());

const LOCK: &str = "lock";

/// The folder of one process: removed when dropped.
#[derive(Debug)]
pub(super) struct WorkDir {
    path: PathBuf,
    home: Arc<WorkRoot>,
}

impl WorkDir {
    /// A fresh one, with an empty scratch folder.
    pub(super) fn new() -> io::Result<WorkDir> {
        let home = WorkRoot::shared()?;
        let path = home.path.join(home.rooms.fetch_add(1, Ordering::Relaxed).to_string());
        private(&path)?;
        let room = WorkDir { path, home };
        private(&room.scratch())?;
        Ok(room)
    }

    /// The room itself: orders and reports, out of the player's reach.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the player may write.
    pub(super) fn scratch(&self) -> PathBuf {
        scratch(&self.path)
    }

    /// What holds the rooms of all players.
    pub(super) fn root(&self) -> PathBuf {
        self.home.path.parent().map(Path::to_owned).unwrap_or_else(|| self.home.path.clone())
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        if fs::remove_dir_all(&self.path).is_err() {
            // The player may have closed folders to us. What cannot be removed even so is tried again by the next
            // program that finds the lock free.
            open_all(&self.path);
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// The scratch folder in a room.
pub(super) fn scratch(room: &Path) -> PathBuf {
    room.join("scratch")
}

impl WorkRoot {
    fn shared() -> io::Result<Arc<WorkRoot>> {
        let mut shared = HOME.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(home) = shared.upgrade() {
            return Ok(home);
        }
        let home = Arc::new(WorkRoot::new()?);
        *shared = Arc::downgrade(&home);
        Ok(home)
    }

    fn new() -> io::Result<WorkRoot> {
        let user = rustix::process::geteuid().as_raw();
        let temporary = std::env::temp_dir();
        let named = |error: io::Error| {
            let text = format!("{} (TMPDIR names another): {error}", temporary.display());
            io::Error::new(error.kind(), text)
        };
        let all = temporary.canonicalize().map_err(named)?.join(format!("palestra-players-{user}"));
        private(&all).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(error),
        })?;
        let found = fs::symlink_metadata(&all)?;
        if !found.is_dir() || found.uid() != user {
            let text = format!("{} belongs to somebody else", all.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
        }
        remove_abandoned(&all);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // The folder appears with its lock held: made under a name that nobody clears away.
        let name = format!("{}-{}", std::process::id(), since.as_nanos());
        let (draft, path) = (all.join(format!(".{name}")), all.join(name));
        private(&draft)?;
        let lock = File::create(draft.join(LOCK))?;
        lock.try_lock().map_err(io::Error::from)?;
        fs::rename(&draft, &path)?;
        Ok(WorkRoot { path, _lock: lock, rooms: AtomicU64::new(0) })
    }
}

impl Drop for WorkRoot {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders whose program is gone.
fn remove_abandoned(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if let (false, Ok(lock)) = (hidden, File::open(entry.path().join(LOCK)))
            && lock.try_lock().is_ok()
        {
            open_all(&entry.path());
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Opens a folder and all below it to their owner. Nobody else works there any more.
fn open_all(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_all(&entry.path());
        }
    }
}

/// A folder for its owner alone.
fn private(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_vanish_even_where_folders_were_closed() {
        let room = WorkDir::new().unwrap();
        let (path, closed) = (room.path().to_owned(), room.scratch().join("a/b"));
        fs::create_dir_all(&closed).unwrap();
        fs::write(closed.join("file"), "x").unwrap();
        for folder in [closed.as_path(), closed.parent().unwrap()] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o300)).unwrap();
        }
        drop(room);
        assert!(!path.exists());
    }
}
