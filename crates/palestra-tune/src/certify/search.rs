//! Who could still score so much? A search through cones of weights that proves that nobody is left.

use super::cone::{Cone, Cut};
use super::games::{GameTree, GameTreeMove, GameTreeNode};
use palestra_core::InputError;

/// A part of all players, in the middle of a game.
struct ConeNode {
    cone: Cone,
    /// What they can still score: what they have, and a win for all that comes.
    bound: f64,
    /// The number of the game.
    game: usize,
    /// Where in it they are.
    place: usize,
}

/// What came of one search.
pub(super) struct ConeSearchResult {
    /// The highest bound of all parts that were left alone because they cannot score what was asked for.
    pub(super) below: f64,
    /// Weights of somebody who does, in all games.
    pub(super) weights: Option<Vec<f64>>,
    /// Parts that were looked at: every turn counts.
    pub(super) nodes: u64,
    /// Parts that nobody has looked at.
    pub(super) n_left: usize,
}

/// When to stop, and who wants to know of somebody on the way.
pub(super) struct ConeSearchControl<'a> {
    /// Parts to look at, at most.
    pub(super) nodes: u64,
    /// Is told how many parts were looked at, and says whether to stop.
    pub(super) stop: &'a mut dyn FnMut(u64) -> bool,
    /// Is told somebody who got far.
    pub(super) promising: &'a mut PromisingCallback<'a>,
}

/// Who is told of weights, with the games that they may play.
pub(super) type PromisingCallback<'a> =
    dyn FnMut(&mut [GameTree<'_>], Vec<f64>) -> Result<(), InputError> + 'a;

/// So many parts lie between two that are told as promising.
const SELDOM: u64 = 64;

/// Looks for players that score `wanted` or more in all games, each worth `most` at best, among all real weights.
pub(super) fn search(
    games: &mut [GameTree<'_>],
    n_weights: usize,
    most: f64,
    wanted: f64,
    watcher: &mut ConeSearchControl<'_>,
) -> Result<ConeSearchResult, InputError> {
    let bound = most * games.len() as f64;
    let mut found = ConeSearchResult { below: f64::NEG_INFINITY, weights: None, nodes: 0, n_left: 0 };
    let mut parts: Vec<ConeNode> = Vec::new();
    for signs in 0..1u32 << n_weights {
        let is_below: Vec<bool> = (0..n_weights).map(|i| signs >> i & 1 == 1).collect();
        parts.push(ConeNode { cone: Cone::orthant(&is_below), bound, game: 0, place: 0 });
    }
    while let Some(part) = parts.pop() {
        if found.nodes >= watcher.nodes || (watcher.stop)(found.nodes) {
            found.n_left = parts.len() + 1;
            break;
        }
        found.nodes += 1;
        match games[part.game].at(part.place)? {
            GameTreeNode::Unknown => unreachable!("somebody has just looked"),
            GameTreeNode::Turn(choices) => choose(&part, choices, &mut parts),
            GameTreeNode::Over(worth) => {
                let bound = part.bound - (most - worth);
                if bound < wanted {
                    found.below = found.below.max(bound);
                    continue;
                }
                let game = part.game + 1;
                if game == games.len() {
                    found.weights = Some(part.cone.inside());
                    found.n_left = parts.len();
                    break;
                }
                if 3 * game >= games.len() && found.nodes.is_multiple_of(SELDOM) {
                    (watcher.promising)(games, part.cone.inside())?;
                }
                parts.push(ConeNode { bound, game, place: 0, ..part });
            }
        }
    }
    Ok(found)
}

/// Parts a cone by what its players choose.
fn choose(part: &ConeNode, choices: &[GameTreeMove], parts: &mut Vec<ConeNode>) {
    for (i, choice) in choices.iter().enumerate() {
        let mut kept: Option<Cone> = None;
        let mut is_chosen = true;
        for (k, other) in choices.iter().enumerate().filter(|(k, _)| *k != i) {
            let ahead: Vec<i32> = choice.features.iter().zip(&other.features).map(|(a, b)| a - b).collect();
            // Of level moves the first is played.
            match kept.as_ref().unwrap_or(&part.cone).cut(&ahead, k < i) {
                Cut::Whole => {}
                Cut::Part(cone) => kept = Some(cone),
                Cut::Nothing => {
                    is_chosen = false;
                    break;
                }
            }
        }
        if is_chosen {
            let cone = kept.unwrap_or_else(|| part.cone.clone());
            parts.push(ConeNode { cone, place: choice.to, ..*part });
        }
    }
}
