//! `cargo xtask check-new-game`: creates a game in a copy of the source tree and tests it there.

use super::name::Name;
use super::plan::{GAMES, Plan};
use crate::own_game::target_folder;
use crate::tools::{cargo, command_line, root};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// A name whose type, title and position in the lists differ from those of the template.
const NAME: &str = "a_new_game";

pub(crate) fn run(all: bool) -> Result<ExitCode> {
    let name = Name::parse(NAME, &[])?;
    let target = target_folder()?;
    let work = target.join("new-game");
    let [fresh, tree] = ["fresh", "tree"].map(|folder| work.join(folder));
    if fresh.exists() {
        fs::remove_dir_all(&fresh).context("cannot remove an earlier copy")?;
    }
    // In two steps, so that unchanged files keep their modification time and are not built again.
    make_like(&fresh, &root())?;
    if fresh.canonicalize()?.starts_with(root().canonicalize()?) {
        // Cargo reads the configuration of every parent folder too, and repeated flags would cause a rebuild.
        fs::remove_dir_all(fresh.join(".cargo")).context("cannot remove the configuration of the copy")?;
    }
    Plan::new(&fresh, &name)?.write()?;
    make_like(&tree, &fresh)?;
    fs::remove_dir_all(&fresh).context("cannot remove the copy")?;
    for mut command in commands(&tree, &work.join("target"), all) {
        println!("in the copy: {}", command_line(&command));
        let status = command.status().with_context(|| format!("cannot start {}", command_line(&command)))?;
        if !status.success() {
            eprintln!("error: the template of a new game fails; see xtask/skeleton");
            return Ok(ExitCode::FAILURE);
        }
    }
    if std::env::var_os("PALESTRA_BLESS").is_some() {
        keep_playthrough(&tree, &name)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Format, lints, the game's own tests and the kit; with `all` also matches of its named players, in the program with
/// this game alone.
fn commands(tree: &Path, target: &Path, all: bool) -> Vec<Command> {
    let command = |args: &[&[&str]]| {
        let mut command = cargo();
        command
            .args(args.concat())
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

/// Copies the newly recorded game to the template.
fn keep_playthrough(tree: &Path, name: &Name) -> Result<()> {
    const FILE: &str = "playthroughs.txt";
    let recorded = fs::read_to_string(tree.join(GAMES).join(NAME).join(FILE)).context("nothing recorded")?;
    let template = recorded.replace(&name.to_string(), "skeleton");
    fs::write(root().join("xtask/skeleton").join(FILE), template).context("cannot write the template")
}

/// Makes the folder `to` a copy of `from`; equal files are not touched.
fn make_like(to: &Path, from: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let (source, present) = (names_in(from)?, names_in(to)?);
    for name in present.difference(&source) {
        let path = to.join(name);
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.with_context(|| format!("cannot remove {}", path.display()))?;
    }
    for name in source {
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

/// Names in a folder, except those of git and of builds.
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
