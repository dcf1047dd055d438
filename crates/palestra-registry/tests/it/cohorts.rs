//! A cohort gives what playing every game gives.

use crate::plain_game;
use palestra_arena::{AnyCohort, AnyGame, GameResult, PlayerSpec, StartPoint, can_meet_cohort};
use palestra_core::{Seed, print_weights};
use palestra_registry::GAMES;
use rand::RngExt;
use std::cell::Cell;

/// A game from the start.
fn scene(game: &dyn AnyGame) -> StartPoint {
    StartPoint { game: game.name(), opening_plies: 0, seed: 5 }
}

/// The game of every member, in which the member (0) or the rival (1) begins.
fn play_cohort(
    cohort: &mut dyn AnyCohort,
    n_members: usize,
    scene: &StartPoint,
    first: usize,
    rival: &PlayerSpec,
) -> Vec<GameResult> {
    let mut results: Vec<Option<GameResult>> = vec![None; n_members];
    let all = cohort.play(scene, first, rival, &|| false, &mut |members, result| {
        for &member in members {
            let told = results[member as usize].replace(*result);
            assert_eq!(told, None, "each member is named once");
        }
    });
    assert!(all);
    results.into_iter().map(|result| result.expect("each member is named")).collect()
}

/// How weights are drawn.
#[derive(Clone, Copy)]
enum Draw {
    /// Small whole numbers, with many ties; all 0 for the first member.
    Whole,
    /// All the same, but for their sign.
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

/// One game after the other: each as a match plays it, which is what its players choose by themselves.
fn one_by_one(
    game: &dyn AnyGame,
    template: &str,
    rows: &[Vec<f64>],
    first: usize,
    rival: &PlayerSpec,
) -> Vec<GameResult> {
    let scene = scene(game);
    let play = |weights: &Vec<f64>| {
        let member = game.player(&format!("{template}/{}", print_weights(weights))).unwrap();
        let mut table = game.new_match([&member, rival]);
        let result = table.play(&scene, first);
        let plain = plain_game(game, [&member, rival], "-", first, scene.game_seed(first));
        assert_eq!((table.last().moves, table.ending().unwrap()), (plain.moves.join(" "), plain.ending));
        result
    };
    rows.iter().map(play).collect()
}

/// Compares a cohort with one game after the other; says how many different results there were.
fn check_drawn(name: &str, template: &str, draw: Draw, rivals: &[&str]) -> usize {
    let game = GAMES.open(name).unwrap();
    let formula = game.tunable_player(template).unwrap();
    let rows = draw.rows(12, formula.names.len());
    let weights = rows.concat();
    let mut cohort = game.cohort(&formula.spec, &weights).expect("a linear evaluation");
    let mut plain = game.plain_cohort(&formula.spec, &weights).expect("a linear evaluation");
    let mut ways = Vec::new();
    for rival in rivals {
        let rival = game.player(rival).unwrap();
        assert!(can_meet_cohort(&rival), "{rival}");
        for first in [0, 1] {
            let expected = one_by_one(game.as_ref(), template, &rows, first, &rival);
            let play = |cohort: &mut dyn AnyCohort| {
                play_cohort(cohort, rows.len(), &scene(game.as_ref()), first, &rival)
            };
            let place = || format!("{name}, {template}, {first} begins against {rival}");
            assert_eq!(play(cohort.as_mut()), expected, "{}", place());
            assert_eq!(play(plain.as_mut()), expected, "plain: {}", place());
            ways.extend(expected.iter().map(|result| (result.points, result.margin.to_bits(), result.plies)));
        }
    }
    ways.sort_unstable();
    ways.dedup();
    ways.len()
}

fn check(name: &str, evaluation: &str, rivals: &[&str]) {
    let ways = [
        ("greedy", Draw::Whole),
        ("greedy:ties=last", Draw::Whole),
        ("greedy", Draw::Alike),
        ("greedy:ties=first", Draw::Large),
        ("greedy", Draw::Any),
    ];
    for (search, draw) in ways {
        let n_ways = check_drawn(name, &format!("{search}/{evaluation}"), draw, rivals);
        assert!(n_ways > 1, "{name} {evaluation}: games differ");
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
    let rivals = ["greedy/islands/3,2,5,3,4", "random", "last", "alphabeta:depth=2/islands/3,2,5,3,4"];
    check("ladrillos:5", "islands", &rivals);
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

/// Members enough for blocks, against the same ones in the plain way.
#[test]
fn large_cohorts_equal_plain_ones() {
    let game = GAMES.open("connect:5x5x4").unwrap();
    let rival = game.player("rival-6").unwrap();
    let template = game.tunable_player("greedy/lines").unwrap().spec;
    for (draw, n_members) in [(Draw::Whole, 5001), (Draw::Large, 2561), (Draw::Whole, 0)] {
        let weights = draw.rows(n_members, 6).concat();
        let mut cohort = game.cohort(&template, &weights).unwrap();
        let mut plain = game.plain_cohort(&template, &weights).unwrap();
        for first in [0, 1] {
            let play = |cohort: &mut dyn AnyCohort| {
                play_cohort(cohort, n_members, &scene(game.as_ref()), first, &rival)
            };
            assert_eq!(play(cohort.as_mut()), play(plain.as_mut()));
        }
    }
}

/// No member is named after the stop.
#[test]
fn a_walk_can_be_stopped() {
    let game = GAMES.open("connect4").unwrap();
    let template = game.tunable_player("greedy/lines").unwrap().spec;
    let mut cohort = game.cohort(&template, &Draw::Whole.rows(50, 6).concat()).unwrap();
    let rival = game.player("random").unwrap();
    let mut play = |limit: usize| {
        let (n_asked, mut n_named) = (Cell::new(0), 0);
        let stop = || n_asked.replace(n_asked.get() + 1) >= limit;
        let all = cohort.play(&scene(game.as_ref()), 0, &rival, &stop, &mut |members, _| {
            n_named += members.len();
        });
        (all, n_named)
    };
    assert_eq!(play(0), (false, 0));
    let (all, some) = play(12);
    assert!(!all && some < 50);
    assert_eq!(play(usize::MAX), (true, 50));
}

#[test]
fn who_can_meet_a_cohort() {
    let game = GAMES.open("connect4").unwrap();
    let check = |text: &str, expected: bool| {
        assert_eq!(can_meet_cohort(&game.player(text).unwrap()), expected, "{text}");
    };
    check("rival-1", true);
    check("random", true);
    check("alphabeta:depth=3/noise", true);
    check("beam:depth=2,width=2/noise", true);
    check("ab:depth=3/noise", false);
    check("mcts:playouts=10", false);
    check("perfect", false);
}
