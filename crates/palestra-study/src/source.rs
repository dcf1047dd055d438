//! The files of a study: embedded in the program, or in a folder.

use crate::error::StudyError;
use crate::study::Study;
use palestra_core::InputError;
use rust_embed::RustEmbed;
use std::collections::BTreeMap;
use std::path::Path;

/// The file that a study folder must have.
pub(crate) const STUDY_FILE: &str = "study.toml";

/// Maximum depth of folders in a study folder.
const MAX_DEPTH: usize = 3;

#[derive(RustEmbed)]
#[folder = "../../studies"]
struct EmbeddedStudies;

/// The files of a study, by their paths in its folder.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StudyFiles {
    files: BTreeMap<String, Vec<u8>>,
}

/// The names of the studies that are embedded in the program.
#[must_use]
pub fn shipped() -> Vec<String> {
    let folder = |file: std::borrow::Cow<'static, str>| {
        file.strip_suffix(STUDY_FILE)?.strip_suffix('/').map(str::to_owned)
    };
    let mut names: Vec<String> = EmbeddedStudies::iter().filter_map(folder).collect();
    names.sort();
    names
}

/// The names of the embedded studies whose game a program has, in order.
#[must_use]
pub fn shipped_for(has_game: impl Fn(&str) -> bool) -> Vec<String> {
    let is_possible = |name: &String| {
        let study = StudyFiles::shipped(name).ok().and_then(|files| Study::read(&files, name).ok());
        study.is_some_and(|study| study.game.is_none_or(|game| has_game(&game)))
    };
    shipped().into_iter().filter(is_possible).collect()
}

impl StudyFiles {
    /// The files of a study that is embedded in the program.
    pub fn shipped(name: &str) -> Result<StudyFiles, InputError> {
        let names = shipped();
        if !names.iter().any(|known| known == name) {
            let known = names.iter().map(String::as_str);
            return Err(InputError::unknown("study", name, "a study or a folder with a study.toml", known));
        }
        let prefix = format!("{name}/");
        let file = |path: std::borrow::Cow<'static, str>| {
            let inside = path.strip_prefix(&prefix)?.to_owned();
            Some((inside, EmbeddedStudies::get(&path)?.data.into_owned()))
        };
        Ok(StudyFiles { files: EmbeddedStudies::iter().filter_map(file).collect() })
    }

    /// The files of a folder, without hidden files.
    pub fn of_folder(folder: &Path) -> Result<StudyFiles, StudyError> {
        let mut files = StudyFiles::default();
        files.add_folder(folder, "", 0)?;
        Ok(files)
    }

    /// Files given as names and contents.
    pub fn of_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> StudyFiles {
        let file = |(name, text): (&str, &str)| (name.to_owned(), text.as_bytes().to_vec());
        StudyFiles { files: files.into_iter().map(file).collect() }
    }

    fn add_folder(&mut self, folder: &Path, prefix: &str, depth: usize) -> Result<(), StudyError> {
        let unreadable = |cause| StudyError::file("cannot read", folder, cause);
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if name.starts_with('.') {
                continue;
            }
            let inside = format!("{prefix}{name}");
            if path.is_file() {
                let bytes =
                    std::fs::read(&path).map_err(|cause| StudyError::file("cannot read", &path, cause))?;
                self.files.insert(inside, bytes);
            } else if path.is_dir() && depth < MAX_DEPTH {
                self.add_folder(&path, &format!("{inside}/"), depth + 1)?;
            }
        }
        Ok(())
    }

    /// All files with their contents, in the order of their names.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// The content of a file.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// The content of a text file.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, InputError> {
        let Some(bytes) = self.files.get(name) else { return Ok(None) };
        let text = std::str::from_utf8(bytes)
            .map_err(|_| InputError::new(name, String::from_utf8_lossy(bytes), "text in UTF-8"))?;
        Ok(Some(text))
    }

    /// The content of a text file that must exist; `key` names the reference to it in messages.
    pub(crate) fn required_text(&self, key: &str, name: &str) -> Result<&str, InputError> {
        let known = self.files.keys().map(String::as_str);
        self.text(name)?.ok_or_else(|| InputError::unknown(key, name, "a file of the study", known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_the_studies_of_its_games() {
        assert_eq!(shipped_for(|game| game == "connect"), ["connect-4", "connect-c"]);
        assert_eq!(shipped_for(|_| false), [""; 0]);
        assert_eq!(shipped_for(|_| true), shipped());
    }
}
