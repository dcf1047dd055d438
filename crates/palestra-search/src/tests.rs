//! Searches on games small enough to know, and against each other.

use super::*;
use palestra_core::toys::{Counter, LeafValue, Tree};
use palestra_core::{Evaluator, Game, Noise, Seed, Ties};
use proptest::prelude::*;

fn check_tree(tree: &str, depth: u32, best: &str, value: f64, alphabeta_nodes: u64) {
    let game = Tree::parse(tree);
    let minimax = Minimax::new(depth, None).find(&game, &LeafValue, &game.start(), &());
    let alphabeta = AlphaBeta::new(depth, Cuts::Deep, None).find(&game, &LeafValue, &game.start(), &());
    assert_eq!((minimax.mv.to_string().as_str(), minimax.value), (best, value), "minimax on {tree}");
    assert_eq!((alphabeta.mv, alphabeta.value), (minimax.mv, minimax.value), "alpha-beta on {tree}");
    assert_eq!(alphabeta.nodes, alphabeta_nodes, "nodes on {tree}");
}

#[test]
fn known_trees() {
    check_tree("[3 5 2]", 1, "2", 5.0, 0);
    check_tree("[[3 5] [2 9]]", 2, "1", 3.0, 4);
    check_tree("[[4 4] [4 6]]", 2, "1", 4.0, 4);
    // Beyond the horizon nothing is known, and nothing is worth 0.
    check_tree("[[3 5] -2 [2 9]]", 1, "1", 0.0, 0);
    // The rival has 5 in hand, so its second branch is cut after the 6: two branches and three leaves.
    check_tree("[[[3 5] [6 9]] 1]", 3, "1", 5.0, 5);
}

/// Taking two moves again: a search that negated values at every ply would get these wrong.
#[test]
fn a_side_may_move_again() {
    let game = Counter { tokens: 5 };
    let found = Minimax::new(5, None).find(&game, &Noise { seed: Seed(1) }, &game.start(), &());
    assert_eq!((found.mv.0, found.value), (2, 20_000.0), "two, then the remaining three");
}

fn agree<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, depth: u32, ties: Ties) -> (u64, u64) {
    let start = game.start();
    let memo = evaluator.begin(game, &start);
    let mut minimax = Minimax::new(depth, Some(ties));
    let mut alphabeta = AlphaBeta::new(depth, Cuts::Deep, Some(ties));
    let plain = minimax.find(game, evaluator, &start, &memo);
    let quick = alphabeta.find(game, evaluator, &start, &memo);
    let shallow = AlphaBeta::new(depth, Cuts::Shallow, Some(ties)).find(game, evaluator, &start, &memo);
    assert_eq!((plain.mv, plain.value), (quick.mv, quick.value));
    assert_eq!((plain.mv, plain.value), (shallow.mv, shallow.value));
    assert!(shallow.nodes <= plain.nodes);
    // Full window at the root: every root move gets its exact value.
    assert_eq!(Search::<G, E>::rated(&minimax), Search::<G, E>::rated(&alphabeta));
    (plain.nodes, quick.nodes)
}

proptest! {
    #[test]
    fn alphabeta_equals_minimax(tokens in 1u8..14, depth in 1u32..8, seed: u64, last: bool) {
        let ties = if last { Ties::Last } else { Ties::First };
        let (plain, quick) = agree(&Counter { tokens }, &Noise { seed: Seed(seed) }, depth, ties);
        prop_assert!(quick <= plain);
    }
}

#[test]
fn greedy_is_minimax_without_endings() {
    let game = Counter { tokens: 9 };
    let noise = Noise { seed: Seed(3) };
    let greedy = Greedy::new(None).find(&game, &noise, &game.start(), &());
    let minimax = Minimax::new(1, None).find(&game, &noise, &game.start(), &());
    assert_eq!((greedy.mv, greedy.value), (minimax.mv, minimax.value));
}

fn check_spec(text: &str, expected: Result<&str, &str>) {
    match (SearchSpec::parse(text, text), expected) {
        (Ok(spec), Ok(expected)) => assert_eq!(spec.to_string(), expected),
        (Err(bad), Err(part)) => assert!(bad.to_string().contains(part), "{bad}"),
        (got, _) => panic!("{text}: {got:?}"),
    }
}

#[test]
fn specs() {
    check_spec("greedy", Ok("greedy"));
    check_spec("minimax:depth=3", Ok("minimax:depth=3"));
    check_spec("alphabeta:ties=last,depth=04", Ok("alphabeta:depth=4,ties=last"));
    check_spec("alphabeta:depth=4,cuts=shallow", Ok("alphabeta:cuts=shallow,depth=4"));
    check_spec("alphabeta:depth=4,cuts=deep", Ok("alphabeta:depth=4"));
    check_spec("alphabeat:depth=3", Err("did you mean \"alphabeta\"?"));
    check_spec("alphabeta", Ok("alphabeta"));
    check_spec("minimax:depth=1000", Ok("minimax"));
    check_spec("alphabeta:", Err("key=value"));
    check_spec("alphabeta:depth", Err("\"depth\" is not key=value"));
    check_spec("alphabeta:depth=", Err("nothing there"));
    check_spec("alphabeta:depth=0", Err("\"0\" is not a whole number from 1 to 1000"));
    check_spec("alphabeta:depth=1,depth=2", Err("given twice"));
    check_spec("alphabeta:detph=3", Err("did you mean \"depth\"?"));
    check_spec("minimax:depth=2,ties=lats", Err("did you mean \"last\"?"));
    check_spec("greedy:depth=2", Err("a parameter of greedy"));
}

/// Every listed search opens.
#[test]
fn the_list_is_complete() {
    for info in SEARCHES {
        let required = info.parameters.iter().filter(|parameter| parameter.required);
        let given: Vec<String> = required.map(|parameter| format!("{}=2", parameter.key)).collect();
        let colon = if given.is_empty() { "" } else { ":" };
        let spec = SearchSpec::parse(&format!("{}{colon}{}", info.name, given.join(",")), "").unwrap();
        let game = Counter { tokens: 4 };
        let found = spec.open::<Counter, Noise>().find(&game, &Noise { seed: Seed(1) }, &game.start(), &());
        assert!(found.root_moves == 3);
    }
}
