//! A folder of exported files: written to a sibling folder first, then renamed.

use super::ExportError;
use palestra_core::InputError;
use std::fs;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, ExportError>;

/// A kind of folder. One is replaced only if it has the marker of its kind and nothing but files of that kind.
#[derive(Clone, Copy, Debug)]
pub struct FolderKind {
    /// The option that names it, for errors.
    option: &'static str,
    /// What it holds, for errors.
    what: &'static str,
    /// File that marks it.
    marker: &'static str,
    /// Entries of such a folder; `None` where the marker lists them.
    entries: Option<&'static [&'static str]>,
    /// Folders inside.
    folders: &'static [&'static str],
    /// Whether only this user may read it.
    is_private: bool,
}

impl FolderKind {
    /// The site of an event.
    pub const SITE: FolderKind = FolderKind {
        option: "--site",
        what: "an older site",
        marker: ".palestra-site",
        entries: Some(&SITE_ENTRIES),
        folders: &["players", "games", "assets"],
        is_private: false,
    };

    /// Texts for single students.
    pub const PRIVATE: FolderKind = FolderKind {
        option: "--private",
        what: "older texts for students",
        marker: ".palestra-private",
        entries: None,
        folders: &[],
        is_private: true,
    };

    /// Refuses a folder with other files.
    pub fn check(self, folder: &Path) -> Result<()> {
        let target = match folder.exists() {
            true => fs::canonicalize(folder),
            false => std::path::absolute(folder),
        };
        check(self, &target.map_err(ExportError::file("cannot use", folder))?, folder)
    }

    /// The entries that a folder with this marker may have.
    fn known(self, target: &Path) -> Vec<String> {
        match self.entries {
            Some(entries) => entries.iter().map(|entry| (*entry).to_owned()).collect(),
            // A marker that cannot be read lists nothing, so that the folder is kept.
            None => fs::read_to_string(target.join(self.marker))
                .unwrap_or_default()
                .lines()
                .map(str::to_owned)
                .collect(),
        }
    }
}

/// Entries of a site, of this and of earlier versions.
const SITE_ENTRIES: [&str; 15] = [
    "groups.html",
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

/// Writes to a sibling folder. Dropped before `finish`, it removes that folder.
pub struct FolderWriter {
    kind: FolderKind,
    part: PathBuf,
    target: PathBuf,
    /// The files so far.
    files: Vec<String>,
    written: SiteWritten,
    is_finished: bool,
}

impl FolderWriter {
    /// Checks the target and creates the sibling folder.
    pub fn begin(kind: FolderKind, folder: &Path) -> Result<FolderWriter> {
        let target = target_of(folder)?;
        check(kind, &target, folder)?;
        let part = sibling(&target, "part");
        // A killed process with the same process id may have left one.
        let _ = fs::remove_dir_all(&part);
        create(&part, kind.is_private).map_err(ExportError::file("cannot create", &part))?;
        for inner in kind.folders {
            let path = part.join(inner);
            fs::create_dir_all(&path).map_err(ExportError::file("cannot create", &path))?;
        }
        let written = SiteWritten { n_files: 0, n_bytes: 0 };
        Ok(FolderWriter { kind, part, target, files: Vec::new(), written, is_finished: false })
    }

    /// Writes a file at an address within the folder.
    pub fn file(&mut self, address: &str, bytes: &[u8]) -> Result<()> {
        let path = self.part.join(address);
        fs::write(&path, bytes).map_err(ExportError::file("cannot write", &path))?;
        self.written.n_files += 1;
        self.written.n_bytes += bytes.len() as u64;
        self.files.push(address.to_owned());
        Ok(())
    }

    /// Renames the sibling folder to the target, and removes an older one.
    pub fn finish(mut self) -> Result<SiteWritten> {
        let mut marker =
            "Written by palestra: the whole folder is replaced when it is written again.\n".to_owned();
        if self.kind.entries.is_none() {
            marker += &self.files.join("\n");
        }
        self.file(self.kind.marker, marker.as_bytes())?;
        let old = sibling(&self.target, "old");
        let _ = fs::remove_dir_all(&old);
        let had_old = self.target.exists();
        if had_old {
            fs::rename(&self.target, &old).map_err(ExportError::file("cannot write", &self.target))?;
        }
        if let Err(error) = fs::rename(&self.part, &self.target) {
            // Put the older one back.
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

impl Drop for FolderWriter {
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

/// Creates a folder, which only this user may read if it is private.
fn create(path: &Path, is_private: bool) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if is_private {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    #[cfg(not(unix))]
    let _ = is_private;
    builder.create(path)
}

/// Refuses a target with files of another kind.
fn check(kind: FolderKind, target: &Path, folder: &Path) -> Result<()> {
    let bad = |expected: &str| InputError::new(kind.option, folder.display().to_string(), expected);
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
    if !names.is_empty() && !names.iter().any(|name| name == kind.marker) {
        return Err(bad(&format!("a new or empty folder, or {} (it has other files)", kind.what)).into());
    }
    let known = kind.known(target);
    let foreign = names.iter().find(|name| *name != kind.marker && !known.contains(name));
    match foreign {
        Some(name) => {
            let expected =
                format!("a folder with only {} (it also has \"{name}\", which would be deleted)", kind.what);
            Err(bad(&expected).into())
        }
        None => Ok(()),
    }
}
