//! Conversion between records and table rows.

use crate::records::{
    Champion, Run, RunId, RunState, RunSummary, StoredGame, StoredGeneration, StoredHallEntry,
};
use palestra_arena::GameRecord;
use palestra_core::Side;
use rusqlite::types::Type;
use rusqlite::{Error, Row};

/// The columns that [`run_of`] reads.
pub(crate) const RUN: &str = "id, name, kind, plan, plan_key, seed, version, weights, state, created, updated, \
                              seconds, n_games, outcome";

/// Reads a run.
pub(crate) fn run_of(row: &Row<'_>) -> rusqlite::Result<Run> {
    let weights: String = row.get("weights")?;
    Ok(Run {
        id: RunId(row.get("id")?),
        name: row.get("name")?,
        kind: row.get("kind")?,
        plan: row.get("plan")?,
        plan_key: row.get("plan_key")?,
        seed: seed_of(row)?,
        version: row.get("version")?,
        weights: serde_json::from_str(&weights).map_err(|error| unreadable("weights", error))?,
        state: state_of(row)?,
        created: row.get("created")?,
        updated: row.get("updated")?,
        seconds: row.get("seconds")?,
        n_games: count_of(row, "n_games")?,
        outcome: row.get("outcome")?,
    })
}

/// The columns that [`run_summary_of`] reads.
pub(crate) const RUN_SUMMARY: &str = "id, name, kind, seed, state, created, updated, seconds, n_games";

/// Reads the summary of a run.
pub(crate) fn run_summary_of(row: &Row<'_>) -> rusqlite::Result<RunSummary> {
    Ok(RunSummary {
        id: RunId(row.get("id")?),
        name: row.get("name")?,
        kind: row.get("kind")?,
        seed: seed_of(row)?,
        state: state_of(row)?,
        created: row.get("created")?,
        updated: row.get("updated")?,
        seconds: row.get("seconds")?,
        n_games: count_of(row, "n_games")?,
    })
}

fn state_of(row: &Row<'_>) -> rusqlite::Result<RunState> {
    let state: String = row.get("state")?;
    Ok(RunState::ALL.into_iter().find(|known| known.name() == state).unwrap_or(RunState::Failed))
}

/// The columns that [`generation_of`] reads.
pub(crate) const GENERATION: &str = "number, n_games, best, mean, worst, best_number, spread, angle, vitals";

/// Reads a generation.
pub(crate) fn generation_of(row: &Row<'_>) -> rusqlite::Result<StoredGeneration> {
    Ok(StoredGeneration {
        number: row.get("number")?,
        n_games: count_of(row, "n_games")?,
        best: real_of(row, "best")?,
        mean: real_of(row, "mean")?,
        worst: real_of(row, "worst")?,
        best_number: row.get("best_number")?,
        spread: real_of(row, "spread")?,
        angle: real_of(row, "angle")?,
        metrics: row.get("vitals")?,
    })
}

/// Reads an entry of the hall of fame.
pub(crate) fn hall_entry_of(row: &Row<'_>) -> rusqlite::Result<StoredHallEntry> {
    Ok(StoredHallEntry {
        number: row.get("number")?,
        generation: row.get("generation")?,
        label: row.get("label")?,
        weights: weights_of(row)?,
        fitness: real_of(row, "fitness")?,
    })
}

/// The columns that [`game_of`] reads, of [`GAME_TABLES`].
pub(crate) const GAME: &str = "one.game AS family, games.game, one.player AS first_player, two.player AS second_player, setup, opening, \
                               moves, winner, margin, reason, plies, seed, microseconds";

/// Games with their players. CROSS JOIN fixes the order: otherwise SQLite may scan the players first.
pub(crate) const GAME_TABLES: &str = "games CROSS JOIN players AS one ON one.id = games.first CROSS JOIN players AS two ON two.id = games.second";

/// Reads a game.
pub(crate) fn game_of(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    Ok(StoredGame {
        family: row.get("family")?,
        game: row.get("game")?,
        first: row.get("first_player")?,
        second: row.get("second_player")?,
        setup: row.get("setup")?,
        seed: seed_of(row)?,
        record: GameRecord {
            opening: row.get("opening")?,
            moves: row.get("moves")?,
            winner: side_of(row, "winner")?,
            margin: row.get("margin")?,
            reason: row.get("reason")?,
            plies: row.get("plies")?,
            microseconds: row.get::<_, Option<i64>>("microseconds")?.map(|count| count.max(0) as u64),
            ..GameRecord::default()
        },
    })
}

/// A side, stored by its name.
pub(crate) fn side_of(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Side>> {
    let name: Option<String> = row.get(column)?;
    Ok(name.map(|name| if name == "first" { Side::First } else { Side::Second }))
}

/// Reads a champion.
pub(crate) fn champion_of(row: &Row<'_>) -> rusqlite::Result<Champion> {
    Ok(Champion {
        name: row.get("name")?,
        game: row.get("game")?,
        player: row.get("player")?,
        run: row.get::<_, Option<i64>>("run")?.map(RunId),
        verdict: row.get("verdict")?,
        created: row.get("created")?,
    })
}

/// Weights as bytes, eight for each, little-endian.
pub(crate) fn bytes_of(weights: &[f64]) -> Vec<u8> {
    weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
}

/// The weights of a row, bit for bit as they were kept.
pub(crate) fn weights_of(row: &Row<'_>) -> rusqlite::Result<Vec<f64>> {
    let bytes: Vec<u8> = row.get("weights")?;
    let chunks = bytes.as_chunks::<8>().0;
    Ok(chunks.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect())
}

/// A floating-point number of a row; SQLite stores NaN as NULL.
pub(crate) fn real_of(row: &Row<'_>, column: &str) -> rusqlite::Result<f64> {
    Ok(row.get::<_, Option<f64>>(column)?.unwrap_or(f64::NAN))
}

/// A count as a SQLite integer, which is signed; counts from 2^63 on are stored as the maximum.
pub(crate) fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(crate) fn count_of(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.max(0) as u64)
}

fn seed_of(row: &Row<'_>) -> rusqlite::Result<u64> {
    row.get::<_, String>("seed")?.parse().map_err(|error| unreadable("seed", error))
}

/// The error for a value that this program never writes.
fn unreadable(column: &str, error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::FromSqlConversionFailure(0, Type::Text, format!("column {column}: {error}").into())
}
