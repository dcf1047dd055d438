//! The files of programs: archived with the first games that they play, and unpacked for a replay.

use palestra_engine::{OwnFile, ProgramSpec, set_executable};
use palestra_review::event::EventEntrants;
use palestra_store::{ArchivedContent, ContentKey, FileSource, ProgramFile, RunId, Store};
use palestra_tournament::TournamentError;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Archives the files of all programs of an event that are not archived yet, unless those of one program are larger than
/// `max_mb`. Returns warnings about programs that are not archived.
pub fn archive_programs(
    store: &mut Store,
    run: RunId,
    field: &EventEntrants,
    max_mb: u64,
) -> Result<Vec<String>, TournamentError> {
    let mut warnings = Vec::new();
    if max_mb == 0 {
        return Ok(warnings);
    }
    for (entrant, program) in field.entrants.iter().zip(&field.programs) {
        let Some(program) = program else { continue };
        if store.has_archived(run, &entrant.key)? {
            continue;
        }
        let name = &entrant.name;
        let files = program.files().map_err(|error| format!("files of {name}: {error}"))?;
        let mb = files.iter().map(|file| file.bytes).sum::<u64>() >> 20;
        if mb > max_mb {
            warnings.push(format!(
                "the files of {name} are not archived, so a lost game cannot be replayed after they change: they have \
                 {mb} MiB, and archive_mb is {max_mb}"
            ));
        } else if !files.is_empty() {
            store.archive_program(run, &entrant.key, &files.iter().map(source_of).collect::<Vec<_>>())?;
        }
    }
    Ok(warnings)
}

fn source_of(file: &OwnFile) -> ProgramFile {
    let source = match &file.link {
        Some(target) => FileSource::Link(target.clone()),
        None => FileSource::Content(file.location.clone()),
    };
    ProgramFile { path: file.path.clone(), is_executable: file.is_executable, source }
}

/// Writes the archived files of a program into a folder, which is created; false if the program is not archived.
pub fn unpack_program(store: &Store, key: &ContentKey, folder: &Path) -> Result<bool, TournamentError> {
    let Some(files) = store.archived_program(key)? else { return Ok(false) };
    fs::create_dir_all(folder)?;
    for file in files {
        let path = inside(folder, &file.path)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        match file.content {
            ArchivedContent::Hash(hash) => {
                fs::write(&path, store.archived_content(&hash)?)?;
                if file.is_executable {
                    set_executable(&path)?;
                }
            }
            ArchivedContent::Link(target) => {
                let from = Path::new(&file.path).parent().unwrap_or(Path::new(""));
                inside(folder, &from.join(&target).to_string_lossy())?;
                palestra_engine::make_link(Path::new(&target), &path)?;
            }
        }
    }
    Ok(true)
}

/// A path in a folder; an error if it leads out of it, as it can in a store of another origin.
fn inside(folder: &Path, path: &str) -> io::Result<PathBuf> {
    let mut depth = 0_u32;
    for component in Path::new(path).components() {
        let step = match component {
            Component::Normal(_) => depth.checked_add(1),
            Component::ParentDir => depth.checked_sub(1),
            Component::CurDir => Some(depth),
            Component::RootDir | Component::Prefix(_) => None,
        };
        depth = step.ok_or_else(|| io::Error::other(format!("{path} leads out of the folder")))?;
    }
    Ok(folder.join(path))
}

/// The archived files of a program in a private folder, which is removed when dropped.
#[derive(Debug)]
pub struct UnpackedProgram {
    folder: PathBuf,
    /// The program, which runs in that folder.
    pub program: ProgramSpec,
}

impl UnpackedProgram {
    /// Unpacks a program; `None` if it is not archived.
    pub fn of(
        store: &Store,
        key: &ContentKey,
        program: &ProgramSpec,
    ) -> Result<Option<UnpackedProgram>, TournamentError> {
        let folder = palestra_engine::private_folder("palestra-replay")?;
        let unpacked = UnpackedProgram { program: program.moved_to(&folder), folder };
        Ok(unpack_program(store, key, &unpacked.folder)?.then_some(unpacked))
    }
}

impl Drop for UnpackedProgram {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder() {
        let folder = Path::new("/tmp/x");
        assert_eq!(inside(folder, "a/../b").unwrap(), folder.join("a/../b"));
        for path in ["../b", "a/../../b", "/etc/passwd", ".."] {
            assert!(inside(folder, path).is_err(), "{path}");
        }
    }
}
