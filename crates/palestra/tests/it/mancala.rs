//! The results of the course's Mancala tournament, reproduced exactly, and the published values of Kalah.

use crate::support::slow;
use palestra_arena::{AnyGame, MatchPlan};
use palestra_core::{
    Convention, Ending, EvaluationVisitor, Evaluator, Family, FeatureSet, Game, GameVisitor,
    ParametricEvaluator, Playable, Progress, Seed, Side,
};
use palestra_games::kalah::KalahFamily;
use palestra_registry::GAMES;
use palestra_search::{AlphaBeta, Cuts, RootWindow, Search};
use serde_json::Value;

/// Players of the study's tables, in their order: named players at the course's depth, or policies.
const FIELD: [&str; 6] = ["regular", "bueno", "bueno-fixed", "habia-una-vez", "first", "last"];

/// Final seeds of the first and the second player, by first and second player.
type Table = [[[u32; 2]; 6]; 6];

const DEPTH_2: Table = [
    [[4, 32], [13, 23], [15, 21], [3, 33], [4, 32], [5, 31]],
    [[10, 26], [9, 27], [9, 27], [12, 24], [28, 8], [11, 25]],
    [[32, 4], [9, 27], [9, 27], [12, 24], [33, 3], [11, 25]],
    [[33, 3], [30, 6], [30, 6], [22, 14], [33, 3], [24, 12]],
    [[3, 33], [17, 19], [3, 33], [4, 32], [3, 33], [5, 31]],
    [[31, 5], [30, 6], [30, 6], [20, 16], [31, 5], [18, 18]],
];

const DEPTH_1: Table = [
    [[3, 33], [3, 33], [3, 33], [4, 32], [3, 33], [5, 31]],
    [[4, 32], [4, 32], [4, 32], [4, 32], [4, 32], [5, 31]],
    [[4, 32], [4, 32], [4, 32], [4, 32], [4, 32], [5, 31]],
    [[30, 6], [30, 6], [30, 6], [13, 23], [31, 5], [7, 29]],
    [[3, 33], [3, 33], [3, 33], [4, 32], [3, 33], [5, 31]],
    [[31, 5], [31, 5], [31, 5], [27, 9], [31, 5], [18, 18]],
];

fn uam() -> Box<dyn AnyGame> {
    GAMES.open("mancala:uam").unwrap()
}

/// A player of [`FIELD`] with this search depth.
fn at_depth(name: &str, depth: u32) -> String {
    if ["first", "last"].contains(&name) { name.to_owned() } else { format!("minimax:depth={depth}/{name}") }
}

/// Final seeds of both rows of a game between two players.
fn meet(game: &dyn AnyGame, players: [&str; 2]) -> [u32; 2] {
    let players = players.map(|player| game.player(player).unwrap());
    let mut session = game.session(None, "-").unwrap();
    while session.ending().is_none() {
        let answer = session.ask(&players[session.to_move().index()], Seed(0)).unwrap();
        session.play(&answer.mv).unwrap();
    }
    session.score().unwrap()
}

fn check_table(table: &Table, depth: u32) {
    let game = uam();
    for (starter, row) in FIELD.iter().zip(table) {
        for (second, known) in FIELD.iter().zip(row) {
            let players = [at_depth(starter, depth), at_depth(second, depth)];
            let found = meet(game.as_ref(), [&players[0], &players[1]]);
            assert_eq!(found, *known, "{starter} - {second} at depth {depth}");
        }
    }
}

#[test]
fn the_course_at_depth_2() {
    check_table(&DEPTH_2, 2);
    // The named players search to this depth.
    for name in &FIELD[..4] {
        assert_eq!(uam().player(name).unwrap().kind.to_string(), at_depth(name, 2));
    }
}

#[test]
fn the_course_at_depth_1() {
    check_table(&DEPTH_1, 1);
}

/// At depth 3 `bueno-fixed` does not win both games, and `habia-una-vez` wins all of its games.
#[test]
fn the_course_at_depth_3() {
    let game = uam();
    let meet = |a: &str, b: &str| meet(game.as_ref(), [&at_depth(a, 3), &at_depth(b, 3)]);
    assert_eq!(meet("regular", "bueno"), [16, 20]);
    assert_eq!(meet("bueno", "regular"), [12, 24]);
    assert_eq!(meet("regular", "bueno-fixed"), [6, 30]);
    assert_eq!(meet("bueno-fixed", "regular"), [13, 23]);
    let mut margins = Vec::new();
    for opponent in &FIELD[..3] {
        let [own, other] = meet("habia-una-vez", opponent);
        margins.push(own as i32 - other as i32);
        let [other, own] = meet(opponent, "habia-una-vez");
        margins.push(own as i32 - other as i32);
    }
    assert_eq!((margins.iter().min(), margins.iter().max()), (Some(&14), Some(&30)), "{margins:?}");
}

/// The leak of the older engine (`fuga`) changes only one game of the tables.
#[test]
fn where_the_leak_matters() {
    let fuga = GAMES.open("mancala:uam,fuga").unwrap();
    let mut differ = Vec::new();
    for (depth, table) in [(1, DEPTH_1), (2, DEPTH_2)] {
        for (starter, row) in FIELD.iter().zip(table) {
            for (second, known) in FIELD.iter().zip(row) {
                let players = [at_depth(starter, depth), at_depth(second, depth)];
                if meet(fuga.as_ref(), [&players[0], &players[1]]) != known {
                    differ.push((*starter, *second, depth));
                }
            }
        }
    }
    assert_eq!(differ, [("habia-una-vez", "habia-una-vez", 1)]);
}

/// The position where `bueno` makes the losing move and `bueno-fixed` does not.
#[test]
fn where_bueno_goes_wrong() {
    let game = uam();
    let session = game.session(Some("1,3,1,0,5,5,3/0,0,8,0,0,7,3 1"), "-").unwrap();
    for (player, hole, value) in [("bueno", "1", -50.0), ("bueno-fixed", "3", 10_000.0)] {
        let reasons = session.explain(&game.player(player).unwrap(), Seed(0));
        assert_eq!(reasons.chosen.as_deref(), Some(hole), "{player}");
        let third = reasons.moves.iter().find(|reason| reason.mv == "3").unwrap();
        assert_eq!(third.value, Some(value), "{player}");
    }
}

/// The players choose the recorded move in every recorded position at depth 2.
#[test]
fn recorded_choices() {
    let game = uam();
    let table = include_str!("../../../palestra-games/src/mancala/data/mancala_positions.jsonl");
    let mut n_choices = 0;
    for line in table.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let Some(best) = record.get("best_depth2") else { continue };
        let row = |side: usize| {
            let cups = record["board"][side].as_array().unwrap();
            cups.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let setup = format!("{}/{} {}", row(0), row(1), record["turn"].as_u64().unwrap() + 1);
        let mut session = game.session(Some(&setup), "-").unwrap();
        for (player, key) in FIELD.iter().zip(["regular", "bueno", "bueno_fix", "habia"]) {
            let chosen = session.ask(&game.player(player).unwrap(), Seed(0)).unwrap().mv;
            assert_eq!(chosen, (best[key].as_u64().unwrap() + 1).to_string(), "{player}: {setup}");
            n_choices += 1;
        }
    }
    assert_eq!(n_choices, 4 * 95);
}

/// Score against random play as first and as second player, compared with wins and draws of 2000 games of the course's
/// engine. The random sequences differ, so that a difference of five standard deviations is allowed.
#[test]
fn against_random_play() {
    let known = [
        ("habia-una-vez", [[1952, 21], [1892, 52]]),
        ("regular", [[1029, 116], [1040, 94]]),
        ("bueno", [[1349, 146], [1178, 139]]),
        ("bueno-fixed", [[1456, 107], [1381, 86]]),
        ("last", [[1857, 56], [1759, 93]]),
        ("first", [[537, 58], [430, 67]]),
    ];
    let n_games = if slow() { 20_000 } else { 1000 };
    for (player, sides) in known {
        let plan = MatchPlan::builtin(uam().as_ref(), [player, "random"], 2 * n_games, Seed(2018)).unwrap();
        let record = uam().run_match(&plan, &Progress::default()).unwrap();
        for (side, [wins, draws]) in Side::BOTH.into_iter().zip(sides) {
            let share = |wins: f64, draws: f64, all: f64| (wins + draws / 2.0) / all;
            let expected = share(f64::from(wins), f64::from(draws), 2000.0);
            let [wins, draws, _] =
                [record.as_first, record.as_second][side.index()].map(|count| count as f64);
            let found = share(wins, draws, n_games as f64);
            let spread = (expected * (1.0 - expected) * (1.0 / 2000.0 + 1.0 / n_games as f64)).sqrt();
            assert!(
                (found - expected).abs() < 5.0 * spread,
                "{player} as {side}: {found} against {expected}"
            );
        }
    }
}

/// A search on random values still beats random moves: the fewer replies the opponent has, the higher the minimum of
/// their values on average.
#[test]
fn random_values_prefer_few_answers() {
    let plan = MatchPlan::builtin(uam().as_ref(), ["random-evaluation", "random"], 2000, Seed(5)).unwrap();
    let record = uam().run_match(&plan, &Progress::default()).unwrap();
    assert!(record.is_stochastic && record.n_distinct > 1900);
    assert!((0.6..0.75).contains(&record.score), "{}", record.score);
}

/// Margin of the first side with perfect play, by holes (1 to 4), then by seeds (1 to 4).
const STANDARD: [[i32; 4]; 4] = [[0, -2, 6, -2], [2, -2, -2, -10], [0, 4, 2, 2], [2, 6, 6, 2]];
const EMPTY: [[i32; 4]; 4] = [[0, -2, 6, -2], [2, -2, -2, -12], [0, 4, 2, 2], [2, 6, 8, 2]];

/// The same game with its moves in reverse order: the hole next to the store comes first, which most often moves
/// again. Plain alpha-beta needs a hundredth of the nodes.
#[derive(Clone)]
struct FromStore<G>(G);

impl<G: Game> Game for FromStore<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> G::Position {
        self.0.start()
    }

    fn to_move(&self, at: &G::Position) -> Side {
        self.0.to_move(at)
    }

    #[inline]
    fn moves(&self, at: &G::Position, out: &mut Vec<G::Move>) {
        let from = out.len();
        self.0.moves(at, out);
        out[from..].reverse();
    }

    #[inline]
    fn play(&self, at: &mut G::Position, mv: G::Move) {
        self.0.play(at, mv);
    }

    #[inline]
    fn ending(&self, at: &G::Position) -> Option<Ending> {
        self.0.ending(at)
    }
}

/// An evaluation of the game for the one in the opposite order.
struct Same<E>(E);

impl<G: Game, E: Evaluator<G, Accumulator = M>, M: Clone + Send> Evaluator<FromStore<G>> for Same<E> {
    type Accumulator = M;

    fn begin(&self, game: &FromStore<G>, at: &G::Position) -> M {
        self.0.begin(&game.0, at)
    }

    fn advance(&self, game: &FromStore<G>, memo: &mut M, at: &G::Position, mv: G::Move) {
        self.0.advance(&game.0, memo, at, mv);
    }

    #[inline]
    fn value(&self, game: &FromStore<G>, at: &G::Position, memo: &M, view: Side) -> f64 {
        self.0.value(&game.0, at, memo, view)
    }

    fn convention(&self) -> Convention {
        self.0.convention()
    }
}

/// Plain alpha-beta to the end of the game; returns the value and the number of nodes below the root moves.
struct Solve {
    from_store: bool,
}

impl GameVisitor for Solve {
    type Out = (f64, u64);

    fn visit<G: Playable>(self, game: G) -> (f64, u64) {
        game.evaluation("margin", SolveBy { game: &game, from_store: self.from_store }).unwrap()
    }
}

struct SolveBy<'a, G> {
    game: &'a G,
    from_store: bool,
}

impl<G: Playable> EvaluationVisitor<G> for SolveBy<'_, G> {
    type Out = (f64, u64);

    fn linear<F: FeatureSet<G> + 'static>(self, _set: F) -> (f64, u64) {
        unreachable!("the margin is no weighted sum")
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> (f64, u64) {
        let evaluator = template.build(&[]).unwrap();
        if self.from_store {
            solve(&FromStore(self.game.clone()), &Same(evaluator))
        } else {
            solve(self.game, &evaluator)
        }
    }
}

fn solve<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E) -> (f64, u64) {
    let start = game.start();
    let memo = evaluator.begin(game, &start);
    let found = AlphaBeta::new(1000, Cuts::Deep, RootWindow::Full, None).find(game, evaluator, &start, &memo);
    (found.value, found.nodes)
}

fn check_value(size: &str, from_store: bool, known: i32) -> u64 {
    let (value, nodes) = KalahFamily::open(size, Solve { from_store }).unwrap();
    assert_eq!(value, f64::from(known), "{size}");
    nodes
}

#[test]
fn values_of_kalah() {
    for (option, table) in [("", STANDARD), (",capture=empty", EMPTY)] {
        for (holes, row) in (1..).zip(table) {
            for (seeds, known) in (1..).zip(row) {
                let size = format!("{holes}x{seeds}{option}");
                // This size takes 443 million nodes with one capture rule and 111 million with the other.
                if size.starts_with("4x4") && !slow() {
                    continue;
                }
                check_value(&size, true, known);
                if holes * seeds <= 9 {
                    check_value(&size, false, known);
                }
            }
        }
    }
}

/// Larger published sizes that are small enough to solve, some of them with both capture rules.
#[test]
fn larger_values_of_kalah() {
    check_value("5x1", true, 0);
    check_value("5x2", true, 2);
    check_value("5x2,capture=empty", true, 0);
    check_value("6x1", true, 2);
    check_value("3x5", true, 6);
    check_value("3x6", true, -8);
    check_value("3x6,capture=empty", true, -10);
    if slow() {
        check_value("6x2", true, 6);
        check_value("5x3", true, 6);
        check_value("5x3,capture=empty", true, 8);
    }
}

/// The node counts are those of an independent program.
#[test]
fn nodes_of_kalah() {
    assert_eq!(check_value("4x3", true, 6), 4_046_549);
    assert_eq!(check_value("4x3,capture=empty", true, 8), 1_251_371);
    if slow() {
        assert_eq!(check_value("4x3", false, 6), 391_228_089);
    }
}
