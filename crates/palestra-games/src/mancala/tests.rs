//! Recorded positions and games, the examples of the rules, and the sowing table against plain sowing.

use super::cups::{CupRow, SowingGame};
use super::evaluators::{best_gain, best_margin};
use super::plain::{Ring, seeds_of};
use super::sowing::{N_HOLES, STORE};
use super::*;
use crate::checks::{check_name, check_result};
use palestra_core::{
    ChildBuffers, Ending, Evaluator, FeatureSet, Game, Linear, Notation, ParametricEvaluator, Seed, Side,
    View, conformance,
};
use proptest::prelude::*;
use serde_json::Value;

fn uam() -> Mancala {
    parse("uam").unwrap()
}

fn number(value: &Value) -> u32 {
    value.as_u64().unwrap() as u32
}

/// Both rows of a recorded board as the beginning of a setup.
fn rows_text(board: &Value) -> String {
    let row = |row: &Value| {
        row.as_array().unwrap().iter().map(|cup| number(cup).to_string()).collect::<Vec<_>>().join(",")
    };
    format!("{}/{}", row(&board[0]), row(&board[1]))
}

/// A recorded state as a setup.
fn setup_text(board: &Value, turn: &Value, must_pass: &Value) -> String {
    let pass = if number(must_pass) == 1 { " pass" } else { "" };
    format!("{} {}{pass}", rows_text(board), number(turn) + 1)
}

/// Values of the course's evaluations, for the side to move.
fn course_values(game: &Mancala, at: &Position) -> [f64; 4] {
    let view = at.to_move;
    [
        RegularEvaluator.value(game, at, &(), view),
        Bueno::COURSE.value(game, at, &(), view),
        Bueno::FIXED.value(game, at, &(), view),
        HabiaUnaVez.value(game, at, &(), view),
    ]
}

#[test]
fn recorded_positions() {
    let game = uam();
    let lines = include_str!("data/mancala_positions.jsonl").lines();
    assert_eq!(lines.clone().count(), 100);
    for line in lines {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!(record["variant"], "uam");
        let setup = setup_text(&record["board"], &record["turn"], &record["must_pass"]);
        let at = game.parse_setup(&setup).unwrap();
        assert_eq!(game.setup(&at), setup);
        let known =
            ["regular", "bueno", "bueno_fix", "habia"].map(|key| record["eval"][key].as_f64().unwrap());
        assert_eq!(course_values(&game, &at), known, "{setup}");
        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        let known = record["moves"].as_array().unwrap();
        assert_eq!(moves.len(), known.len(), "{setup}");
        for (&mv, known) in moves.iter().zip(known) {
            check_move(&game, &at, mv, known, &setup);
        }
    }
}

fn check_move(game: &Mancala, at: &Position, mv: Ply, known: &Value, setup: &str) {
    let text = match known["move"].as_i64().unwrap() {
        -1 => "pass".to_owned(),
        hole => (hole + 1).to_string(),
    };
    assert_eq!(mv.to_string(), text, "{setup}");
    let mut after = at.clone();
    game.play(&mut after, mv);
    let expected = setup_text(&known["board"], &known["turn"], &known["must_pass"]);
    assert_eq!(game.setup(&after), expected, "{setup}, {mv}");
    assert_eq!(game.ending(&after).is_some(), known["terminal"].as_bool().unwrap(), "{setup}, {mv}");
    if let Some(score) = known.get("score") {
        let score = [number(&score[0]), number(&score[1])];
        assert_eq!(game.score(&after), Some(score), "{setup}, {mv}");
        assert_eq!(game.ending(&after).unwrap().margin, score[0].abs_diff(score[1]));
    }
    if let Ply::Sow(hole) = mv {
        assert_eq!(events(at, usize::from(hole)), events_of(known), "{setup}, {mv}");
    }
}

/// The names that the recording uses for the events of a sowing.
fn events(at: &Position, hole: usize) -> Vec<&'static str> {
    let seeds = at.own.get(hole) as usize;
    let last = (hole + seeds) % 14;
    let gain = uam().sowing_gain(at.own, at.other, hole);
    let names = [
        ("capture", gain.captured > 0 && last < STORE),
        ("ends_in_opponent_store", last == 13),
        ("extra_turn", gain.again),
        ("first_seed_in_store", last == STORE && !gain.again),
        ("full_lap", seeds >= 14),
        ("reverse_capture", gain.captured > 0 && last > STORE),
        ("through_opponent_store", hole + seeds > 13),
    ];
    names.into_iter().filter(|(_, happens)| *happens).map(|(name, _)| name).collect()
}

fn events_of(known: &Value) -> Vec<&str> {
    let mut events: Vec<&str> =
        known["events"].as_array().unwrap().iter().map(|event| event.as_str().unwrap()).collect();
    events.sort_unstable();
    events
}

/// Replays recorded games, whose moves leave out passes. `start` is the side that moved first; here that is always the
/// first side, so the rows are swapped for games that the other side began.
#[test]
fn recorded_games() {
    let game = uam();
    let lines = include_str!("data/mancala_games.jsonl").lines();
    assert_eq!(lines.clone().count(), 33);
    for line in lines {
        let record: Value = serde_json::from_str(line).unwrap();
        let start = number(&record["start"]) as usize;
        let (mut at, mut played) = (game.start(), Vec::new());
        let mut recorded = record["moves"].as_array().unwrap().iter();
        while game.ending(&at).is_none() {
            let mv = if at.must_pass {
                Ply::Pass
            } else {
                let mv = recorded.next().unwrap_or_else(|| panic!("still going: {line}"));
                assert_eq!(number(&mv[0]) as usize, at.to_move.index() ^ start, "{line}");
                Ply::Sow(number(&mv[1]) as u8)
            };
            game.play(&mut at, mv);
            played.push(mv);
        }
        assert!(recorded.next().is_none(), "over before the end: {line}");
        let seats = |[first, second]: [u32; 2]| if start == 0 { [first, second] } else { [second, first] };
        let pair = |key: &str| [number(&record[key][0]), number(&record[key][1])];
        let rows = if start == 0 { at.rows() } else { [at.rows()[1], at.rows()[0]] };
        let ending = game.ending(&at).unwrap();
        let stopped = number(&record["tablas"]) == 1;
        assert_eq!(played.len() as u32, number(&record["plies"]), "{line}");
        assert_eq!(seats(game.score(&at).unwrap()), pair("pts"), "{line}");
        assert_eq!(seats(game.accumulated(&game.start(), &played)), pair("acc"), "{line}");
        assert_eq!(ending.reason != "side empty", stopped, "{line}");
        assert_eq!(
            ending.winner.map_or(0, |side| 1 + (side.index() ^ start)),
            number(&record["winner"]) as usize
        );
        let cups = rows.map(|row| (0..=STORE).map(|cup| row.get(cup)).collect::<Vec<_>>());
        let known = [0, 1]
            .map(|side| record["final"][side].as_array().unwrap().iter().map(number).collect::<Vec<_>>());
        assert_eq!(cups, known, "{line}");
    }
}

fn check(before: &str, mv: &str, after: &str) {
    let game = uam();
    let at = game.parse_setup(before).unwrap();
    let (at, _) = game.play_list(&at, mv).unwrap();
    assert_eq!(game.setup(&at), after, "{before}, {mv}");
}

/// The examples of the rules, and a pass.
#[test]
fn examples() {
    check("3,3,3,3,3,3,0/3,3,3,3,3,3,0 1", "4", "3,3,3,0,4,4,1/3,3,3,3,3,3,0 2");
    check("1,0,4,4,4,4,1/3,3,3,3,3,3,0 1", "1", "0,0,4,4,4,4,5/3,3,3,3,0,3,0 2");
    check("1,2,3,0,2,4,5/0,3,7,2,3,0,4 1", "6", "1,2,3,8,2,0,6/1,4,0,2,3,0,4 2");
    check("1,2,3,0,0,9,2/0,3,2,2,4,0,8 1", "6", "2,2,3,0,0,0,3/1,4,3,3,5,1,9 2");
    check("1,0,0,0,2,14,2/0,3,2,2,4,0,6 1", "6", "2,1,1,1,3,0,5/0,4,3,3,5,1,7 2");
    check("3,3,3,3,3,1,1/3,3,3,3,3,3,0 1", "6", "3,3,3,3,3,0,2/3,3,3,3,3,3,0 2 pass");
    check("3,3,3,3,3,0,2/3,3,3,3,3,3,0 2 pass", "pass", "3,3,3,3,3,0,2/3,3,3,3,3,3,0 1");
}

/// A capture needs seeds facing it; a reverse capture needs more than five seeds and an empty hole.
#[test]
fn sowings_without_capture() {
    check("1,0,4,4,4,4,1/3,3,3,3,0,3,0 1", "1", "0,1,4,4,4,4,1/3,3,3,3,0,3,0 2");
    check("1,2,3,0,2,4,5/0,3,5,2,3,0,4 1", "6", "1,2,3,0,2,0,6/1,4,6,2,3,0,4 2");
    check("1,2,3,1,2,4,5/0,3,7,2,3,0,3 1", "6", "1,2,3,1,2,0,6/1,4,8,2,3,0,3 2");
}

#[test]
fn fuga_leaks_a_seed() {
    let game = parse("uam,fuga").unwrap();
    let check = |before: &str, mv: &str, after: &str| {
        let (at, _) = game.play_list(&game.parse_setup(before).unwrap(), mv).unwrap();
        assert_eq!(game.setup(&at), after, "{before}, {mv}");
    };
    check("0,0,1,0,0,0,15/3,3,0,3,0,2,4 1", "3", "1,0,0,1,0,0,15/3,3,0,3,0,2,3 2");
    // No leak with three seeds in the store, with ten in the holes, or after a gain.
    check("0,0,1,0,0,0,15/3,3,0,3,0,2,3 1", "3", "0,0,0,1,0,0,15/3,3,0,3,0,2,3 2");
    check("0,0,1,0,0,0,15/3,3,0,2,0,2,4 1", "3", "0,0,0,1,0,0,15/3,3,0,2,0,2,4 2");
    check("0,0,1,0,1,0,9/3,3,5,3,0,2,4 1", "3", "0,0,0,0,1,0,15/3,3,0,3,0,2,4 2");
    check("0,0,0,0,1,1,9/3,3,5,3,0,2,4 1", "6", "1,0,0,0,1,0,10/3,3,5,3,0,2,3 2 pass");
}

fn check_ending(at: &Position, winner: Option<Side>, margin: u32, reason: &'static str) {
    assert_eq!(uam().ending(at), Some(Ending { winner, margin, reason }), "{at:?}");
}

#[test]
fn endings() {
    let game = uam();
    let at = |setup: &str| game.parse_setup(setup).unwrap();
    check_ending(&at("0,0,0,0,0,0,16/0,3,3,2,0,1,11 2"), Some(Side::Second), 4, "side empty");
    check_ending(&at("0,0,0,0,0,0,18/0,0,0,0,0,0,18 1"), None, 0, "side empty");
    check_ending(&at("0,0,0,0,0,0,0/0,0,0,0,0,0,0 1"), None, 0, "side empty");
    // Rows count where a side is empty, stores where the referee stops the game.
    let stop = |first: u32, second: u32| {
        let mut at = at(&format!("1,0,0,0,0,0,{first}/0,1,0,0,0,0,{second} 1"));
        at.end = Some(rules::MancalaEnd::Stopped(super::clock::MancalaStop::Plies));
        at
    };
    check_ending(&stop(19, 15), Some(Side::First), 4, "60 plies");
    check_ending(&stop(18, 16), None, 0, "60 plies");
}

/// A game with few seeds that only the referee ends.
#[test]
fn unclocked_positions_ignore_the_referee() {
    let game = uam();
    let mut at = game.parse_setup("1,0,0,0,0,0,16/1,0,0,0,0,2,16 1").unwrap();
    let mut unclocked = game.unclocked(&at).into_owned();
    let mut n_plies = 0;
    while game.ending(&at).is_none() {
        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        let mv = moves[0];
        game.play(&mut at, mv);
        game.play(&mut unclocked, mv);
        assert_eq!(game.setup(&at), game.setup(&unclocked));
        n_plies += 1;
    }
    assert!(n_plies < 20, "{n_plies}");
    let last = game.unclocked(&at).into_owned();
    assert_eq!(last, unclocked);
    assert_eq!(game.ending(&last).is_some(), game.ending(&at).unwrap().reason == "side empty");
}

/// A random board of the game, with at most `max` seeds per cup.
fn board(max: u32) -> impl Strategy<Value = [u64; 2]> {
    let cups = prop::collection::vec(0..=max, 2 * (N_HOLES + 1));
    cups.prop_map(|mut cups| {
        while cups.iter().sum::<u32>() > 36 {
            cups.iter_mut().for_each(|seeds| *seeds -= u32::from(*seeds > 0));
        }
        let ring = Ring { cups, n_holes: N_HOLES };
        ring.rows()
    })
}

fn check_sowing(game: &Mancala, [own, other]: [u64; 2]) {
    for hole in (0..N_HOLES).filter(|&hole| own.get(hole) > 0) {
        let mut ring = Ring::new(own, other, N_HOLES);
        let again = ring.sow_uam(hole, game.fuga);
        let [plain_own, plain_other] = ring.rows();
        assert_eq!(game.sown(own, other, hole), (plain_own, plain_other, again), "{own:x} {other:x} {hole}");
    }
}

proptest! {
    #[test]
    fn table_sows_like_plain_sowing(crowded in board(9), sparse in board(2), heap in board(36), fuga: bool) {
        let game = Mancala { fuga };
        for rows in [crowded, sparse, heap] {
            check_sowing(&game, rows);
        }
    }

    #[test]
    fn bueno_equals_playing_each_move(crowded in board(9), sparse in board(2), heap in board(36)) {
        for rows in [crowded, sparse, heap] {
            let at = Position::new(rows, Side::First, false);
            if at.end.is_none() {
                let margin = rows[0].total() as i32 - rows[1].total() as i32;
                prop_assert_eq!(margin + 2 * best_gain(&at), best_margin(&uam(), &at));
            }
        }
    }

    /// Any setup text is a position, which can be played, or gives an error.
    #[test]
    fn any_setup_is_handled(text in "[0-9,/ 12pas.x-]{0,60}", rows in board(36), tail in "[ 12a-z]{0,8}") {
        let game = uam();
        let _ = game.parse_setup(&text);
        let whole = format!("{}{tail}", text::write_setup(rows, N_HOLES, Side::First));
        for text in [whole.as_str(), &whole[..whole.len() - tail.len()]] {
            if let Ok(at) = game.parse_setup(text) {
                let back = game.parse_setup(&game.setup(&at)).unwrap();
                prop_assert_eq!(&back, &at);
                check_moves(&game, &at)?;
            }
        }
    }

    /// Any move list is parsed or gives an error.
    #[test]
    fn any_list_is_handled(text in "[1-7pas, x]{0,80}", holes in prop::collection::vec(0u8..8, 0..80)) {
        let game = uam();
        let _ = game.play_list(&game.start(), &text);
        let mut at = game.start();
        for hole in holes {
            let token = if hole == 7 { "pass".to_owned() } else { hole.to_string() };
            let token = if at.must_pass { "pass" } else { &token };
            if let Ok(mv) = game.parse_move(&at, token) {
                game.play(&mut at, mv);
                check_moves(&game, &at)?;
            }
        }
    }
}

/// Every legal move can be parsed from its text and played, and no seed is lost.
fn check_moves(game: &Mancala, at: &Position) -> Result<(), TestCaseError> {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    prop_assert_eq!(moves.is_empty(), game.ending(at).is_some());
    let seeds = |at: &Position| at.own.total() + at.other.total();
    for mv in moves {
        prop_assert_eq!(game.parse_move(at, &mv.to_string()).unwrap(), mv);
        let mut after = at.clone();
        game.play(&mut after, mv);
        prop_assert_eq!(seeds(&after), seeds(at));
        prop_assert_eq!(after.to_move, at.to_move.other());
    }
    Ok(())
}

/// The report's evaluation equals the feature set `seeds` with its weights, at every position of random games.
#[test]
fn habia_una_vez_is_seeds_with_weights() {
    let game = uam();
    let linear = Linear::new::<Mancala>(SeedCountFeatures::new(&game), &HabiaUnaVez::weights());
    let mut rng = Seed(4).rng();
    let mut n_ended = 0;
    for _ in 0..200 {
        let mut at = game.start();
        loop {
            for view in Side::BOTH {
                let value = HabiaUnaVez.value(&game, &at, &(), view);
                assert_eq!(value, linear.value(&game, &at, &(), view), "{at:?}");
            }
            let Some(mv) = game.random_move(&at, &mut rng, &mut Vec::new()) else { break };
            game.play(&mut at, mv);
        }
        n_ended += i32::from(at.end == Some(rules::MancalaEnd::SideEmpty));
    }
    assert!(n_ended > 100);
}

/// The quirks of the course's program: empty holes capture, a draw counts as won, and `bueno` counts every ended game
/// as lost, for the side to move.
#[test]
fn quirks_of_the_course() {
    let game = uam();
    let mut row = [0; 22];
    let at = game.parse_setup("0,1,0,0,0,0,15/1,2,3,4,5,5,0 1").unwrap();
    SeedCountFeatures::new(&game).extract(&game, &at, Side::First, &mut row);
    // Holes 1, 3, 4, 5 and 6 fall on themselves, hole 2 on hole 3.
    assert_eq!(row[12..16], [0, 0, 0, 5 + (4 + 3 + 2 + 1) + 4]);
    let drawn = game.parse_setup("0,0,0,0,0,0,18/3,3,3,3,3,3,0 2").unwrap();
    let [regular, bueno, fixed, habia] = course_values(&game, &drawn);
    assert_eq!([regular, bueno, fixed], [0.0, -50.0, 10_000.0]);
    assert!(habia > 9000.0);
    let won = game.parse_setup("0,0,0,0,0,0,6/3,3,3,3,3,3,12 2").unwrap();
    assert_eq!(course_values(&game, &won)[..3], [24.0, -50.0, 10_000.0]);
    let lost = game.parse_setup("0,0,0,0,0,0,6/3,3,3,3,3,3,12 1").unwrap();
    assert_eq!(course_values(&game, &lost)[..3], [-24.0, -50.0, -10_000.0]);
}

#[test]
fn fixed_evaluations_take_no_weights() {
    let parametric = FixedEvaluator(RegularEvaluator);
    assert!(ParametricEvaluator::<Mancala>::parameters(&parametric).is_empty());
    let mut buffers = ChildBuffers::default();
    let (game, mut moves) = (uam(), Vec::new());
    game.moves(&game.start(), &mut moves);
    RegularEvaluator.child_values(&game, &game.start(), &(), Side::First, &moves, &mut buffers);
    assert_eq!(buffers.values, [0.0, 0.0, 0.0, 0.0, -2.0, -4.0]);
}

fn check_setup(text: &str, expected: Result<&str, &str>) {
    let game = uam();
    check_result(text, game.parse_setup(text).map(|at| game.setup(&at)), expected);
}

#[test]
fn setups() {
    const START: &str = "3,3,3,3,3,3,0/3,3,3,3,3,3,0 1";
    check_setup(START, Ok(START));
    check_setup("  3,3,3,3,3,3,0/3,3,3,3,3,3,0   1 ", Ok(START));
    check_setup("0,1,0,0,0,0,0/0,1,0,0,0,0,0 2 pass", Ok("0,1,0,0,0,0,0/0,1,0,0,0,0,0 2 pass"));
    check_setup("3,3,3,3,3,3,1/3,3,3,3,3,3,0 1", Err("37 seeds"));
    check_setup("3,3,3,3,3,3/3,3,3,3,3,3,0 1", Err("7 numbers"));
    check_setup("3,3,3,3,3,3,0 1", Err("two rows"));
    check_setup("3,3,3,3,3,3,0/3,3,3,3,3,3,0", Err("the side to move"));
    check_setup("3,3,3,3,3,3,0/3,3,3,3,3,3,0 3", Err("the side to move"));
    check_setup("3,3,3,3,3,3,0/3,3,3,3,3,3,0 1 skip", Err("pass"));
    check_setup("3,3,3,x,3,3,0/3,3,3,3,3,3,0 1", Err("expected a whole number from 0 to 36"));
    check_setup("3,3,3,-1,3,3,0/3,3,3,3,3,3,0 1", Err("\"-1\""));
    check_setup("3,3,3,99999999999,3,3,0/3,3,3,3,3,3,0 1", Err("whole number"));
    check_setup("", Err("two rows"));
}

#[test]
fn game_strings() {
    let check_name = check_name::<MancalaFamily>;
    check_name("uam", Ok("mancala:uam"));
    check_name("uam,fuga", Ok("mancala:uam,fuga"));
    check_name("uam,fuga=no", Ok("mancala:uam"));
    check_name("", Err("a set of rules"));
    check_name("uma", Err("did you mean \"uam\""));
    check_name("uam,fugue", Err("did you mean \"fuga\""));
    check_name("uam,fuga=2", Err("fuga of"));
}

#[test]
fn the_board_is_drawn() {
    let game = uam();
    let (at, moves) = game.play_list(&game.start(), "4 6").unwrap();
    let grid = game.grid(&at, moves.last().copied());
    let text = "\
\x20     6   5   4   3   2   1
[ 1] (0)  3   3   3   3   3
      4   4   3   0   4   4 [ 1]
      1   2   3   4   5   6
";
    assert_eq!(grid.to_text(false), text);
    assert!(grid.to_svg("").contains("wood"));
}

/// Holes of the side to move can be clicked; a pass has no cell.
#[test]
fn spots_of_holes() {
    let game = uam();
    let (at, _) = game.play_list(&game.start(), "1").unwrap();
    let spots = |at: &Position, token: &str| game.spots(at, &[token.to_owned()]);
    assert_eq!([spots(&game.start(), "1"), spots(&game.start(), "6")], [[9], [14]]);
    assert_eq!([spots(&at, "1"), spots(&at, "6")], [[6], [1]]);
    let grid = game.grid(&at, None);
    assert_eq!([9, 14, 6, 1, 0, 15].map(|cell| grid.name_of(cell)), ["1", "6", "1", "6", "", ""]);
    assert!(spots(&at, "pass").is_empty() && spots(&at, "7").is_empty() && spots(&at, "0").is_empty());
    conformance::check_view(&game, 8, 100, Seed(1)).unwrap();
}

/// Frames show seed by seed and then the capture, without losing seeds.
#[test]
fn frames_of_a_sowing() {
    let game = uam();
    let at = game.parse_setup("1,0,3,3,3,3,0/3,3,3,3,5,3,0 1").unwrap();
    let mv = game.parse_move(&at, "1").unwrap();
    let rows: Vec<String> = game
        .frames(&at, mv)
        .iter()
        .map(|frame| frame.to_text(false).lines().skip(1).take(2).collect::<Vec<_>>().join("|"))
        .collect();
    let expected = [
        "[ 0]  3   5   3   3   3   3|     (0)  0   3   3   3   3 [ 0]",
        "[ 0]  3   5   3   3   3   3|     (0)  1   3   3   3   3 [ 0]",
        "[ 0]  3   0   3   3   3   3|     (0)  0   3   3   3   3 [ 6]",
    ];
    assert_eq!(rows, expected);
    let long = game.parse_setup("0,0,0,0,0,15,0/3,3,3,3,3,3,0 1").unwrap();
    let frames = game.frames(&long, game.parse_move(&long, "6").unwrap());
    assert_eq!(seeds_of(&frames), (18..=33).collect::<Vec<u32>>());
    let pass = game.parse_setup("0,1,0,0,0,0,0/0,1,0,0,0,0,0 2 pass").unwrap();
    assert_eq!(game.frames(&pass, Ply::Pass).len(), 1);
}
