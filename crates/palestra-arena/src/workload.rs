//! Fixed work on the rules alone, for benchmarks. It is compiled in this crate, with the same optimization and
//! inlining as the players, so that benchmarks measure the code that users run.

use palestra_core::{Game, Seed, Side, playout};

/// Results of random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayoutCounts {
    /// Games won by the first side.
    pub first_wins: u64,
    /// Games won by the second side.
    pub second_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Plies of all games together.
    pub plies: u64,
}

/// Results of listing legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveCounts {
    /// Moves of all lists together.
    pub moves: u64,
    /// Hash of the lengths of the lists, in order.
    pub digest: u64,
}

/// Plays random games from the start, one after the other.
pub(crate) fn playouts<G: Game>(game: &G, n_games: u64, seed: Seed) -> PlayoutCounts {
    let mut rng = seed.rng();
    let mut scratch = Vec::new();
    let mut tally = [0u64; 3];
    let mut n_plies = 0;
    let start = game.start();
    for _ in 0..n_games {
        let (ending, plies) = playout(game, &mut start.clone(), &mut rng, &mut scratch);
        tally[ending.winner.map_or(2, Side::index)] += 1;
        n_plies += u64::from(plies);
    }
    let [first_wins, second_wins, draws] = tally;
    PlayoutCounts { first_wins, second_wins, draws, plies: n_plies }
}

/// Lists the moves of every position of random games, `times` times.
pub(crate) fn move_lists<G: Game>(game: &G, n_games: u64, times: u32, seed: Seed) -> MoveCounts {
    let mut positions = Vec::new();
    let mut moves = Vec::new();
    for i in 0..n_games {
        let mut rng = seed.child(i).rng();
        let mut at = game.start();
        while let Some(mv) = game.random_move(&at, &mut rng, &mut moves) {
            positions.push(at.clone());
            game.play(&mut at, mv);
        }
    }
    let mut n_moves = 0;
    let mut digest = Seed(0);
    for _ in 0..times {
        for at in &positions {
            moves.clear();
            game.moves(at, &mut moves);
            n_moves += moves.len() as u64;
            digest = digest.child(moves.len() as u64);
        }
    }
    MoveCounts { moves: n_moves, digest: digest.0 }
}

/// Runs `steps` dependent steps of a shift, an exclusive or and a multiplication: a measure of the processor's speed.
/// It is in this crate because the crate that measures is compiled without optimization.
#[inline(never)]
#[must_use]
pub fn multiply_chain(steps: u64) -> u64 {
    let step = |x: u64, _| (x ^ (x >> 32)).wrapping_mul(0x5851_f42d_4c95_7f2d);
    (0..steps).fold(std::hint::black_box(1), step)
}
