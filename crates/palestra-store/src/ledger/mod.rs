//! The ledger: the writer of one run, which makes the run resumable after an interruption at any instant.
//!
//! Writes are gathered in memory and committed together: after 1,000 games, or one second after the first pending
//! write, whichever is sooner. Games are counted as they are kept; a thread watches the time, so that the second also
//! holds while nothing is kept.

mod pending;
#[cfg(test)]
mod tests;

use crate::checksum::delete_damaged;
use crate::claim::Claim;
use crate::error::{Result, StoreError, WithPath};
use crate::open::{self, FileIdentity, OpenMode};
use crate::records::{
    Candidate, ContentKey, EventGame, RunId, RunState, StoredGame, StoredGeneration, StoredHallEntry,
};
use crate::results::read_reply;
use crate::store::Store;
use pending::PendingWrites;
use rusqlite::{Connection, OptionalExtension, params};
use serde::de::IgnoredAny;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Maximum number of pending games: as many can be lost if the process is killed.
const MAX_PENDING_GAMES: u64 = 1_000;

/// Maximum time that a write is pending: as much work can be lost if the process is killed.
const MAX_PENDING_TIME: Duration = Duration::from_secs(1);

/// Maximum time that a game of an event is pending. Games that end in that time share a commit: one commit for each
/// game would cost a third of the time of quick games. A caller that must not lose a game calls [`RunLedger::flush`].
const MAX_EVENT_GAME_DELAY: Duration = Duration::from_millis(10);

/// Minimum time between two commits of the live status, so that a run that reports every move costs no more commits.
const LIVE_STATUS_INTERVAL: Duration = Duration::from_millis(250);

/// Length of the write-ahead log in bytes from which on it is truncated explicitly. SQLite restarts the log by itself
/// only at an instant without readers, and a store with many readers may have none.
const MAX_LOG_BYTES: u64 = 16 << 20;

/// The writer of one run, for any number of threads. No other process can work on the run while it is open.
///
/// After an error, such as a full disk, every call returns that error and still keeps its data in memory;
/// [`flush`](Self::flush) tries again, and when it succeeds nothing has been lost. Dropping a ledger flushes it and
/// leaves the run interrupted unless it was [finished](Self::finish).
#[derive(Debug)]
pub struct RunLedger {
    run: RunId,
    /// Number of damaged rows that were deleted when it was opened.
    n_damaged: u64,
    shared: Arc<Shared>,
    committer: Option<JoinHandle<()>>,
    /// Released last, because fields are dropped in order.
    _claim: Claim,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<LedgerState>,
    /// Notified when something is pending and when the ledger is closed.
    wake: Condvar,
}

/// The state of the ledger, under one lock.
#[derive(Debug)]
struct LedgerState {
    connection: Connection,
    path: PathBuf,
    /// The file that the connection writes to.
    identity: Option<FileIdentity>,
    run: RunId,
    name: String,
    n_weights: usize,
    /// The latest generation with a committed reply.
    last_reply: Option<u32>,
    /// The latest generation when the ledger was opened. Batches up to it are replayed if they have no replies, as in
    /// runs of earlier versions.
    last_known: Option<u32>,
    pending: PendingWrites,
    /// The live status that is not committed yet.
    live_status: Option<String>,
    /// When a live status was last committed.
    live_status_committed: Option<Instant>,
    /// When the oldest pending write was kept.
    since: Option<Instant>,
    /// Number of pending games.
    n_games: u64,
    /// Whether a game of an event is pending.
    is_urgent: bool,
    /// Up to when working time was counted.
    counted: Instant,
    error: Option<StoreError>,
    /// Length of the log in bytes at which it is truncated next.
    max_log_bytes: u64,
    /// Whether the run has its final state.
    is_ended: bool,
    /// Whether the ledger is being dropped.
    is_closed: bool,
}

impl Store {
    /// Opens the ledger of a run that is not done. Fails while another process or another ledger holds the run.
    pub fn ledger(&self, run: RunId) -> Result<RunLedger> {
        let name = self.run_by_id(run)?.name;
        let claim = Claim::take(&self.path, run, &name)?;
        // Read again under the lock: only now no other process changes the run.
        let current = self.run_by_id(run)?;
        if current.state == RunState::Done {
            return Err(StoreError::Finished { path: self.path.clone(), name });
        }
        let (mut connection, path) = open::connect(&self.path, OpenMode::Existing)?;
        let identity = open::file_identity(&path);
        let n_damaged = delete_damaged(&mut connection, run).at(&path)?;
        let sql = "SELECT max(generation) FROM replies WHERE run = ?1";
        let last_reply = connection.query_row(sql, [run.0], |row| row.get(0)).at(&path)?;
        let sql = "SELECT max(number) FROM generations WHERE run = ?1";
        let last_known = connection.query_row(sql, [run.0], |row| row.get(0)).at(&path)?;
        forget_live(&connection, run).at(&path)?;
        set_state(&connection, run, RunState::Running).at(&path)?;
        let state = LedgerState {
            connection,
            path,
            identity,
            run,
            name,
            n_weights: current.weights.len(),
            last_reply,
            last_known,
            pending: PendingWrites::default(),
            live_status: None,
            live_status_committed: None,
            since: None,
            n_games: 0,
            is_urgent: false,
            counted: Instant::now(),
            error: None,
            max_log_bytes: MAX_LOG_BYTES,
            is_ended: false,
            is_closed: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), wake: Condvar::new() });
        let committer = thread::Builder::new().name("ledger".into());
        let committer = committer.spawn({
            let shared = Arc::clone(&shared);
            move || shared.commit_when_due()
        });
        Ok(RunLedger { run, n_damaged, shared, committer: Some(committer.at(&self.path)?), _claim: claim })
    }
}

impl RunLedger {
    /// The run of this ledger.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Number of damaged entries of the run that were found when the ledger was opened. They are deleted, so that their
    /// games are played again.
    #[must_use]
    pub fn n_damaged(&self) -> u64 {
        self.n_damaged
    }

    /// The result of a finished batch; `None` if the batch is not finished.
    pub fn finished(&self, key: &ContentKey) -> Result<Option<Vec<u8>>> {
        self.shared.lock().finished(key)
    }

    /// The finished units of an unfinished batch, with their numbers, in order.
    pub fn units(&self, key: &ContentKey) -> Result<Vec<(u32, Vec<u8>)>> {
        self.shared.lock().units(key)
    }

    /// Keeps the result of a unit of a batch, which took `n_games` games. Later results of the same unit are ignored.
    pub fn keep_unit(&self, key: &ContentKey, unit: u32, result: Vec<u8>, n_games: u64) -> Result<()> {
        self.keep(n_games, |state| {
            state.pending.keep_unit(key, unit, result, n_games);
            Ok(())
        })
    }

    /// Keeps the result of a whole batch, which took `n_games` games, and deletes its units.
    ///
    /// Fails if the batch is finished already with another result.
    pub fn finish_batch(&self, key: &ContentKey, result: Vec<u8>, n_games: u64) -> Result<()> {
        self.keep(n_games, |state| match state.finished(key)? {
            None => {
                state.pending.finish_batch(key, result, n_games);
                Ok(())
            }
            Some(known) if known == result => Ok(()),
            Some(_) => Err(state.differs(key)),
        })
    }

    /// Keeps a generation with its candidates; one that is stored already stays as it is.
    ///
    /// # Panics
    ///
    /// If a candidate has another number of weights than the run has names, or the metrics (`vitals`) are not JSON.
    pub fn keep_generation(&self, generation: StoredGeneration, candidates: Vec<Candidate>) -> Result<()> {
        assert_json(&generation.metrics);
        self.keep(0, |state| {
            let expected = state.n_weights;
            let fits = |candidate: &Candidate| expected == 0 || candidate.weights.len() == expected;
            assert!(candidates.iter().all(fits), "every candidate has {expected} weights");
            state.pending.keep_generation(generation, candidates);
            Ok(())
        })
    }

    /// Keeps what the optimizer was told after a generation of `n_games` games; one that is stored already stays as it is.
    /// Keep it for every generation or for none.
    ///
    /// A run is then resumed from these replies, and all batches up to the latest reply are deleted. Of a long run,
    /// only some generations are kept: see [`generation_step`](crate::generation_step).
    pub fn keep_reply(&self, generation: u32, reply: Vec<u8>, n_games: u64) -> Result<()> {
        self.keep(0, |state| {
            let last = state.last_known.max(state.last_reply).max(state.pending.last_reply());
            let is_latest = last.is_none_or(|last| last < generation);
            state.pending.keep_reply(generation, reply, n_games, is_latest);
            Ok(())
        })
    }

    /// The reply to the optimizer in a generation, if it was kept.
    pub fn reply(&self, generation: u32) -> Result<Option<Vec<u8>>> {
        let state = self.shared.lock();
        match state.pending.reply(generation) {
            Some(reply) => Ok(Some(reply.to_vec())),
            None => read_reply(&state.connection, state.run, generation).at(&state.path),
        }
    }

    /// Keeps a game of a batch; one of the same batch and number that is stored already stays as it is.
    ///
    /// The game is counted when its batch or unit is kept, not here. Keep it before that: it is then committed no later
    /// than its unit, and a game that is played again because its unit was lost is stored once.
    pub fn keep_game(&self, key: &ContentKey, number: u64, game: StoredGame) -> Result<()> {
        self.keep(0, |state| {
            state.pending.keep_game(key, number, game);
            Ok(())
        })
    }

    /// Keeps a finished game of an event; one with the same key that is stored already stays as it is.
    ///
    /// The game is committed within ten milliseconds, together with games that end in that time. This call does not
    /// wait for the commit; [`flush`](Self::flush) commits at once.
    pub fn keep_event_game(&self, game: EventGame) -> Result<()> {
        self.keep(1, |state| {
            state.pending.keep_event_game(game);
            state.is_urgent = true;
            Ok(())
        })?;
        self.shared.wake.notify_all();
        Ok(())
    }

    /// Keeps an entry of the hall of fame and replaces an earlier one with the same number.
    pub fn keep_hall_entry(&self, entry: StoredHallEntry) -> Result<()> {
        self.keep(0, |state| {
            state.pending.keep_hall(entry);
            Ok(())
        })
    }

    /// Sets what the run is doing right now, as JSON, for readers of [`Store::live_status`]. It replaces the status
    /// before, and is deleted when the run ends.
    ///
    /// The status is committed within a quarter of a second and at most four times a second;
    /// [`flush`](Self::flush) does not commit it earlier.
    ///
    /// # Panics
    ///
    /// If the status is not JSON.
    pub fn set_live_status(&self, what: String) -> Result<()> {
        assert_json(&what);
        let mut state = self.shared.lock();
        state.check_open()?;
        if state.live_status.replace(what).is_none() {
            self.shared.wake.notify_all();
        }
        state.error.clone().map_or(Ok(()), Err)
    }

    /// Commits everything that was kept.
    pub fn flush(&self) -> Result<()> {
        self.shared.lock().commit(None)
    }

    /// Commits everything and ends the run with its outcome (JSON). Nothing can be kept afterwards. Results of batches,
    /// which only a resumed run needs, are deleted, and their space is given back to the disk.
    ///
    /// # Panics
    ///
    /// If the outcome is not JSON.
    pub fn finish(&self, outcome: &str) -> Result<()> {
        assert_json(outcome);
        self.shared.lock().end(RunState::Done, Some(outcome))
    }

    /// Commits everything and marks the run as failed. Nothing can be kept afterwards.
    pub fn fail(&self) -> Result<()> {
        self.shared.lock().end(RunState::Failed, None)
    }

    fn keep(&self, n_games: u64, put: impl FnOnce(&mut LedgerState) -> Result<()>) -> Result<()> {
        let mut state = self.shared.lock();
        state.check_open()?;
        put(&mut state)?;
        state.n_games += n_games;
        if state.since.is_none() {
            state.since = Some(Instant::now());
            self.shared.wake.notify_all();
        }
        match state.error.is_none() && state.is_due() {
            true => state.commit(None),
            false => state.error.clone().map_or(Ok(()), Err),
        }
    }
}

impl Drop for RunLedger {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        // There is no caller to report an error to; what was committed before stays.
        drop(state.end(RunState::Interrupted, None));
        state.is_closed = true;
        drop(state);
        self.shared.wake.notify_all();
        if let Some(committer) = self.committer.take() {
            drop(committer.join());
        }
    }
}

impl Shared {
    /// The state, also after a panic of another thread: every change of it is complete.
    fn lock(&self) -> MutexGuard<'_, LedgerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Commits pending writes when they are due, until the ledger is closed.
    fn commit_when_due(&self) {
        let mut state = self.lock();
        while !state.is_closed {
            // After an error the caller has to retry.
            let left = if state.error.is_none() { state.left() } else { None };
            state = match left {
                None => self.wake.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => {
                    // An error is kept in the state and returned by the next call.
                    drop(state.commit(None));
                    state
                }
                Some(left) => self.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }
}

impl LedgerState {
    fn is_due(&self) -> bool {
        self.n_games >= MAX_PENDING_GAMES
            || self.since.is_some_and(|since| since.elapsed() >= MAX_PENDING_TIME)
    }

    /// Time until the next commit is due; `None` if nothing is pending.
    fn left(&self) -> Option<Duration> {
        let max_time = if self.is_urgent { MAX_EVENT_GAME_DELAY } else { MAX_PENDING_TIME };
        let writes = self.since.map(|since| max_time.saturating_sub(since.elapsed()));
        let live_status = self.live_status.as_ref().map(|_| self.live_status_left());
        writes.into_iter().chain(live_status).min()
    }

    /// Time until the next live status may be committed.
    fn live_status_left(&self) -> Duration {
        let last = self.live_status_committed;
        last.map_or(Duration::ZERO, |last| LIVE_STATUS_INTERVAL.saturating_sub(last.elapsed()))
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
        // Damaged rows were deleted when the ledger was opened.
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

    /// Commits what is pending, and the end of the run if it ends; on failure everything stays pending.
    fn commit(&mut self, end: Option<(RunState, Option<&str>)>) -> Result<()> {
        let live_status = self.live_status.as_deref().filter(|_| self.live_status_left().is_zero());
        let is_work = !self.pending.is_empty() || end.is_some();
        if !is_work && live_status.is_none() {
            (self.since, self.n_games, self.is_urgent, self.error) = (None, 0, false, None);
            return Ok(());
        }
        let now = Instant::now();
        let connection = &mut self.connection;
        // SQLite goes on writing to a file that has no name any more.
        let is_there = self.identity.is_some() && open::file_identity(&self.path) == self.identity;
        let outcome = match is_there {
            false => Err(StoreError::Replaced { path: self.path.clone() }),
            true if is_work => {
                let seconds = now.duration_since(self.counted).as_secs_f64();
                self.pending.commit(connection, self.run, seconds, live_status, end).at(&self.path)
            }
            true => live_status.map_or(Ok(()), |what| write_live(connection, self.run, what)).at(&self.path),
        };
        match outcome {
            Ok(()) => {
                if live_status.is_some() || end.is_some() {
                    (self.live_status, self.live_status_committed) = (None, Some(now));
                }
                if is_work {
                    self.last_reply = self.last_reply.max(self.pending.last_reply());
                    (self.pending, self.counted) = (PendingWrites::default(), now);
                }
                (self.since, self.n_games, self.is_urgent, self.error) = (None, 0, false, None);
                self.truncate_log();
                Ok(())
            }
            Err(error) => {
                self.error = Some(error.clone());
                Err(error)
            }
        }
    }

    /// Truncates a log that has grown too long. If a long read prevents that, the next attempt is at a greater length.
    fn truncate_log(&mut self) {
        if open::log_bytes(&self.path) > self.max_log_bytes {
            // Everything is committed, so a failure costs only disk space.
            drop(open::empty_log(&self.connection));
            self.max_log_bytes = open::log_bytes(&self.path) + MAX_LOG_BYTES;
        }
    }

    fn end(&mut self, state: RunState, outcome: Option<&str>) -> Result<()> {
        self.check_open()?;
        self.commit(Some((state, outcome)))?;
        self.is_ended = true;
        // The run has ended even if its space is not given back to the disk this time.
        drop(give_space_back(&self.connection));
        Ok(())
    }

    fn differs(&self, key: &ContentKey) -> StoreError {
        let key = key.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        StoreError::Differs { path: self.path.clone(), name: self.name.clone(), key }
    }
}

fn set_state(connection: &Connection, run: RunId, state: RunState) -> rusqlite::Result<usize> {
    let sql = "UPDATE runs SET state = ?2, updated = strftime('%FT%TZ') WHERE id = ?1";
    connection.execute(sql, params![run.0, state.name()])
}

/// Writes the live status of a run.
fn write_live(connection: &Connection, run: RunId, what: &str) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO live (run, updated, what) VALUES (?1, strftime('%FT%TZ'), ?2)";
    connection.prepare_cached(sql)?.execute(params![run.0, what]).map(drop)
}

/// Deletes the live status of a run.
fn forget_live(connection: &Connection, run: RunId) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM live WHERE run = ?1", [run.0]).map(drop)
}

/// Returns the pages of deleted rows to the disk, some at a time, so that other processes wait for none of it long.
pub(crate) fn give_space_back(connection: &Connection) -> rusqlite::Result<()> {
    let n_free = || connection.query_row("PRAGMA freelist_count", [], |row| row.get::<_, i64>(0));
    let mut n_before = n_free()?;
    while n_before > 0 {
        let mut vacuum = connection.prepare("PRAGMA incremental_vacuum(2000)")?;
        let mut rows = vacuum.query([])?;
        while rows.next()?.is_some() {}
        let n_after = n_free()?;
        // A store without incremental vacuum keeps its pages.
        if n_after >= n_before {
            break;
        }
        n_before = n_after;
    }
    Ok(())
}

/// Text that is not JSON would fail a CHECK of the table, and with it the commit of everything pending.
fn assert_json(text: &str) {
    assert!(serde_json::from_str::<IgnoredAny>(text).is_ok(), "not JSON: {text}");
}
