//! Results of runs: generations, candidates, halls of fame, games and champions.

use crate::checksum::{execute_sealed, is_intact};
use crate::error::{Result, StoreError, WithPath};
use crate::records::{
    Candidate, Champion, ContentKey, Run, RunId, StoredGame, StoredGeneration, StoredHallEntry,
};
use crate::rows::{self, GAME, GAME_TABLES, GENERATION};
use crate::store::{Store, check_name};
use crate::thinning::generation_step;
use palestra_core::nearest_name;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The condition that a generation is one of every ?2, or the last of ?3.
const SAMPLED: &str = "(number % ?2 = 0 OR number = ?3 - 1)";

fn step_of(n: u64) -> u32 {
    generation_step(u32::try_from(n).unwrap_or(u32::MAX))
}

impl Store {
    /// The generations of a run, in order.
    pub fn generations(&self, run: RunId) -> Result<Vec<StoredGeneration>> {
        let sql = format!("SELECT {GENERATION} FROM generations WHERE run = ?1 ORDER BY number");
        self.list(&sql, [run.0], rows::generation_of)
    }

    /// The generations that a long run keeps: at most about 2,000, also of a run that has more of them in the store.
    pub fn sampled_generations(&self, run: RunId) -> Result<Vec<StoredGeneration>> {
        let n = self.n_generations(run)?;
        let sql =
            format!("SELECT {GENERATION} FROM generations WHERE run = ?1 AND {SAMPLED} ORDER BY number");
        self.list(&sql, params![run.0, step_of(n), rows::whole(n)], rows::generation_of)
    }

    /// The best candidates of the [sampled generations](Self::sampled_generations), with their numbers, in order.
    pub fn sampled_best_candidates(&self, run: RunId) -> Result<Vec<(u32, Candidate)>> {
        let n = self.n_generations(run)?;
        let sql = format!(
            "SELECT generations.number AS number, weights, fitness FROM generations JOIN candidates
             ON candidates.run = generations.run AND candidates.generation = generations.number
             AND candidates.number = best_number
             WHERE generations.run = ?1 AND {} ORDER BY generations.number",
            SAMPLED.replace("number", "generations.number")
        );
        self.list(&sql, params![run.0, step_of(n), rows::whole(n)], |row| {
            Ok((row.get("number")?, candidate_of(row)?))
        })
    }

    /// The candidates of one generation, in order.
    pub fn candidates(&self, run: RunId, generation: u32) -> Result<Vec<Candidate>> {
        let sql =
            "SELECT weights, fitness FROM candidates WHERE run = ?1 AND generation = ?2 ORDER BY number";
        self.list(sql, params![run.0, generation], candidate_of)
    }

    /// The result of a finished batch of a run, by its content key; `None` if it is damaged.
    pub fn finished_batch(&self, run: RunId, key: &ContentKey) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT run, key, result, n_games, checksum FROM batches WHERE run = ?1 AND key = ?2";
        let find = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![run.0, key])?;
            match rows.next()? {
                Some(row) if is_intact(row, 4)? => row.get("result").map(Some),
                _ => Ok(None),
            }
        };
        find().at(&self.path)
    }

    /// The reply to the optimizer in a generation, as [`RunLedger::keep_reply`](crate::RunLedger::keep_reply) kept it;
    /// `None` if it was not kept or is damaged.
    pub fn reply(&self, run: RunId, generation: u32) -> Result<Option<Vec<u8>>> {
        read_reply(&self.connection, run, generation).at(&self.path)
    }

    /// Whether the replies of a run were kept, from which its training is repeated without games.
    pub fn has_replies(&self, run: RunId) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM replies WHERE run = ?1)";
        self.connection.query_row(sql, [run.0], |row| row.get(0)).at(&self.path)
    }

    /// The hall of fame of a run, in order.
    pub fn hall_of_fame(&self, run: RunId) -> Result<Vec<StoredHallEntry>> {
        self.list("SELECT * FROM hall WHERE run = ?1 ORDER BY number", [run.0], rows::hall_entry_of)
    }

    /// The stored games of a run, in an order that does not depend on when they ended.
    pub fn games(&self, run: RunId) -> Result<Vec<StoredGame>> {
        let sql = format!("SELECT {GAME} FROM {GAME_TABLES} WHERE run = ?1 ORDER BY batch, number");
        self.list(&sql, [run.0], rows::game_of)
    }

    /// Games that belong to no run, in the order in which they were kept.
    pub fn loose_games(&self) -> Result<Vec<StoredGame>> {
        let sql = format!("SELECT {GAME} FROM {GAME_TABLES} WHERE run IS NULL ORDER BY games.id");
        self.list(&sql, [], rows::game_of)
    }

    /// Keeps a game that belongs to no run and returns its number.
    pub fn keep_loose_game(&mut self, game: &StoredGame) -> Result<i64> {
        let transaction = self.connection.transaction().at(&self.path)?;
        let id = insert_game(&transaction, None, None, game).at(&self.path)?;
        transaction.commit().at(&self.path)?;
        Ok(id.expect("a game without a batch never conflicts with a stored one"))
    }

    /// The champion with a name (without `@`).
    pub fn champion(&self, name: &str) -> Result<Champion> {
        let sql = "SELECT * FROM champions WHERE name = ?1";
        let champion = self.connection.query_row(sql, [name], rows::champion_of).optional().at(&self.path)?;
        champion.map_or_else(|| Err(self.no_champion(name)), Ok)
    }

    /// All champions, by name.
    pub fn champions(&self) -> Result<Vec<Champion>> {
        self.list("SELECT * FROM champions ORDER BY name", [], rows::champion_of)
    }

    /// Fails if a champion of a run cannot be saved under a name: it is not a name, or it stands for the champion of
    /// another run. `is_own` recognizes the run.
    pub fn check_champion_name(&self, name: &str, is_own: impl Fn(&Run) -> bool) -> Result<()> {
        check_name(name, &self.path)?;
        let known = match self.champion(name) {
            Ok(champion) => champion.run,
            Err(StoreError::NoChampion { .. }) => None,
            Err(error) => return Err(error),
        };
        match known.map(|run| self.run(&run.0.to_string())).transpose()? {
            Some(run) if !is_own(&run) => {
                let (path, name) = (self.path.clone(), name.to_owned());
                Err(StoreError::NameTaken { path, what: "champion", name })
            }
            _ => Ok(()),
        }
    }

    /// Saves a champion. Fails if the name stands for another player; for the same player the verdict is replaced.
    pub fn save_champion(&mut self, champion: &Champion) -> Result<()> {
        self.put_champion(champion, false)
    }

    /// Saves a champion and replaces another player of the same name.
    pub fn replace_champion(&mut self, champion: &Champion) -> Result<()> {
        self.put_champion(champion, true)
    }

    /// Deletes a champion.
    pub fn delete_champion(&mut self, name: &str) -> Result<()> {
        match self.connection.execute("DELETE FROM champions WHERE name = ?1", [name]).at(&self.path)? {
            0 => Err(self.no_champion(name)),
            _ => Ok(()),
        }
    }

    fn put_champion(&mut self, champion: &Champion, may_replace: bool) -> Result<()> {
        check_name(&champion.name, &self.path)?;
        let sql = "INSERT INTO champions (name, game, player, run, verdict, created)
                   VALUES (?1, ?2, ?3, ?4, ?5, strftime('%FT%TZ'))
                   ON CONFLICT DO UPDATE SET game = ?2, player = ?3, run = ?4, verdict = ?5, created = excluded.created
                   WHERE ?6 OR (game, player) = (?2, ?3)";
        let Champion { name, game, player, run, verdict, .. } = champion;
        let values = params![name, game, player, run.map(|run| run.0), verdict, may_replace];
        match self.connection.execute(sql, values).at(&self.path)? {
            0 => {
                let (path, name) = (self.path.clone(), name.clone());
                Err(StoreError::NameTaken { path, what: "champion", name })
            }
            _ => Ok(()),
        }
    }

    fn no_champion(&self, name: &str) -> StoreError {
        let names: Vec<String> =
            self.list("SELECT name FROM champions", [], |row| row.get(0)).unwrap_or_default();
        let nearest = nearest_name(name, names.iter().map(String::as_str)).map(str::to_owned);
        StoreError::NoChampion { path: self.path.clone(), name: name.to_owned(), nearest }
    }
}

/// Reads the reply of a generation, if it is intact.
pub(crate) fn read_reply(
    connection: &Connection,
    run: RunId,
    generation: u32,
) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql =
        "SELECT run, generation, reply, n_games, checksum FROM replies WHERE run = ?1 AND generation = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![run.0, generation])?;
    match rows.next()? {
        Some(row) if is_intact(row, 4)? => row.get("reply").map(Some),
        _ => Ok(None),
    }
}

/// Reads a candidate.
pub(crate) fn candidate_of(row: &Row<'_>) -> rusqlite::Result<Candidate> {
    Ok(Candidate { weights: rows::weights_of(row)?, fitness: rows::real_of(row, "fitness")? })
}

/// Inserts a game and its players and returns its number. One with the same run, batch and number that is stored
/// already stays as it is, and `None` is returned.
pub(crate) fn insert_game(
    connection: &Connection,
    run: Option<RunId>,
    batch_and_number: Option<(&[u8], u64)>,
    game: &StoredGame,
) -> rusqlite::Result<Option<i64>> {
    let first = player_id(connection, &game.family, &game.first)?;
    let second = player_id(connection, &game.family, &game.second)?;
    let sql = "INSERT INTO games (run, batch, number, first, second, game, setup, opening, moves, winner, margin,
                                  reason, plies, seed, microseconds, checksum)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) ON CONFLICT DO NOTHING";
    let record = &game.record;
    let values = params![
        run.map(|run| run.0),
        batch_and_number.map(|(batch, _)| batch),
        batch_and_number.map(|(_, number)| rows::whole(number)),
        first,
        second,
        game.game,
        game.setup,
        record.opening,
        record.moves,
        record.winner.map(|side| side.to_string()),
        record.margin,
        record.reason,
        record.plies,
        game.seed.to_string(),
        record.microseconds.map(rows::whole),
    ];
    let n_rows = execute_sealed(&mut *connection.prepare_cached(sql)?, values)?;
    Ok((n_rows > 0).then(|| connection.last_insert_rowid()))
}

/// The number of a player in the store; a new player is inserted.
pub(crate) fn player_id(connection: &Connection, family: &str, player: &str) -> rusqlite::Result<i64> {
    let hash = crate::player_hash(family, player);
    let find = || {
        let mut known = connection.prepare_cached("SELECT id FROM players WHERE hash = ?1")?;
        known.query_row([&hash], |row| row.get(0)).optional()
    };
    if let Some(id) = find()? {
        return Ok(id);
    }
    let sql = "INSERT INTO players (hash, game, player) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![hash, family, player])?;
    Ok(connection.last_insert_rowid())
}
