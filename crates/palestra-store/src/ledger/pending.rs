//! Writes that are kept in memory and not committed yet.

use super::{forget_live, write_live};
use crate::checksum::execute_sealed;
use crate::event::{insert_event_game, insert_event_players};
use crate::records::{
    Candidate, ContentKey, EventGame, RunId, RunState, StoredGame, StoredGeneration, StoredHallEntry,
};
use crate::results::insert_game;
use crate::rows::{bytes_of, whole};
use crate::thinning::{generation_step, keeps_generation};
use rusqlite::{Connection, Transaction, params};
use std::collections::BTreeMap;

/// A result and the number of games that it took.
#[derive(Debug)]
struct PendingResult {
    result: Vec<u8>,
    n_games: u64,
}

/// Everything that the next commit writes.
#[derive(Debug, Default)]
pub(super) struct PendingWrites {
    units: BTreeMap<(ContentKey, u32), PendingResult>,
    batches: BTreeMap<ContentKey, PendingResult>,
    /// Batches that no resumed run needs, with their games: these still count.
    retired: BTreeMap<ContentKey, u64>,
    replies: BTreeMap<u32, PendingResult>,
    generations: BTreeMap<u32, (StoredGeneration, Vec<Candidate>)>,
    hall: BTreeMap<u32, StoredHallEntry>,
    games: BTreeMap<(ContentKey, u64), StoredGame>,
    event_games: Vec<EventGame>,
    /// Whether the committed batches and units are retired as well.
    retires_all: bool,
}

impl PendingWrites {
    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty()
            && self.batches.is_empty()
            && self.retired.is_empty()
            && self.replies.is_empty()
            && self.generations.is_empty()
            && self.hall.is_empty()
            && self.games.is_empty()
            && self.event_games.is_empty()
    }

    pub(super) fn keep_unit(&mut self, key: &ContentKey, unit: u32, result: Vec<u8>, n_games: u64) {
        self.units.entry((*key, unit)).or_insert(PendingResult { result, n_games });
    }

    pub(super) fn finish_batch(&mut self, key: &ContentKey, result: Vec<u8>, n_games: u64) {
        self.units.retain(|(of, _), _| of != key);
        self.batches.entry(*key).or_insert(PendingResult { result, n_games });
    }

    /// Keeps the reply to the optimizer in a generation. If it is the latest, no batch so far is needed again.
    pub(super) fn keep_reply(&mut self, generation: u32, reply: Vec<u8>, n_games: u64, is_latest: bool) {
        if is_latest {
            let batches = std::mem::take(&mut self.batches);
            self.retired.extend(batches.into_iter().map(|(key, batch)| (key, batch.n_games)));
            self.retires_all = true;
        }
        self.replies.entry(generation).or_insert(PendingResult { result: reply, n_games });
    }

    /// The latest generation with a pending reply.
    pub(super) fn last_reply(&self) -> Option<u32> {
        self.replies.keys().next_back().copied()
    }

    /// The pending reply of a generation.
    pub(super) fn reply(&self, generation: u32) -> Option<&[u8]> {
        self.replies.get(&generation).map(|pending| pending.result.as_slice())
    }

    pub(super) fn keep_generation(&mut self, generation: StoredGeneration, candidates: Vec<Candidate>) {
        self.generations.entry(generation.number).or_insert((generation, candidates));
    }

    pub(super) fn keep_hall(&mut self, entry: StoredHallEntry) {
        self.hall.insert(entry.number, entry);
    }

    pub(super) fn keep_game(&mut self, key: &ContentKey, number: u64, game: StoredGame) {
        self.games.entry((*key, number)).or_insert(game);
    }

    pub(super) fn keep_event_game(&mut self, game: EventGame) {
        self.event_games.push(game);
    }

    pub(super) fn finished(&self, key: &ContentKey) -> Option<&[u8]> {
        self.batches.get(key).map(|pending| pending.result.as_slice())
    }

    /// The units of a batch, pending and committed; a committed result takes precedence.
    pub(super) fn units(&self, key: &ContentKey, committed: Vec<(u32, Vec<u8>)>) -> Vec<(u32, Vec<u8>)> {
        if self.batches.contains_key(key) {
            return Vec::new();
        }
        let pending = self.units.range((*key, 0)..=(*key, u32::MAX));
        let mut units: BTreeMap<u32, Vec<u8>> =
            pending.map(|((_, unit), pending)| (*unit, pending.result.clone())).collect();
        units.extend(committed);
        units.into_iter().collect()
    }

    /// Writes everything pending, the working time, the live status and the end of the run in one transaction.
    pub(super) fn commit(
        &self,
        connection: &mut Connection,
        run: RunId,
        seconds: f64,
        live_status: Option<&str>,
        end: Option<(RunState, Option<&str>)>,
    ) -> rusqlite::Result<()> {
        let transaction = connection.transaction()?;
        let mut n_games = self.write_retired(&transaction, run)?
            + self.write_units(&transaction, run)?
            + self.write_batches(&transaction, run)?;
        for game in &self.event_games {
            n_games += i64::from(insert_event_game(&transaction, run, game)?);
        }
        insert_event_players(&transaction, run, &self.event_games)?;
        self.write_replies(&transaction, run)?;
        self.write_generations(&transaction, run)?;
        self.write_hall(&transaction, run)?;
        for ((key, number), game) in &self.games {
            insert_game(&transaction, Some(run), Some((key, *number)), game)?;
        }
        let sql =
            "UPDATE runs SET n_games = n_games + ?2, seconds = seconds + ?3, updated = strftime('%FT%TZ')
                   WHERE id = ?1";
        transaction.prepare_cached(sql)?.execute(params![run.0, n_games, seconds])?;
        if let Some((state, outcome)) = end {
            let sql = "UPDATE runs SET state = ?2, outcome = ?3 WHERE id = ?1";
            transaction.execute(sql, params![run.0, state.name(), outcome])?;
            forget_live(&transaction, run)?;
            if state == RunState::Done {
                // They serve only to resume the run.
                transaction.execute("DELETE FROM batches WHERE run = ?1", [run.0])?;
                transaction.execute("DELETE FROM units WHERE run = ?1", [run.0])?;
            }
        } else if let Some(what) = live_status {
            write_live(&transaction, run, what)?;
        }
        transaction.commit()
    }

    /// Deletes retired batches and returns the number of additional games: those of batches that were never committed.
    fn write_retired(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<i64> {
        if !self.retires_all {
            return Ok(0);
        }
        let mut count = transaction
            .prepare_cached("SELECT ifnull(sum(n_games), 0) FROM units WHERE run = ?1 AND key = ?2")?;
        let mut n_more = 0;
        for (key, n_games) in &self.retired {
            let counted: i64 = count.query_row(params![run.0, key], |row| row.get(0))?;
            n_more += whole(*n_games) - counted;
        }
        transaction.prepare_cached("DELETE FROM units WHERE run = ?1")?.execute([run.0])?;
        transaction.prepare_cached("DELETE FROM batches WHERE run = ?1")?.execute([run.0])?;
        Ok(n_more)
    }

    fn write_replies(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let sql =
            "INSERT INTO replies (run, generation, reply, n_games, checksum) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT DO NOTHING";
        let mut insert = transaction.prepare_cached(sql)?;
        for (generation, PendingResult { result, n_games }) in &self.replies {
            execute_sealed(&mut insert, params![run.0, generation, result, whole(*n_games)])?;
        }
        Ok(())
    }

    /// Writes the units and returns the number of additional games.
    fn write_units(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<i64> {
        let sql = "INSERT INTO units (run, key, unit, result, n_games, checksum) SELECT ?1, ?2, ?3, ?4, ?5, ?6
                   WHERE NOT EXISTS (SELECT 1 FROM batches WHERE run = ?1 AND key = ?2) ON CONFLICT DO NOTHING";
        let mut insert = transaction.prepare_cached(sql)?;
        let mut n_more = 0;
        for ((key, unit), PendingResult { result, n_games }) in &self.units {
            let n_games = whole(*n_games);
            let n_rows = execute_sealed(&mut insert, params![run.0, key, unit, result, n_games])?;
            n_more += n_rows as i64 * n_games;
        }
        Ok(n_more)
    }

    /// Writes the batches and returns the number of additional games: a batch counts instead of its units.
    fn write_batches(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<i64> {
        let sql = "INSERT INTO batches (run, key, result, n_games, checksum) VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut insert = transaction.prepare_cached(sql)?;
        let mut count = transaction
            .prepare_cached("SELECT ifnull(sum(n_games), 0) FROM units WHERE run = ?1 AND key = ?2")?;
        let mut delete = transaction.prepare_cached("DELETE FROM units WHERE run = ?1 AND key = ?2")?;
        let mut n_more = 0;
        for (key, PendingResult { result, n_games }) in &self.batches {
            let n_games = whole(*n_games);
            execute_sealed(&mut insert, params![run.0, key, result, n_games])?;
            n_more += n_games - count.query_row(params![run.0, key], |row| row.get::<_, i64>(0))?;
            delete.execute(params![run.0, key])?;
        }
        Ok(n_more)
    }

    fn write_generations(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let Some((&last, _)) = self.generations.last_key_value() else { return Ok(()) };
        let sql = "INSERT INTO generations (run, number, n_games, best, mean, worst, best_number, spread, angle, vitals,
                                            checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING";
        let mut insert = transaction.prepare_cached(sql)?;
        let sql = "INSERT INTO candidates (run, generation, number, weights, fitness, checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let mut insert_candidate = transaction.prepare_cached(sql)?;
        let stored: Option<u32> = transaction
            .prepare_cached("SELECT max(number) FROM generations WHERE run = ?1")?
            .query_row([run.0], |row| row.get(0))?;
        let n = stored.map_or(last, |stored| stored.max(last)) + 1;
        let is_thinned = generation_step(n) > 1 && has_replies(transaction, run)?;
        for (of, candidates) in self.generations.values() {
            if is_thinned && !keeps_generation(of.number, n) {
                continue;
            }
            let StoredGeneration { number, best, mean, worst, best_number, spread, angle, metrics, .. } = of;
            let n_games = whole(of.n_games);
            let values =
                params![run.0, number, n_games, best, mean, worst, best_number, spread, angle, metrics];
            // A stored generation has its candidates: both were written in one transaction.
            if execute_sealed(&mut insert, values)? == 0 {
                continue;
            }
            for (i, Candidate { weights, fitness }) in candidates.iter().enumerate() {
                let values = params![run.0, number, whole(i as u64), bytes_of(weights), fitness];
                execute_sealed(&mut insert_candidate, values)?;
            }
        }
        if is_thinned {
            let sql = "DELETE FROM generations WHERE run = ?1 AND number % ?2 <> 0 AND number <> ?3";
            transaction.prepare_cached(sql)?.execute(params![run.0, generation_step(n), n - 1])?;
        }
        Ok(())
    }

    fn write_hall(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO hall (run, number, generation, label, weights, fitness, checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let mut insert = transaction.prepare_cached(sql)?;
        for StoredHallEntry { number, generation, label, weights, fitness } in self.hall.values() {
            let values = params![run.0, number, generation, label, bytes_of(weights), fitness];
            execute_sealed(&mut insert, values)?;
        }
        Ok(())
    }
}

/// Whether training of a run can be repeated from its replies, so that generations may be thinned.
fn has_replies(transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM replies WHERE run = ?1)";
    transaction.prepare_cached(sql)?.query_row([run.0], |row| row.get(0))
}
