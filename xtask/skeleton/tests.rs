//! Known games and heaps, and the family's texts.

use super::*;
use palestra_core::{Game, Notation, Seed, Side, View, conformance};

fn skeleton(n_counters: u8) -> SkeletonGame {
    SkeletonGame::parse(&n_counters.to_string()).unwrap()
}

#[test]
fn small_heaps_obey_the_laws() {
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
fn who_takes_the_last_counter_wins() {
    check_winner("-", None);
    check_winner("1 3", None);
    check_winner("1 3 1", Some(Side::First));
    check_winner("2 3", Some(Side::Second));
    check_winner("1 1 1 2", Some(Side::Second));
}

/// Whether the side to move can win, by trying everything.
fn can_win(game: &SkeletonGame, at: &Heap) -> bool {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    moves.into_iter().any(|mv| {
        let mut after = at.clone();
        game.play(&mut after, mv);
        !can_win(game, &after)
    })
}

/// What the features stand on.
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
fn bad_texts_are_named() {
    check_bad_setup("", "nothing there, expected a whole number from 0 to 21");
    check_bad_setup("22 1", "\"22\" is not a whole number from 0 to 21");
    check_bad_setup("5", "nothing there, expected who moves");
    check_bad_setup("5 3", "\"3\" is not who moves");
    for parameters in ["0", "100", "x", "1x2"] {
        let bad = SkeletonGame::parse(parameters).unwrap_err();
        assert_eq!(bad.found, parameters);
    }
    assert_eq!(SkeletonGame::parse("").unwrap(), skeleton(USUAL_COUNTERS));
}

#[test]
fn the_picture_shows_what_is_left_and_what_was_taken() {
    let game = skeleton(12);
    let (at, played) = game.play_list(&game.start(), "3").unwrap();
    let text = game.grid(&at, played.last().copied()).to_text(false);
    assert_eq!(text.matches('O').count(), 9);
    assert_eq!(text.matches("(.)").count(), 3);
}
