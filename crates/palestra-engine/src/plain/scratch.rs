//! Scratch folders of engines.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

/// The scratch folder of one process, removed when dropped.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder with an unused name.
    pub(super) fn new() -> io::Result<Scratch> {
        static N_MADE: AtomicU64 = AtomicU64::new(0);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let number = N_MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("palestra-player-{}-{since}-{number}", std::process::id());
        let path = std::path::absolute(std::env::temp_dir())?.join(name);
        fs::create_dir(&path)?;
        Ok(Scratch(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Fails where a process that the engine started still uses it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
