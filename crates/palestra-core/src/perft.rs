//! Perft: counts of move sequences and positions, which test a move generator.

use crate::Game;
use std::collections::HashSet;

/// Number of move sequences of length 1, 2, … `depth` from `at`. A sequence that ends the game is counted at its own
/// length only.
///
/// ```
/// use palestra_core::{Game, count_sequences, toys::Counter};
/// let game = Counter { tokens: 3 };
/// assert_eq!(count_sequences(&game, &game.start(), 3), [3, 3, 1]);
/// ```
pub fn count_sequences<G: Game>(game: &G, at: &G::Position, depth: u32) -> Vec<u64> {
    let mut counts = vec![0; depth as usize];
    let mut moves = Vec::new();
    walk(game, at, 0, &mut counts, &mut moves);
    counts
}

/// The moves of the current line share one stack; each ply uses the part above its parent's.
fn walk<G: Game>(game: &G, at: &G::Position, ply: usize, counts: &mut [u64], moves: &mut Vec<G::Move>) {
    if ply == counts.len() {
        return;
    }
    let from = moves.len();
    game.moves(at, moves);
    counts[ply] += (moves.len() - from) as u64;
    if ply + 1 < counts.len() {
        for i in from..moves.len() {
            let mut after = at.clone();
            game.play(&mut after, moves[i]);
            walk(game, &after, ply + 1, counts, moves);
        }
    }
    moves.truncate(from);
}

/// Number of distinct positions after 0, 1, … `depth` moves from `at`.
pub fn count_distinct<G: Game>(game: &G, at: &G::Position, depth: u32) -> Vec<u64> {
    let mut counts = vec![1];
    let mut layer = HashSet::from([at.clone()]);
    let mut moves = Vec::new();
    for _ in 0..depth {
        let mut next = HashSet::new();
        for at in &layer {
            moves.clear();
            game.moves(at, &mut moves);
            for &mv in &moves {
                let mut after = at.clone();
                game.play(&mut after, mv);
                next.insert(after);
            }
        }
        counts.push(next.len() as u64);
        layer = next;
    }
    counts
}
