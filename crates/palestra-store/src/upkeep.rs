//! Upkeep of a store: finding damage, giving space back, copies.

use crate::checksum::{CHECKED_TABLES, GAMES};
use crate::claim::Claim;
use crate::error::{Result, StoreError, WithPath};
use crate::event::EVENT;
use crate::ledger::give_space_back;
use crate::open::{empty_log, log_bytes};
use crate::records::{Run, RunState};
use crate::store::Store;
use crate::{plan_key, player_hash};
use rusqlite::params;
use std::fs;
use std::path::Path;

/// Entries of a run whose checksums do not fit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct DamagedEntries {
    /// The name of the run; `None` for games without a run.
    pub run: Option<String>,
    /// What one of the entries is.
    pub what: &'static str,
    /// Number of entries.
    #[serde(rename = "entries")]
    pub n_entries: u64,
    /// Whether the command that made the run plays them again.
    #[serde(rename = "played_again")]
    pub is_replayed: bool,
}

/// What [`Store::compact`] removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compaction {
    /// Number of runs with something to remove.
    pub n_runs: u64,
    /// Number of results that were removed.
    pub n_results: u64,
    /// Size of the store in bytes before.
    pub bytes_before: u64,
    /// Size of the store in bytes after.
    pub bytes_after: u64,
}

impl Store {
    /// Checks the structure of the whole file and lists its faults; the list is empty if there are none.
    pub fn check(&self) -> Result<Vec<String>> {
        let pages = self.list("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        let orphans = || {
            self.list("PRAGMA foreign_key_check", [], |row| {
                Ok(format!("a row of {} refers to a row that does not exist", row.get::<_, String>(0)?))
            })
        };
        match pages {
            Ok(faults) if faults == ["ok"] => orphans(),
            // The file may be too damaged for the check itself.
            Err(error @ StoreError::Corrupted { .. }) => Ok(vec![error.to_string()]),
            faults => faults,
        }
    }

    /// The entries of a store without [faults](Self::check) that are not what was written, by their checksums.
    pub fn damaged_entries(&self) -> Result<Vec<DamagedEntries>> {
        let mut all = Vec::new();
        let mut n_games = 0;
        for run in self.runs()? {
            let has_plan = plan_key(&run.plan, &run.version) == run.plan_key;
            let (name, n_entries) = (Some(run.name.clone()), u64::from(!has_plan));
            all.push(DamagedEntries { run: name, what: "the plan", n_entries, is_replayed: false });
            for table in CHECKED_TABLES {
                let n = table.damaged(&self.connection, Some(run.id)).at(&self.path)?.len() as u64;
                n_games += if table.name == GAMES.name { n } else { 0 };
                let is_replayed = run.state != RunState::Done || run.kind == EVENT;
                let run = Some(run.name.clone());
                all.push(DamagedEntries { run, what: table.what, n_entries: n, is_replayed });
            }
        }
        let loose = GAMES.damaged(&self.connection, None).at(&self.path)?.len() as u64 - n_games;
        all.push(DamagedEntries { run: None, what: GAMES.what, n_entries: loose, is_replayed: false });
        let players = self.list("SELECT hash, game, player FROM players", [], |row| {
            let [hash, game, player] = [row.get::<_, String>(0)?, row.get(1)?, row.get(2)?];
            Ok(hash == player_hash(&game, &player))
        })?;
        let n_entries = players.into_iter().filter(|is_intact| !is_intact).count() as u64;
        all.push(DamagedEntries { run: None, what: "a player", n_entries, is_replayed: false });
        all.retain(|entries| entries.n_entries > 0);
        Ok(all)
    }

    /// Removes the results of batches of finished runs, which serve only to resume them, and gives the space back to the
    /// disk. Runs that `keeps` holds for are left as they are.
    ///
    /// Every step is a transaction of its own, so that other processes use the store meanwhile, and a process that is
    /// killed leaves a store that can be compacted again.
    pub fn compact(&mut self, keeps: impl Fn(&Run) -> bool) -> Result<Compaction> {
        let mut done = Compaction { bytes_before: self.n_bytes(), ..Compaction::default() };
        for run in self.runs()?.into_iter().filter(|run| run.state == RunState::Done && !keeps(run)) {
            let sql = "SELECT (SELECT count(*) FROM batches WHERE run = ?1) + (SELECT count(*) FROM units WHERE run = ?1)";
            let n_results: i64 =
                self.connection.query_row(sql, [run.id.0], |row| row.get(0)).at(&self.path)?;
            if n_results == 0 {
                continue;
            }
            // Not while a process plays it once more.
            let _claim = Claim::take(&self.path, run.id, &run.name)?;
            let transaction = self.connection.transaction().at(&self.path)?;
            for table in ["batches", "units"] {
                let sql = format!(
                    "DELETE FROM {table} WHERE run = ?1 AND (SELECT state FROM runs WHERE id = ?1) = ?2"
                );
                transaction.execute(&sql, params![run.id.0, RunState::Done.name()]).at(&self.path)?;
            }
            transaction.commit().at(&self.path)?;
            done.n_runs += 1;
            done.n_results += n_results.unsigned_abs();
        }
        give_space_back(&self.connection).at(&self.path)?;
        // Readers may need the log; it is then truncated later.
        drop(empty_log(&self.connection));
        done.bytes_after = self.n_bytes();
        Ok(done)
    }

    /// Writes a copy of the store as it is at one instant to a new or empty file, while other processes work with it.
    pub fn back_up(&self, target: &Path) -> Result<()> {
        // `VACUUM INTO` reads in one transaction, and the copy has no free pages.
        let text = target.to_str().ok_or_else(|| StoreError::BadBackup { target: target.to_owned() })?;
        self.connection.execute("VACUUM INTO ?1", [text]).map(drop).at(&self.path)
    }

    /// Size of the file and its log.
    fn n_bytes(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |data| data.len()) + log_bytes(&self.path)
    }
}
