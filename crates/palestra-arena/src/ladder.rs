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
    use crate::{Catalog, Entry};
    use palestra_games::connect::ConnectFamily;

    static GAMES: Catalog = Catalog::new(&[Entry::of::<ConnectFamily>()]);

    fn check(opponent: &str, n_moves: u64, expected: &[&str]) {
        let game = GAMES.open("connect4").unwrap();
        assert_eq!(rungs(&game.player(opponent).unwrap(), n_moves), expected);
    }

    #[test]
    fn rungs_fit_the_board() {
        check(
            "alphabeta:depth=7/threes/4,4,1,2",
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
        check("minimax:depth=2/noise", 290, &wide);
        check("perfect", 7, &["random", "perfect"]);
        check("grid-5", 20_000, &["random", "greedy/lines-coded/1000,-500,80,-2,2,80"]);
    }

    #[test]
    fn every_rung_is_another_player() {
        for name in ["connect4", "connect:1x1x1", "connect:32x32x8"] {
            let game = GAMES.open(name).unwrap();
            let ladder = game.ladder();
            assert_eq!(ladder[0], "random");
            let players = ladder.iter().map(|text| game.player(text).unwrap().to_string());
            assert_eq!(players.collect::<std::collections::BTreeSet<_>>().len(), ladder.len());
        }
    }
}
