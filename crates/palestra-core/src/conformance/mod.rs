//! The conformance kit: invariants ("laws") that every game must satisfy.
//!
//! Each check plays seeded random games and returns the first violated law with the moves that lead to it. Every game
//! folder is checked; a game's own tests add known positions.

mod evaluations;
mod laws;
mod playthrough;
mod symmetries;
mod tables;
mod views;

pub use evaluations::check_evaluations;
pub use laws::{check_game, check_text};
pub use playthrough::record_playthrough;
pub use symmetries::check_symmetries;
pub use tables::{PerftCase, check_perft, perft_cases, playthrough_of};
pub use views::check_view;

use crate::Game;

/// A law that a game violates, and the line of play that shows it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{law}: after \"{moves}\": {detail}")]
pub struct Violation {
    /// The law, as a short phrase.
    pub law: &'static str,
    /// The moves from the start.
    pub moves: String,
    /// What was observed.
    pub detail: String,
}

/// How much a check covered, so that a test can require a minimum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckCounts {
    /// Games played to the end.
    pub n_games: u32,
    /// Positions checked.
    pub n_positions: u64,
    /// Number of plies of the longest game.
    pub longest: u32,
}

fn move_list<M: std::fmt::Display>(moves: &[M]) -> String {
    moves.iter().map(M::to_string).collect::<Vec<_>>().join(" ")
}

/// Calls `check` on every position of `n_games` random games, with the moves so far.
fn walk_random_games<G: Game>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: crate::Seed,
    mut check: impl FnMut(&G::Position, &[G::Move]) -> Result<(), Violation>,
) -> Result<CheckCounts, Violation> {
    let mut counts = CheckCounts::default();
    let mut scratch = Vec::new();
    for i in 0..n_games {
        let mut rng = seed.child(u64::from(i)).rng();
        let mut at = game.start();
        let mut played = Vec::new();
        loop {
            check(&at, &played)?;
            counts.n_positions += 1;
            let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) else { break };
            game.play(&mut at, mv);
            played.push(mv);
            if played.len() > longest_game as usize {
                return Err(Violation {
                    law: "random games end within the bound",
                    moves: move_list(&played),
                    detail: format!("still going after {longest_game} plies"),
                });
            }
        }
        counts.n_games += 1;
        counts.longest = counts.longest.max(played.len() as u32);
    }
    Ok(counts)
}
