//! Recorded positions, the sowing tables against plain sowing, and the texts of the family.

use super::*;
use crate::checks::{check_name, check_result};
use crate::mancala::cups::{SowingGame, row_of};
use crate::mancala::plain::{Ring, seeds_of};
use palestra_core::{Game, Notation, Seed, Side, View};
use proptest::prelude::*;
use rand::RngExt;
use rules::Position;
use serde_json::Value;

fn game<R: CupRow>(size: &str) -> Kalah<R> {
    Size::parse(size).unwrap().game()
}

fn number(value: &Value) -> u32 {
    value.as_u64().unwrap() as u32
}

fn setup_text(board: &Value, turn: &Value) -> String {
    let row = |row: &Value| {
        row.as_array().unwrap().iter().map(|cup| number(cup).to_string()).collect::<Vec<_>>().join(",")
    };
    format!("{}/{} {}", row(&board[0]), row(&board[1]), number(turn) + 1)
}

#[test]
fn recorded_positions() {
    let lines = include_str!("data/kalah_positions.jsonl").lines();
    assert_eq!(lines.clone().count(), 100);
    for line in lines {
        let record: Value = serde_json::from_str(line).unwrap();
        let capture = if record["empty_capture"].as_bool().unwrap() { ",capture=empty" } else { "" };
        let size = format!("{}x{}{capture}", record["holes"], record["seeds"]);
        // All types of rows must give the same.
        replay(&game::<u64>(&size), &record);
        replay(&game::<u128>(&size), &record);
        replay(&game::<[u16; 13]>(&size), &record);
    }
}

fn replay<R: CupRow>(game: &Kalah<R>, record: &Value) {
    assert_eq!((&record["variant"], number(&record["must_pass"])), (&Value::from("kalah"), 0));
    let setup = setup_text(&record["board"], &record["turn"]);
    let at = game.parse_setup(&setup).unwrap();
    assert_eq!(game.setup(&at), setup);
    let mut moves = Vec::new();
    game.moves(&at, &mut moves);
    let known = record["moves"].as_array().unwrap();
    assert_eq!(moves.len(), known.len(), "{setup}");
    for (&mv, known) in moves.iter().zip(known) {
        assert_eq!(u32::from(mv.hole), number(&known["move"]), "{setup}");
        let mut after = at.clone();
        game.play(&mut after, mv);
        assert_eq!(game.setup(&after), setup_text(&known["board"], &known["turn"]), "{setup}, {mv}");
        let ending = game.ending(&after);
        assert_eq!(ending.is_some(), known["terminal"].as_bool().unwrap(), "{setup}, {mv}");
        if let Some(ending) = ending {
            let score = [number(&known["score"][0]), number(&known["score"][1])];
            assert_eq!(game.score(&after), Some(score), "{setup}, {mv}");
            assert_eq!(ending.margin, score[0].abs_diff(score[1]));
        }
        assert_eq!(events(game, &at, mv.hole.into()), events_of(known), "{setup}, {mv}");
    }
}

/// The names that the recording uses for the events of a sowing.
fn events<R: CupRow>(game: &Kalah<R>, at: &Position<R>, hole: usize) -> Vec<&'static str> {
    let gain = game.sowing_gain(at.own, at.other, hole);
    let mut after = at.clone();
    game.play(&mut after, rules::Sowing { side: at.to_move, hole: hole as u8 });
    let names = [
        ("capture", gain.captured > 0),
        ("extra_turn", gain.again),
        ("full_lap", at.own.get(hole) as usize > 2 * game.n_holes),
        ("sweep", game.is_over(&after)),
    ];
    names.into_iter().filter(|(_, happens)| *happens).map(|(name, _)| name).collect()
}

fn events_of(known: &Value) -> Vec<&str> {
    let mut events: Vec<&str> =
        known["events"].as_array().unwrap().iter().map(|event| event.as_str().unwrap()).collect();
    events.sort_unstable();
    events
}

/// A board size and the seeds in its cups, at most as many as the game has.
fn board() -> impl Strategy<Value = (usize, u32, Vec<u32>)> {
    let sizes = (1usize..=12, 1u32..=12, 1u32..30);
    sizes.prop_flat_map(|(n_holes, per_hole, max)| {
        let all = 2 * n_holes as u32 * per_hole;
        let cups = prop::collection::vec(0..=max, 2 * (n_holes + 1));
        cups.prop_map(move |mut cups| {
            while cups.iter().sum::<u32>() > all {
                cups.iter_mut().for_each(|seeds| *seeds -= u32::from(*seeds > 0));
            }
            (n_holes, per_hole, cups)
        })
    })
}

fn check_sowing<R: CupRow>(game: &Kalah<R>, cups: &[u32]) {
    let n_holes = game.n_holes;
    let rows: [R; 2] = [row_of(&cups[..=n_holes]), row_of(&cups[n_holes + 1..])];
    let at = Position::new(rows, Side::First);
    let mut moves = Vec::new();
    game.moves(&at, &mut moves);
    assert_eq!(moves.is_empty(), game.ending(&at).is_some());
    for mv in moves {
        let mut ring = Ring::new(rows[0], rows[1], n_holes);
        let again = ring.sow_kalah(mv.hole.into(), game.capture == Capture::Empty);
        let mut after = at.clone();
        game.play(&mut after, mv);
        assert_eq!(after.rows(), ring.rows(), "{game}: {}, {mv}", game.setup(&at));
        assert_eq!(after.to_move == Side::First, again, "{game}: {}, {mv}", game.setup(&at));
        assert_eq!(after.rows().map(CupRow::total).iter().sum::<u32>(), cups.iter().sum::<u32>());
        assert_eq!(game.parse_move(&at, &mv.to_string()), Ok(mv));
        assert_eq!(game.parse_setup(&game.setup(&after)), Ok(after));
    }
}

proptest! {
    #[test]
    fn tables_sow_like_plain_sowing((n_holes, per_hole, cups) in board(), empty: bool) {
        let capture = if empty { Capture::Empty } else { Capture::Standard };
        let all = 2 * n_holes as u32 * per_hole;
        if all <= 255 && n_holes <= 7 {
            check_sowing(&Kalah::<u64>::new(n_holes, per_hole, capture), &cups);
        }
        if all <= 255 {
            check_sowing(&Kalah::<u128>::new(n_holes, per_hole, capture), &cups);
        }
        check_sowing(&Kalah::<[u16; 13]>::new(n_holes, per_hole, capture), &cups);
    }

    /// Any text of a setup or a move list is parsed or gives an error.
    #[test]
    fn any_text_is_handled(setup in "[0-9,/ 12pas.x-]{0,40}", list in "[1-9, pasx]{0,40}") {
        let game = game::<u64>("3x2");
        if let Ok(at) = game.parse_setup(&setup) {
            prop_assert_eq!(game.parse_setup(&game.setup(&at)), Ok(at));
        }
        let _ = game.play_list(&game.start(), &list);
    }

    /// Any choice of moves keeps all seeds.
    #[test]
    fn moves_keep_all_seeds(choices in prop::collection::vec(any::<u8>(), 0..300), n_holes in 1usize..=7, per_hole in 1u32..=6) {
        let game = Kalah::<u64>::new(n_holes, per_hole, Capture::Standard);
        let mut at = game.start();
        for choice in choices {
            let mut moves = Vec::new();
            game.moves(&at, &mut moves);
            prop_assert_eq!(moves.is_empty(), game.ending(&at).is_some());
            let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            game.play(&mut at, mv);
            prop_assert_eq!(at.own.total() + at.other.total(), game.total_seeds());
        }
    }
}

/// The three types of rows have the same numbers of move sequences.
#[test]
fn row_types_have_equal_perft_counts() {
    for size in ["3x2", "6x4", "4x3,capture=empty", "7x2"] {
        let counts = [
            palestra_core::count_sequences(&game::<u64>(size), &game::<u64>(size).start(), 5),
            palestra_core::count_sequences(&game::<u128>(size), &game::<u128>(size).start(), 5),
            palestra_core::count_sequences(&game::<[u16; 13]>(size), &game::<[u16; 13]>(size).start(), 5),
        ];
        assert!(counts.iter().all(|count| *count == counts[0]), "{size}: {counts:?}");
    }
}

fn check(size: &str, before: &str, mv: &str, after: &str) {
    let game = game::<u64>(size);
    let (at, _) = game.play_list(&game.parse_setup(before).unwrap(), mv).unwrap();
    assert_eq!(game.setup(&at), after, "{before}, {mv}");
}

#[test]
fn captures() {
    // If seeds face the last one, both rules capture; if none do, only `empty`.
    check("3x2", "1,0,1,0/2,3,2,0 1", "1", "0,0,1,4/2,0,2,0 2");
    check("3x2", "1,0,1,0/2,0,2,0 1", "1", "0,1,1,0/2,0,2,0 2");
    check("3x2,capture=empty", "1,0,1,0/2,0,2,0 1", "1", "0,0,1,1/2,0,2,0 2");
    // Seven seeds go around to the hole they came from, past the opponent's store.
    check("3x2", "7,0,1,0/1,0,2,0 1", "1", "0,1,2,5/2,1,0,0 2");
}

#[test]
fn last_seed_in_the_store_gives_another_turn() {
    check("3x2", "2,2,2,0/2,2,2,0 1", "2", "2,0,3,1/2,2,2,0 1");
    check("3x2", "2,2,2,0/2,2,2,0 1", "2 1", "0,1,4,1/2,2,2,0 2");
}

#[test]
fn remaining_seeds_go_to_their_stores() {
    check("3x2", "0,0,1,4/2,0,2,3 1", "3", "0,0,0,5/0,0,0,7 1");
    let game = game::<u64>("3x2");
    let ended = game.parse_setup("0,0,0,5/2,0,2,3 1").unwrap();
    let ending = game.ending(&ended).unwrap();
    assert_eq!((ending.winner, ending.margin, ending.reason), (Some(Side::Second), 2, "side empty"));
    assert_eq!(game.score(&ended), Some([5, 7]));
}

/// The last move is marked on the side that made it, even if that side moves again.
#[test]
fn the_board_is_drawn() {
    let game = game::<u64>("3x2");
    let (at, moves) = game.play_list(&game.start(), "2").unwrap();
    let text = "\
\x20     3   2   1
[ 0]  2   2   2
      2  (0)  3 [ 1]
      1   2   3
";
    assert_eq!(game.grid(&at, moves.last().copied()).to_text(false), text);
}

#[test]
fn game_strings() {
    let check_name = check_name::<KalahFamily>;
    check_name("6x4", Ok("kalah:6x4"));
    check_name("6x4,capture=standard", Ok("kalah:6x4"));
    check_name("12x12,capture=empty", Ok("kalah:12x12,capture=empty"));
    check_name("", Err("HOLESxSEEDS"));
    check_name("6", Err("HOLESxSEEDS"));
    check_name("0x4", Err("\"0\" for holes of \"kalah:0x4\": expected a whole number from 1 to 12"));
    check_name("13x4", Err("holes of"));
    check_name("6x13", Err("seeds of"));
    check_name("6x4x2", Err("seeds of"));
    check_name("6x4,capture=none", Err("one of the choices (standard, empty)"));
    check_name("6x4,catch=empty", Err("an option of this game"));
}

fn check_setup(text: &str, expected: Result<&str, &str>) {
    let game = game::<u64>("2x3");
    check_result(text, game.parse_setup(text).map(|at| game.setup(&at)), expected);
}

#[test]
fn setups() {
    check_setup("3,3,0/3,3,0 1", Ok("3,3,0/3,3,0 1"));
    check_setup("12,0,0/0,0,0 2", Ok("12,0,0/0,0,0 2"));
    check_setup("0,0,0/0,0,0 1", Ok("0,0,0/0,0,0 1"));
    check_setup("3,3,0/3,3,1 1", Err("13 seeds"));
    check_setup("3,3/3,3,1 1", Err("3 numbers"));
    check_setup("3,3,0/3,3,0 1 pass", Err("Kalah has no passes"));
    check_setup("3,3,0/3,3,0", Err("the side to move"));
}

/// Seed by seed, then the capture, then the rest; no seed falls into the opponent's store.
#[test]
fn frames_of_a_sowing() {
    let game = game::<u64>("3x2");
    let at = game.parse_setup("1,0,0,2/0,2,1,1 1").unwrap();
    let rows: Vec<String> = game
        .frames(&at, game.parse_move(&at, "1").unwrap())
        .iter()
        .map(|frame| frame.to_text(false).lines().skip(1).take(2).collect::<Vec<_>>().join("|"))
        .collect();
    let expected = [
        "[ 1]  1   2   0|     (0)  0   0 [ 2]",
        "[ 1]  1   2   0|     (0)  1   0 [ 2]",
        "[ 1]  1   0   0|     (0)  0   0 [ 5]",
        "[ 2]  0   0   0|     (0)  0   0 [ 5]",
    ];
    assert_eq!(rows, expected);
    let at = game.parse_setup("0,0,9,0/1,1,1,0 2").unwrap();
    assert_eq!(game.spots(&at, &["3".to_owned()]), [1]);
    let at = game.parse_setup("0,0,9,0/1,1,1,0 1").unwrap();
    let frames = game.frames(&at, game.parse_move(&at, "3").unwrap());
    assert_eq!(game.spots(&at, &["3".to_owned()]), [8]);
    assert_eq!(seeds_of(&frames)[..10], [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
}

/// Many seeds are sown several per frame.
#[test]
fn frames_of_a_long_sowing() {
    let game = game::<[u16; 13]>("12x12");
    let row = |seeds: u32| format!("{seeds},0,0,0,0,0,0,0,0,0,0,1,0");
    let at = game.parse_setup(&format!("{}/{} 1", row(285), row(1))).unwrap();
    let seeds = seeds_of(&game.frames(&at, game.parse_move(&at, "1").unwrap()));
    assert_eq!((seeds[0], seeds[1], seeds.last()), (3, 9, Some(&288)));
    assert!(seeds.len() <= palestra_core::MAX_FRAMES && seeds.is_sorted());
}

/// `random_move` makes no list, but draws the same moves as from a list.
#[test]
fn random_moves_equal_draws_from_the_list() {
    struct Draw;
    impl GameVisitor for Draw {
        type Out = u32;

        fn visit<G: Playable>(self, game: G) -> u32 {
            let mut n_moves = 0;
            for seed in 0..30 {
                let mut rng = Seed(seed).rng();
                let (mut at, mut list) = (game.start(), Vec::new());
                loop {
                    let mut other = rng.clone();
                    list.clear();
                    game.moves(&at, &mut list);
                    let drawn = game.random_move(&at, &mut rng, &mut Vec::new());
                    let Some(mv) = drawn else { break };
                    assert_eq!(mv, list[other.random_range(0..list.len())]);
                    assert_eq!(rng, other, "both used the same random numbers");
                    game.play(&mut at, mv);
                    n_moves += 1;
                }
                assert!(list.is_empty() && game.ending(&at).is_some());
            }
            n_moves
        }
    }
    for size in ["6x4", "1x1", "9x3", "12x12", "6x4,capture=empty"] {
        assert!(KalahFamily::open(size, Draw).unwrap() >= 30, "{size}");
    }
}
