//! The folder of a site: written to a sibling folder first, then renamed.

use super::ExportError;
use palestra_core::InputError;
use std::fs;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, ExportError>;

/// File that marks a folder as a site.
const MARKER: &str = ".palestra-site";
/// Entries of a site, of this and of earlier versions. A folder with any other entry is not replaced.
const SITE_FILES: [&str; 15] = [
    MARKER,
    "index.html",
    "standings.html",
    "rounds.html",
    "crosstable.html",
    "assets",
    "players",
    "games",
    "style.css",
    "step.js",
    "plan.toml",
    "standings.csv",
    "standings.json",
    "games.pgn",
    "games.jsonl",
];

/// Number and size of the written files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteWritten {
    /// Number of files, the marker included.
    pub n_files: u64,
    /// Total size in bytes.
    pub n_bytes: u64,
}

/// Writes a site to a sibling folder. Dropped before `finish`, it removes that folder.
pub(super) struct SiteWriter {
    part: PathBuf,
    target: PathBuf,
    written: SiteWritten,
    is_finished: bool,
}

impl SiteWriter {
    /// Checks the target and creates the sibling folder.
    pub(super) fn begin(folder: &Path) -> Result<SiteWriter> {
        let target = target_of(folder)?;
        check(&target, folder)?;
        let part = sibling(&target, "part");
        // A killed process with the same process id may have left one.
        let _ = fs::remove_dir_all(&part);
        for inner in ["players", "games", "assets"] {
            let path = part.join(inner);
            fs::create_dir_all(&path).map_err(ExportError::file("cannot create", &path))?;
        }
        let mut writer =
            SiteWriter { part, target, written: SiteWritten { n_files: 0, n_bytes: 0 }, is_finished: false };
        writer.file(
            MARKER,
            b"Written by palestra: the whole folder is replaced when the site is written again.\n",
        )?;
        Ok(writer)
    }

    /// Writes a file at an address within the site.
    pub(super) fn file(&mut self, address: &str, bytes: &[u8]) -> Result<()> {
        let path = self.part.join(address);
        fs::write(&path, bytes).map_err(ExportError::file("cannot write", &path))?;
        self.written.n_files += 1;
        self.written.n_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Renames the sibling folder to the target, and removes an older site.
    pub(super) fn finish(mut self) -> Result<SiteWritten> {
        let old = sibling(&self.target, "old");
        let _ = fs::remove_dir_all(&old);
        let had_old = self.target.exists();
        if had_old {
            fs::rename(&self.target, &old).map_err(ExportError::file("cannot write", &self.target))?;
        }
        if let Err(error) = fs::rename(&self.part, &self.target) {
            // Put the older site back.
            if had_old {
                let _ = fs::rename(&old, &self.target);
            }
            return Err(ExportError::file("cannot write", &self.target)(error));
        }
        self.is_finished = true;
        if had_old {
            fs::remove_dir_all(&old).map_err(ExportError::file("cannot remove", &old))?;
        }
        Ok(self.written)
    }
}

impl Drop for SiteWriter {
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = fs::remove_dir_all(&self.part);
        }
    }
}

/// The absolute path of the target, with its parent folder created.
fn target_of(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        return fs::canonicalize(folder).map_err(ExportError::file("cannot use", folder));
    }
    let whole = std::path::absolute(folder).map_err(ExportError::file("cannot use", folder))?;
    let parent = whole.parent().unwrap_or(&whole);
    fs::create_dir_all(parent).map_err(ExportError::file("cannot create", parent))?;
    Ok(whole)
}

/// A hidden folder next to the target: on the same file system, so that a rename is atomic.
fn sibling(target: &Path, ending: &str) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}.{ending}", std::process::id()))
}

/// Refuses a target with files that are not of a site.
fn check(target: &Path, folder: &Path) -> Result<()> {
    let bad = |expected: &str| InputError::new("--site", folder.display().to_string(), expected);
    if target.file_name().is_none() {
        return Err(bad("a folder with a name").into());
    }
    if !target.exists() {
        return Ok(());
    }
    if !target.is_dir() {
        return Err(bad("a folder, not a file").into());
    }
    let mut names = Vec::new();
    let failed = ExportError::file("cannot read", target);
    for entry in fs::read_dir(target).map_err(&failed)? {
        names.push(entry.map_err(&failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    if !names.is_empty() && !names.iter().any(|name| name == MARKER) {
        return Err(bad("a new or empty folder, or an older site (it has other files)").into());
    }
    let foreign = names.iter().find(|name| !SITE_FILES.contains(&name.as_str()));
    match foreign {
        Some(name) => {
            let expected =
                format!("a folder with only an older site (it also has \"{name}\", which would be deleted)");
            Err(bad(&expected).into())
        }
        None => Ok(()),
    }
}
