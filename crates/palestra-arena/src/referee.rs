//! One game between two players.

use crate::player::{Player, TurnContext};
use palestra_core::{Ending, Game, Seed, Side};

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct CompletedGame<M> {
    /// The moves, from the start position of the call.
    pub moves: Vec<M>,
    /// How it ended.
    pub ending: Ending,
}

/// Plays one game from `start` to its end. Each ply has its own seed, a child of `seed`.
///
/// # Panics
/// If a player chooses an illegal move.
pub fn play_game<G: Game>(
    game: &G,
    start: &G::Position,
    players: [&mut dyn Player<G>; 2],
    seed: Seed,
) -> CompletedGame<G::Move> {
    play_watched(game, start, players, seed, |_| ())
}

/// The same, calling `see` after every move.
pub(crate) fn play_watched<G: Game>(
    game: &G,
    start: &G::Position,
    players: [&mut dyn Player<G>; 2],
    seed: Seed,
    mut see: impl FnMut(G::Move),
) -> CompletedGame<G::Move> {
    let [first, second] = players;
    let mut at = start.clone();
    let mut played = Vec::new();
    let mut moves = Vec::new();
    first.begin(game, &at);
    second.begin(game, &at);
    loop {
        if let Some(ending) = game.ending(&at) {
            return CompletedGame { moves: played, ending };
        }
        moves.clear();
        game.moves(&at, &mut moves);
        let turn = TurnContext { game, at: &at, moves: &moves, seed: seed.child(played.len() as u64) };
        let choice = match game.to_move(&at) {
            Side::First => first.choose(&turn),
            Side::Second => second.choose(&turn),
        };
        assert!(moves.contains(&choice.mv), "a player chose {}, which is not legal", choice.mv);
        first.observe(game, &at, choice.mv);
        second.observe(game, &at, choice.mv);
        game.play(&mut at, choice.mv);
        played.push(choice.mv);
        see(choice.mv);
    }
}
