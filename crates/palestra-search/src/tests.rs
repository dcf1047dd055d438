//! Searches on small games with known values, and compared with each other.

use super::*;
use palestra_core::toys::{Counter, LeafValue, Tree};
use palestra_core::{BoxedEvaluator, Evaluator, Game, Noise, Seed, TieRule};
use proptest::prelude::*;
use std::time::Duration;

/// `nodes`: of alpha-beta with the narrowed and with the full root window.
fn check_tree(tree: &str, depth: u32, best: &str, value: f64, nodes: [u64; 2]) {
    let game = Tree::parse(tree);
    let minimax = Minimax::new(depth, None).find(&game, &LeafValue, &game.start(), &());
    let find =
        |root| AlphaBeta::new(depth, Cuts::Deep, root, None).find(&game, &LeafValue, &game.start(), &());
    let (alphabeta, full) = (find(RootWindow::Narrowed), find(RootWindow::Full));
    assert_eq!((minimax.mv.to_string().as_str(), minimax.value), (best, value), "minimax on {tree}");
    assert_eq!((alphabeta.mv, alphabeta.value), (minimax.mv, minimax.value), "alpha-beta on {tree}");
    assert_eq!((full.mv, full.value), (minimax.mv, minimax.value), "full root window on {tree}");
    assert_eq!([alphabeta.nodes, full.nodes], nodes, "nodes on {tree}");
}

#[test]
fn known_trees() {
    check_tree("[3 5 2]", 1, "2", 5.0, [0, 0]);
    check_tree("[[3 5] [2 9]]", 2, "1", 3.0, [3, 4]);
    check_tree("[[4 4] [4 6]]", 2, "1", 4.0, [3, 4]);
    // Positions at the horizon have the value 0.
    check_tree("[[3 5] -2 [2 9]]", 1, "1", 0.0, [0, 0]);
    // The opponent already has 5, so its second branch is cut off after the 6: two branches and three leaves.
    check_tree("[[[3 5] [6 9]] 1]", 3, "1", 5.0, [5, 5]);
}

/// Taking two gives another turn: a search that negates values at every ply would fail.
#[test]
fn a_side_may_move_again() {
    let game = Counter { tokens: 5 };
    let result = Minimax::new(5, None).find(&game, &Noise { seed: Seed(1) }, &game.start(), &());
    assert_eq!((result.mv.0, result.value), (2, 20_000.0), "two, then the remaining three");
}

fn assert_agreement<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, depth: u32, ties: TieRule) {
    let start = game.start();
    let accumulator = evaluator.begin(game, &start);
    let mut minimax = Minimax::new(depth, Some(ties));
    let plain = minimax.find(game, evaluator, &start, &accumulator);
    let scored = Search::<G, E>::scored_moves(&minimax);
    let find = |cuts, root, every_move| {
        let mut search = AlphaBeta::new(depth, cuts, root, Some(ties));
        if every_move {
            Search::<G, E>::score_every_move(&mut search);
        }
        let found = search.find(game, evaluator, &start, &accumulator);
        assert_eq!((plain.mv, plain.value), (found.mv, found.value), "{cuts:?} {root:?} {ties:?}");
        let known = Search::<G, E>::scored_moves(&search);
        if every_move || root == RootWindow::Full {
            assert_eq!(known, scored, "{cuts:?} {root:?}: the exact value of every root move");
        }
        assert!(known.iter().all(|known| scored.contains(known)), "{cuts:?} {root:?}: exact or left out");
        found.nodes
    };
    for cuts in [Cuts::Deep, Cuts::Shallow] {
        let [narrowed, full] = [RootWindow::Narrowed, RootWindow::Full].map(|root| find(cuts, root, false));
        assert!(narrowed <= plain.nodes && full <= plain.nodes);
        find(cuts, RootWindow::Narrowed, true);
    }
}

/// Every search has the same result with an evaluator and with its boxed form.
#[test]
fn boxed_evaluators_are_the_same() {
    let game = Counter { tokens: 13 };
    for (seed, search) in (0..4).flat_map(|seed| SPECS.map(|search| (seed, search))) {
        let noise = Noise { seed: Seed(seed) };
        let boxed = BoxedEvaluator::new(noise);
        let spec = SearchSpec::parse(search, search).unwrap();
        let plain = spec.open().find(&game, &noise, &game.start(), &());
        let start = boxed.begin(&game, &game.start());
        assert_eq!(spec.open().find(&game, &boxed, &game.start(), &start), plain, "{search}");
    }
}

/// At least one of each search.
const SPECS: [&str; 10] = [
    "greedy",
    "minimax:depth=4",
    "alphabeta:depth=5",
    "alphabeta:depth=5,root=full",
    "alphabeta:depth=5,cuts=shallow",
    "ab:depth=6",
    "adaptive:k=3,x=0.5",
    "beam:depth=3,width=2",
    "mcts:playouts=200,leaf=greedy",
    "mcts:playouts=200,leaf=value",
];

proptest! {
    #[test]
    fn alphabeta_equals_minimax(tokens in 1u8..14, depth in 1u32..8, seed: u64, last: bool) {
        let ties = if last { TieRule::Last } else { TieRule::First };
        assert_agreement(&Counter { tokens }, &Noise { seed: Seed(seed) }, depth, ties);
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
    check_spec("alphabeta:root=full,depth=4", Ok("alphabeta:depth=4,root=full"));
    check_spec("alphabeta:depth=4,root=narrowed", Ok("alphabeta:depth=4"));
    check_spec("alphabeta:cuts=shallow,root=full", Ok("alphabeta:cuts=shallow,root=full"));
    check_spec("alphabeta:root=wide", Err("one of the choices"));
    check_spec("alphabeat:depth=3", Err("did you mean \"alphabeta\"?"));
    check_spec("alphabeta", Ok("alphabeta"));
    check_spec("minimax:depth=1000", Ok("minimax"));
    check_spec("alphabeta:", Err("key=value"));
    check_spec("alphabeta:depth", Err("invalid value \"depth\" for parameters of"));
    check_spec("alphabeta:depth=", Err("missing value for depth"));
    check_spec("alphabeta:depth=0", Err("expected a whole number from 1 to 1000"));
    check_spec("alphabeta:depth=1,depth=2", Err("given twice"));
    check_spec("alphabeta:detph=3", Err("did you mean \"depth\"?"));
    check_spec("minimax:depth=2,ties=lats", Err("did you mean \"last\"?"));
    check_spec("greedy:depth=2", Err("a parameter of greedy"));
}

/// Every search in the list can be opened and run.
#[test]
fn the_list_is_complete() {
    for info in SEARCHES {
        let required = info.parameters.iter().filter(|parameter| parameter.required);
        let given: Vec<String> = required.map(|parameter| format!("{}=2", parameter.key)).collect();
        let colon = if given.is_empty() { "" } else { ":" };
        let spec = SearchSpec::parse(&format!("{}{colon}{}", info.name, given.join(",")), "").unwrap();
        let game = Counter { tokens: 4 };
        let result = spec.open::<Counter, Noise>().find(&game, &Noise { seed: Seed(1) }, &game.start(), &());
        assert!((1..=3).contains(&result.root_moves), "{}", info.name);
    }
}

fn mcts_options(leaf: LeafPolicy, nodes: u64) -> MctsOptions {
    MctsOptions {
        limit: SearchLimit { depth: 1000, nodes: Some(nodes), time: None },
        c: 1.0,
        leaf,
        tree_bytes: 1 << 20,
    }
}

/// With every leaf policy, enough playouts prefer the move that minimax proves.
#[test]
fn playouts_find_the_win() {
    let game = Counter { tokens: 5 };
    for leaf in [LeafPolicy::Random, LeafPolicy::Greedy, LeafPolicy::Value] {
        let mut search = Mcts::new(mcts_options(leaf, 3000));
        let noise = Noise { seed: Seed(1) };
        let result = search.find(&game, &noise, &game.start(), &());
        assert_eq!(result.mv.0, 2, "{leaf:?}");
        assert!(result.value > 0.9, "{leaf:?}: {}", result.value);
        assert_eq!((result.nodes, result.root_moves), (3000, 3));
        let again = Mcts::new(mcts_options(leaf, 3000)).find(&game, &noise, &game.start(), &());
        assert_eq!(again, result, "{leaf:?}: the search of a position is repeatable");
    }
}

/// A full tree still contains the root's moves, and the search continues.
#[test]
fn a_full_tree_does_not_grow() {
    let game = Counter { tokens: 5 };
    let noise = Noise { seed: Seed(1) };
    let options = MctsOptions { tree_bytes: 0, ..mcts_options(LeafPolicy::Random, 3000) };
    let mut search = Mcts::new(options);
    let result = search.find(&game, &noise, &game.start(), &());
    assert_eq!((result.nodes, result.root_moves), (3000, 3));
    assert_eq!(Search::<Counter, Noise>::scored_moves(&search).len(), 3);
    assert_eq!(Search::<Counter, Noise>::report(&search).map(|report| report.depth), Some(1));
}

/// The subtree of a position is kept when the position is reached.
#[test]
fn the_tree_is_kept() {
    let game = Counter { tokens: 12 };
    let noise = Noise { seed: Seed(2) };
    let mut search = Mcts::new(mcts_options(LeafPolicy::Random, 2000));
    let result = search.find(&game, &noise, &game.start(), &());
    let mut at = game.start();
    game.play(&mut at, result.mv);
    let mut moves = Vec::new();
    game.moves(&at, &mut moves);
    game.play(&mut at, moves[0]);
    // One more playout: a new tree would have visited one move, the kept one has visited them all.
    let mut short = search.clone();
    short.limit_to(1);
    short.find(&game, &noise, &at, &());
    assert!(Search::<Counter, Noise>::scored_moves(&short).len() > 1);
}

/// A beam as wide as the game is alpha-beta; one child wide and one ply deep it is greedy.
#[test]
fn beams() {
    let game = Counter { tokens: 11 };
    for (depth, seed) in (1..8).flat_map(|depth| (0..20).map(move |seed| (depth, seed))) {
        let noise = Noise { seed: Seed(seed) };
        let beam = |width| BeamShape { width: WidthRule::Fixed(width), height: Some(depth) };
        let wide = Adaptive::new(beam(3)).find(&game, &noise, &game.start(), &());
        let plain = Minimax::new(depth, None).find(&game, &noise, &game.start(), &());
        assert_eq!(wide.value, plain.value, "depth {depth}");
        let narrow =
            Adaptive::new(BeamShape { height: Some(1), ..beam(1) }).find(&game, &noise, &game.start(), &());
        let greedy = Greedy::new(Some(TieRule::Last)).find(&game, &noise, &game.start(), &());
        assert_eq!(narrow.mv, greedy.mv);
    }
}

/// Canonical forms and errors of adaptive and other searches.
#[test]
fn further_specs() {
    let spec = |text: &str| SearchSpec::parse(text, text).map(|spec| spec.to_string()).unwrap();
    assert_eq!(spec("adaptive:k=4,x=1"), "adaptive:k=4,x=1");
    assert_eq!(spec("adaptive:x=0.50,k=3,deepen=false"), "adaptive:k=3,x=0.5");
    assert_eq!(spec("adaptive:x=0.8,k=4,height=4,deepen=true"), "adaptive:deepen=true,height=4,k=4,x=0.8");
    check_spec("adaptive:x=0.8", Err("k=…"));
    check_spec("adaptive:x=0,k=3", Err("above 0"));
    check_spec("beam:width=3", Err("depth=…"));
    check_spec("mcts:playouts=0", Err("from 1"));
    check_spec("ab:time=50", Err("searches have no clock in this program"));
}

/// With enough time for all depths, the result is that of the last one; it stops when the tree is searched completely.
#[test]
fn alphabeta_with_time_reaches_its_depth() {
    let hour = std::time::Duration::from_secs(3600);
    for (tree, depth) in [("[[[3 5] [6 9]] 1]", 3), ("[[3 5] -2 [2 9]]", 1), ("[[3 5] -2 [2 9]]", 1000)] {
        let game = Tree::parse(tree);
        let new = || AlphaBeta::new(depth, Cuts::Deep, RootWindow::Narrowed, None);
        let plain = new().find(&game, &LeafValue, &game.start(), &());
        let mut timed = new().within(Some(hour));
        let result = timed.find(&game, &LeafValue, &game.start(), &());
        assert_eq!((result.mv, result.value), (plain.mv, plain.value), "{tree}");
        assert!(result.nodes >= plain.nodes);
    }
}

#[test]
fn a_beam_reports_its_principal_variation() {
    let game = Tree::parse("[[[3 5] [6 9]] [2 [8 1]] 1]");
    let mut search = Adaptive::new(BeamShape { width: WidthRule::Fixed(10), height: Some(3) });
    let result = search.find(&game, &LeafValue, &game.start(), &());
    let report = Search::<Tree, LeafValue>::report(&search).unwrap();
    let pv: Vec<String> = report.pv.iter().map(ToString::to_string).collect();
    assert_eq!((result.value, report.depth, pv.join(" ")), (5.0, 3, "1 1 2".to_owned()));
}

/// A search takes the limits that it has parameters for; the others leave it as it is.
#[test]
fn limits_replace_parameters() {
    set_clock(|| Duration::ZERO);
    let limits =
        |depth, nodes, ms: Option<u64>| MoveLimits { depth, nodes, time: ms.map(Duration::from_millis) };
    for (search, limits, expected) in [
        ("greedy:ties=last", limits(Some(3), Some(9), Some(5)), "greedy:ties=last"),
        ("minimax", limits(Some(3), Some(9), Some(5)), "minimax:depth=3"),
        (
            "alphabeta:cuts=shallow,depth=7",
            limits(None, Some(9), Some(5)),
            "alphabeta:cuts=shallow,depth=7,time=5",
        ),
        ("beam:depth=4,width=2", limits(Some(1), None, None), "beam:depth=1,width=2"),
        ("adaptive:k=3,x=1", limits(Some(1), Some(2), Some(3)), "adaptive:k=3,x=1"),
        ("pvs:depth=4,memory=2", limits(Some(6), Some(9), None), "pvs:depth=6,memory=2,nodes=9"),
        ("pvs:depth=4", limits(Some(1000), None, Some(5)), "pvs:time=5"),
        ("mcts:playouts=7", limits(Some(6), None, None), "mcts:playouts=7"),
        ("mcts:playouts=7", limits(None, Some(2_000_000_000), Some(5)), "mcts:playouts=7,time=5"),
        ("mcts", limits(None, Some(9), None), "mcts:playouts=9"),
    ] {
        let limited = SearchSpec::parse(search, search).unwrap().limited(&limits);
        assert_eq!(limited.to_string(), expected, "{search} with {limits:?}");
    }
}
