//! The folder of a site: written beside its place first, then moved there in one step.

use anyhow::{Context, Result};
use palestra_core::InputError;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that says that a folder is a site of ours.
const MARKER: &str = ".palestra-site";
/// What stands in a site. A folder with anything else belongs to somebody.
const OURS: [&str; 13] = [
    MARKER,
    "index.html",
    "standings.html",
    "rounds.html",
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

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SiteWritten {
    /// Files, the marker included.
    pub(crate) n_files: u64,
    /// Bytes of all files.
    pub(crate) n_bytes: u64,
}

/// A site that is not there yet. Dropped before it is finished, it leaves nothing behind.
pub(super) struct SiteWriter {
    part: PathBuf,
    place: PathBuf,
    written: SiteWritten,
    is_finished: bool,
}

impl SiteWriter {
    /// Looks at the place and begins beside it.
    pub(super) fn begin(folder: &Path) -> Result<SiteWriter> {
        let place = place_of(folder)?;
        check(&place, folder)?;
        let part = beside(&place, "part");
        // What a process of the same number left behind when it was killed.
        let _ = fs::remove_dir_all(&part);
        for inner in ["players", "games"] {
            let path = part.join(inner);
            fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        }
        let mut draft =
            SiteWriter { part, place, written: SiteWritten { n_files: 0, n_bytes: 0 }, is_finished: false };
        draft.file(
            MARKER,
            b"Written by palestra: the whole folder is replaced when the site is written again.\n",
        )?;
        Ok(draft)
    }

    /// Writes a file; its address is one of ours.
    pub(super) fn file(&mut self, address: &str, bytes: &[u8]) -> Result<()> {
        let path = self.part.join(address);
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        self.written.n_files += 1;
        self.written.n_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Puts the site into its place, and takes an older one away.
    pub(super) fn finish(mut self) -> Result<SiteWritten> {
        let context = || format!("cannot write {}", self.place.display());
        let old = beside(&self.place, "old");
        let _ = fs::remove_dir_all(&old);
        let had_old = self.place.exists();
        if had_old {
            fs::rename(&self.place, &old).with_context(context)?;
        }
        if let Err(error) = fs::rename(&self.part, &self.place) {
            // Better the older one than none.
            if had_old {
                let _ = fs::rename(&old, &self.place);
            }
            return Err(error).with_context(context);
        }
        self.is_finished = true;
        if had_old {
            fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
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

/// The place without links and dots, so that there is a folder around it and a name.
fn place_of(folder: &Path) -> Result<PathBuf> {
    let context = || format!("cannot use {}", folder.display());
    if folder.exists() {
        return fs::canonicalize(folder).with_context(context);
    }
    let whole = std::path::absolute(folder).with_context(context)?;
    let around = whole.parent().unwrap_or(&whole);
    fs::create_dir_all(around).with_context(|| format!("cannot make {}", around.display()))?;
    Ok(whole)
}

/// A folder next to a place, on the same disk, so that moving it is one step.
fn beside(place: &Path, ending: &str) -> PathBuf {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    place.with_file_name(format!(".{name}.{}.{ending}", std::process::id()))
}

/// Refuses a place that belongs to somebody else.
fn check(place: &Path, folder: &Path) -> Result<()> {
    let bad = |expected: &str| InputError::new("folder of the site", folder.display().to_string(), expected);
    if place.file_name().is_none() {
        return Err(bad("a folder with a name").into());
    }
    if !place.exists() {
        return Ok(());
    }
    if !place.is_dir() {
        return Err(bad("a folder, not a file").into());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(place).with_context(|| format!("cannot read {}", place.display()))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    if !names.is_empty() && !names.iter().any(|name| name == MARKER) {
        return Err(
            bad("a new or empty folder, or an older site: it holds files that are no site of ours").into()
        );
    }
    let alien = names.iter().find(|name| !OURS.contains(&name.as_str()));
    match alien {
        Some(name) => {
            let expected =
                format!("a folder with nothing but the older site: writing it again would delete \"{name}\"");
            Err(bad(&expected).into())
        }
        None => Ok(()),
    }
}
