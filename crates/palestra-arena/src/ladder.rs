//! Opponents from weakest to strongest, made of a game's own opponent.

use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::Playable;
use palestra_search::SearchSpec;

/// What a rung searches with: positions looked at for a move.
const SEARCHES: [(&str, u64); 5] = [
    ("ab:nodes=100", 100),
    ("ab:nodes=1000", 1_000),
    ("ab:nodes=10000", 10_000),
    ("ab:nodes=100000", 100_000),
    ("ab:nodes=1000000", 1_000_000),
];
/// With fewer positions than this for each move of the start, a search gets no further than its first two plies:
/// such rungs would all play alike.
const LEAST_PER_MOVE: u64 = 10;
/// A board with more moves than this is one whose positions take long to look at.
const MANY_MOVES: u64 = 100;
/// Positions that are looked at there within a second.
const MOST_WITH_MANY_MOVES: u64 = 100_000;

/// `random`; the opponent's evaluation without looking ahead; then with deeper and deeper search. `random` and the
/// opponent itself where that is no search over an evaluation.
pub(crate) fn ladder<G: Playable>(game: &G, opponent: &PlayerSpec) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    rungs(opponent, moves.len() as u64)
}

/// The ladder on a board with so many moves at the start.
fn rungs(opponent: &PlayerSpec, n_moves: u64) -> Vec<String> {
    let PlayerKind::Search { evaluation, weights, .. } = &opponent.kind else {
        return vec!["random".to_owned(), opponent.to_string()];
    };
    let most = if n_moves > MANY_MOVES { MOST_WITH_MANY_MOVES } else { u64::MAX };
    let fitting = SEARCHES.iter().filter(|(_, nodes)| (n_moves * LEAST_PER_MOVE..=most).contains(nodes));
    let searches = std::iter::once("greedy").chain(fitting.map(|(search, _)| *search));
    let player = |search: &str| {
        let search = SearchSpec::parse(search, search).expect("a rung is a search");
        let (evaluation, weights) = (evaluation.clone(), weights.clone());
        PlayerKind::Search { search, evaluation, weights }.to_string()
    };
    std::iter::once("random".to_owned()).chain(searches.map(player)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(search: &str, evaluation: &str, weights: &[f64], n_moves: u64, expected: &[&str]) {
        let search = SearchSpec::parse(search, search).unwrap();
        let kind = PlayerKind::Search { search, evaluation: evaluation.into(), weights: weights.to_vec() };
        assert_eq!(rungs(&PlayerSpec { name: None, kind }, n_moves), expected);
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
                "ab:nodes=100/threes/4,4,1,2",
                "ab:nodes=1000/threes/4,4,1,2",
                "ab:nodes=10000/threes/4,4,1,2",
                "ab:nodes=100000/threes/4,4,1,2",
                "ab:nodes=1000000/threes/4,4,1,2",
            ],
        );
        let wide = ["random", "greedy/noise", "ab:nodes=10000/noise", "ab:nodes=100000/noise"];
        check("minimax:depth=2", "noise", &[], 290, &wide);
        check("greedy", "lines", &[1.0, -2.5], 20_000, &["random", "greedy/lines/1,-2.5"]);
        let other = PlayerSpec { name: None, kind: PlayerKind::Policy("last".into()) };
        assert_eq!(rungs(&other, 7), ["random", "last"]);
    }
}
