//! The files of a program that are archived with its first game.

use crate::program::{ProgramSpec, is_program_folder};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnFile {
    /// Where it is.
    pub location: PathBuf,
    /// Its path in the folder of the program, with `/` between names.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether it can be executed.
    pub is_executable: bool,
    /// The target of a link that stays inside the folder.
    pub link: Option<String>,
}

impl ProgramSpec {
    /// The files that have to be kept to run the program again elsewhere: those of its folder with the links inside it,
    /// or without a folder those that its command names by relative paths. Absolute paths are files of the system.
    pub fn files(&self) -> io::Result<Vec<OwnFile>> {
        let mut files = Vec::new();
        match &self.folder {
            Some(folder) => list(folder, &fs::canonicalize(folder)?, "", &mut files)?,
            None => {
                let here = fs::canonicalize(".")?;
                for word in self.words.iter().map(PathBuf::from).filter(|word| word.is_relative()) {
                    let is_inside = fs::canonicalize(&word).is_ok_and(|path| path.starts_with(&here));
                    if is_inside && word.is_file() {
                        let path = word.components().collect::<PathBuf>();
                        files.push(own_file(
                            &word,
                            path.strip_prefix(".").unwrap_or(&path).display().to_string(),
                        )?);
                    }
                }
            }
        }
        files.sort_by(|one, two| one.path.cmp(&two.path));
        files.dedup_by(|one, two| one.path == two.path);
        Ok(files)
    }

    /// The same program with its files in another folder.
    #[must_use]
    pub fn moved_to(&self, folder: &Path) -> ProgramSpec {
        ProgramSpec { folder: Some(folder.to_owned()), ..self.clone() }
    }
}

fn list(folder: &Path, root: &Path, prefix: &str, files: &mut Vec<OwnFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, location) = (entry.file_type()?, entry.path());
        // A name that is not UTF-8 cannot be written to a manifest.
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let path = format!("{prefix}{name}");
        if kind.is_dir() && is_program_folder(&name) {
            list(&location, root, &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.push(own_file(&location, path)?);
        } else if kind.is_symlink()
            && fs::canonicalize(&location).is_ok_and(|target| target.starts_with(root))
        {
            let target = fs::read_link(&location)?;
            if let Some(target) = target.to_str().filter(|_| target.is_relative()) {
                let link = Some(target.to_owned());
                files.push(OwnFile { location, path, bytes: 0, is_executable: false, link });
            }
        }
    }
    Ok(())
}

fn own_file(location: &Path, path: String) -> io::Result<OwnFile> {
    let metadata = fs::metadata(location)?;
    let is_executable = crate::file_modes::is_executable(&metadata);
    Ok(OwnFile { location: location.to_owned(), path, bytes: metadata.len(), is_executable, link: None })
}
