//! Laws of features and evaluators.

use super::{CheckCounts, Violation, move_list, walk_random_games};
use crate::{
    ChildBuffers, EvaluationVisitor, Evaluator, FeatureSet, FeatureTable, Game, Linear, ParametricEvaluator,
    Playable, Seed, Side, Transition,
};
use rand::RngExt;

/// Checks every evaluation of the game along random games, for both sides: features are within their range, and the
/// incremental, batch and plain forms are equal to the bit. Where there are many children, a sample is compared.
pub fn check_evaluations<G: Playable>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
) -> Result<CheckCounts, Violation> {
    let mut total = CheckCounts::default();
    for (i, info) in game.evaluations().iter().enumerate() {
        let check = EvaluationCheck { game, n_games, longest_game, seed: seed.child(i as u64) };
        let counts = game.evaluation(info.name, check).unwrap_or_else(|| {
            let detail = format!("\"{}\" is listed but not offered", info.name);
            Err(Violation { law: "evaluations have names", moves: String::new(), detail })
        })?;
        total.n_games += counts.n_games;
        total.n_positions += counts.n_positions;
    }
    Ok(total)
}

/// Indices of the children to compare: all if they are few, else every nth one, starting elsewhere at each ply.
fn sampled_children(n_children: usize, ply: usize) -> impl Iterator<Item = usize> {
    const MAX_COMPARED: usize = 24;
    let step = n_children.div_ceil(MAX_COMPARED).max(1);
    (ply % step..n_children).step_by(step)
}

struct EvaluationCheck<'a, G> {
    game: &'a G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
}

impl<G: Game> EvaluationCheck<'_, G> {
    /// Random weights, so that no two terms cancel by chance.
    fn weights(&self, n: usize) -> Vec<f64> {
        let mut rng = self.seed.child(1).rng();
        (0..n).map(|_| rng.random_range(-3.0..3.0)).collect()
    }

    /// Plays games while updating the accumulator, and compares it with a fresh one at every position.
    fn evaluator<E: Evaluator<G>>(&self, evaluator: &E) -> Result<CheckCounts, Violation> {
        let game = self.game;
        let mut accumulator = None;
        let mut before: Option<G::Position> = None;
        let mut moves = Vec::new();
        let mut buffers = ChildBuffers::default();
        walk_random_games(game, self.n_games, self.longest_game, self.seed, |at, played| {
            let violation = |law, detail| Err(Violation { law, moves: move_list(played), detail });
            let fresh = evaluator.begin(game, at);
            let carried = match (&mut accumulator, &before, played.last()) {
                (Some(accumulator), Some(before), Some(&mv)) => {
                    evaluator.advance(game, accumulator, before, mv);
                    &*accumulator
                }
                _ => &*accumulator.insert(fresh.clone()),
            };
            moves.clear();
            game.moves(at, &mut moves);
            for view in Side::BOTH {
                let plain = evaluator.value(game, at, &fresh, view);
                let incremental = evaluator.value(game, at, carried, view);
                if plain.to_bits() != incremental.to_bits() {
                    let detail = format!("{incremental} instead of {plain} for {view}");
                    return violation("accumulator equals plain", detail);
                }
                evaluator.child_values(game, at, carried, view, &moves, &mut buffers);
                for i in sampled_children(moves.len(), played.len()) {
                    let mv = moves[i];
                    let mut after = at.clone();
                    game.play(&mut after, mv);
                    let plain = evaluator.value(game, &after, &evaluator.begin(game, &after), view);
                    let single =
                        evaluator.child_value(game, &Transition { at, mv, after: &after }, carried, view);
                    if single.to_bits() != plain.to_bits() {
                        let detail = format!("{single} instead of {plain} for {view}, {mv}");
                        return violation("a child equals play then value", detail);
                    }
                    if buffers.values[i].to_bits() != plain.to_bits() {
                        let detail = format!("{} instead of {plain} for {view}, {mv}", buffers.values[i]);
                        return violation("children equal play then value", detail);
                    }
                }
            }
            before = (!moves.is_empty()).then(|| at.clone());
            if before.is_none() {
                accumulator = None;
            }
            Ok(())
        })
    }
}

impl<G: Game> EvaluationVisitor<G> for EvaluationCheck<'_, G> {
    type Out = Result<CheckCounts, Violation>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let game = self.game;
        let features = set.features().to_vec();
        let mut row = vec![0; features.len()];
        let mut moves = Vec::new();
        let mut batch = FeatureTable::default();
        walk_random_games(game, self.n_games, self.longest_game, self.seed, |at, played| {
            let violation = |law, detail| Err(Violation { law, moves: move_list(played), detail });
            moves.clear();
            game.moves(at, &mut moves);
            let accumulator = set.begin(game, at);
            for view in Side::BOTH {
                set.extract(game, at, view, &mut row);
                for (feature, &value) in features.iter().zip(&row) {
                    if value < feature.low || value > feature.high {
                        let detail = format!("{} is {value} for {view}", feature.name);
                        return violation("features stay within their range", detail);
                    }
                }
                set.extract_children(game, at, &accumulator, view, &moves, &mut batch);
                for child in sampled_children(moves.len(), played.len()) {
                    let mv = moves[child];
                    let mut after = at.clone();
                    game.play(&mut after, mv);
                    set.extract(game, &after, view, &mut row);
                    if !batch.child(child).eq(row.iter().copied()) {
                        let batched: Vec<i32> = batch.child(child).collect();
                        let detail = format!("{batched:?} instead of {row:?} for {view}, {mv}");
                        return violation("children equal play then extract", detail);
                    }
                }
            }
            Ok(())
        })?;
        let weights = self.weights(features.iter().filter(|feature| feature.fixed.is_none()).count());
        self.evaluator(&Linear::new(set, &weights))
    }

    fn other<T: ParametricEvaluator<G>>(self, evaluator: T) -> Self::Out {
        let weights = self.weights(evaluator.parameters().len());
        self.evaluator(&evaluator.build(&weights).expect("small weights do not overflow"))
    }
}
