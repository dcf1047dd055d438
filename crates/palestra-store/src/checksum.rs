//! Checksums of rows, so that a damaged row is found instead of believed.
//!
//! SQLite notices damage to its own structure, but not a flipped bit in a value.

use crate::records::RunId;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, Statement, ToSql, params, params_from_iter};

/// A table whose rows have checksums.
pub(crate) struct CheckedTable {
    pub(crate) name: &'static str,
    /// The columns of the checksum, in its order.
    columns: &'static str,
    /// The columns that identify a row; they are the first columns of the table.
    key: &'static str,
    /// The condition that a row belongs to run ?1.
    of_run: &'static str,
    /// What the row is, for messages.
    pub(crate) what: &'static str,
    /// Deletes a row by its key (?1, ?2 and so on), with what is useless without it.
    delete: &'static str,
    /// The number of finished games of the row.
    n_games: &'static str,
}

/// Results that are found by their keys.
pub(crate) const BATCHES: CheckedTable = CheckedTable {
    name: "batches",
    columns: "run, key, result, n_games",
    key: "run, key",
    of_run: "run = ?1",
    what: "the result of a batch",
    delete: "DELETE FROM batches WHERE run = ?1 AND key = ?2",
    n_games: "n_games",
};

/// Results of parts of batches.
pub(crate) const UNITS: CheckedTable = CheckedTable {
    name: "units",
    columns: "run, key, unit, result, n_games",
    key: "run, key, unit",
    of_run: "run = ?1",
    what: "the result of a part of a batch",
    delete: "DELETE FROM units WHERE run = ?1 AND key = ?2 AND unit = ?3",
    n_games: "n_games",
};

/// What optimizers were told.
pub(crate) const REPLIES: CheckedTable = CheckedTable {
    name: "replies",
    columns: "run, generation, reply, n_games",
    key: "run, generation",
    of_run: "run = ?1",
    what: "the fitness of a generation",
    delete: "DELETE FROM replies WHERE run = ?1 AND generation = ?2",
    n_games: "n_games",
};

/// Generations without their candidates.
pub(crate) const GENERATIONS: CheckedTable = CheckedTable {
    name: "generations",
    columns: "run, number, n_games, best, mean, worst, best_number, spread, angle, vitals",
    key: "run, number",
    of_run: "run = ?1",
    what: "a generation",
    delete: "DELETE FROM generations WHERE run = ?1 AND number = ?2",
    n_games: "0",
};

/// Candidates.
pub(crate) const CANDIDATES: CheckedTable = CheckedTable {
    name: "candidates",
    columns: "run, generation, number, weights, fitness",
    key: "run, generation",
    of_run: "run = ?1",
    what: "a candidate",
    // A generation is kept with all its candidates or not at all.
    delete: "DELETE FROM generations WHERE run = ?1 AND number = ?2",
    n_games: "0",
};

/// Halls of fame.
pub(crate) const HALL: CheckedTable = CheckedTable {
    name: "hall",
    columns: "run, number, generation, label, weights, fitness",
    key: "run, number",
    of_run: "run = ?1",
    what: "an entry of the hall of fame",
    delete: "DELETE FROM hall WHERE run = ?1 AND number = ?2",
    n_games: "0",
};

/// Games.
pub(crate) const GAMES: CheckedTable = CheckedTable {
    name: "games",
    columns: "run, batch, number, first, second, game, setup, opening, moves, winner, margin, reason, plies, seed, \
              microseconds",
    key: "id",
    of_run: "run = ?1",
    what: "a game",
    delete: "DELETE FROM games WHERE id = ?1",
    // Games of batches are counted with their batch.
    n_games: "EXISTS (SELECT 1 FROM event_games WHERE event_games.game = games.id)",
};

/// What games of events have in addition.
pub(crate) const EVENT_GAMES: CheckedTable = CheckedTable {
    name: "event_games",
    columns: "game, round, first, second, points, first_ms, second_ms, forfeit, fault, detail, evidence",
    key: "game",
    of_run: "game IN (SELECT id FROM games WHERE run = ?1)",
    what: "a game of an event",
    delete: "DELETE FROM games WHERE id = ?1",
    n_games: "1",
};

/// All tables with checksums.
pub(crate) const CHECKED_TABLES: [&CheckedTable; 8] =
    [&BATCHES, &UNITS, &REPLIES, &GENERATIONS, &CANDIDATES, &HALL, &GAMES, &EVENT_GAMES];

/// A row whose checksum does not fit.
pub(crate) struct DamagedRow {
    key: Vec<rusqlite::types::Value>,
    pub(crate) n_games: u64,
}

/// The checksum of values in their order: 8 bytes of their BLAKE3 hash.
pub(crate) fn checksum_of(values: &[&dyn ToSql]) -> rusqlite::Result<i64> {
    let mut hasher = blake3::Hasher::new();
    for value in values {
        match value.to_sql()? {
            ToSqlOutput::Borrowed(value) => hash(&mut hasher, value),
            ToSqlOutput::Owned(value) => hash(&mut hasher, ValueRef::from(&value)),
            _ => unreachable!("values of the store are plain"),
        }
    }
    Ok(finished(&hasher))
}

/// Executes a statement with the values of a checked table and, last, their checksum.
pub(crate) fn execute_sealed(
    statement: &mut Statement<'_>,
    values: &[&dyn ToSql],
) -> rusqlite::Result<usize> {
    let checksum = checksum_of(values)?;
    statement.execute(params_from_iter(values.iter().copied().chain([&checksum as &dyn ToSql])))
}

/// Whether the checksum of a row fits: its first `n` columns are those of the checksum, which follows them.
pub(crate) fn is_intact(row: &Row<'_>, n: usize) -> rusqlite::Result<bool> {
    Ok(row.get_ref(n)? == ValueRef::Integer(checksum_of_row(row, 0..n)?))
}

fn hash(hasher: &mut blake3::Hasher, value: ValueRef<'_>) {
    match value {
        // SQLite stores NaN as NULL.
        ValueRef::Null => hasher.update(&[0]),
        ValueRef::Real(real) if real.is_nan() => hasher.update(&[0]),
        ValueRef::Integer(number) => hasher.update(&[1]).update(&number.to_le_bytes()),
        // SQLite stores -0.0 as 0.0, which the addition makes of it.
        ValueRef::Real(real) => hasher.update(&[2]).update(&(real + 0.0).to_bits().to_le_bytes()),
        ValueRef::Text(bytes) => {
            hasher.update(&[3]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes)
        }
        ValueRef::Blob(bytes) => {
            hasher.update(&[4]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes)
        }
    };
}

fn finished(hasher: &blake3::Hasher) -> i64 {
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    i64::from_le_bytes(bytes)
}

/// The checksum of the columns `from..to` of a row.
fn checksum_of_row(row: &Row<'_>, columns: std::ops::Range<usize>) -> rusqlite::Result<i64> {
    let mut hasher = blake3::Hasher::new();
    for column in columns {
        hash(&mut hasher, row.get_ref(column)?);
    }
    Ok(finished(&hasher))
}

impl CheckedTable {
    fn n_columns(&self) -> usize {
        self.columns.split(',').count()
    }

    fn n_key(&self) -> usize {
        self.key.split(',').count()
    }

    /// The damaged rows of a run, or of the whole table.
    pub(crate) fn damaged(
        &self,
        connection: &Connection,
        run: Option<RunId>,
    ) -> rusqlite::Result<Vec<DamagedRow>> {
        let CheckedTable { name, columns, key, of_run, n_games, .. } = self;
        let of_run = if run.is_some() { of_run } else { "?1 IS NULL" };
        let sql = format!("SELECT {columns}, checksum, {n_games} AS games, {key} FROM {name} WHERE {of_run}");
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([run.map(|run| run.0)])?;
        let n = self.n_columns();
        let mut damaged = Vec::new();
        while let Some(row) = rows.next()? {
            if is_intact(row, n)? {
                continue;
            }
            let n_games = row.get::<_, i64>(n + 1)?.max(0) as u64;
            let key = (0..self.n_key()).map(|i| row.get(n + 2 + i)).collect::<Result<_, _>>()?;
            damaged.push(DamagedRow { key, n_games });
        }
        Ok(damaged)
    }

    /// Deletes a damaged row.
    pub(crate) fn delete(&self, connection: &Connection, row: &DamagedRow) -> rusqlite::Result<()> {
        connection.prepare_cached(self.delete)?.execute(params_from_iter(&row.key)).map(drop)
    }

    /// Gives every row its checksum.
    fn seal(&self, connection: &Connection) -> rusqlite::Result<()> {
        // The key of a candidate is that of its generation, so the columns identify the row here.
        let CheckedTable { name, columns, .. } = self;
        let identity = match *name {
            "candidates" => "run, generation, number",
            _ => self.key,
        };
        let condition: Vec<String> =
            identity.split(", ").enumerate().map(|(i, column)| format!("{column} = ?{}", i + 2)).collect();
        let update = format!("UPDATE {name} SET checksum = ?1 WHERE {}", condition.join(" AND "));
        let mut update = connection.prepare(&update)?;
        let mut statement = connection.prepare(&format!("SELECT {columns}, {identity} FROM {name}"))?;
        let mut rows = statement.query([])?;
        let n = self.n_columns();
        while let Some(row) = rows.next()? {
            let mut values = vec![rusqlite::types::Value::Integer(checksum_of_row(row, 0..n)?)];
            for i in 0..condition.len() {
                values.push(row.get(n + i)?);
            }
            update.execute(params_from_iter(values))?;
        }
        Ok(())
    }
}

/// Gives all rows of an older store their checksums.
pub(crate) fn seal_all(connection: &Connection) -> rusqlite::Result<()> {
    CHECKED_TABLES.iter().try_for_each(|table| table.seal(connection))
}

/// Deletes the damaged rows of a run, so that they are played again; returns their number.
pub(crate) fn delete_damaged(connection: &mut Connection, run: RunId) -> rusqlite::Result<u64> {
    let mut n_rows = 0;
    for table in CHECKED_TABLES {
        let damaged = table.damaged(connection, Some(run))?;
        if damaged.is_empty() {
            continue;
        }
        let transaction = connection.transaction()?;
        for row in &damaged {
            table.delete(&transaction, row)?;
        }
        let n_games: u64 = damaged.iter().map(|row| row.n_games).sum();
        let sql = "UPDATE runs SET n_games = max(0, n_games - ?2) WHERE id = ?1";
        transaction.execute(sql, params![run.0, crate::rows::whole(n_games)])?;
        transaction.commit()?;
        n_rows += damaged.len() as u64;
    }
    Ok(n_rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_tell_values_and_their_types_apart() {
        let of = |values: &[&dyn ToSql]| checksum_of(values).unwrap();
        assert_eq!(of(params![1, "a", 0.5]), of(params![1, "a", 0.5]));
        assert_eq!(of(params![f64::NAN]), of(params![None::<i64>]));
        assert_eq!(of(params![-0.0]), of(params![0.0]));
        for other in [
            params![1, "a"],
            params!["1", "a", 0.5],
            params![1, b"a".as_slice(), 0.5],
            params![1, "a", 0.5, 0],
        ] {
            assert_ne!(of(params![1, "a", 0.5]), of(other));
        }
        assert_ne!(of(params!["ab", "c"]), of(params!["a", "bc"]));
    }
}
