//! Tests with known games and heaps, and of errors.

use super::*;
use palestra_core::{Game, Notation, Seed, Side, View, conformance};

fn skeleton(n_counters: u8) -> SkeletonGame {
    SkeletonGame::parse(&n_counters.to_string()).unwrap()
}

#[test]
fn small_heaps_pass_the_conformance_checks() {
    let longest = SkeletonFamily::INFO.longest_game;
    for n_counters in 1..=12 {
        let game = skeleton(n_counters);
        conformance::check_game(&game, 10, longest, Seed(1)).unwrap();
        conformance::check_text(&game, 10, longest, Seed(2)).unwrap();
        conformance::check_evaluations(&game, 10, longest, Seed(3)).unwrap();
    }
}

fn check_winner(moves: &str, expected: Option<Side>) {
    let game = skeleton(5);
    let (at, _) = game.play_list(&game.start(), moves).unwrap();
    assert_eq!(game.ending(&at).and_then(|ending| ending.winner), expected, "{moves}");
}

#[test]
fn taking_the_last_counter_wins() {
    check_winner("-", None);
    check_winner("1 3", None);
    check_winner("1 3 1", Some(Side::First));
    check_winner("2 3", Some(Side::Second));
    check_winner("1 1 1 2", Some(Side::Second));
}

/// Whether the side to move can win, by exhaustive search.
fn can_win(game: &SkeletonGame, at: &SkeletonPosition) -> bool {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    moves.into_iter().any(|mv| {
        let mut after = at.clone();
        game.play(&mut after, mv);
        !can_win(game, &after)
    })
}

/// The fact that the features are based on.
#[test]
fn multiples_of_four_are_lost() {
    for n_counters in 1..=16 {
        let game = skeleton(n_counters);
        assert_eq!(can_win(&game, &game.start()), !n_counters.is_multiple_of(4), "{n_counters}");
    }
}

fn check_bad_setup(setup: &str, part: &str) {
    let bad = skeleton(21).parse_setup(setup).unwrap_err().to_string();
    assert!(bad.contains(part), "{setup}: {bad}");
}

#[test]
fn errors_quote_the_text() {
    check_bad_setup("", "missing value for counters of setup \"\": expected a whole number from 0 to 21");
    check_bad_setup("22 1", "invalid value \"22\" for counters of setup \"22 1\"");
    check_bad_setup("5", "missing value for side to move of setup \"5\": expected the side to move, 1 or 2");
    check_bad_setup("5 3", "invalid value \"3\" for side to move of setup \"5 3\"");
    for parameters in ["0", "100", "x", "1x2"] {
        let bad = SkeletonGame::parse(parameters).unwrap_err();
        assert_eq!(bad.found(), parameters);
    }
    assert_eq!(SkeletonGame::parse("").unwrap(), skeleton(DEFAULT_COUNTERS));
}

#[test]
fn the_grid_shows_counters_left_and_taken() {
    let game = skeleton(12);
    let (at, played) = game.play_list(&game.start(), "3").unwrap();
    let text = game.grid(&at, played.last().copied()).to_text(false);
    assert_eq!(text.matches('O').count(), 9);
    assert_eq!(text.matches("(.)").count(), 3);
}
