//! The boards and the time control of a plan.

use super::entrants::{EventEntrants, listed_boards};
use super::stored::ENGINE;
use palestra_arena::{AnyGame, Catalog};
use palestra_core::{BoardPool, InputError, Seed};
use palestra_engine::TimeControl;
use palestra_tournament::{GameConditions, StageBoards, TournamentPlan};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Every board of a plan, by its canonical name. All boards that its pools can draw are opened.
pub fn open_boards(
    plan: &TournamentPlan,
    catalog: &'static Catalog,
) -> Result<BTreeMap<String, Box<dyn AnyGame>>, InputError> {
    let mut names = listed_boards(plan);
    for stage in &plan.stages {
        if let StageBoards::Pool(pool) = &stage.boards {
            names.extend(boards_of(catalog.pool(pool)?));
        }
    }
    names.sort();
    names.dedup();
    names.into_iter().map(|name| catalog.open(&name).map(|game| (game.name(), game))).collect()
}

/// Every board of a pool, with near certainty: draws until [`MAX_REPEATS`] draws in a row give no new board.
fn boards_of(pool: &BoardPool) -> BTreeSet<String> {
    let mut boards = BTreeSet::new();
    let mut n_repeats = 0;
    for i in 0.. {
        let is_new = boards.insert((pool.draw)(&mut Seed(i).rng()));
        n_repeats = if is_new { 0 } else { n_repeats + 1 };
        if n_repeats == MAX_REPEATS {
            break;
        }
    }
    boards
}

/// The rarest boards of the existing pools come up at least once in 1,500 draws. One that was not drawn yet is missed
/// with a probability of about e^-27.
const MAX_REPEATS: u32 = 40_000;

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
        Some((text, _)) => text.parse::<TimeControl>()?,
    };
    Ok(TimeControl { margin: Duration::from_millis(plan.margin_ms), ..control })
}

/// The conditions that the games of an event depend on; the time control only matters to programs.
#[must_use]
pub fn terms_of(field: &EventEntrants, control: &TimeControl) -> GameConditions {
    let clock = if field.has_programs() { format!("{control} +{:?}", control.margin) } else { String::new() };
    GameConditions { clock, version: ENGINE.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_registry::GAMES;

    /// Boards drawn with other seeds than those of `boards_of` are known too.
    #[test]
    fn every_board_of_a_pool_is_known() {
        for pool in ["connect/study", "connect/report", "connect/study-large"] {
            let pool = GAMES.pool(pool).unwrap();
            let boards = boards_of(pool);
            for i in 0..20_000 {
                let board = (pool.draw)(&mut Seed(7).child(i).rng());
                assert!(boards.contains(&board), "{board} of {}", pool.name);
            }
        }
    }
}
