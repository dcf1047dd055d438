//! Events: a run whose players may be handed in again, and its games, each found again by what it depends on.

use crate::claim::Claim;
use crate::clock;
use crate::error::{At, Result, StoreError};
use crate::found::insert_game;
use crate::records::{EventGame, Key, NewRun, Run, RunId, State, Winner};
use crate::rows::{self, GAME};
use crate::store::{Store, check_name, insert_named_run};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The kind of runs that are events.
pub const EVENT: &str = "tournament";

/// The columns that [`event_game_of`] reads, in front of those of the game.
const EVENT_GAME: &str = "games.id, batch, round, event_games.first AS first_name, event_games.second AS second_name, \
                          points, first_ms, second_ms, forfeit, fault, detail";

/// Joined to the tables of a game.
const JOIN: &str = "JOIN event_games ON event_games.game = games.id";

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
        Ok((self.run_of(id)?, is_new))
    }

    /// Opens an event that was done again, so that its ledger can be.
    pub fn reopen(&mut self, run: RunId) -> Result<()> {
        let sql = "UPDATE runs SET state = ?2 WHERE id = ?1 AND state = ?3";
        let values = params![run.0, State::Interrupted.name(), State::Done.name()];
        self.connection.execute(sql, values).at(&self.path).map(drop)
    }

    /// The games of an event, in the order in which they were kept, without their evidence.
    pub fn event_games(&self, run: RunId) -> Result<Vec<EventGame>> {
        let (fields, tables) = GAME.split_once("FROM").unwrap_or((GAME, ""));
        let sql = format!(
            "SELECT {EVENT_GAME}, {fields}, NULL AS evidence FROM {tables} {JOIN} WHERE run = ?1 ORDER BY games.id"
        );
        self.list(&sql, [run.0], event_game_of)
    }

    /// One game of any event, by its number in the store, with its evidence.
    pub fn event_game(&self, id: i64) -> Result<(RunId, EventGame)> {
        let (fields, tables) = GAME.split_once("FROM").unwrap_or((GAME, ""));
        let sql = format!(
            "SELECT {EVENT_GAME}, {fields}, evidence, games.run FROM {tables} {JOIN} WHERE games.id = ?1"
        );
        let read = |row: &Row<'_>| Ok((RunId(row.get("run")?), event_game_of(row)?));
        let found = self.connection.query_row(&sql, [id], read).optional().at(&self.path)?;
        found.ok_or_else(|| StoreError::NoGame { path: self.path.clone(), id })
    }
}

fn event_game_of(row: &Row<'_>) -> rusqlite::Result<EventGame> {
    let forfeit: Option<String> = row.get("forfeit")?;
    Ok(EventGame {
        id: row.get("id")?,
        key: row.get::<_, Key>("batch")?,
        game: rows::game_of(row)?,
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
