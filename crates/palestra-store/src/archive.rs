//! The files of programs that played in events, so that a lost game can be replayed after its program was replaced.
//!
//! Contents are stored by their hash, once for all programs that have them, and compressed.

use crate::error::{Result, StoreError, WithPath};
use crate::records::{ContentKey, RunId};
use crate::store::Store;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// A file of a program that is to be archived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramFile {
    /// Its path in the folder of the program, with `/` between names.
    pub path: String,
    /// Whether it can be executed.
    pub is_executable: bool,
    /// What is stored of it.
    pub source: FileSource,
}

/// What is stored of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileSource {
    /// The content of the file at this path.
    Content(PathBuf),
    /// The target of a link inside the folder.
    Link(String),
}

/// A file of an archived program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArchivedFile {
    /// Its path in the folder of the program, with `/` between names.
    pub path: String,
    /// Whether it can be executed.
    #[serde(default)]
    pub is_executable: bool,
    /// Its content.
    pub content: ArchivedContent,
}

/// The content of an archived file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArchivedContent {
    /// The hash of the content.
    Hash(String),
    /// The target of a link.
    Link(String),
}

impl Store {
    /// Whether the files of a program are archived for a run.
    pub fn has_archived(&self, run: RunId, key: &ContentKey) -> Result<bool> {
        let sql = "SELECT 1 FROM archived_programs WHERE run = ?1 AND key = ?2";
        let found = self.connection.query_row(sql, params![run.0, key], |_| Ok(())).optional();
        Ok(found.at(&self.path)?.is_some())
    }

    /// Archives the files of a program for a run.
    pub fn archive_program(&mut self, run: RunId, key: &ContentKey, files: &[ProgramFile]) -> Result<()> {
        let path = self.path.clone();
        let transaction = self.connection.transaction().at(&path)?;
        let mut manifest = Vec::with_capacity(files.len());
        for file in files {
            let content = match &file.source {
                FileSource::Link(target) => ArchivedContent::Link(target.clone()),
                FileSource::Content(source) => {
                    let mut bytes = Vec::new();
                    File::open(source).and_then(|mut file| file.read_to_end(&mut bytes)).at(source)?;
                    let hash = blake3::hash(&bytes).to_hex().to_string();
                    keep_content(&transaction, &hash, &bytes).at(&path)?;
                    ArchivedContent::Hash(hash)
                }
            };
            let (path, is_executable) = (file.path.clone(), file.is_executable);
            manifest.push(ArchivedFile { path, is_executable, content });
        }
        // Texts can always be written.
        let manifest = serde_json::to_string(&manifest).unwrap_or_default();
        let sql =
            "INSERT INTO archived_programs (run, key, manifest) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        transaction.execute(sql, params![run.0, key, manifest]).at(&path)?;
        transaction.commit().at(&path)
    }

    /// The files of an archived program of any run; `None` if it is not archived.
    pub fn archived_program(&self, key: &ContentKey) -> Result<Option<Vec<ArchivedFile>>> {
        let sql = "SELECT manifest FROM archived_programs WHERE key = ?1 LIMIT 1";
        let found = self.connection.query_row(sql, params![key], |row| row.get::<_, String>(0)).optional();
        let Some(manifest) = found.at(&self.path)? else { return Ok(None) };
        let files = serde_json::from_str(&manifest);
        files.map(Some).map_err(|_| StoreError::Corrupted { path: self.path.clone() })
    }

    /// The content of an archived file.
    pub fn archived_content(&self, hash: &str) -> Result<Vec<u8>> {
        let corrupted = || StoreError::Corrupted { path: self.path.clone() };
        let sql = "SELECT content FROM archived_files WHERE hash = ?1";
        let found = self.connection.query_row(sql, [hash], |row| row.get::<_, Vec<u8>>(0)).optional();
        let compressed = found.at(&self.path)?.ok_or_else(corrupted)?;
        let mut bytes = Vec::new();
        ZlibDecoder::new(&compressed[..]).read_to_end(&mut bytes).map_err(|_| corrupted())?;
        match blake3::hash(&bytes).to_hex().as_str() == hash {
            true => Ok(bytes),
            false => Err(corrupted()),
        }
    }
}

fn keep_content(connection: &Connection, hash: &str, bytes: &[u8]) -> rusqlite::Result<()> {
    let known = connection.query_row("SELECT 1 FROM archived_files WHERE hash = ?1", [hash], |_| Ok(()));
    if known.optional()?.is_some() {
        return Ok(());
    }
    let mut compressed = Vec::new();
    // Reading from memory does not fail.
    let _ = ZlibEncoder::new(bytes, Compression::default()).read_to_end(&mut compressed);
    let sql = "INSERT INTO archived_files (hash, content) VALUES (?1, ?2)";
    connection.execute(sql, params![hash, compressed]).map(drop)
}

/// Deletes the contents that no archived program has any more.
pub(crate) fn delete_unused(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "DELETE FROM archived_files WHERE hash NOT IN
               (SELECT file.value ->> '$.content.hash' FROM archived_programs, json_each(manifest) AS file
                WHERE file.value ->> '$.content.hash' IS NOT NULL)";
    connection.execute(sql, []).map(drop)
}
