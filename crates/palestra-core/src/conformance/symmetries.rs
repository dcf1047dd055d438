//! Laws of symmetric boards, and of evaluations that promise to see no difference.

use super::{CheckCounts, Violation, move_list, walk_random_games};
use crate::{
    EvaluationVisitor, Evaluator, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Seed, Side,
    Symmetry,
};

/// Images of positions have the images of their moves, the same turn, ending and symmetric key; the moves of a
/// position lie in slots of their own. Evaluations that say so value images alike, to the bit.
pub fn check_symmetries<G: Playable>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
) -> Result<CheckCounts, Violation> {
    let tally = walk(game, n_games, longest_game, seed, |_, _| Ok(()))?;
    for info in game.evaluations() {
        let check = SymmetryCheck { game, n_games, longest_game, seed };
        game.evaluation(info.name, check).unwrap_or(Ok(()))?;
    }
    Ok(tally)
}

/// Walks random games and all their images side by side.
fn walk<G: Game>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
    mut look: impl FnMut(&G::Position, &G::Position) -> Result<(), String>,
) -> Result<CheckCounts, Violation> {
    if game.n_symmetries() == 0 {
        return Ok(CheckCounts::default());
    }
    let mut images: Vec<(Symmetry, G::Position)> = Vec::new();
    walk_random_games(game, n_games, longest_game, seed, |at, played| {
        match played.last() {
            Some(&mv) => {
                images.iter_mut().for_each(|(way, image)| game.play(image, game.mirror_move(mv, *way)));
            }
            None => {
                images = (1..=game.n_symmetries()).map(|way| (Symmetry(way), game.start())).collect();
            }
        }
        for (symmetry, image) in &images {
            let seen = compare(game, at, image, *symmetry).and_then(|()| look(at, image));
            seen.map_err(|detail| Violation {
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
    let [(key, way), (other_key, other_way)] = [at, image].map(|at| game.symmetric_key(at));
    if key != other_key {
        return Err("the symmetric keys differ".to_owned());
    }
    if game.ending(at) != game.ending(image) || game.to_move(at) != game.to_move(image) {
        return Err("another turn or ending".to_owned());
    }
    let slots = |at: &G::Position, symmetry: Symmetry| {
        let mut moves = Vec::new();
        game.moves(at, &mut moves);
        let mut slots: Vec<usize> =
            moves.iter().map(|&mv| game.history_index(game.mirror_move(mv, symmetry))).collect();
        slots.sort_unstable();
        slots
    };
    let moves = slots(at, symmetry);
    if moves != slots(image, Symmetry::NONE) {
        return Err("the moves are not turned with the board".to_owned());
    }
    if slots(at, way) != slots(image, other_way) {
        return Err("the ways to the common image lead to different moves".to_owned());
    }
    if moves.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("two moves share a slot".to_owned());
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
        let seen = |at: &G::Position, image: &G::Position| {
            for view in Side::BOTH {
                let [value, other] =
                    [at, image].map(|at| evaluator.value(game, at, &evaluator.begin(game, at), view));
                if value.to_bits() != other.to_bits() {
                    return Err(format!("{value} here and {other} there for {view}"));
                }
            }
            Ok(())
        };
        walk(game, self.n_games, self.longest_game, self.seed, seen).map(|_| ())
    }

    /// Weights without a pattern, so that no two terms cancel by luck.
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

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> Self::Out {
        let weights = Self::weights(template.parameters().len());
        self.evaluator(&template.build(&weights).expect("small weights do not overflow"))
    }
}
