//! Opponents from weakest to strongest, derived from a game's own opponent.

use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::Playable;
use palestra_search::SearchSpec;

/// Positions per move that the rungs search.
const NODES: [u64; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];
/// With fewer nodes than this per legal move of the start, a search does not get past its first two plies, and such
/// rungs would all play alike.
const MIN_NODES_PER_MOVE: u64 = 10;
/// A board with more legal moves at the start than this is slow to search.
const MANY_MOVES: u64 = 100;
/// Nodes that a search visits there within a second.
const MAX_NODES_WITH_MANY_MOVES: u64 = 100_000;

/// `random`, the opponent's evaluation with a greedy search, then with more and more nodes; `random` and the opponent
/// itself where the opponent is not a search over an evaluation.
pub(crate) fn ladder<G: Playable>(game: &G, opponent: &PlayerSpec) -> Vec<PlayerSpec> {
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    rungs(opponent, moves.len() as u64)
}

/// The ladder on a board with `n_moves` legal moves at the start.
fn rungs(opponent: &PlayerSpec, n_moves: u64) -> Vec<PlayerSpec> {
    let random = PlayerSpec { name: None, kind: PlayerKind::Policy("random".to_owned()) };
    let PlayerKind::Search { evaluation, weights, .. } = &opponent.kind else {
        return vec![random, opponent.clone()];
    };
    let max_nodes = if n_moves > MANY_MOVES { MAX_NODES_WITH_MANY_MOVES } else { u64::MAX };
    let node_range = n_moves * MIN_NODES_PER_MOVE..=max_nodes;
    let fitting = NODES.into_iter().filter(|nodes| node_range.contains(nodes));
    let searches = std::iter::once(SearchSpec::greedy()).chain(fitting.map(SearchSpec::pvs_nodes));
    let player = |search: SearchSpec| {
        let (evaluation, weights) = (evaluation.clone(), weights.clone());
        PlayerSpec { name: None, kind: PlayerKind::Search { search, evaluation, weights } }
    };
    std::iter::once(random).chain(searches.map(player)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(search: &str, evaluation: &str, weights: &[f64], n_moves: u64, expected: &[&str]) {
        let search = SearchSpec::parse(search, search).unwrap();
        let kind = PlayerKind::Search { search, evaluation: evaluation.into(), weights: weights.to_vec() };
        let rungs = rungs(&PlayerSpec { name: None, kind }, n_moves);
        assert_eq!(rungs.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn rungs_fit_the_board() {
        check(
            "alphabeta:depth=7",
            "threes",
            &[4.0, 4.0, 1.0, 2.0],
            7,
            &[
                "random",
                "greedy/threes/4,4,1,2",
                "pvs:nodes=100/threes/4,4,1,2",
                "pvs:nodes=1000/threes/4,4,1,2",
                "pvs:nodes=10000/threes/4,4,1,2",
                "pvs:nodes=100000/threes/4,4,1,2",
                "pvs:nodes=1000000/threes/4,4,1,2",
            ],
        );
        let wide = ["random", "greedy/noise", "pvs:nodes=10000/noise", "pvs:nodes=100000/noise"];
        check("minimax:depth=2", "noise", &[], 290, &wide);
        check("greedy", "lines", &[1.0, -2.5], 20_000, &["random", "greedy/lines/1,-2.5"]);
        let other = PlayerSpec { name: None, kind: PlayerKind::Policy("last".into()) };
        assert_eq!(rungs(&other, 7).iter().map(ToString::to_string).collect::<Vec<_>>(), ["random", "last"]);
    }
}
