//! What files of a program have besides their content: the right to be executed, and links.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A new folder for temporary files that only this user can read, with an unused name that begins with `prefix`.
pub fn private_folder(prefix: &str) -> io::Result<PathBuf> {
    static N_MADE: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let number = N_MADE.fetch_add(1, Ordering::Relaxed);
    let name = format!("{prefix}-{}-{since}-{number}", std::process::id());
    let path = std::path::absolute(std::env::temp_dir())?.join(name);
    create_private(&path)?;
    Ok(path)
}

#[cfg(unix)]
fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Whether a file can be executed; always false on systems without that right.
#[cfg(unix)]
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(crate) fn is_executable(_metadata: &Metadata) -> bool {
    false
}

/// Gives a file the right to be executed; does nothing on systems without that right.
#[cfg(unix)]
pub fn set_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Gives a file the right to be executed; does nothing on systems without that right.
#[cfg(not(unix))]
pub fn set_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a link with a relative target. Only on systems whose links have no kinds.
#[cfg(unix)]
pub fn make_link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// Makes a link with a relative target. Only on systems whose links have no kinds.
#[cfg(not(unix))]
pub fn make_link(_target: &Path, link: &Path) -> io::Result<()> {
    Err(io::Error::other(format!("{}: a link", link.display())))
}
