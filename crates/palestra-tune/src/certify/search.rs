//! Searches the cones of weights for one that reaches a target score, or proves that there is none.

use super::cone::{Cone, Cut};
use super::games::{GameTree, GameTreeMove, GameTreeNode};
use palestra_core::{InputError, Progress};

/// A cone of weights at a node of a game.
struct ConeNode {
    cone: Cone,
    /// Upper bound of the score: the points so far, and a win in every other game.
    bound: f64,
    /// Index of the game.
    game: usize,
    /// Node of the game's tree.
    node: usize,
}

/// Result of one search.
pub(super) struct ConeSearchResult {
    /// The highest bound of all cones that were discarded because they cannot reach the target.
    pub(super) below: f64,
    /// Weights that reach the target in all games.
    pub(super) weights: Option<Vec<f64>>,
    /// Number of cones visited; a cone counts once for every turn.
    pub(super) nodes: u64,
    /// Number of cones not visited.
    pub(super) n_left: usize,
}

/// Node limit, progress and a callback for promising weights.
pub(super) struct ConeSearchControl<'a> {
    /// Largest number of cones to visit.
    pub(super) nodes: u64,
    /// Number of cones visited by earlier searches.
    pub(super) before: u64,
    /// Counts the cones visited, and may cancel the search.
    pub(super) progress: &'a Progress,
    /// Receives weights that can still reach the target after at least a third of the games.
    pub(super) promising: &'a mut PromisingCallback<'a>,
}

/// Receives weights, with the trees of all games.
pub(super) type PromisingCallback<'a> =
    dyn FnMut(&mut [GameTree<'_>], Vec<f64>) -> Result<(), InputError> + 'a;

/// Number of visited cones between two calls of [`ConeSearchControl::promising`].
const PROMISING_INTERVAL: u64 = 64;

/// Searches all real weights for a score of `target` or more; each game gives at most `max_points`.
pub(super) fn search(
    games: &mut [GameTree<'_>],
    n_weights: usize,
    max_points: f64,
    target: f64,
    control: &mut ConeSearchControl<'_>,
) -> Result<ConeSearchResult, InputError> {
    let bound = max_points * games.len() as f64;
    let mut result = ConeSearchResult { below: f64::NEG_INFINITY, weights: None, nodes: 0, n_left: 0 };
    let mut stack: Vec<ConeNode> = Vec::new();
    for signs in 0..1u32 << n_weights {
        let is_below: Vec<bool> = (0..n_weights).map(|i| signs >> i & 1 == 1).collect();
        stack.push(ConeNode { cone: Cone::orthant(&is_below), bound, game: 0, node: 0 });
    }
    while let Some(cone_node) = stack.pop() {
        control.progress.set_done(control.before + result.nodes);
        if result.nodes >= control.nodes || control.progress.is_stopped() {
            result.n_left = stack.len() + 1;
            break;
        }
        result.nodes += 1;
        match games[cone_node.game].at(cone_node.node)? {
            GameTreeNode::Unknown => unreachable!("`at` expands the node"),
            GameTreeNode::Turn(moves) => split(&cone_node, moves, &mut stack),
            GameTreeNode::Over(points) => {
                let bound = cone_node.bound - (max_points - points);
                if bound < target {
                    result.below = result.below.max(bound);
                    continue;
                }
                let game = cone_node.game + 1;
                if game == games.len() {
                    result.weights = Some(cone_node.cone.inside());
                    result.n_left = stack.len();
                    break;
                }
                if 3 * game >= games.len() && result.nodes.is_multiple_of(PROMISING_INTERVAL) {
                    (control.promising)(games, cone_node.cone.inside())?;
                }
                stack.push(ConeNode { bound, game, node: 0, ..cone_node });
            }
        }
    }
    Ok(result)
}

/// Splits a cone by the move that its weights choose.
fn split(cone_node: &ConeNode, moves: &[GameTreeMove], stack: &mut Vec<ConeNode>) {
    for (i, mv) in moves.iter().enumerate() {
        let mut kept: Option<Cone> = None;
        let mut is_chosen = true;
        for (k, other) in moves.iter().enumerate().filter(|(k, _)| *k != i) {
            let ahead: Vec<i32> = mv.features.iter().zip(&other.features).map(|(a, b)| a - b).collect();
            // Of equally good moves the first is played.
            match kept.as_ref().unwrap_or(&cone_node.cone).cut(&ahead, k < i) {
                Cut::Whole => {}
                Cut::Part(cone) => kept = Some(cone),
                Cut::Nothing => {
                    is_chosen = false;
                    break;
                }
            }
        }
        if is_chosen {
            let cone = kept.unwrap_or_else(|| cone_node.cone.clone());
            stack.push(ConeNode { cone, node: mv.to, ..*cone_node });
        }
    }
}
