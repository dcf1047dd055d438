//! Folders of submissions: one folder per player, with a `player.toml` or files that show how to start it, and a roster
//! that says whose they are.

mod compile;
mod find;
mod player_file;
mod roster;
#[cfg(test)]
mod tests;

pub(super) use compile::{CompileOptions, CompileOutcome, Compiler};
pub(super) use roster::{Roster, RosterEntry};

use anyhow::{Context, Result};
use find::find_command;
use palestra_core::InputError;
use palestra_engine::ProgramSpec;
use palestra_review::event::text::plain;
use player_file::{PLAYER_FILE, read_player_file};
use std::path::{Path, PathBuf};

/// A submission and whose it is.
#[derive(Debug)]
pub(super) struct Submission {
    /// Its folder.
    pub(super) folder: PathBuf,
    /// Whose it is: by the roster, or by the name of its folder.
    pub(super) entry: RosterEntry,
    /// How it is started, or why it cannot be.
    pub(super) program: Result<ProgramSpec, InputError>,
    /// What staff should know of its files.
    pub(super) notices: Vec<String>,
}

/// All submissions of a folder, in the order of their names.
pub(super) fn read(folder: &Path) -> Result<Vec<Submission>> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| bad(folder, &format!("a folder with one folder per submission ({error})")))?;
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.is_dir() && !name_of(&path).starts_with('.') {
            folders.push(path);
        }
    }
    folders.sort();
    if folders.is_empty() {
        return Err(bad(folder, "a folder with at least one folder in it, one per submission").into());
    }
    Ok(folders.into_iter().map(Submission::read).collect())
}

impl Submission {
    fn read(folder: PathBuf) -> Submission {
        let mut notices = Vec::new();
        let program = program_of(&folder, &mut notices);
        let entry = RosterEntry::of_folder(&name_of(&folder));
        Submission { folder, entry, program, notices }
    }

    /// The name of its folder.
    pub(super) fn folder_name(&self) -> String {
        name_of(&self.folder)
    }
}

/// Name and program of one submission that is named by its path.
pub(super) fn submission(folder: &Path) -> Result<(String, ProgramSpec), InputError> {
    let Submission { entry, program, notices, .. } = Submission::read(folder.to_owned());
    super::output::note_old_names(&notices);
    Ok((entry.name, program?))
}

/// The program of a submission.
fn program_of(folder: &Path, notices: &mut Vec<String>) -> Result<ProgramSpec, InputError> {
    let file = folder.join(PLAYER_FILE);
    let mut program = if file.is_file() {
        let (program, name) = read_player_file(&file)?;
        notices.extend(name.map(|_| {
            format!(
                "{}: name is not used; the name of a submission is that of its folder, or in the roster (--roster)",
                file.display()
            )
        }));
        program
    } else {
        find_command(folder)?
    };
    check_inside(folder, &program)?;
    program.folder = Some(folder.to_owned());
    let unreadable = |error| bad(folder, &format!("a submission whose files can be read ({error})"));
    program.check_files().map_err(unreadable)?;
    Ok(program)
}

/// Folders of interpreters and libraries.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt"];

/// Refuses a command with a path or a link that leads out of the submission's folder, unless it leads to a program of
/// the system: otherwise a submission could play with the program of another.
fn check_inside(folder: &Path, program: &ProgramSpec) -> Result<(), InputError> {
    let unreadable = |error| bad(folder, &format!("a readable folder ({error})"));
    let own = folder.canonicalize().map_err(unreadable)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = |file: &Path| std::env::split_paths(&path).any(|folder| file.parent() == Some(&folder));
    let is_system = |file: &Path| SYSTEM.iter().any(|folder| file.starts_with(folder)) || in_path(file);
    let interpreter = program.python.iter().map(|word| (0, word));
    for (i, word) in program.words.iter().enumerate().chain(interpreter) {
        // A program without a path is looked up in PATH, and what does not exist is an option or its value.
        let is_looked_up = i == 0 && !word.contains('/');
        let Some(file) = own.join(word).canonicalize().ok().filter(|_| !is_looked_up) else { continue };
        if !file.starts_with(&own) && !is_system(&file) {
            let key = format!("command of {}", folder.display());
            return Err(InputError::new(key, word, "a path that does not lead out of that folder"));
        }
    }
    Ok(())
}

/// Longest name of a player in a plan, in characters.
const MAX_NAME: usize = 100;

/// The name of a player with this folder: a name of a plan has one line and at most [`MAX_NAME`] characters.
fn player_name(folder: &str) -> String {
    let name = plain(folder);
    match name.char_indices().nth(MAX_NAME) {
        None => name,
        Some(_) => name.chars().take(MAX_NAME - 1).chain(['…']).collect(),
    }
}

/// The last part of a path.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn bad(path: &Path, expected: &str) -> InputError {
    InputError::new("submissions", path.display().to_string(), expected)
}
