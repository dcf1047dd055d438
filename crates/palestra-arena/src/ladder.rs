//! Opponents from weakest to strongest, made of a game's own opponent.

use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::Playable;

/// Positions that the rungs look at for a move.
const RUNGS: [u64; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];

/// `random`; the opponent's evaluation without looking ahead; then with deeper and deeper search.
pub(crate) fn ladder<G: Playable>(game: &G, opponent: &PlayerSpec) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    rungs(opponent, moves.len() as u64)
}

/// The ladder on a board with so many moves at the start.
fn rungs(opponent: &PlayerSpec, n_moves: u64) -> Vec<String> {
    let mut ladder = vec!["random".to_owned()];
    let PlayerKind::Search { evaluation, weights, .. } = &opponent.kind else {
        ladder.push(opponent.to_string());
        return ladder;
    };
    let _ = n_moves;
    ladder.extend(RUNGS.iter().map(|nodes| format!("ab:nodes={nodes}/{evaluation}/{weights:?}")));
    ladder
}
