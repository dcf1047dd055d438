//! The folder in which a study runs: copies of its files, a store, and the output of every command.

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

/// The record of a command that was run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CommandRecord {
    /// The words of the command line after the program's name.
    pub command: Vec<String>,
    /// A digest of the study files that the command names; empty if it names none.
    pub inputs: String,
    /// Wall time in seconds.
    pub seconds: f64,
    /// CPU time in seconds, if the system reports it.
    pub cpu_seconds: Option<f64>,
    /// Its JSON output: an object, or a list of objects.
    pub printed: Value,
}

/// The folder in which a study runs, with the records of the commands that were run there.
#[derive(Clone, Debug)]
pub struct StudyWorkspace {
    folder: PathBuf,
    study: Study,
    source: StudyFiles,
    size: StudyScale,
    seed: Option<u64>,
    records: BTreeMap<String, CommandRecord>,
    outputs: CommandOutputs,
    /// Ids of all runs of the study.
    ids: Vec<String>,
}

impl StudyWorkspace {
    /// Opens the workspace of a study below `root`; the folder need not exist. With a seed, every command without
    /// `--seed` gets it, and the workspace has its own folder. Records of commands that have changed since are ignored.
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
        let (records, outputs) = (BTreeMap::new(), CommandOutputs::default());
        let mut workspace = StudyWorkspace { folder, study, source, size, seed, records, outputs, ids };
        for job in workspace.jobs()? {
            // Without the output of an earlier command, the words of this one are unknown and its record is not used.
            let Ok(words) = workspace.words(&job) else { continue };
            let Some(record) = workspace.read(&job.id)? else { continue };
            if record.command == words && record.inputs == workspace.inputs(&words) {
                workspace.add(job.id, record);
            }
        }
        Ok(workspace)
    }

    /// A number that changes whenever a command of a study was run, so that caches of its report can be invalidated;
    /// 0 if none was run.
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

    /// The folder of the workspace.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The study of the workspace.
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The scale at which the study runs.
    #[must_use]
    pub fn size(&self) -> StudyScale {
        self.size
    }

    /// The record of a command, if it has been run.
    #[must_use]
    pub fn record(&self, id: &str) -> Option<&CommandRecord> {
        self.records.get(id)
    }

    /// Whether no command has been run.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The commands to run, in order.
    pub fn jobs(&self) -> Result<Vec<StudyJob>, InputError> {
        self.study.jobs(self.size)
    }

    /// The words of a command line, with values from the outputs of earlier commands filled in.
    pub fn words(&self, job: &StudyJob) -> Result<Vec<String>, InputError> {
        let mut words = job.words(&self.outputs, &self.ids)?;
        if let Some(seed) = self.seed.filter(|_| !words.iter().any(|word| word.starts_with("--seed"))) {
            words.push(format!("--seed={seed}"));
        }
        Ok(words)
    }

    /// Creates the folder and copies the files of the study into it.
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

    /// Keeps the output of a command.
    pub fn keep(
        &mut self,
        id: &str,
        words: Vec<String>,
        printed: Value,
        seconds: f64,
        cpu_seconds: Option<f64>,
    ) -> Result<(), StudyError> {
        let record =
            CommandRecord { inputs: self.inputs(&words), command: words, seconds, cpu_seconds, printed };
        let text = serde_json::to_vec(&record).expect("strings, numbers and JSON values always serialize");
        write(&self.file(id), &text)?;
        self.add(id.to_owned(), record);
        Ok(())
    }

    pub(crate) fn outputs(&self) -> &CommandOutputs {
        &self.outputs
    }

    pub(crate) fn ids(&self) -> &[String] {
        &self.ids
    }

    fn add(&mut self, id: String, record: CommandRecord) {
        self.outputs.all.insert(id.clone(), record.printed.clone());
        self.records.insert(id, record);
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.join("printed").join(format!("{id}.json"))
    }

    fn read(&self, id: &str) -> Result<Option<CommandRecord>, StudyError> {
        let path = self.file(id);
        match std::fs::read(&path) {
            // A file that is not a record is ignored.
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StudyError::file("cannot read", &path, error)),
        }
    }

    /// A digest of the study files that a command names.
    fn inputs(&self, words: &[String]) -> String {
        let mut digest = blake3::Hasher::new();
        let mut has_files = false;
        for bytes in words.iter().filter_map(|word| self.source.bytes(word)) {
            digest.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
            has_files = true;
        }
        if has_files { digest.finalize().to_hex()[..16].to_owned() } else { String::new() }
    }
}

/// Writes a file atomically and creates the folders above it.
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
