//! Laws of symmetric boards and symmetric evaluations.

use super::{CheckCounts, Violation, move_list, walk_random_games};
use crate::{
    EvaluationVisitor, Evaluator, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Seed, Side,
    Symmetry,
};

/// Checks the symmetries: the image of a position has the images of its moves, the same side to move, ending and
/// symmetric key; no two moves of a position share a history index. Symmetric evaluations give a position and its
/// images the same value, to the bit.
pub fn check_symmetries<G: Playable>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
) -> Result<CheckCounts, Violation> {
    let counts = walk(game, n_games, longest_game, seed, |_, _| Ok(()))?;
    for info in game.evaluations() {
        let check = SymmetryCheck { game, n_games, longest_game, seed };
        game.evaluation(info.name, check).unwrap_or(Ok(()))?;
    }
    Ok(counts)
}

/// Plays random games and all their images in parallel, and calls `check` on every position and image.
fn walk<G: Game>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
    mut check: impl FnMut(&G::Position, &G::Position) -> Result<(), String>,
) -> Result<CheckCounts, Violation> {
    if game.n_symmetries() == 0 {
        return Ok(CheckCounts::default());
    }
    let mut images: Vec<(Symmetry, G::Position)> = Vec::new();
    walk_random_games(game, n_games, longest_game, seed, |at, played| {
        match played.last() {
            Some(&mv) => {
                for (symmetry, image) in &mut images {
                    game.play(image, game.mirror_move(mv, *symmetry));
                }
            }
            None => {
                images = (1..=game.n_symmetries()).map(|i| (Symmetry(i), game.start())).collect();
            }
        }
        for (symmetry, image) in &images {
            let checked = compare(game, at, image, *symmetry).and_then(|()| check(at, image));
            checked.map_err(|detail| Violation {
                law: "images are alike",
                moves: move_list(played),
                detail: format!("symmetry {}: {detail}", symmetry.0),
            })?;
        }
        Ok(())
    })
}

fn compare<G: Game>(
    game: &G,
    at: &G::Position,
    image: &G::Position,
    symmetry: Symmetry,
) -> Result<(), String> {
    let [(key, canonical), (other_key, other_canonical)] = [at, image].map(|at| game.symmetric_key(at));
    if key != other_key {
        return Err("the symmetric keys differ".to_owned());
    }
    if game.ending(at) != game.ending(image) || game.to_move(at) != game.to_move(image) {
        return Err("another side to move or ending".to_owned());
    }
    let indices = |at: &G::Position, symmetry: Symmetry| {
        let mut moves = Vec::new();
        game.moves(at, &mut moves);
        let mut indices: Vec<usize> =
            moves.iter().map(|&mv| game.history_index(game.mirror_move(mv, symmetry))).collect();
        indices.sort_unstable();
        indices
    };
    let moves = indices(at, symmetry);
    if moves != indices(image, Symmetry::NONE) {
        let hint = if *at == game.start() { " (a symmetry maps the start position to itself)" } else { "" };
        return Err(format!("the moves of the image are not the images of the moves{hint}"));
    }
    if indices(at, canonical) != indices(image, other_canonical) {
        return Err("the symmetries to the common image lead to different moves".to_owned());
    }
    if moves.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("two moves share a history index".to_owned());
    }
    Ok(())
}

struct SymmetryCheck<'a, G> {
    game: &'a G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
}

impl<G: Game> SymmetryCheck<'_, G> {
    fn evaluator<E: Evaluator<G>>(&self, evaluator: &E) -> Result<(), Violation> {
        if !evaluator.is_symmetric() {
            return Ok(());
        }
        let game = self.game;
        let check = |at: &G::Position, image: &G::Position| {
            for view in Side::BOTH {
                let [value, other] =
                    [at, image].map(|at| evaluator.value(game, at, &evaluator.begin(game, at), view));
                if value.to_bits() != other.to_bits() {
                    return Err(format!("value {value}, but {other} of the image, for {view}"));
                }
            }
            Ok(())
        };
        walk(game, self.n_games, self.longest_game, self.seed, check).map(|_| ())
    }

    /// Irrational weights, so that no two terms cancel by chance.
    fn weights(n: usize) -> Vec<f64> {
        (0..n).map(|i| 1.0 + (i as f64 + 2.0).sqrt()).collect()
    }
}

impl<G: Game> EvaluationVisitor<G> for SymmetryCheck<'_, G> {
    type Out = Result<(), Violation>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let n_weights = set.features().iter().filter(|feature| feature.fixed.is_none()).count();
        self.evaluator(&Linear::new(set, &Self::weights(n_weights)))
    }

    fn other<T: ParametricEvaluator<G>>(self, evaluator: T) -> Self::Out {
        let weights = Self::weights(evaluator.parameters().len());
        self.evaluator(&evaluator.build(&weights).expect("small weights do not overflow"))
    }
}
