//! Queries with a limit, for reading a large store page by page.

use crate::error::{Result, StoreError, WithPath};
use crate::event::{EVENT_GAME_DETAILS, event_place_of, event_record_of};
use crate::records::{Candidate, GameDetails, RunId, RunSummary, StoredGame};
use crate::results::candidate_of;
use crate::rows::{self, GAME, GAME_TABLES, RUN_SUMMARY};
use crate::store::Store;
use rusqlite::{OptionalExtension, Params, params};

impl Store {
    /// At most `limit` runs that are older than the run `before`, of one kind or of all, the newest first.
    pub fn runs_page(
        &self,
        before: Option<RunId>,
        limit: usize,
        kind: Option<&str>,
    ) -> Result<Vec<RunSummary>> {
        let of_kind = if kind.is_some() { "kind = ?3" } else { "?3 IS NULL" };
        let sql =
            format!("SELECT {RUN_SUMMARY} FROM runs WHERE {of_kind} AND id < ?1 ORDER BY id DESC LIMIT ?2");
        let values = params![below(before.map(|run| run.0)), rows::whole(limit as u64), kind];
        let summaries = self.list(&sql, values, rows::run_summary_of)?;
        Ok(summaries
            .into_iter()
            .map(|summary| RunSummary { state: self.state_now(summary.id, summary.state), ..summary })
            .collect())
    }

    /// A run by its number, without its plan and its outcome.
    pub fn run_summary(&self, id: RunId) -> Result<RunSummary> {
        let newest = self.runs_page(Some(RunId(id.0.saturating_add(1))), 1, None)?;
        let summary = newest.into_iter().find(|summary| summary.id == id);
        summary.ok_or_else(|| self.no_run(&id.0.to_string()))
    }

    /// Number of runs.
    pub fn n_runs(&self) -> Result<u64> {
        self.count("SELECT count(*) AS n FROM runs", [])
    }

    /// A game by its number in the store or by its content, with all its data.
    pub fn game(&self, number: i64) -> Result<GameDetails> {
        let no_game = || StoreError::NoGame { path: self.path.clone(), id: number };
        let id = self.id_of(number)?.ok_or_else(no_game)?;
        let sql = format!(
            "SELECT games.id, games.run, {GAME}, event_games.game AS event, {EVENT_GAME_DETAILS}, evidence
             FROM {GAME_TABLES} LEFT JOIN event_games ON event_games.game = games.id WHERE games.id = ?1"
        );
        let find = || {
            self.connection.prepare_cached(&sql)?.query_row([id], |row| {
                let mut game = rows::game_of(row)?;
                let mut event = None;
                if row.get::<_, Option<i64>>("event")?.is_some() {
                    (game.record, event) = (event_record_of(game.record, row)?, Some(event_place_of(row)?));
                }
                let run = row.get::<_, Option<i64>>("run")?.map(RunId);
                Ok(GameDetails { id: row.get("id")?, run, game, event })
            })
        };
        let found = find().optional().at(&self.path)?;
        found.ok_or_else(no_game)
    }

    /// At most `limit` games of a run, or of those without a run, that were kept before the game `before`: the newest
    /// first, with their numbers.
    pub fn games_page(
        &self,
        run: Option<RunId>,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<(i64, StoredGame)>> {
        let sql = games_page_sql(run.is_some());
        let values = params![run.map(|run| run.0), below(before), rows::whole(limit as u64)];
        self.list(&sql, values, |row| Ok((row.get("id")?, rows::game_of(row)?)))
    }

    /// Number of the finished generations of a run; of a long run, not all of them are in the store.
    pub fn n_generations(&self, run: RunId) -> Result<u64> {
        self.count("SELECT ifnull(max(number) + 1, 0) AS n FROM generations WHERE run = ?1", [run.0])
    }

    /// The best candidate of every generation of a run, with the generation's number, in order.
    pub fn best_candidates(&self, run: RunId) -> Result<Vec<(u32, Candidate)>> {
        let sql = "SELECT generations.number, weights, fitness FROM generations JOIN candidates
                   ON candidates.run = generations.run AND candidates.generation = generations.number
                   AND candidates.number = best_number WHERE generations.run = ?1 ORDER BY generations.number";
        self.list(sql, [run.0], |row| Ok((row.get("number")?, candidate_of(row)?)))
    }

    /// The `limit` fittest candidates of a generation, the best first, with their numbers.
    pub fn top_candidates(&self, run: RunId, generation: u32, limit: usize) -> Result<Vec<(u32, Candidate)>> {
        // NaN is stored as NULL, which sorts last.
        let sql = "SELECT number, weights, fitness FROM candidates WHERE run = ?1 AND generation = ?2
                   ORDER BY fitness DESC, number LIMIT ?3";
        let values = params![run.0, generation, rows::whole(limit as u64)];
        self.list(sql, values, |row| Ok((row.get("number")?, candidate_of(row)?)))
    }

    /// Number of candidates of a generation.
    pub fn n_candidates(&self, run: RunId, generation: u32) -> Result<u64> {
        let sql = "SELECT count(*) AS n FROM candidates WHERE run = ?1 AND generation = ?2";
        self.count(sql, params![run.0, generation])
    }

    fn count(&self, sql: &str, params: impl Params) -> Result<u64> {
        let count = || self.connection.prepare_cached(sql)?.query_row(params, |row| rows::count_of(row, "n"));
        count().at(&self.path)
    }
}

/// The exclusive upper bound of the numbers on a page.
pub(crate) fn below(before: Option<i64>) -> i64 {
    before.unwrap_or(i64::MAX)
}

fn games_page_sql(is_of_run: bool) -> String {
    // `IS ?1` would cover both cases, but SQLite would then sort the rows.
    let of_run = if is_of_run { "games.run = ?1" } else { "?1 IS NULL AND games.run IS NULL" };
    format!(
        "SELECT games.id, {GAME} FROM {GAME_TABLES} WHERE {of_run} AND games.id < ?2
         ORDER BY games.id DESC LIMIT ?3"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{by_ids_sql, filter_sql, player_sql, since_sql};
    use crate::records::EventFilter;
    use palestra_core::Side;

    #[test]
    fn no_query_scans_all_games() {
        let file = std::env::temp_dir().join(format!("palestra-pages-{}.db", std::process::id()));
        let store = Store::open(&file).unwrap();
        let check = |sql: &str, index: &str, is_sorted: bool| {
            let mut explain = store.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            // Parameters that are not bound are NULL.
            let rows = explain.raw_query().mapped(|row| row.get::<_, String>("detail"));
            let plan: Vec<String> = rows.map(|line| line.unwrap()).collect();
            let plan = plan.join("\n");
            assert!(plan.contains(index), "{sql}\n{plan}");
            assert!(!plan.contains("SCAN games") && !plan.contains("SCAN event_games"), "{sql}\n{plan}");
            assert_eq!(plan.contains("TEMP B-TREE"), is_sorted, "{sql}\n{plan}");
        };
        let filter = EventFilter::default();
        check(&games_page_sql(true), "games_by_run (run=? AND rowid<?)", false);
        check(&games_page_sql(false), "games_by_run (run=? AND rowid<?)", false);
        check(&since_sql(), "games_by_run (run=? AND rowid>?)", false);
        // At most one page of numbers.
        check(&by_ids_sql(), "SEARCH games USING INTEGER PRIMARY KEY (rowid=?)", false);
        check(&filter_sql(&filter), "event_games USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", false);
        let of_round = EventFilter { round: Some(1), ..filter };
        check(&filter_sql(&of_round), "event_games_by_round (round=? AND rowid>? AND rowid<?)", false);
        let failed = EventFilter { failed: true, ..filter };
        check(&filter_sql(&failed), "event_games_failed (game>? AND game<?)", false);
        for (side, index) in
            [(Side::First, "games_by_first (first="), (Side::Second, "games_by_second (second=")]
        {
            check(&player_sql(side), &format!("{index}? AND rowid>? AND rowid<?)"), false);
        }
        drop(store);
        std::fs::remove_file(file).unwrap();
    }
}
