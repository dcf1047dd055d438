//! Searches the cones of weights for one that reaches a target score, or proves that there is none.
//!
//! Each cone goes through the games in an order of its own: next comes a game that a player inside the cone does not
//! win. So the games in which the weights of a cone lose points are decided first, a game that is decided for a cone is
//! decided for all its parts, and a game that all of them win is played once the others are decided, if ever.

use super::cone::Cone;
use super::divide::{Choice, Divider};
use super::games::{GameTree, GameTreeNode};
use palestra_core::{InputError, Progress};
use std::rc::Rc;

/// A cone of weights at a node of a game.
struct ConeNode {
    cone: Cone,
    /// Upper bound of the score: the points so far, and a win in every other game.
    bound: f64,
    /// Index of the game.
    game: usize,
    /// Node of the game's tree.
    node: usize,
    /// The games to come.
    left: Rc<[usize]>,
}

/// Result of one search.
pub(super) struct ConeSearchResult {
    /// The highest bound of all cones that were discarded because they cannot reach the target.
    pub(super) below: f64,
    /// Whether some weights reach the target; the callback has received them.
    pub(super) is_reached: bool,
    /// Number of cones visited; a cone counts once for every turn.
    pub(super) nodes: u64,
    /// Number of cones not visited.
    pub(super) n_left: usize,
}

/// Node limit, progress and a callback for good weights.
pub(super) struct ConeSearchControl<'a> {
    /// Largest number of cones to visit.
    pub(super) nodes: u64,
    /// Number of cones visited by earlier searches.
    pub(super) before: u64,
    /// Counts the cones visited, and may cancel the search.
    pub(super) progress: &'a Progress,
    /// Receives weights that may be good; returns their score.
    pub(super) try_out: &'a mut TryOut<'a>,
}

/// Receives weights, with the trees of all games; returns their score.
pub(super) type TryOut<'a> = dyn FnMut(&mut [GameTree<'_>], Vec<f64>) -> Result<f64, InputError> + 'a;

/// Number of finished games between two players that are tried out although they cannot reach the target.
const TRY_OUT_INTERVAL: u64 = 64;

/// Searches all real weights for a score of `target` or more, beginning with those that have the signs of `near`; each
/// game gives at most `max_points`.
pub(super) fn search(
    games: &mut [GameTree<'_>],
    near: &[f64],
    (max_points, target): (f64, f64),
    control: &mut ConeSearchControl<'_>,
) -> Result<ConeSearchResult, InputError> {
    let (n_weights, bound) = (near.len(), max_points * games.len() as f64);
    let mut result = ConeSearchResult { below: f64::NEG_INFINITY, is_reached: false, nodes: 0, n_left: 0 };
    let mut divider = Divider::default();
    let mut n_finished = 0u64;
    let everything: Rc<[usize]> = (1..games.len()).collect();
    let mut stack: Vec<ConeNode> = Vec::new();
    // The last one comes first: that of good weights, for they are often near the best ones.
    let near = near.iter().enumerate().fold(0, |signs, (i, weight)| signs | u32::from(*weight < 0.0) << i);
    for signs in 0..1u32 << n_weights {
        let is_below: Vec<bool> = (0..n_weights).map(|i| (signs ^ !near) >> i & 1 == 1).collect();
        let left = Rc::clone(&everything);
        stack.push(ConeNode { cone: Cone::orthant(&is_below), bound, game: 0, node: 0, left });
    }
    while let Some(mut at) = stack.pop() {
        control.progress.set_done(control.before + result.nodes);
        if result.nodes >= control.nodes || control.progress.is_stopped() {
            result.n_left = stack.len() + 1;
            break;
        }
        result.nodes += 1;
        match games[at.game].at(at.node)? {
            GameTreeNode::Unknown => unreachable!("`at` expands the node"),
            GameTreeNode::Turn(moves) => match divider.divide(&at.cone, moves) {
                Choice::Unanimous(chosen) => {
                    at.node = moves[chosen].to;
                    stack.push(at);
                }
                Choice::Divided(parts) => {
                    let part = |(cone, chosen): (Cone, usize)| ConeNode {
                        cone,
                        node: moves[chosen].to,
                        left: Rc::clone(&at.left),
                        ..at
                    };
                    stack.extend(parts.into_iter().map(part));
                }
            },
            GameTreeNode::Over(points) => {
                at.bound -= max_points - points;
                if at.bound < target {
                    result.below = result.below.max(at.bound);
                    continue;
                }
                let inside = at.cone.inside();
                let next = next_game(games, &at, &inside, (max_points, target))?;
                n_finished += 1;
                let is_due = n_finished.is_multiple_of(TRY_OUT_INTERVAL);
                if next.can_reach || is_due {
                    result.is_reached = (control.try_out)(games, inside)? >= target;
                }
                // With no game left, all weights of the cone reach the target, whatever rounding says.
                if at.left.is_empty() || result.is_reached {
                    result.is_reached = true;
                    result.n_left = stack.len();
                    break;
                }
                at.game = at.left[next.place];
                at.left = at.left.iter().copied().filter(|&game| game != at.game).collect();
                at.node = 0;
                stack.push(at);
            }
        }
    }
    Ok(result)
}

/// The game that a cone goes through next.
struct NextGame {
    /// Its place among the games to come.
    place: usize,
    /// Whether the player inside the cone seems to reach the target.
    can_reach: bool,
}

/// Lets the player inside the cone play the games to come until it has lost too many points. Of the games in which it
/// lost any, the next is the one with most of them per turn.
fn next_game(
    games: &mut [GameTree<'_>],
    at: &ConeNode,
    inside: &[f64],
    (max_points, target): (f64, f64),
) -> Result<NextGame, InputError> {
    let mut bound = at.bound;
    let mut next = (0, 0.0);
    for (place, &game) in at.left.iter().enumerate() {
        let played = games[game].play(inside)?;
        let cost = max_points - played.points;
        let rate = cost / f64::from(played.n_turns.max(1));
        next = if rate > next.1 { (place, rate) } else { next };
        bound -= cost;
        if bound < target {
            return Ok(NextGame { place: next.0, can_reach: false });
        }
    }
    Ok(NextGame { place: next.0, can_reach: true })
}
