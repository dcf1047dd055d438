//! Events: a run whose players may be handed in again, and its games, each found again by what it depends on.

use crate::claim::Claim;
use crate::clock;
use crate::error::{Result, StoreError, WithPath};
use crate::pages::below;
use crate::records::{
    ContentKey, EventFilter, EventGame, EventGameDetails, NewRun, Run, RunId, RunState, StoredGame, Winner,
};
use crate::results::{insert_game, player_id};
use crate::rows::{self, GAME, GAME_TABLES};
use crate::store::{Store, check_name, insert_named_run};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeSet;

/// The kind of runs that are events.
pub const EVENT: &str = "tournament";

/// The columns that [`event_part_of`] reads, but for the evidence.
pub(crate) const EVENT_GAME_DETAILS: &str = "round, event_games.first AS first_name, event_games.second AS second_name, points, \
                                     first_ms, second_ms, forfeit, fault, detail";

/// Joined to the tables of a game.
const JOIN: &str = "CROSS JOIN event_games ON event_games.game = games.id";

impl Store {
    /// The event of this name (the stem of `new`), or a new one, and whether it is new.
    ///
    /// An event keeps its name and its games while its plan changes: then it is no longer done, and games whose
    /// players and rules are still the same are found again by their keys. Refused while a process works on it.
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
                if key != new.plan_key() {
                    // Not while somebody plays it: what is played is what the plan says.
                    let _claim = Claim::take(&path, RunId(id), &new.stem)?;
                    let sql = "UPDATE runs SET plan = ?2, plan_key = ?3, seed = ?4, version = ?5, updated = ?6,
                               state = CASE state WHEN 'running' THEN state ELSE 'interrupted' END, outcome = NULL
                               WHERE id = ?1";
                    let seed = new.seed.to_string();
                    let values = params![id, new.plan, new.plan_key(), seed, new.version, clock::now()];
                    transaction.execute(sql, values).at(&path)?;
                }
                (RunId(id), false)
            }
        };
        transaction.commit().at(&path)?;
        Ok((self.run_by_id(id)?, is_new))
    }

    /// Opens an event that was done again, so that its ledger can be.
    pub fn reopen(&mut self, run: RunId) -> Result<()> {
        let sql = "UPDATE runs SET state = ?2 WHERE id = ?1 AND state = ?3";
        let values = params![run.0, RunState::Interrupted.name(), RunState::Done.name()];
        self.connection.execute(sql, values).at(&self.path).map(drop)
    }

    /// The games of an event, in the order in which they were kept, without their evidence.
    pub fn event_games(&self, run: RunId) -> Result<Vec<EventGame>> {
        self.event_games_since(run, i64::MIN, usize::MAX)
    }

    /// So many games of an event at most that were kept after a given one, in the order in which they were kept,
    /// without their evidence.
    pub fn event_games_since(&self, run: RunId, after: i64, most: usize) -> Result<Vec<EventGame>> {
        let values = params![run.0, after, rows::whole(most as u64)];
        self.list(&since_sql(), values, event_game_of)
    }

    /// So many games of an event at most that were kept before a given one: the newest first, without their
    /// evidence.
    pub fn event_games_of(
        &self,
        run: RunId,
        filter: &EventFilter<'_>,
        before: Option<i64>,
        most: usize,
    ) -> Result<Vec<EventGame>> {
        let before = below(before);
        let ids = match (filter.player.or(filter.rival), filter.round, filter.failed) {
            (Some(player), None, false) => {
                self.ids_of_player(run, player, filter.player.and(filter.rival), before, most)?
            }
            _ => self.ids_of(run, filter, before, most)?,
        };
        // A list of numbers is JSON.
        self.list(&by_ids_sql(), [format!("{ids:?}")], event_game_of)
    }

    /// The numbers of the newest games of a player of an event, against a rival where there is one.
    fn ids_of_player(
        &self,
        run: RunId,
        player: &str,
        rival: Option<&str>,
        before: i64,
        most: usize,
    ) -> Result<Vec<i64>> {
        let sql = "SELECT player FROM event_players WHERE run = ?1 AND name = ?2";
        let players: Vec<i64> = self.list(sql, params![run.0, player], |row| row.get(0))?;
        let mut ids = Vec::new();
        // One by one, for only then the newest are found first.
        for id in players {
            for side in [Winner::First, Winner::Second] {
                let values = params![run.0, before, rows::whole(most as u64), player, rival, id];
                ids.extend(self.list(&player_sql(side), values, |row| row.get::<_, i64>(0))?);
            }
        }
        ids.sort_unstable_by(|one, two| two.cmp(one));
        ids.dedup();
        ids.truncate(most);
        Ok(ids)
    }

    /// The numbers of the newest games of an event that pass a filter.
    fn ids_of(&self, run: RunId, filter: &EventFilter<'_>, before: i64, most: usize) -> Result<Vec<i64>> {
        let EventFilter { player, rival, round, .. } = filter;
        let values = params![run.0, before, rows::whole(most as u64), player, rival, round];
        self.list(&filter_sql(filter), values, |row| row.get(0))
    }

    /// One game of any event, by its number in the store, with its evidence.
    pub fn event_game(&self, id: i64) -> Result<(RunId, EventGame)> {
        let sql = format!(
            "SELECT games.id, batch, {GAME}, {EVENT_GAME_DETAILS}, evidence, games.run FROM {GAME_TABLES} {JOIN}
             WHERE games.id = ?1"
        );
        let read = |row: &Row<'_>| Ok((RunId(row.get("run")?), event_game_of(row)?));
        let found = self.connection.query_row(&sql, [id], read).optional().at(&self.path)?;
        found.ok_or_else(|| StoreError::NoEventGame { path: self.path.clone(), id })
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

/// From the first game of run ?1 to its last below ?2, in terms of a column.
fn range(column: &str) -> String {
    format!(
        "{column} >= (SELECT min(id) FROM games WHERE run = ?1)
         AND {column} <= min(?2 - 1, (SELECT max(id) FROM games WHERE run = ?1))"
    )
}

/// The games of run ?1 below ?2, at most ?3, of the player ?6 on one side under the name ?4, against ?5.
pub(crate) fn player_sql(side: Winner) -> String {
    let (ours, theirs) = match side {
        Winner::First => ("first", "second"),
        Winner::Second => ("second", "first"),
    };
    let range = range("side.id");
    // The two indices have all that tells whether they met: the games of others are not even looked at.
    format!(
        "SELECT side.id FROM games AS side INDEXED BY games_by_{ours}
         CROSS JOIN games ON games.id = side.id {JOIN}
         WHERE side.{ours} = ?6 AND {range} AND (?5 IS NULL OR EXISTS (
           SELECT 1 FROM event_players CROSS JOIN games AS other INDEXED BY games_by_{theirs}
           ON other.{theirs} = player AND other.id = side.id WHERE event_players.run = ?1 AND name = ?5))
         AND games.run = ?1 AND event_games.{ours} = ?4 AND (?5 IS NULL OR event_games.{theirs} = ?5)
         ORDER BY side.id DESC LIMIT ?3"
    )
}

/// The games of run ?1 below ?2, at most ?3: with the players ?4 and ?5, in round ?6.
///
/// The table of event games does not know their runs: games of others in the range of this one are passed over.
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
    let EventGameDetails { round, first, second, points, milliseconds, forfeit, fault, detail, evidence } =
        event_game_details_of(row)?;
    Ok(EventGame {
        id: row.get("id")?,
        key: row.get::<_, ContentKey>("batch")?,
        game: rows::game_of(row)?,
        round,
        first,
        second,
        points,
        milliseconds,
        forfeit,
        fault,
        detail,
        evidence,
    })
}

/// What an event adds to a game, as it is written down.
pub(crate) fn event_game_details_of(row: &Row<'_>) -> rusqlite::Result<EventGameDetails> {
    let forfeit: Option<String> = row.get("forfeit")?;
    Ok(EventGameDetails {
        round: row.get("round")?,
        first: row.get("first_name")?,
        second: row.get("second_name")?,
        points: row.get("points")?,
        milliseconds: [rows::count_of(row, "first_ms")?, rows::count_of(row, "second_ms")?],
        forfeit: forfeit.map(|side| if side == "first" { Winner::First } else { Winner::Second }),
        fault: row.get("fault")?,
        detail: row.get("detail")?,
        evidence: row.get("evidence")?,
    })
}

/// Writes a game of an event down; says whether it was not there before.
pub(crate) fn insert_event_game(
    connection: &Connection,
    run: RunId,
    kept: &EventGame,
) -> rusqlite::Result<bool> {
    let Some(id) = insert_game(connection, Some(run), Some((&kept.key, 0)), &kept.game)? else {
        return Ok(false);
    };
    let sql = "INSERT INTO event_games (game, round, first, second, points, first_ms, second_ms, forfeit, fault, detail,
                                        evidence)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    connection.prepare_cached(sql)?.execute(params![
        id,
        kept.round,
        kept.first,
        kept.second,
        kept.points,
        rows::whole(kept.milliseconds[0]),
        rows::whole(kept.milliseconds[1]),
        kept.forfeit.map(Winner::name),
        kept.fault,
        kept.detail,
        kept.evidence,
    ])?;
    Ok(true)
}

/// Writes down who played under which names.
pub(crate) fn insert_event_players(
    connection: &Connection,
    run: RunId,
    games: &[EventGame],
) -> rusqlite::Result<()> {
    let mut insert =
        connection.prepare_cached("INSERT INTO event_players VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?;
    let seats = games.iter().flat_map(|kept| {
        let StoredGame { family, first, second, .. } = &kept.game;
        [(&kept.first, family, first), (&kept.second, family, second)]
    });
    for (name, family, player) in seats.collect::<BTreeSet<_>>() {
        insert.execute(params![run.0, name, player_id(connection, family, player)?])?;
    }
    Ok(())
}
