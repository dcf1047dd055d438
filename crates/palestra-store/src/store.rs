//! The store: opening it, and finding, creating and deleting runs.

use crate::claim::{self, Claim};
use crate::error::{Result, StoreError, WithPath};
use crate::ledger::give_space_back;
use crate::names;
use crate::open::{self, OpenMode};
use crate::records::{NewRun, Run, RunId, RunState};
use crate::rows::{self, RUN};
use palestra_core::nearest_name;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use std::path::{Path, PathBuf};

/// One SQLite file with runs, generations, games and champions.
///
/// Several processes can open a store at a time; each run is worked on by at most one of them.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

impl Store {
    /// Opens a store and creates it if there is no file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::connect(path.as_ref(), OpenMode::Create)
    }

    /// Opens a store that must exist.
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self> {
        Self::connect(path.as_ref(), OpenMode::Existing)
    }

    /// Opens a store that must exist, for reading only.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self> {
        Self::connect(path.as_ref(), OpenMode::ReadOnly)
    }

    fn connect(path: &Path, mode: OpenMode) -> Result<Self> {
        let (connection, path) = open::connect(path, mode)?;
        Ok(Self { connection, path })
    }

    /// The canonical path of the file, without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The latest run with a plan key.
    pub fn find_run(&self, plan_key: &str) -> Result<Option<Run>> {
        self.first_run("plan_key = ?1 ORDER BY id DESC", [plan_key])
    }

    /// A run by its name or its number.
    pub fn run(&self, name_or_id: &str) -> Result<Run> {
        let run = match name_or_id.parse::<i64>() {
            Ok(id) => self.first_run("id = ?1", [id])?,
            Err(_) => self.first_run("name = ?1", [name_or_id])?,
        };
        run.map_or_else(|| Err(self.no_run(name_or_id)), Ok)
    }

    /// A run by its number.
    pub fn run_by_id(&self, id: RunId) -> Result<Run> {
        self.first_run("id = ?1", [id.0])?.ok_or_else(|| self.no_run(&id.0.to_string()))
    }

    /// All runs, the oldest first.
    pub fn runs(&self) -> Result<Vec<Run>> {
        let runs = self.list(&format!("SELECT {RUN} FROM runs ORDER BY id"), [], rows::run_of)?;
        Ok(runs.into_iter().map(|run| self.with_state_now(run)).collect())
    }

    /// Creates a run. Its state is interrupted until its ledger is opened.
    pub fn begin_run(&mut self, new: &NewRun) -> Result<Run> {
        let transaction = self.connection.transaction().at(&self.path)?;
        let id = insert_run(&transaction, new, &self.path)?;
        transaction.commit().at(&self.path)?;
        self.run_by_id(id)
    }

    /// The latest run of the same plan, or a new one; the flag is true for a new one. Two processes that call this at
    /// the same time get the same run.
    pub fn find_or_begin_run(&mut self, new: &NewRun) -> Result<(Run, bool)> {
        let path = self.path.clone();
        let transaction = self.connection.transaction().at(&path)?;
        let sql = "SELECT id FROM runs WHERE plan_key IN (?1, ?2) ORDER BY id DESC";
        let found: Option<i64> = transaction
            .query_row(sql, [new.plan_key(), new.old_plan_key()], |row| row.get(0))
            .optional()
            .at(&path)?;
        let id = found.map_or_else(|| insert_run(&transaction, new, &path), |id| Ok(RunId(id)))?;
        transaction.commit().at(&path)?;
        Ok((self.run_by_id(id)?, found.is_none()))
    }

    /// Renames a run.
    pub fn rename_run(&mut self, run: RunId, name: &str) -> Result<Run> {
        check_name(name, &self.path)?;
        let transaction = self.connection.transaction().at(&self.path)?;
        let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE name = ?1 AND id <> ?2)";
        if transaction.query_row(sql, params![name, run.0], |row| row.get(0)).at(&self.path)? {
            let (path, name) = (self.path.clone(), name.to_owned());
            return Err(StoreError::NameTaken { path, what: "run", name });
        }
        transaction.execute("UPDATE runs SET name = ?1 WHERE id = ?2", params![name, run.0]).at(&self.path)?;
        transaction.commit().at(&self.path)?;
        self.run_by_id(run)
    }

    /// Deletes a run and all data that only it uses; its champions stay. Fails while a process works on the run.
    pub fn delete_run(&mut self, run: RunId) -> Result<()> {
        let name = self.run_by_id(run)?.name;
        let _claim = Claim::take(&self.path, run, &name)?;
        let transaction = self.connection.transaction().at(&self.path)?;
        let n_games: i64 = transaction
            .query_row("SELECT count(*) FROM games WHERE run = ?1", [run.0], |row| row.get(0))
            .at(&self.path)?;
        transaction.execute("DELETE FROM runs WHERE id = ?1", [run.0]).at(&self.path)?;
        crate::archive::delete_unused(&transaction).at(&self.path)?;
        if n_games > 0 {
            let sql = "DELETE FROM players WHERE NOT EXISTS (SELECT 1 FROM games WHERE first = players.id)
                       AND NOT EXISTS (SELECT 1 FROM games WHERE second = players.id)";
            transaction.execute(sql, []).at(&self.path)?;
        }
        transaction.commit().at(&self.path)?;
        // The run is deleted even if its space is not given back to the disk this time.
        drop(give_space_back(&self.connection));
        Ok(())
    }

    fn first_run(&self, condition: &str, params: impl Params) -> Result<Option<Run>> {
        let sql = format!("SELECT {RUN} FROM runs WHERE {condition} LIMIT 1");
        let find = || self.connection.prepare_cached(&sql)?.query_row(params, rows::run_of).optional();
        let run = find().at(&self.path)?;
        Ok(run.map(|run| self.with_state_now(run)))
    }

    fn with_state_now(&self, run: Run) -> Run {
        Run { state: self.state_now(run.id, run.state), ..run }
    }

    /// The state of a run now. A process that was killed leaves `running` in the store; no lock then holds the run.
    pub(crate) fn state_now(&self, run: RunId, stored: RunState) -> RunState {
        let is_abandoned = stored == RunState::Running && !claim::is_held(&self.path, run);
        if is_abandoned { RunState::Interrupted } else { stored }
    }

    pub(crate) fn no_run(&self, name: &str) -> StoreError {
        let names: Vec<String> = self.list("SELECT name FROM runs", [], |row| row.get(0)).unwrap_or_default();
        let nearest = nearest_name(name, names.iter().map(String::as_str)).map(str::to_owned);
        StoreError::NoRun { path: self.path.clone(), name: name.to_owned(), nearest }
    }

    /// All rows of a query.
    pub(crate) fn list<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let list =
            || self.connection.prepare_cached(sql)?.query_map(params, read)?.collect::<rusqlite::Result<_>>();
        list().at(&self.path)
    }
}

/// Fails if the text is not a valid name.
pub(crate) fn check_name(name: &str, path: &Path) -> Result<()> {
    match names::is_name(name) {
        true => Ok(()),
        false => Err(StoreError::BadName { path: path.to_owned(), name: name.to_owned() }),
    }
}

fn insert_run(connection: &Connection, new: &NewRun, path: &Path) -> Result<RunId> {
    check_name(&new.stem, path)?;
    let name = free_name(connection, &new.stem).at(path)?;
    insert_named_run(connection, new, &name).at(path)
}

/// Inserts a run with a name that is free.
pub(crate) fn insert_named_run(connection: &Connection, new: &NewRun, name: &str) -> rusqlite::Result<RunId> {
    let weights = serde_json::to_string(&new.weights).expect("a list of strings is always JSON");
    let seed = new.seed.to_string();
    let sql = "INSERT INTO runs (name, kind, plan, plan_key, seed, version, weights, state, created, updated)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'interrupted',
                       strftime('%FT%TZ'), strftime('%FT%TZ'))";
    let values = params![name, new.kind, new.plan, new.plan_key(), seed, new.version, weights];
    connection.execute(sql, values)?;
    Ok(RunId(connection.last_insert_rowid()))
}

/// The stem with the next number after the highest that a run has.
fn free_name(connection: &Connection, stem: &str) -> rusqlite::Result<String> {
    let mut names = connection.prepare("SELECT name FROM runs WHERE substr(name, 1, length(?1)) = ?1")?;
    let start = format!("{stem}-");
    let mut highest = 0;
    for name in names.query_map([&start], |row| row.get::<_, String>(0))? {
        let number = name?[start.len()..].parse::<u64>().unwrap_or(0);
        highest = highest.max(number);
    }
    Ok(format!("{start}{}", highest + 1))
}
