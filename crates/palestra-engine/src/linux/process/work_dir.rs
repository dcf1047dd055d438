//! Working directories: one folder for this run of Palestra, and in it one for every engine process.
//!
//! All runs of one user keep theirs in one folder, which is hidden from all engines, so that no engine can read the
//! files of another. What a killed run left there is removed by the next one.

use super::cgroup;
use std::borrow::Cow;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{SystemTime, UNIX_EPOCH};

/// The folder of this run of Palestra; removed with the last of its engine processes.
#[derive(Debug)]
struct WorkRoot {
    path: PathBuf,
    /// Locked as long as the folder is in use.
    _lock: File,
    n_work_dirs: AtomicU64,
}

static ROOT: Mutex<Weak<WorkRoot>> = Mutex::new(Weak::new());

const LOCK: &str = "lock";

/// The folder of one engine process, removed when dropped.
#[derive(Debug)]
pub(super) struct WorkDir {
    path: PathBuf,
    root: Arc<WorkRoot>,
}

impl WorkDir {
    /// A new folder with an empty scratch folder in it.
    pub(super) fn new() -> io::Result<WorkDir> {
        let root = WorkRoot::shared()?;
        let path = root.path.join(root.n_work_dirs.fetch_add(1, Ordering::Relaxed).to_string());
        create_private(&path)?;
        let work_dir = WorkDir { path, root };
        create_private(&work_dir.scratch())?;
        Ok(work_dir)
    }

    /// The folder with the order and the report, which the engine cannot read.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A name that no other engine process has.
    pub(super) fn name(&self) -> String {
        format!("{}{}", run_name(&self.root.path), name_of(&self.path))
    }

    /// The scratch folder, which the engine can write to.
    pub(super) fn scratch(&self) -> PathBuf {
        scratch(&self.path)
    }

    /// The folder that contains the working directories of all runs of this user.
    pub(super) fn root(&self) -> PathBuf {
        self.root.path.parent().map(Path::to_owned).unwrap_or_else(|| self.root.path.clone())
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        if fs::remove_dir_all(&self.path).is_err() {
            // The engine may have removed permissions. What still cannot be removed is left to the next run that finds
            // the lock free.
            open_all(&self.path);
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// The scratch folder in a working directory.
pub(super) fn scratch(work_dir: &Path) -> PathBuf {
    work_dir.join("scratch")
}

impl WorkRoot {
    fn shared() -> io::Result<Arc<WorkRoot>> {
        let mut shared = ROOT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(root) = shared.upgrade() {
            return Ok(root);
        }
        let root = Arc::new(WorkRoot::new()?);
        *shared = Arc::downgrade(&root);
        Ok(root)
    }

    fn new() -> io::Result<WorkRoot> {
        let user = rustix::process::geteuid().as_raw();
        let temporary = std::env::temp_dir();
        let with_path = |error: io::Error| {
            let text = format!("{} (set TMPDIR to use another folder): {error}", temporary.display());
            io::Error::new(error.kind(), text)
        };
        let all = temporary.canonicalize().map_err(with_path)?.join(format!("palestra-players-{user}"));
        create_private(&all).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(error),
        })?;
        let metadata = fs::symlink_metadata(&all)?;
        if !metadata.is_dir() || metadata.uid() != user {
            let text = format!("{} is not a folder of this user", all.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
        }
        remove_abandoned(&all);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // Created under a hidden name, which `remove_abandoned` skips, and renamed once its lock is held.
        let name = format!("{}-{}", std::process::id(), since.as_nanos());
        let (unlocked, path) = (all.join(format!(".{name}")), all.join(name));
        create_private(&unlocked)?;
        let lock = File::create(unlocked.join(LOCK))?;
        lock.try_lock().map_err(io::Error::from)?;
        fs::rename(&unlocked, &path)?;
        Ok(WorkRoot { path, _lock: lock, n_work_dirs: AtomicU64::new(0) })
    }
}

impl Drop for WorkRoot {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders of runs that have ended.
fn remove_abandoned(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let is_abandoned = match File::open(entry.path().join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // Removed in part, while a supervisor still wrote its report.
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if !hidden && is_abandoned {
            open_all(&entry.path());
            let _ = fs::remove_dir_all(entry.path());
            cgroup::remove_abandoned(&run_name(&entry.path()));
        }
    }
}

/// What the names of the engine processes of a run begin with.
fn run_name(root: &Path) -> String {
    format!("palestra-{}-", name_of(root))
}

fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// Restores the owner's permissions of a folder and its subfolders. No engine may still run there.
fn open_all(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_all(&entry.path());
        }
    }
}

/// Creates a folder with permissions for its owner only.
fn create_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_dirs_are_removed_despite_missing_permissions() {
        let work_dir = WorkDir::new().unwrap();
        let (path, closed) = (work_dir.path().to_owned(), work_dir.scratch().join("a/b"));
        fs::create_dir_all(&closed).unwrap();
        fs::write(closed.join("file"), "x").unwrap();
        for folder in [closed.as_path(), closed.parent().unwrap()] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o300)).unwrap();
        }
        drop(work_dir);
        assert!(!path.exists());
    }
}
