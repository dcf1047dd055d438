//! Whether an evaluation is what a proof is about: the sum of its features, at every position and without rounding.

use palestra_arena::{AnyGame, PlayerSpec};
use palestra_core::{InputError, Seed, print_weights};
use rand::RngExt;

/// Number of random games on each board; of each, the last position and some others are checked.
const GAMES: u64 = 8;

/// Share of the other positions.
const SHARE: f64 = 0.1;

/// A weight that 32-bit floats cannot add to a weight of 1 without rounding. Sums of 64-bit floats stay exact, because
/// features are below a million.
const LARGE: f64 = (1 << 25) as f64;

/// Checks in random games that the evaluation is the sum of its features, even where the game is over: a player with a
/// fixed value for a won game, or one that rounds, would not be covered by the proof.
pub(super) fn check_linear(game: &dyn AnyGame, player: &str, n_weights: usize) -> Result<(), InputError> {
    let probes = probes(game, player, n_weights)?;
    for n in 0..GAMES {
        let mut rng = Seed(1).child(n).rng();
        let mut session = game.session(None, "-")?;
        while session.ending().is_none() {
            let legal = session.legal();
            session.play(&legal[rng.random_range(0..legal.len())])?;
        }
        let played = session.played();
        let mut session = game.session(None, "-")?;
        for (ply, mv) in played.iter().enumerate() {
            if ply + 1 == played.len() || rng.random_bool(SHARE) {
                for (i, probe) in probes.iter().enumerate() {
                    for reason in session.explain(probe, Seed(1)).moves {
                        if !is_sum(&reason.contributions, reason.value, i == 0) {
                            let expected =
                                "an evaluation that is the sum of its features, even where the game is over";
                            return Err(InputError::new("player", player, expected));
                        }
                    }
                }
            }
            session.play(mv)?;
        }
    }
    Ok(())
}

/// Players with weights of which the first are all 1, and the others differ in sign and size.
fn probes(game: &dyn AnyGame, player: &str, n_weights: usize) -> Result<Vec<PlayerSpec>, InputError> {
    // Fractions small enough to be seen in features of hundreds, too.
    let mixed = |i: usize| if i.is_multiple_of(2) { 1.5 + i as f64 } else { -1.0 / 1024.0 - i as f64 };
    let large_first = |i: usize| if i.is_multiple_of(2) { LARGE } else { 0.5 };
    let large_second = |i: usize| if i.is_multiple_of(2) { 0.5 } else { -LARGE };
    let weights: [&dyn Fn(usize) -> f64; 4] = [&|_| 1.0, &mixed, &large_first, &large_second];
    let text =
        |weight: &&dyn Fn(usize) -> f64| print_weights(&(0..n_weights).map(weight).collect::<Vec<f64>>());
    weights.iter().map(|weight| game.player(&format!("{player}/{}", text(weight)))).collect()
}

/// Whether a value is the exact sum; with weights 1 the terms are the features, which must be whole.
fn is_sum(contributions: &[f64], value: Option<f64>, has_unit_weights: bool) -> bool {
    let is_whole = |by: &f64| by.fract() == 0.0 && by.abs() < 1e6;
    value == Some(contributions.iter().sum()) && (!has_unit_weights || contributions.iter().all(is_whole))
}
