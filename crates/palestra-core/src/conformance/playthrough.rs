//! Playthroughs: one game with all observable data at every ply. A change of rules or features shows as a difference.

use super::move_list;
use crate::{EvaluationVisitor, FeatureSet, Game, ParametricEvaluator, Playable, Seed, Side};
use std::fmt::Write;

/// Plays a seeded random game and records board, setup, key, legal moves and features at every ply.
pub fn record_playthrough<G: Playable>(game: &G, seed: Seed) -> String {
    let mut text = String::new();
    let mut rng = seed.rng();
    let mut at = game.start();
    let mut last = None;
    let mut moves = Vec::new();
    for ply in 0.. {
        moves.clear();
        game.moves(&at, &mut moves);
        let _ = write!(text, "ply {ply}\n{}", game.grid(&at, last).to_text(false));
        if let Some([first, second]) = game.score(&at) {
            let _ = writeln!(text, "score {first} {second}");
        }
        let _ = writeln!(text, "setup {}\nkey {:016x}", game.setup(&at), game.key(&at));
        for info in game.evaluations() {
            let rows = game.evaluation(info.name, FeatureReader { game, at: &at }).flatten();
            if let Some([first, second]) = rows {
                let _ = writeln!(text, "{} first {first:?} second {second:?}", info.name);
            }
        }
        match game.ending(&at) {
            Some(ending) => {
                let winner = ending.winner.map_or("nobody".to_owned(), |side| side.to_string());
                let _ = writeln!(text, "won by {winner}, margin {}, {}", ending.margin, ending.reason);
                break;
            }
            None => {
                let _ = writeln!(text, "{} to move: {}", game.to_move(&at), move_list(&moves));
            }
        }
        let Some(mv) = game.random_move(&at, &mut rng, &mut moves) else { break };
        let _ = writeln!(text, "plays {mv}\n");
        game.play(&mut at, mv);
        last = Some(mv);
    }
    text
}

struct FeatureReader<'a, G: Game> {
    game: &'a G,
    at: &'a G::Position,
}

impl<G: Game> EvaluationVisitor<G> for FeatureReader<'_, G> {
    type Out = Option<[Vec<i32>; 2]>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        Some(Side::BOTH.map(|view| {
            let mut row = vec![0; set.features().len()];
            set.extract(self.game, self.at, view, &mut row);
            row
        }))
    }

    fn other<T: ParametricEvaluator<G>>(self, _evaluator: T) -> Self::Out {
        None
    }
}
