//! Brings what a compiler made into the folder of a submission, and nothing out of it.

use super::super::name_of;
use super::language::Results;
use crate::cli::output_file::write_file;
use anyhow::{Context, Result};
use palestra_core::InputError;
use std::fs;
use std::path::{Path, PathBuf};

/// Most files that are brought back.
const MAX_FILES: usize = 10_000;

/// Copies the results from the compiled copy of a submission to its folder; returns their names.
pub(super) fn bring_back(results: Results, copy: &Path, folder: &Path) -> Result<Vec<String>> {
    let found = find(results, copy)?;
    if found.len() > MAX_FILES {
        let (n, expected) = (found.len().to_string(), format!("at most {MAX_FILES} files"));
        return Err(InputError::new("files after compiling", n, expected).into());
    }
    let mut names = Vec::new();
    for (file, name) in found {
        let bytes =
            fs::read(&file).with_context(|| format!("cannot read {} after compiling", name.display()))?;
        let target = folder.join(&name);
        let is_same = plain_file(&target) && fs::read(&target).ok().as_deref() == Some(&bytes[..]);
        if is_same && results == Results::Changed {
            continue;
        }
        check_inside(folder, &target)?;
        if !is_same {
            write_file(&target, &bytes)?;
        }
        if is_program(&bytes) {
            make_executable(&target).with_context(|| format!("cannot change {}", target.display()))?;
        }
        if !is_same {
            names.push(name.display().to_string());
        }
    }
    Ok(names)
}

/// The files that are results, and their names in the folder of the submission.
fn find(results: Results, copy: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let mut files = Vec::new();
    let missing = |what: &str| InputError::new("the result of compiling", "", what);
    let named = |files: Vec<PathBuf>, below: &Path| {
        let name = |file: &PathBuf| file.strip_prefix(below).unwrap_or(file).to_owned();
        files.into_iter().map(|file| (file.clone(), name(&file))).collect()
    };
    match results {
        Results::None => Ok(Vec::new()),
        Results::Player => match plain_file(&copy.join("player")) {
            true => Ok(vec![(copy.join("player"), "player".into())]),
            false => Err(missing("a file player").into()),
        },
        Results::CargoProgram => {
            let release = copy.join("target/release");
            let programs: Vec<PathBuf> = fs::read_dir(&release)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| {
                    plain_file(path) && path.extension().is_none() && !name_of(path).starts_with('.')
                })
                .collect();
            match &programs[..] {
                [program] => Ok(vec![(program.clone(), "player".into())]),
                _ => Err(missing("a Cargo.toml with exactly one program").into()),
            }
        }
        Results::Classes => {
            list(copy, &mut files)?;
            files.retain(|file| file.extension().is_some_and(|extension| extension == "class"));
            Ok(named(files, copy))
        }
        Results::OutFolder => {
            let out = copy.join("out");
            list(&out, &mut files).map_err(|_| missing("a folder out with the program"))?;
            Ok(named(files, &out))
        }
        Results::Changed => {
            list(copy, &mut files)?;
            Ok(named(files, copy))
        }
    }
}

/// Lists the plain files below a folder, without hidden folders and links.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && !entry.file_name().as_encoded_bytes().starts_with(b".") {
            list(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(())
}

fn plain_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Creates the folder of a file and refuses one that a link leads out of the submission.
fn check_inside(folder: &Path, target: &Path) -> Result<()> {
    let parent = target.parent().unwrap_or(folder);
    let known = parent.ancestors().find(|path| path.exists()).unwrap_or(folder);
    let is_inside = known.canonicalize()?.starts_with(folder.canonicalize()?);
    if !is_inside {
        let expected = "a folder of the submission, which this link leaves";
        return Err(InputError::new("a result of compiling", target.display().to_string(), expected).into());
    }
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))
}

/// Whether a file is a program: a binary for Linux, or a script. Its mode does not say, since the sandbox keeps
/// programs from changing modes, as linkers do at their end.
fn is_program(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"#!")
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A link of a submission does not lead a result into another one.
    #[test]
    fn results_stay_inside() {
        let root = std::env::temp_dir().join(format!("palestra-results-{}", std::process::id()));
        for folder in ["ana", "eva", "copy/bot"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let (copy, eva) = (root.join("copy"), root.join("eva"));
        fs::write(root.join("ana/player"), "hers").unwrap();
        fs::write(copy.join("player"), "new").unwrap();
        fs::write(copy.join("bot/Main.class"), "new").unwrap();
        symlink("../ana/player", eva.join("player")).unwrap();
        symlink("../ana", eva.join("bot")).unwrap();
        let error = bring_back(Results::Player, &copy, &eva).unwrap_err().to_string();
        assert!(error.contains("a symbolic link"), "{error}");
        let error = bring_back(Results::Classes, &copy, &eva).unwrap_err().to_string();
        assert!(error.contains("which this link leaves"), "{error}");
        assert_eq!(fs::read(root.join("ana/player")).unwrap(), b"hers");
        for link in ["player", "bot"] {
            fs::remove_file(eva.join(link)).unwrap();
        }
        assert_eq!(bring_back(Results::Changed, &copy, &eva).unwrap(), ["bot/Main.class", "player"]);
        assert_eq!(bring_back(Results::Changed, &copy, &eva).unwrap().len(), 0, "nothing has changed");
        // A link that the compiler left is no result.
        fs::remove_file(copy.join("player")).unwrap();
        symlink("/etc/hostname", copy.join("player")).unwrap();
        assert!(bring_back(Results::Player, &copy, &eva).is_err());
        fs::remove_dir_all(&root).unwrap();
    }
}
