//! A cohort has the same results as games played one by one.

use crate::plain_game;
use palestra_arena::{AnyCohort, AnyGame, GameResult, PlayerSpec, StartPoint, can_meet_cohort};
use palestra_core::{Progress, Seed, print_weights};
use palestra_registry::GAMES;
use rand::RngExt;

/// A start point without opening moves.
fn start_point(game: &dyn AnyGame) -> StartPoint {
    StartPoint { game: game.name(), opening_plies: 0, seed: 5 }
}

/// The results of all members' games; the member (`first` 0) or the opponent (1) begins.
fn play_cohort(
    cohort: &mut dyn AnyCohort,
    n_members: usize,
    start: &StartPoint,
    first: usize,
    opponent: &PlayerSpec,
) -> Vec<GameResult> {
    let mut results: Vec<Option<GameResult>> = vec![None; n_members];
    let is_finished = cohort.play(start, first, opponent, &Progress::default(), &mut |members, result| {
        for &member in members {
            let previous = results[member as usize].replace(*result);
            assert_eq!(previous, None, "each member is reported once");
        }
    });
    assert!(is_finished);
    results.into_iter().map(|result| result.expect("each member is reported")).collect()
}

/// How weights are drawn.
#[derive(Clone, Copy)]
enum Draw {
    /// Small whole numbers, with many ties; all 0 for the first member.
    Whole,
    /// 1 or -1.
    Alike,
    /// Large whole numbers.
    Large,
    /// Any numbers: sums are rounded.
    Any,
}

impl Draw {
    fn rows(self, n_members: usize, n_weights: usize) -> Vec<Vec<f64>> {
        let mut rng = Seed(n_weights as u64).rng();
        let mut weight = |member: usize| match self {
            Draw::Whole if member == 0 => 0.0,
            Draw::Whole => f64::from(rng.random_range(-3..=3)),
            Draw::Alike => f64::from(rng.random_range(0..2) * 2 - 1),
            Draw::Large => f64::from(rng.random_range(-1_000_000..=1_000_000)),
            Draw::Any => rng.random_range(-1.0..1.0),
        };
        (0..n_members).map(|member| (0..n_weights).map(|_| weight(member)).collect()).collect()
    }
}

/// The results of single games, each as a match plays it; checks them against plain games as well.
fn one_by_one(
    game: &dyn AnyGame,
    template: &str,
    rows: &[Vec<f64>],
    first: usize,
    opponent: &PlayerSpec,
) -> Vec<GameResult> {
    let start = start_point(game);
    let play = |weights: &Vec<f64>| {
        let member = game.player(&format!("{template}/{}", print_weights(weights))).unwrap();
        let mut runner = game.new_match([member.clone().into(), opponent.into()]);
        let result = runner.play(&start, first).unwrap();
        let plain = plain_game(game, [&member, opponent], "-", first, start.game_seed(first));
        assert_eq!((runner.record().moves, runner.ending().unwrap()), (plain.moves.join(" "), plain.ending));
        result
    };
    rows.iter().map(play).collect()
}

/// Compares a cohort with single games; returns the number of different results.
fn check_drawn(name: &str, template: &str, draw: Draw, opponents: &[&str]) -> usize {
    let game = GAMES.open(name).unwrap();
    let tunable = game.tunable_player(template).unwrap();
    let rows = draw.rows(12, tunable.names.len());
    let weights = rows.concat();
    let mut cohort = game.cohort(&tunable.spec, &weights).expect("a linear evaluation");
    let mut plain = game.plain_cohort(&tunable.spec, &weights).expect("a linear evaluation");
    let mut distinct = Vec::new();
    for opponent in opponents {
        let opponent = game.player(opponent).unwrap();
        assert!(can_meet_cohort(&opponent), "{opponent}");
        for first in [0, 1] {
            let expected = one_by_one(game.as_ref(), template, &rows, first, &opponent);
            let play = |cohort: &mut dyn AnyCohort| {
                play_cohort(cohort, rows.len(), &start_point(game.as_ref()), first, &opponent)
            };
            let context = || format!("{name}, {template}, {first} begins against {opponent}");
            assert_eq!(play(cohort.as_mut()), expected, "{}", context());
            assert_eq!(play(plain.as_mut()), expected, "plain: {}", context());
            let fields = |result: &GameResult| (result.points, result.margin.to_bits(), result.plies);
            distinct.extend(expected.iter().map(fields));
        }
    }
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len()
}

fn check(name: &str, evaluation: &str, opponents: &[&str]) {
    let variants = [
        ("greedy", Draw::Whole),
        ("greedy:ties=last", Draw::Whole),
        ("greedy", Draw::Alike),
        ("greedy:ties=first", Draw::Large),
        ("greedy", Draw::Any),
    ];
    for (search, draw) in variants {
        let n_results = check_drawn(name, &format!("{search}/{evaluation}"), draw, opponents);
        assert!(n_results > 1, "{name} {evaluation}: games differ");
    }
}

#[test]
fn connect_cohorts_equal_single_games() {
    let greedy = ["rival-4", "greedy:ties=last/lines/3,-2,1,-1,2,0", "greedy/threes/4,4,1,2"];
    let simple = ["random", "last", "first", "greedy/noise"];
    let deep = ["minimax:depth=2/threes/4,4,1,2", "alphabeta:depth=2/lines/9,-5,3,-2,1,1"];
    check("connect:7x6x4", "lines", &[&greedy[..], &simple, &deep].concat());
    check("connect:9x8x5", "lines-coded", &greedy);
    check("connect:5x4x3x6", "threes", &[&greedy[..], &simple, &deep].concat());
    check("connect:7x6x4", "threes", &["greedy/potential/1,2,3,2,-1,2,3,2,100,-50"]);
}

#[test]
fn ladrillos_cohorts_equal_single_games() {
    let opponents = ["greedy/islands/3,2,5,3,4", "random", "last", "alphabeta:depth=2/islands/3,2,5,3,4"];
    check("ladrillos:5", "islands", &opponents);
    check("ladrillos:7", "islands-masters+closing", &["masters-1", "heurb", "beam:depth=2,width=3/margin"]);
}

#[test]
fn mastergoal_cohorts_equal_single_games() {
    check(
        "mastergoal:1,limit=60",
        "level1",
        &["hand-level1", "random", "minimax:depth=1/level1/1,2,3,4,5,6,7,8"],
    );
    check("mastergoal:3,limit=20", "level3", &["hand-level3", "random"]);
}

#[test]
fn mancala_cohorts_equal_single_games() {
    check(
        "mancala:uam",
        "kalah",
        &["regular", "random-evaluation", "greedy/kalah/5,4,3,2,1,0,1,2,3,4", "random"],
    );
    check("mancala:uam", "seeds", &["greedy/regular", "first"]);
    check("kalah:6x4", "kalah", &["stores", "greedy/margin", "random", "adaptive:k=3,x=0.5/margin"]);
}

/// Cohorts large enough to be split into blocks equal plain cohorts.
#[test]
fn large_cohorts_equal_plain_ones() {
    let game = GAMES.open("connect:5x5x4").unwrap();
    let opponent = game.player("rival-6").unwrap();
    let template = game.tunable_player("greedy/lines").unwrap().spec;
    for (draw, n_members) in [(Draw::Whole, 5001), (Draw::Large, 2561), (Draw::Whole, 0)] {
        let weights = draw.rows(n_members, 6).concat();
        let mut cohort = game.cohort(&template, &weights).unwrap();
        let mut plain = game.plain_cohort(&template, &weights).unwrap();
        for first in [0, 1] {
            let play = |cohort: &mut dyn AnyCohort| {
                play_cohort(cohort, n_members, &start_point(game.as_ref()), first, &opponent)
            };
            assert_eq!(play(cohort.as_mut()), play(plain.as_mut()));
        }
    }
}

/// No member is reported after the stop.
#[test]
fn a_cohort_can_be_stopped() {
    let game = GAMES.open("connect4").unwrap();
    let template = game.tunable_player("greedy/lines").unwrap().spec;
    let mut cohort = game.cohort(&template, &Draw::Whole.rows(50, 6).concat()).unwrap();
    let opponent = game.player("random").unwrap();
    let mut play = |limit: u64| {
        let (progress, mut n_reported) = (Progress::default().with_limit(limit), 0);
        if limit == 0 {
            progress.cancel();
        }
        let start = start_point(game.as_ref());
        let is_finished = cohort.play(&start, 0, &opponent, &progress, &mut |members, _| {
            progress.add(1);
            n_reported += members.len();
        });
        (is_finished, n_reported)
    };
    assert_eq!(play(0), (false, 0));
    let (is_finished, n_reported) = play(3);
    assert!(!is_finished && n_reported < 50);
    assert_eq!(play(u64::MAX), (true, 50));
}

#[test]
fn opponents_of_cohorts() {
    let game = GAMES.open("connect4").unwrap();
    let check = |text: &str, expected: bool| {
        assert_eq!(can_meet_cohort(&game.player(text).unwrap()), expected, "{text}");
    };
    check("rival-1", true);
    check("random", true);
    check("alphabeta:depth=3/noise", true);
    check("beam:depth=2,width=2/noise", true);
    check("pvs:depth=3/noise", false);
    check("mcts:playouts=10", false);
    check("perfect", false);
}
