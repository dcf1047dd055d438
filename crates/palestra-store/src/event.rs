//! Events: runs whose plan may change, and their games, which are found again by their content keys.

use crate::checksum::execute_sealed;
use crate::claim::Claim;
use crate::error::{Result, StoreError, WithPath};
use crate::pages::below;
use crate::records::{
    ContentKey, EventFilter, EventGame, EventPlace, FIRST_NUMBER, NewRun, Run, RunId, RunState, StoredGame,
    keys_of_number,
};
use crate::results::{insert_game, player_id};
use crate::rows::{self, GAME, GAME_TABLES};
use crate::store::{Store, check_name, insert_named_run};
use palestra_arena::{Forfeit, GameRecord};
use palestra_core::Side;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;

/// The value of [`Run::kind`] of events.
pub const EVENT: &str = "tournament";

/// The columns that [`event_place_of`] and [`event_record_of`] read, except for the evidence.
pub(crate) const EVENT_GAME_DETAILS: &str = "round, event_games.first AS first_name, event_games.second AS second_name, points, \
                                     first_ms, second_ms, forfeit, fault, detail, \
                                     json_extract(event_games.evidence, '$.late') AS late";

/// Joins the details of an event game to the tables of a game.
const JOIN: &str = "CROSS JOIN event_games ON event_games.game = games.id";

impl Store {
    /// The event with this name (the stem of `new`), or a new one; the flag is true for a new one.
    ///
    /// An event keeps its name and its games when its plan changes: it is then no longer done, and games whose players
    /// and rules are still the same are found again by their keys. Fails if the plan has changed while a process works
    /// on the event.
    pub fn find_or_begin_event(&mut self, new: &NewRun) -> Result<(Run, bool)> {
        check_name(&new.stem, &self.path)?;
        let path = self.path.clone();
        let transaction = self.connection.transaction().at(&path)?;
        let sql = "SELECT id, kind, plan_key FROM runs WHERE name = ?1";
        let read =
            |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?));
        let found = transaction.query_row(sql, [&new.stem], read).optional().at(&path)?;
        let (id, is_new) = match found {
            None => (insert_named_run(&transaction, new, &new.stem).at(&path)?, true),
            Some((_, kind, _)) if kind != EVENT => {
                return Err(StoreError::NameTaken { path, what: "run", name: new.stem.clone() });
            }
            Some((id, _, key)) => {
                if key != new.plan_key() && key != new.old_plan_key() {
                    // Not while a process plays it: the games must be those of the plan.
                    let _claim = Claim::take(&path, RunId(id), &new.stem)?;
                    let sql = "UPDATE runs SET plan = ?2, plan_key = ?3, seed = ?4, version = ?5,
                               updated = strftime('%FT%TZ'),
                               state = CASE state WHEN 'running' THEN state ELSE 'interrupted' END, outcome = NULL
                               WHERE id = ?1";
                    let seed = new.seed.to_string();
                    let values = params![id, new.plan, new.plan_key(), seed, new.version];
                    transaction.execute(sql, values).at(&path)?;
                }
                (RunId(id), false)
            }
        };
        transaction.commit().at(&path)?;
        Ok((self.run_by_id(id)?, is_new))
    }

    /// Reopens an event that is done, so that its ledger can be opened again.
    pub fn reopen(&mut self, run: RunId) -> Result<()> {
        let sql = "UPDATE runs SET state = ?2 WHERE id = ?1 AND state = ?3";
        let values = params![run.0, RunState::Interrupted.name(), RunState::Done.name()];
        self.connection.execute(sql, values).at(&self.path).map(drop)
    }

    /// The games of an event in the order in which they were kept, without their evidence.
    pub fn event_games(&self, run: RunId) -> Result<Vec<EventGame>> {
        self.event_games_since(run, i64::MIN, usize::MAX)
    }

    /// At most `limit` games of an event that were kept after the game `after`, in the order in which they were kept,
    /// without their evidence.
    pub fn event_games_since(&self, run: RunId, after: i64, limit: usize) -> Result<Vec<EventGame>> {
        let values = params![run.0, after, rows::whole(limit as u64)];
        self.list(&since_sql(), values, event_game_of)
    }

    /// At most `limit` games of an event that pass a filter and were kept before the game `before`, the newest first,
    /// without their evidence.
    pub fn event_games_of(
        &self,
        run: RunId,
        filter: &EventFilter<'_>,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<EventGame>> {
        let before = below(before);
        let ids = match (filter.player.or(filter.opponent), filter.round, filter.failed) {
            (Some(player), None, false) => {
                self.ids_of_player(run, player, filter.player.and(filter.opponent), before, limit)?
            }
            _ => self.ids_of(run, filter, before, limit)?,
        };
        // `Debug` prints a list of numbers as JSON.
        self.list(&by_ids_sql(), [format!("{ids:?}")], event_game_of)
    }

    /// The number in the store of a game: it is this one, or the game has this number by content; then the latest event
    /// that has it counts. `None` where no event has it.
    pub(crate) fn id_of(&self, number: i64) -> Result<Option<i64>> {
        if number < FIRST_NUMBER {
            return Ok(Some(number));
        }
        let sql =
            "SELECT games.id FROM runs CROSS JOIN games ON games.run = runs.id AND batch >= ?1 AND batch < ?2
                   WHERE runs.kind = ?3 ORDER BY runs.updated DESC, games.id DESC LIMIT 1";
        let [from, end] = keys_of_number(number);
        let find = |row: &Row<'_>| row.get(0);
        self.connection.query_row(sql, params![from, end, EVENT], find).optional().at(&self.path)
    }

    /// The numbers of the newest games of a player of an event, or of those against an opponent.
    fn ids_of_player(
        &self,
        run: RunId,
        player: &str,
        opponent: Option<&str>,
        before: i64,
        limit: usize,
    ) -> Result<Vec<i64>> {
        let sql = "SELECT player FROM event_players WHERE run = ?1 AND name = ?2";
        let players: Vec<i64> = self.list(sql, params![run.0, player], |row| row.get(0))?;
        let mut ids = Vec::new();
        // One query for each player and side: only then does the index give the newest games first.
        for id in players {
            for side in Side::BOTH {
                let values = params![run.0, before, rows::whole(limit as u64), player, opponent, id];
                ids.extend(self.list(&player_sql(side), values, |row| row.get::<_, i64>(0))?);
            }
        }
        ids.sort_unstable_by(|one, two| two.cmp(one));
        ids.dedup();
        ids.truncate(limit);
        Ok(ids)
    }

    /// The numbers of the newest games of an event that pass a filter.
    fn ids_of(&self, run: RunId, filter: &EventFilter<'_>, before: i64, limit: usize) -> Result<Vec<i64>> {
        let EventFilter { player, opponent, round, .. } = filter;
        let values = params![run.0, before, rows::whole(limit as u64), player, opponent, round];
        self.list(&filter_sql(filter), values, |row| row.get(0))
    }

    /// One game of any event, by its number in the store or by its content, with its evidence.
    pub fn event_game(&self, number: i64) -> Result<(RunId, EventGame)> {
        let no_game = || StoreError::NoEventGame { path: self.path.clone(), id: number };
        let id = self.id_of(number)?.ok_or_else(no_game)?;
        let sql = format!(
            "SELECT games.id, batch, {GAME}, {EVENT_GAME_DETAILS}, evidence, games.run FROM {GAME_TABLES} {JOIN}
             WHERE games.id = ?1"
        );
        let read = |row: &Row<'_>| Ok((RunId(row.get("run")?), event_game_of(row)?));
        let found = self.connection.query_row(&sql, [id], read).optional().at(&self.path)?;
        found.ok_or_else(no_game)
    }
}

pub(crate) fn since_sql() -> String {
    format!(
        "SELECT games.id, batch, {GAME}, {EVENT_GAME_DETAILS}, NULL AS evidence FROM {GAME_TABLES} {JOIN}
         WHERE games.run = ?1 AND games.id > ?2 ORDER BY games.id LIMIT ?3"
    )
}

pub(crate) fn by_ids_sql() -> String {
    format!(
        "SELECT games.id, batch, {GAME}, {EVENT_GAME_DETAILS}, NULL AS evidence FROM {GAME_TABLES} {JOIN}
         WHERE games.id IN (SELECT value FROM json_each(?1)) ORDER BY games.id DESC"
    )
}

/// The condition that a column is between the first game of run ?1 and its last game below ?2.
fn range(column: &str) -> String {
    format!(
        "{column} >= (SELECT min(id) FROM games WHERE run = ?1)
         AND {column} <= min(?2 - 1, (SELECT max(id) FROM games WHERE run = ?1))"
    )
}

/// Query: the games of run ?1 below ?2, at most ?3, of the player ?6 on one side with the name ?4, against ?5.
pub(crate) fn player_sql(side: Side) -> String {
    let (own, other) = match side {
        Side::First => ("first", "second"),
        Side::Second => ("second", "first"),
    };
    let range = range("side.id");
    // The two indices tell whether the two players met, so rows of other games are not read.
    format!(
        "SELECT side.id FROM games AS side INDEXED BY games_by_{own}
         CROSS JOIN games ON games.id = side.id {JOIN}
         WHERE side.{own} = ?6 AND {range} AND (?5 IS NULL OR EXISTS (
           SELECT 1 FROM event_players CROSS JOIN games AS other INDEXED BY games_by_{other}
           ON other.{other} = player AND other.id = side.id WHERE event_players.run = ?1 AND name = ?5))
         AND games.run = ?1 AND event_games.{own} = ?4 AND (?5 IS NULL OR event_games.{other} = ?5)
         ORDER BY side.id DESC LIMIT ?3"
    )
}

/// Query: the games of run ?1 below ?2, at most ?3, with the players ?4 and ?5, in round ?6.
///
/// The table `event_games` has no run, so games of other runs in the same range are skipped.
pub(crate) fn filter_sql(filter: &EventFilter<'_>) -> String {
    let (index, failed) = match filter.failed {
        true => ("INDEXED BY event_games_failed", "fault IS NOT NULL"),
        false => ("", "TRUE"),
    };
    let round = if filter.round.is_some() { "round = ?6" } else { "?6 IS NULL" };
    let range = range("game");
    format!(
        "SELECT game FROM event_games {index} WHERE {range} AND {failed} AND {round}
         AND (?4 IS NULL OR first = ?4 OR second = ?4) AND (?5 IS NULL OR first = ?5 OR second = ?5)
         AND (SELECT run FROM games WHERE id = event_games.game) = ?1 ORDER BY game DESC LIMIT ?3"
    )
}

fn event_game_of(row: &Row<'_>) -> rusqlite::Result<EventGame> {
    let mut game = rows::game_of(row)?;
    game.record = event_record_of(game.record, row)?;
    let key = row.get::<_, ContentKey>("batch")?;
    Ok(EventGame { id: row.get("id")?, key, game, place: event_place_of(row)? })
}

/// Reads the place of a game in its event.
pub(crate) fn event_place_of(row: &Row<'_>) -> rusqlite::Result<EventPlace> {
    Ok(EventPlace {
        round: row.get("round")?,
        first: row.get("first_name")?,
        second: row.get("second_name")?,
    })
}

/// Adds to a record what is stored for games of events only. Evidence that this version cannot read is treated as
/// missing.
pub(crate) fn event_record_of(record: GameRecord, row: &Row<'_>) -> rusqlite::Result<GameRecord> {
    let (fault, detail) = (row.get::<_, Option<String>>("fault")?, row.get::<_, Option<String>>("detail")?);
    let forfeit = rows::side_of(row, "forfeit")?.map(|culprit| Forfeit {
        culprit,
        kind: fault.unwrap_or_else(|| record.reason.clone()),
        detail: detail.unwrap_or_default(),
    });
    let evidence: Option<String> = row.get("evidence")?;
    let late: Option<String> = row.get("late")?;
    Ok(GameRecord {
        margin_points: row.get("points")?,
        milliseconds: [rows::count_of(row, "first_ms")?, rows::count_of(row, "second_ms")?],
        late: late.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
        forfeit,
        evidence: evidence.and_then(|text| serde_json::from_str(&text).ok()),
        ..record
    })
}

/// Inserts a game of an event; false if it is stored already.
pub(crate) fn insert_event_game(
    connection: &Connection,
    run: RunId,
    game: &EventGame,
) -> rusqlite::Result<bool> {
    let Some(id) = insert_game(connection, Some(run), Some((&game.key, 0)), &game.game)? else {
        return Ok(false);
    };
    let sql = "INSERT INTO event_games (game, round, first, second, points, first_ms, second_ms, forfeit, fault, detail,
                                        evidence, checksum)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    let record = &game.game.record;
    let forfeit = record.forfeit.as_ref();
    // Numbers and texts can always be written.
    let evidence = record.evidence.as_ref().and_then(|evidence| serde_json::to_string(evidence).ok());
    let values = params![
        id,
        game.place.round,
        game.place.first,
        game.place.second,
        record.margin_points,
        rows::whole(record.milliseconds[0]),
        rows::whole(record.milliseconds[1]),
        forfeit.map(|forfeit| forfeit.culprit.to_string()),
        forfeit.map(|forfeit| &forfeit.kind),
        forfeit.map(|forfeit| &forfeit.detail),
        evidence,
    ];
    execute_sealed(&mut *connection.prepare_cached(sql)?, values)?;
    Ok(true)
}

/// Inserts the names under which players played.
pub(crate) fn insert_event_players(
    connection: &Connection,
    run: RunId,
    games: &[EventGame],
) -> rusqlite::Result<()> {
    let mut insert =
        connection.prepare_cached("INSERT INTO event_players VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?;
    let seats = games.iter().flat_map(|game| {
        let StoredGame { family, first, second, .. } = &game.game;
        [(&game.place.first, family, first), (&game.place.second, family, second)]
    });
    for (name, family, player) in seats.collect::<BTreeSet<_>>() {
        insert.execute(params![run.0, name, player_id(connection, family, player)?])?;
    }
    Ok(())
}
