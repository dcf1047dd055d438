//! Writes that are kept in memory and not committed yet.

use super::{forget_live, write_live};
use crate::event::{insert_event_game, insert_event_players};
use crate::records::{
    Candidate, ContentKey, EventGame, RunId, RunState, StoredGame, StoredGeneration, StoredHallEntry,
};
use crate::results::insert_game;
use crate::rows::{bytes_of, whole};
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
    generations: BTreeMap<u32, (StoredGeneration, Vec<Candidate>)>,
    hall: BTreeMap<u32, StoredHallEntry>,
    games: BTreeMap<(ContentKey, u64), StoredGame>,
    event_games: Vec<EventGame>,
}

impl PendingWrites {
    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty()
            && self.batches.is_empty()
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
        let mut n_games = self.write_units(&transaction, run)? + self.write_batches(&transaction, run)?;
        for game in &self.event_games {
            n_games += i64::from(insert_event_game(&transaction, run, game)?);
        }
        insert_event_players(&transaction, run, &self.event_games)?;
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
        } else if let Some(what) = live_status {
            write_live(&transaction, run, what)?;
        }
        transaction.commit()
    }

    /// Writes the units and returns the number of additional games.
    fn write_units(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<i64> {
        let sql = "INSERT INTO units (run, key, unit, result, n_games) SELECT ?1, ?2, ?3, ?4, ?5
                   WHERE NOT EXISTS (SELECT 1 FROM batches WHERE run = ?1 AND key = ?2) ON CONFLICT DO NOTHING";
        let mut insert = transaction.prepare_cached(sql)?;
        let mut n_more = 0;
        for ((key, unit), PendingResult { result, n_games }) in &self.units {
            let n_games = whole(*n_games);
            n_more += insert.execute(params![run.0, key, unit, result, n_games])? as i64 * n_games;
        }
        Ok(n_more)
    }

    /// Writes the batches and returns the number of additional games: a batch counts instead of its units.
    fn write_batches(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<i64> {
        let sql = "INSERT INTO batches (run, key, result, n_games) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = transaction.prepare_cached(sql)?;
        let mut count = transaction
            .prepare_cached("SELECT ifnull(sum(n_games), 0) FROM units WHERE run = ?1 AND key = ?2")?;
        let mut delete = transaction.prepare_cached("DELETE FROM units WHERE run = ?1 AND key = ?2")?;
        let mut n_more = 0;
        for (key, PendingResult { result, n_games }) in &self.batches {
            let n_games = whole(*n_games);
            insert.execute(params![run.0, key, result, n_games])?;
            n_more += n_games - count.query_row(params![run.0, key], |row| row.get::<_, i64>(0))?;
            delete.execute(params![run.0, key])?;
        }
        Ok(n_more)
    }

    fn write_generations(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let sql = "INSERT INTO generations (run, number, n_games, best, mean, worst, best_number, spread, angle, vitals)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING";
        let mut insert = transaction.prepare_cached(sql)?;
        let sql =
            "INSERT INTO candidates (run, generation, number, weights, fitness) VALUES (?1, ?2, ?3, ?4, ?5)";
        let mut insert_candidate = transaction.prepare_cached(sql)?;
        for (of, candidates) in self.generations.values() {
            let StoredGeneration { number, best, mean, worst, best_number, spread, angle, metrics, .. } = of;
            let n_games = whole(of.n_games);
            let values =
                params![run.0, number, n_games, best, mean, worst, best_number, spread, angle, metrics];
            // A stored generation has its candidates: both were written in one transaction.
            if insert.execute(values)? == 0 {
                continue;
            }
            for (i, Candidate { weights, fitness }) in candidates.iter().enumerate() {
                insert_candidate.execute(params![
                    run.0,
                    number,
                    whole(i as u64),
                    bytes_of(weights),
                    fitness
                ])?;
            }
        }
        Ok(())
    }

    fn write_hall(&self, transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO hall (run, number, generation, label, weights, fitness)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let mut insert = transaction.prepare_cached(sql)?;
        for StoredHallEntry { number, generation, label, weights, fitness } in self.hall.values() {
            insert.execute(params![run.0, number, generation, label, bytes_of(weights), fitness])?;
        }
        Ok(())
    }
}
