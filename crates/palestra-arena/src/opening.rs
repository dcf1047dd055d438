//! Random openings, from which both games of a pair begin.

use palestra_core::{Game, Seed};

/// Plays `plies` random moves from `start` and draws again while the game ends within them. After `ATTEMPTS` draws
/// the opening gets one ply shorter.
pub(crate) fn draw_opening<G: Game>(
    game: &G,
    start: &G::Position,
    plies: u32,
    seed: Seed,
) -> (G::Position, Vec<G::Move>) {
    /// Draws at each length: plenty for any game that can last that long.
    const ATTEMPTS: u64 = 64;
    let mut scratch = Vec::new();
    for length in (1..=plies).rev() {
        for attempt in 0..ATTEMPTS {
            let mut rng = seed.child(u64::from(length)).child(attempt).rng();
            let mut at = start.clone();
            let mut moves = Vec::new();
            while (moves.len() as u32) < length
                && let Some(mv) = game.random_move(&at, &mut rng, &mut scratch)
            {
                game.play(&mut at, mv);
                moves.push(mv);
            }
            if game.ending(&at).is_none() {
                return (at, moves);
            }
        }
    }
    (start.clone(), Vec::new())
}
