//! `cargo xtask check-new-game`: a new game, made in a copy of the source tree, passes there at once.

use super::name::Name;
use super::plan::{GAMES, Plan};
use crate::tools::{capture, cargo, root, typed};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A name whose type, title and place in the lists differ from the template's.
const NAME: &str = "a_new_game";

pub(crate) fn run(all: bool) -> Result<ExitCode> {
    let name = Name::parse(NAME, &[])?;
    let target = target_folder()?;
    let place = target.join("new-game");
    let [fresh, tree] = ["fresh", "tree"].map(|folder| place.join(folder));
    if fresh.exists() {
        fs::remove_dir_all(&fresh).context("cannot remove an earlier copy")?;
    }
    // Two steps, so that what did not change keeps its date and is not built again.
    make_like(&fresh, &root())?;
    if fresh.canonicalize()?.starts_with(root().canonicalize()?) {
        // Cargo reads the settings of every folder above: said twice, flags would count as other flags.
        fs::remove_dir_all(fresh.join(".cargo")).context("cannot remove the settings of the copy")?;
    }
    Plan::new(&fresh, &name)?.write()?;
    make_like(&tree, &fresh)?;
    fs::remove_dir_all(&fresh).context("cannot remove the copy")?;
    for mut command in commands(&tree, &place.join("target"), all) {
        println!("in the copy: {}", typed(&command));
        let status = command.status().with_context(|| format!("cannot start {}", typed(&command)))?;
        if !status.success() {
            eprintln!("error: a new game does not pass: look at xtask/skeleton");
            return Ok(ExitCode::FAILURE);
        }
    }
    if std::env::var_os("PALESTRA_BLESS").is_some() {
        keep_playthrough(&tree, &name)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Formatting, lints, the tests of the game itself and the kit; with `all` also the program with this game alone, in
/// which its named players play.
fn commands(tree: &Path, target: &Path, all: bool) -> Vec<Command> {
    let command = |words: &[&[&str]]| {
        let mut command = cargo();
        command
            .args(words.concat())
            .current_dir(tree)
            .env("PALESTRA_GAME", NAME)
            .env("CARGO_TARGET_DIR", target);
        command
    };
    let packages = ["--package", "palestra-games", "--package", "palestra-kit"];
    let mut commands = vec![
        command(&[&["fmt", "--all", "--check"]]),
        command(&[&["clippy"], &packages, &["--tests", "--", "-D", "warnings"]]),
        command(&[&["test"], &packages, &["--lib", "--test", "kit", "--", NAME]]),
    ];
    if all {
        let run = ["run", "--package", "palestra-one", "--"];
        commands.push(command(&[&run, &["players", NAME]]));
        for player in ["fours", "few", "alphabeta:depth=4/rest/0,1,-1"] {
            commands.push(command(&[&run, &["match", NAME, player, "random", "--games", "20"]]));
        }
    }
    commands
}

/// Takes the recorded game of the copy, which was made anew, into the template.
fn keep_playthrough(tree: &Path, name: &Name) -> Result<()> {
    const FILE: &str = "playthroughs.txt";
    let recorded = fs::read_to_string(tree.join(GAMES).join(NAME).join(FILE)).context("nothing recorded")?;
    let template = recorded.replace(&name.to_string(), "skeleton");
    fs::write(root().join("xtask/skeleton").join(FILE), template).context("cannot write the template")
}

fn target_folder() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&capture(&mut command)?.0).context("cargo wrote no JSON")?;
    let folder = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(folder.into())
}

/// Makes the folder `to` hold what `from` holds; files that are the same already are not touched.
fn make_like(to: &Path, from: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let (wanted, present) = (names_in(from)?, names_in(to)?);
    for name in present.difference(&wanted) {
        let path = to.join(name);
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.with_context(|| format!("cannot remove {}", path.display()))?;
    }
    for name in wanted {
        let [to, from] = [to, from].map(|folder| folder.join(&name));
        if from.is_dir() {
            make_like(&to, &from)?;
            continue;
        }
        let bytes = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            fs::write(&to, bytes).with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    Ok(())
}

/// What lies in a folder, except what git and builds keep there.
fn names_in(folder: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != ".git" && name != "target" && !entry.path().join("CACHEDIR.TAG").exists() {
            names.insert(name);
        }
    }
    Ok(names)
}
