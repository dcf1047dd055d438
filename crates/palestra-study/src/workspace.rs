//! The folder in which a study is done: copies of its files, a store, and what every command printed.

use crate::error::StudyError;
use crate::job::StudyJob;
use crate::path::CommandOutputs;
use crate::source::StudyFiles;
use crate::study::{Study, StudyScale};
use palestra_core::InputError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What was kept of a command.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CommandRecord {
    /// What was typed after the program's name.
    pub command: Vec<String>,
    /// A digest of the files that the command names.
    pub inputs: String,
    /// How long it took.
    pub seconds: f64,
    /// How much of the processors it took, where the machine tells.
    pub cpu_seconds: Option<f64>,
    /// What it printed: an object, or a list of them.
    pub printed: Value,
}

/// The folder in which a study is done, with all that has been done there.
#[derive(Clone, Debug)]
pub struct StudyWorkspace {
    folder: PathBuf,
    study: Study,
    source: StudyFiles,
    size: StudyScale,
    seed: Option<u64>,
    kept: BTreeMap<String, CommandRecord>,
    prints: CommandOutputs,
    ids: Vec<String>,
}

impl StudyWorkspace {
    /// Looks at the place of a study below `root`; nothing has to be there. With a seed, every command that has none
    /// gets it, and the place is another one.
    pub fn open(
        root: &Path,
        study: Study,
        source: StudyFiles,
        size: StudyScale,
        seed: Option<u64>,
    ) -> Result<StudyWorkspace, StudyError> {
        let name = match seed {
            None => format!("{}-{size}", study.name),
            Some(seed) => format!("{}-{size}-seed-{seed}", study.name),
        };
        let ids = study.all_ids();
        let folder = root.join(name);
        let (kept, prints) = (BTreeMap::new(), CommandOutputs::default());
        let mut place = StudyWorkspace { folder, study, source, size, seed, kept, prints, ids };
        for job in place.jobs()? {
            // What came before it may be missing: then this is no longer what it was.
            let Ok(words) = place.words(&job) else { continue };
            let Some(kept) = place.read(&job.id)? else { continue };
            if kept.command == words && kept.inputs == place.inputs(&words) {
                place.remember(job.id, kept);
            }
        }
        Ok(place)
    }

    /// Changes whenever something was run at the place of a study: what was made of it is then out of date.
    #[must_use]
    pub fn version(root: &Path, study: &str, size: StudyScale) -> u64 {
        let folder = root.join(format!("{study}-{size}")).join("printed");
        let mut digest = blake3::Hasher::new();
        let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
        let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        for path in files {
            let changed = path.metadata().and_then(|about| about.modified()).ok();
            let since = changed.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            digest.update(path.as_os_str().as_encoded_bytes());
            digest.update(&since.map_or(0, |since| since.as_nanos()).to_le_bytes());
        }
        u64::from_le_bytes(digest.finalize().as_bytes()[..8].try_into().expect("eight bytes"))
    }

    /// The folder itself.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is done here.
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// How much of it is done here.
    #[must_use]
    pub fn size(&self) -> StudyScale {
        self.size
    }

    /// What was kept of a command, if it has been run.
    #[must_use]
    pub fn record(&self, id: &str) -> Option<&CommandRecord> {
        self.kept.get(id)
    }

    /// Whether anything has been done here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// What is to be run here, in this order.
    pub fn jobs(&self) -> Result<Vec<StudyJob>, InputError> {
        self.study.jobs(self.size)
    }

    /// The words of a command, with all that earlier ones printed filled in.
    pub fn words(&self, job: &StudyJob) -> Result<Vec<String>, InputError> {
        let mut words = job.words(&self.prints, &self.ids)?;
        if let Some(seed) = self.seed.filter(|_| !words.iter().any(|word| word.starts_with("--seed"))) {
            words.push(format!("--seed={seed}"));
        }
        Ok(words)
    }

    /// Makes the folder and puts the study's files there.
    pub fn prepare(&self) -> Result<(), StudyError> {
        for (name, bytes) in self.source.files() {
            let path = self.folder.join(name);
            if std::fs::read(&path).is_ok_and(|there| there == bytes) {
                continue;
            }
            write(&path, bytes)?;
        }
        Ok(())
    }

    /// Keeps what a command printed.
    pub fn keep(
        &mut self,
        id: &str,
        words: Vec<String>,
        printed: Value,
        seconds: f64,
        cpu_seconds: Option<f64>,
    ) -> Result<(), StudyError> {
        let kept =
            CommandRecord { inputs: self.inputs(&words), command: words, seconds, cpu_seconds, printed };
        let text = serde_json::to_vec(&kept).expect("it is made of texts and numbers");
        write(&self.file(id), &text)?;
        self.remember(id.to_owned(), kept);
        Ok(())
    }

    pub(crate) fn outputs(&self) -> &CommandOutputs {
        &self.prints
    }

    pub(crate) fn ids(&self) -> &[String] {
        &self.ids
    }

    fn remember(&mut self, id: String, kept: CommandRecord) {
        self.prints.all.insert(id.clone(), kept.printed.clone());
        self.kept.insert(id, kept);
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.join("printed").join(format!("{id}.json"))
    }

    fn read(&self, id: &str) -> Result<Option<CommandRecord>, StudyError> {
        let path = self.file(id);
        match std::fs::read(&path) {
            // A file that is not ours says nothing.
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StudyError::file("cannot read", &path, error)),
        }
    }

    /// A digest of the study's files that a command names.
    fn inputs(&self, words: &[String]) -> String {
        let mut digest = blake3::Hasher::new();
        let mut is_any = false;
        for bytes in words.iter().filter_map(|word| self.source.bytes(word)) {
            digest.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
            is_any = true;
        }
        if is_any { digest.finalize().to_hex()[..16].to_owned() } else { String::new() }
    }
}

/// Writes a file whole or not at all, and the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), StudyError> {
    let failed = |cause| StudyError::file("cannot write", path, cause);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    std::fs::write(&part, bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .inspect_err(|_| drop(std::fs::remove_file(&part)))
        .map_err(failed)
}
