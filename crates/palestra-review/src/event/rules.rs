//! The boards and the time control of a plan.

use super::entrants::{EventEntrants, listed_boards};
use super::stored::ENGINE;
use palestra_arena::{AnyGame, Catalog, LATE_PERCENT};
use palestra_core::{InputError, MemoryLimit};
use palestra_engine::TimeControl;
use palestra_tournament::{Format, GameConditions, StageBoards, TournamentPlan, TournamentResults};
use std::collections::BTreeMap;
use std::time::Duration;

/// Every board of a plan, by its canonical name. All boards of its pools are opened.
pub fn open_boards(
    plan: &TournamentPlan,
    catalog: &'static Catalog,
) -> Result<BTreeMap<String, Box<dyn AnyGame>>, InputError> {
    let mut names = listed_boards(plan);
    for stage in &plan.stages {
        if let StageBoards::Pool(pool) = &stage.boards {
            names.extend(catalog.pool(pool)?.boards());
        }
    }
    names.sort();
    names.dedup();
    names.into_iter().map(|name| catalog.open(&name).map(|game| (game.name(), game))).collect()
}

/// One of the boards, which must all belong to one family.
pub fn board_of(boards: &BTreeMap<String, Box<dyn AnyGame>>) -> Result<&dyn AnyGame, InputError> {
    let board = boards.values().next().ok_or_else(|| InputError::new("boards", "", "at least one board"))?;
    let family = board.family().name;
    match boards.values().map(|game| game.family().name).find(|name| *name != family) {
        None => Ok(board.as_ref()),
        Some(other) => Err(InputError::new("boards", other, format!("boards of one game only ({family})"))),
    }
}

/// The time control of programs, with the margin of the plan.
pub fn control_of(plan: &TournamentPlan) -> Result<TimeControl, InputError> {
    let control = match &plan.clock {
        None => TimeControl::default(),
        Some(text) => text.parse::<TimeControl>()?,
    };
    let margin = Duration::from_millis(plan.margin_ms);
    Ok(TimeControl { margin, late_percent: plan.late_percent, ..control })
}

/// The conditions that the games of an event depend on; the time control only matters to programs.
#[must_use]
pub fn terms_of(field: &EventEntrants, control: &TimeControl) -> GameConditions {
    // The default is left out: it came with a later version, and games before it are found by their keys.
    let late = match control.late_percent {
        LATE_PERCENT => String::new(),
        percent => format!(" late {percent}"),
    };
    let clock = match field.has_programs() {
        true => format!("{control} +{:?}{late}", control.margin),
        false => String::new(),
    };
    GameConditions { clock, version: ENGINE.to_owned() }
}

/// Bytes of memory of a game while its event is played: its pairing, its moves and its place in the results.
const GAME_BYTES: u64 = 1000;
/// Bytes of an entrant, with its line of the standings.
const ENTRANT_BYTES: u64 = 2000;
/// Bytes of the games of one entrant against another in the tables.
const CELL_BYTES: u64 = 32;

/// The estimated number of games of an event; an error where they would need more memory than is allowed.
pub fn check_memory(
    plan: &TournamentPlan,
    field: &EventEntrants,
    catalog: &'static Catalog,
    limit: MemoryLimit,
) -> Result<u64, InputError> {
    let format = plan.open(&field.entrants, Some(catalog))?;
    let n = field.entrants.len();
    let n_games = format.estimate(&TournamentResults::new(n, plan.quarantine));
    let n = n as u64;
    let players = n.saturating_mul(ENTRANT_BYTES + n.saturating_mul(CELL_BYTES));
    let needed = n_games.saturating_mul(GAME_BYTES).saturating_add(players);
    let what = format!("{}, about {n_games} games", format.describe());
    limit.check("format", &what, needed, "choose fewer players, pairs, cycles or rounds")?;
    Ok(n_games)
}
