//! The ledger: what a run writes down while it works, so that it can be interrupted at any instant.
//!
//! Everything is gathered in memory and committed together: after 1,000 games, or a second after the first of it
//! came in, whichever is sooner. The games are counted where they are kept; the second is watched by a thread, so
//! that it also holds while nothing comes in.

mod pending;
#[cfg(test)]
mod tests;

use crate::claim::Claim;
use crate::clock;
use crate::error::{Result, StoreError, WithPath};
use crate::open::{self, OpenMode};
use crate::records::{
    Candidate, ContentKey, EventGame, RunId, RunState, StoredGame, StoredGeneration, StoredHallEntry,
};
use crate::store::Store;
use pending::PendingWrites;
use rusqlite::{Connection, OptionalExtension, params};
use serde::de::IgnoredAny;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// So many games may be lost at most.
const MOST_GAMES: u64 = 1_000;

/// So much time may be lost at most.
const MOST_TIME: Duration = Duration::from_secs(1);

/// So much later than it ended a game of an event is committed, with those that end meanwhile: one by one, commits
/// would cost a third of the time of quick games. Whoever cannot have a game again calls [`RunLedger::flush`].
const SOON: Duration = Duration::from_millis(10);

/// So long after it was last written down what a run is doing, it is written down again: also a run that tells every
/// move costs no more commits than this.
const TELLING: Duration = Duration::from_millis(250);

/// From this length on the log of the store is emptied by force: SQLite begins it anew by itself only at an instant in
/// which nobody reads, and a store that many watch may have none.
const LONG_LOG: u64 = 16 << 20;

/// The writer of one run, for any number of threads; no other process can work on the run meanwhile.
///
/// After an error, such as a full disk, every call reports that error and still remembers what it was given;
/// [`flush`](Self::flush) tries again, and when it succeeds nothing has been lost. A ledger that is dropped is
/// flushed, and leaves its run interrupted unless it is [finished](Self::finish).
#[derive(Debug)]
pub struct RunLedger {
    run: RunId,
    shared: Arc<Shared>,
    watch: Option<JoinHandle<()>>,
    /// Given up last.
    _claim: Claim,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<LedgerState>,
    /// Rings when the desk is no longer empty, and when it is closed.
    wake: Condvar,
}

/// Everything the ledger knows, under one lock.
#[derive(Debug)]
struct LedgerState {
    connection: Connection,
    path: PathBuf,
    run: RunId,
    name: String,
    n_weights: usize,
    pending: PendingWrites,
    /// What the run is doing, where that is not written down yet.
    telling: Option<String>,
    /// When that was last written down.
    told: Option<Instant>,
    /// When the oldest that is pending came in.
    since: Option<Instant>,
    /// Games that are pending.
    n_games: u64,
    /// Whether it must not wait any longer.
    is_urgent: bool,
    /// Up to when working time was counted.
    counted: Instant,
    error: Option<StoreError>,
    /// The length from which on the log is emptied.
    long_log: u64,
    /// Whether the run has its last state.
    is_ended: bool,
    /// Whether the ledger is about to go.
    is_closed: bool,
}

impl Store {
    /// Opens the ledger of a run that is not done; refused while another process, or another ledger, has it.
    pub fn ledger(&self, run: RunId) -> Result<RunLedger> {
        let name = self.run_by_id(run)?.name;
        let claim = Claim::take(&self.path, run, &name)?;
        // Only now nobody else changes it.
        let found = self.run_by_id(run)?;
        if found.state == RunState::Done {
            return Err(StoreError::Finished { path: self.path.clone(), name });
        }
        let (connection, path) = open::connect(&self.path, OpenMode::Existing)?;
        forget_live(&connection, run).at(&path)?;
        set_state(&connection, run, RunState::Running).at(&path)?;
        let desk = LedgerState {
            connection,
            path,
            run,
            name,
            n_weights: found.weights.len(),
            pending: PendingWrites::default(),
            telling: None,
            told: None,
            since: None,
            n_games: 0,
            is_urgent: false,
            counted: Instant::now(),
            error: None,
            long_log: LONG_LOG,
            is_ended: false,
            is_closed: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(desk), wake: Condvar::new() });
        let watch = thread::Builder::new().name("ledger".into());
        let watch = watch.spawn({
            let shared = Arc::clone(&shared);
            move || shared.watch()
        });
        Ok(RunLedger { run, shared, watch: Some(watch.at(&self.path)?), _claim: claim })
    }
}

impl RunLedger {
    /// Whose ledger it is.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The result of a batch, if it is finished.
    pub fn finished(&self, key: &ContentKey) -> Result<Option<Vec<u8>>> {
        self.shared.lock().finished(key)
    }

    /// The finished parts of a batch that is not, by their numbers.
    pub fn units(&self, key: &ContentKey) -> Result<Vec<(u32, Vec<u8>)>> {
        self.shared.lock().units(key)
    }

    /// Keeps a part of a batch, which took so many games. The first result of a part stands.
    pub fn keep_unit(&self, key: &ContentKey, unit: u32, result: Vec<u8>, n_games: u64) -> Result<()> {
        self.keep(n_games, |desk| {
            desk.pending.keep_unit(key, unit, result, n_games);
            Ok(())
        })
    }

    /// Keeps the result of a whole batch, which took so many games in all, and forgets its parts.
    ///
    /// A batch that is finished already must have the same result.
    pub fn finish_batch(&self, key: &ContentKey, result: Vec<u8>, n_games: u64) -> Result<()> {
        self.keep(n_games, |desk| match desk.finished(key)? {
            None => {
                desk.pending.finish_batch(key, result, n_games);
                Ok(())
            }
            Some(known) if known == result => Ok(()),
            Some(_) => Err(desk.differs(key)),
        })
    }

    /// Keeps a generation with its candidates; one that is there already stays as it is.
    ///
    /// # Panics
    ///
    /// If a candidate has another number of weights than the run has names for, or the vitals are no JSON.
    pub fn keep_generation(&self, generation: StoredGeneration, candidates: Vec<Candidate>) -> Result<()> {
        assert_json(&generation.vitals);
        self.keep(0, |desk| {
            let expected = desk.n_weights;
            let fits = |candidate: &Candidate| expected == 0 || candidate.weights.len() == expected;
            assert!(candidates.iter().all(fits), "every candidate has {expected} weights");
            desk.pending.keep_generation(generation, candidates);
            Ok(())
        })
    }

    /// Keeps a game of a batch; one of the same batch and number that is there already stays as it is.
    ///
    /// The game counts where its batch or unit is kept, not here. Keep it before that: then it is committed no
    /// later, and a game that is played again because its unit was lost is kept once.
    pub fn keep_game(&self, key: &ContentKey, number: u64, game: StoredGame) -> Result<()> {
        self.keep(0, |desk| {
            desk.pending.keep_game(key, number, game);
            Ok(())
        })
    }

    /// Keeps a finished game of an event; one that is there already, by its key, stays as it is.
    ///
    /// It is committed within ten milliseconds, with the games that end meanwhile. This call does not wait for that;
    /// [`flush`](Self::flush) commits at once.
    ///
    /// # Panics
    ///
    /// If the evidence is no JSON.
    pub fn keep_event_game(&self, game: EventGame) -> Result<()> {
        game.evidence.as_deref().map(assert_json);
        self.keep(1, |desk| {
            desk.pending.keep_event_game(game);
            desk.is_urgent = true;
            Ok(())
        })?;
        self.shared.wake.notify_all();
        Ok(())
    }

    /// Keeps one of the hall of fame, in the place of whoever had its number.
    pub fn keep_hall_entry(&self, entry: StoredHallEntry) -> Result<()> {
        self.keep(0, |desk| {
            desk.pending.keep_hall(entry);
            Ok(())
        })
    }

    /// Says what the run is doing right now, as JSON, for those who watch ([`Store::live_status`]): the latest replaces the
    /// one before, and is forgotten when the run ends.
    ///
    /// It is no work, and nothing waits for it: it is committed within a quarter of a second, four times a second at
    /// most, and [`flush`](Self::flush) does not hurry it.
    ///
    /// # Panics
    ///
    /// If it is no JSON.
    pub fn set_live_status(&self, what: String) -> Result<()> {
        assert_json(&what);
        let mut desk = self.shared.lock();
        desk.check_open()?;
        if desk.telling.replace(what).is_none() {
            self.shared.wake.notify_all();
        }
        desk.error.clone().map_or(Ok(()), Err)
    }

    /// Commits everything that was kept.
    pub fn flush(&self) -> Result<()> {
        self.shared.lock().commit(None)
    }

    /// Commits everything, and ends the run with its outcome (JSON). Nothing can be kept afterwards.
    ///
    /// # Panics
    ///
    /// If the outcome is no JSON.
    pub fn finish(&self, outcome: &str) -> Result<()> {
        assert_json(outcome);
        self.shared.lock().end(RunState::Done, Some(outcome))
    }

    /// Commits everything, and ends the run as one that failed. Nothing can be kept afterwards.
    pub fn fail(&self) -> Result<()> {
        self.shared.lock().end(RunState::Failed, None)
    }

    fn keep(&self, n_games: u64, put: impl FnOnce(&mut LedgerState) -> Result<()>) -> Result<()> {
        let mut desk = self.shared.lock();
        desk.check_open()?;
        put(&mut desk)?;
        desk.n_games += n_games;
        if desk.since.is_none() {
            desk.since = Some(Instant::now());
            self.shared.wake.notify_all();
        }
        match desk.error.is_none() && desk.is_due() {
            true => desk.commit(None),
            false => desk.error.clone().map_or(Ok(()), Err),
        }
    }
}

impl Drop for RunLedger {
    fn drop(&mut self) {
        let mut desk = self.shared.lock();
        // Nobody is left to hear of an error; what was committed before stays.
        drop(desk.end(RunState::Interrupted, None));
        desk.is_closed = true;
        drop(desk);
        self.shared.wake.notify_all();
        if let Some(watch) = self.watch.take() {
            drop(watch.join());
        }
    }
}

impl Shared {
    /// The desk, whoever had it before: every change of it is whole.
    fn lock(&self) -> MutexGuard<'_, LedgerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Commits whatever has waited for long enough, until the ledger is closed.
    fn watch(&self) {
        let mut desk = self.lock();
        while !desk.is_closed {
            // After an error it is for the caller to try again.
            let left = if desk.error.is_none() { desk.left() } else { None };
            desk = match left {
                None => self.wake.wait(desk).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => {
                    // Whoever calls next is told of an error.
                    drop(desk.commit(None));
                    desk
                }
                Some(left) => self.wake.wait_timeout(desk, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }
}

impl LedgerState {
    fn is_due(&self) -> bool {
        self.n_games >= MOST_GAMES || self.since.is_some_and(|since| since.elapsed() >= MOST_TIME)
    }

    /// For how long everything that waits may still wait.
    fn left(&self) -> Option<Duration> {
        let most = if self.is_urgent { SOON } else { MOST_TIME };
        let kept = self.since.map(|since| most.saturating_sub(since.elapsed()));
        let telling = self.telling.as_ref().map(|_| self.telling_left());
        kept.into_iter().chain(telling).min()
    }

    fn telling_left(&self) -> Duration {
        self.told.map_or(Duration::ZERO, |told| TELLING.saturating_sub(told.elapsed()))
    }

    fn check_open(&self) -> Result<()> {
        let (path, name) = (&self.path, &self.name);
        match self.is_ended {
            true => Err(StoreError::Finished { path: path.clone(), name: name.clone() }),
            false => Ok(()),
        }
    }

    fn finished(&self, key: &ContentKey) -> Result<Option<Vec<u8>>> {
        if let Some(result) = self.pending.finished(key) {
            return Ok(Some(result.to_vec()));
        }
        let sql = "SELECT result FROM batches WHERE run = ?1 AND key = ?2";
        let find = || {
            self.connection
                .prepare_cached(sql)?
                .query_row(params![self.run.0, key], |row| row.get(0))
                .optional()
        };
        find().at(&self.path)
    }

    fn units(&self, key: &ContentKey) -> Result<Vec<(u32, Vec<u8>)>> {
        let sql = "SELECT unit, result FROM units WHERE run = ?1 AND key = ?2";
        let list = || {
            let mut units = self.connection.prepare_cached(sql)?;
            units
                .query_map(params![self.run.0, key], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()
        };
        let committed: Vec<(u32, Vec<u8>)> = list().at(&self.path)?;
        Ok(self.pending.units(key, committed))
    }

    /// Commits what is pending, and the end of the run where there is one; on failure everything stays pending.
    fn commit(&mut self, end: Option<(RunState, Option<&str>)>) -> Result<()> {
        let telling = self.telling.as_deref().filter(|_| self.telling_left().is_zero());
        let is_work = !self.pending.is_empty() || end.is_some();
        if !is_work && telling.is_none() {
            (self.since, self.n_games, self.is_urgent, self.error) = (None, 0, false, None);
            return Ok(());
        }
        let now = Instant::now();
        let connection = &mut self.connection;
        let outcome = if is_work {
            let seconds = now.duration_since(self.counted).as_secs_f64();
            self.pending.commit(connection, self.run, seconds, telling, end)
        } else {
            telling.map_or(Ok(()), |what| write_live(connection, self.run, what))
        };
        match outcome.at(&self.path) {
            Ok(()) => {
                if telling.is_some() || end.is_some() {
                    (self.telling, self.told) = (None, Some(now));
                }
                if is_work {
                    (self.pending, self.counted) = (PendingWrites::default(), now);
                }
                (self.since, self.n_games, self.is_urgent, self.error) = (None, 0, false, None);
                self.tidy();
                Ok(())
            }
            Err(error) => {
                self.error = Some(error.clone());
                Err(error)
            }
        }
    }

    /// Empties a log that grew too long; where somebody reads for long, it is tried again when it is longer.
    fn tidy(&mut self) {
        if open::log_bytes(&self.path) > self.long_log {
            // All is committed: a log that stays costs only room.
            drop(open::empty_log(&self.connection));
            self.long_log = open::log_bytes(&self.path) + LONG_LOG;
        }
    }

    fn end(&mut self, state: RunState, outcome: Option<&str>) -> Result<()> {
        self.check_open()?;
        self.commit(Some((state, outcome)))?;
        self.is_ended = true;
        Ok(())
    }

    fn differs(&self, key: &ContentKey) -> StoreError {
        let key = key.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        StoreError::Differs { path: self.path.clone(), name: self.name.clone(), key }
    }
}

fn set_state(connection: &Connection, run: RunId, state: RunState) -> rusqlite::Result<usize> {
    let sql = "UPDATE runs SET state = ?2, updated = ?3 WHERE id = ?1";
    connection.execute(sql, params![run.0, state.name(), clock::now()])
}

/// Writes down what a run is doing right now.
fn write_live(connection: &Connection, run: RunId, what: &str) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO live (run, updated, what) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![run.0, clock::now(), what]).map(drop)
}

/// Nobody does anything about the run any longer.
fn forget_live(connection: &Connection, run: RunId) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM live WHERE run = ?1", [run.0]).map(drop)
}

/// What is not JSON would be refused by the table, and everything that waits with it.
fn assert_json(text: &str) {
    assert!(serde_json::from_str::<IgnoredAny>(text).is_ok(), "JSON was promised: {text}");
}
