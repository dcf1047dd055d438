//! The files and changes of a new game: created in memory first, then written completely or not at all.

use super::name::Name;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Folder of the games.
pub(super) const GAMES: &str = "crates/palestra-games/src";
/// The catalog that maps names to types.
pub(super) const REGISTRY: &str = "crates/palestra-registry/src/lib.rs";

macro_rules! skeleton {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("../../skeleton/", $file)))),*]
    };
}

/// The files of a new game. Placeholders for its name are `skeleton` (name), `Skeleton` (type) and `SKELETON` (title).
pub(super) const SKELETON: [(&str, &str); 12] = skeleton![
    "README.md",
    "features.rs",
    "mod.rs",
    "notation.txt",
    "perft.txt",
    "players.txt",
    "playthroughs.txt",
    "rules.rs",
    "rules.txt",
    "spanish.txt",
    "tests.rs",
    "text.rs",
];

/// All files and changes of a new game.
#[derive(Debug)]
pub(super) struct Plan {
    folder: PathBuf,
    files: Vec<(&'static str, String)>,
    edits: Vec<Edit>,
}

/// A change of an existing file.
#[derive(Debug)]
struct Edit {
    path: PathBuf,
    before: String,
    after: String,
}

impl Plan {
    /// Creates all files and changes for the workspace in `root` in memory; writes nothing.
    pub(super) fn new(root: &Path, name: &Name) -> Result<Plan> {
        let games = root.join(GAMES);
        let folder = games.join(name.to_string());
        if folder.exists() || games.join(format!("{name}.rs")).exists() {
            return Err(name.taken("a name that no file or folder of the games has").into());
        }
        let fill = |&(file, template): &(&'static str, &str)| {
            let text = filled(template, name);
            Ok((file, if file.ends_with(".rs") { formatted(root, &text)? } else { text }))
        };
        let edit = |path: PathBuf, change: fn(&str, &Name) -> Option<String>| {
            let before =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let changed = change(&before, name)
                .with_context(|| format!("{} has no list of games to add a line to", path.display()))?;
            let after = formatted(root, &changed)?;
            anyhow::Ok(Edit { path, before, after })
        };
        Ok(Plan {
            files: SKELETON.iter().map(fill).collect::<Result<_>>()?,
            edits: vec![edit(games.join("lib.rs"), with_module)?, edit(root.join(REGISTRY), with_entry)?],
            folder,
        })
    }

    /// Writes everything; on an error all changes are undone.
    pub(super) fn write(&self) -> Result<()> {
        // Fails if the folder exists, so that only a new folder is ever removed below.
        fs::create_dir(&self.folder).with_context(|| format!("cannot create {}", self.folder.display()))?;
        self.write_files().inspect_err(|_| {
            // Only the first error is reported.
            let _ = fs::remove_dir_all(&self.folder);
            for edit in &self.edits {
                let _ = fs::write(&edit.path, &edit.before);
            }
        })
    }

    fn write_files(&self) -> Result<()> {
        let files = self.files.iter().map(|(file, text)| (self.folder.join(file), text));
        let edits = self.edits.iter().map(|edit| (edit.path.clone(), &edit.after));
        for (path, text) in files.chain(edits) {
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// A template with the placeholders replaced.
pub(super) fn filled(template: &str, name: &Name) -> String {
    let text = template.replace("skeleton", &name.to_string());
    text.replace("Skeleton", &name.camel()).replace("SKELETON", &name.title())
}

/// The list of modules with one more; rustfmt sorts it.
pub(super) fn with_module(text: &str, name: &Name) -> Option<String> {
    let last = text.rfind("\npub mod ")? + 1;
    let end = last + text[last..].find('\n')?;
    Some(format!("{}\npub mod {name};{}", &text[..end], &text[end..]))
}

/// The registry with one more entry at the end; games are listed in this order.
pub(super) fn with_entry(text: &str, name: &Name) -> Option<String> {
    const LIST: &str = "Catalog::new(&[";
    let start = text.find(LIST)? + LIST.len();
    let end = start + text[start..].find(']')?;
    let entries = text[start..end].trim_end().trim_end_matches(',');
    let comma = if entries.is_empty() { "" } else { "," };
    let entry = format!("CatalogEntry::of::<palestra_games::{name}::{}Family>()", name.camel());
    Some(format!("{}{entries}{comma}\n{entry},\n{}", &text[..start], &text[end..]))
}

/// Formats a text with rustfmt, because line breaks and the order of lists depend on the name.
fn formatted(root: &Path, text: &str) -> Result<String> {
    let rustfmt = std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    // In the root, which has the configuration of rustfmt.
    let mut command = Command::new(rustfmt);
    command.args(["--edition", "2024"]).current_dir(root).stdin(Stdio::piped()).stdout(Stdio::piped());
    let missing = "cannot start rustfmt; type: rustup component add rustfmt";
    let mut child = command.spawn().context(missing)?;
    // rustfmt reads to the end before it writes; dropping the pipe is the end.
    child.stdin.take().context(missing)?.write_all(text.as_bytes()).context(missing)?;
    let output = child.wait_with_output().context(missing)?;
    if !output.status.success() {
        bail!("rustfmt failed ({})", output.status);
    }
    String::from_utf8(output.stdout).context("rustfmt wrote no text")
}
