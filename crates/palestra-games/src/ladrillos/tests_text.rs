//! Game strings, setups, move lists and named players, valid and invalid.

use super::*;
use crate::checks::check_result;
use palestra_core::{Game, Notation, Seed, Side, View, named_players};
use proptest::prelude::*;

type Small = Ladrillos<1, 72, 34>;

/// The canonical game string and the points of a forfeit.
struct Name;

impl GameVisitor for Name {
    type Out = String;

    fn visit<G: Playable>(self, game: G) -> String {
        format!("{game} {}", game.forfeit_points())
    }
}

fn check_name(parameters: &str, expected: Result<&str, &str>) {
    check_result(parameters, LadrillosFamily::open(parameters, Name), expected);
}

#[test]
fn game_strings() {
    check_name("2", Ok("ladrillos:2 4"));
    check_name("11", Ok("ladrillos:11 121"));
    check_name("20", Ok("ladrillos:20 400"));
    check_name("", Err("missing value for size of \"ladrillos:\": expected a whole number from 2 to 20"));
    for wrong in ["1", "21", "4x4", "-4", "+4", " 4", "99999999999"] {
        check_name(wrong, Err("expected a whole number from 2 to 20"));
    }
}

/// `expected` is points and ending of a setup on three rows, or a part of the error.
fn check_setup(text: &str, expected: Result<&str, &str>) {
    let game = Small::new(3);
    let seen = |at| {
        let [first, second] = game.score(&at).unwrap();
        let ending = match game.ending(&at) {
            Some(ending) => format!("{:?} by {}, {}", ending.winner, ending.margin, ending.reason),
            None => "open".to_owned(),
        };
        format!("{first} {second} {ending}")
    };
    check_result(text, game.parse_setup(text).map(seen), expected);
}

#[test]
fn setups() {
    check_setup(".../.../... 1", Ok("0 0 open"));
    check_setup("11./.../... 2", Ok("4 0 open"));
    check_setup("11./2.1/2.1 1", Ok("8 4 open"));
    check_setup("112/1.2/122 1", Ok("16 16 None by 0, no room"));
    check_setup("111/1.1/... 1", Err("bricks of two cells can cover"));
    check_setup("112/112/22. 1", Ok("16 8 Some(First) by 8, no room"));
    // As many light cells as dark ones, but bricks cannot cover them.
    check_setup("111/.../.1. 1", Err("an island of first that bricks of two cells can cover"));
    check_setup("1../.../... 1", Err("invalid value \"a1\" for setup"));
    check_setup(".../.2./... 1", Err("invalid value \"b2\" for setup"));
    check_setup(".../.../... 3", Err("the side to move"));
    check_setup(".../.../...", Err("the side to move"));
    check_setup("... 1", Err("3 rows"));
    check_setup("..../..../.... 1", Err("a row of 3 cells"));
    check_setup(".../.../..x 1", Err("\"x\" for setup \".../.../..x 1\": expected one of . 1 2"));
    check_setup("", Err("the side to move"));
}

/// The example in `notation.txt`.
#[test]
fn setup_and_move() {
    let game = Small::new(4);
    let at = game.parse_setup("11../..2./..2./.... 1").unwrap();
    assert_eq!(game.to_move(&at), Side::First);
    let (after, played) = game.play_list(&at, "c1h").unwrap();
    assert_eq!(game.setup(&after), "1111/..2./..2./.... 2");
    assert_eq!(game.score(&after), Some([16, 4]));
    assert_eq!(game.stages(played[0]), ["c1", "h"]);
    assert_eq!(game.stage_names(), ["cell", "direction"]);
    let picture = "1 X  X (X)(X)\n2 .  .  O  .\n3 .  .  O  .\n4 .  .  .  .\n  a  b  c  d\n";
    assert_eq!(game.grid(&after, Some(played[0])).to_text(false), picture);
    for wrong in ["c1", "c1x", "d1h", "a5h", "C1h", "", "11h", "a1v"] {
        assert!(game.parse_move(&at, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn column_letters() {
    let names = [0, 19, 25, 26, 27, 51, 52].map(super::rules::column_name);
    assert_eq!(names, ["a", "t", "z", "aa", "ab", "az", "ba"]);
}

#[test]
fn named_players_are_complete() {
    let players: Vec<_> = named_players(LadrillosFamily::INFO.players).collect();
    let masters = players.iter().filter(|player| player.name.starts_with("masters-")).count();
    assert_eq!((masters, players.len()), (40, 44));
    assert!(players.iter().all(|player| !player.player.is_empty() && !player.about.is_empty()));
}

/// Legal moves are consistent: each parses back, can be played, and covers two more cells.
fn check_legal<const W: usize, const C: usize, const L: usize>(
    game: &Ladrillos<W, C, L>,
    at: &Position<W, C, L>,
) {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    assert_eq!(moves.is_empty(), game.ending(at).is_some());
    for mv in moves {
        assert_eq!(game.parse_move(at, &mv.to_string()), Ok(mv));
        let mut after = at.clone();
        game.play(&mut after, mv);
        assert_eq!(after.occupied().count(), at.occupied().count() + 2);
        assert_eq!(game.parse_setup(&game.setup(&after)).as_ref(), Ok(&after));
        let read = game.parse_setup(&game.setup(&after)).unwrap();
        assert_eq!((read.points, game.key(&read)), (after.points, game.key(&after)));
    }
}

proptest! {
    /// Any text gives an error or a position whose moves are consistent.
    #[test]
    fn any_bytes(n in 2usize..=6, bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let game = Small::new(n);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(at) = game.parse_setup(&text) {
            check_legal(&game, &at);
        }
        if let Ok((at, _)) = game.play_list(&game.start(), &text) {
            check_legal(&game, &at);
        }
    }

    /// The same with texts that resemble setups: the right number of cells, some with an owner.
    #[test]
    fn any_cells(n in 2usize..=6, cells in prop::collection::vec(0usize..8, 36), turn in "[123 ]?") {
        let rows: Vec<String> =
            (0..n).map(|row| cells[6 * row..][..n].iter().map(|&cell| b".11.22.."[cell] as char).collect()).collect();
        let game = Small::new(n);
        if let Ok(at) = game.parse_setup(&format!("{} {turn}", rows.join("/"))) {
            prop_assert!(turn == "1" || turn == "2");
            check_legal(&game, &at);
        }
    }

    /// The same with texts that resemble moves.
    #[test]
    fn any_moves(n in 2usize..=20, list in "([a-t][0-9]{1,2}[hv] ?){0,12}") {
        struct Play<'a>(&'a str);
        impl GameVisitor for Play<'_> {
            type Out = ();
            fn visit<G: Playable>(self, game: G) {
                if let Ok((at, moves)) = game.play_list(&game.start(), self.0) {
                    let again: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    assert_eq!(game.play_list(&game.start(), &again.join(",")).unwrap().0, at);
                }
            }
        }
        LadrillosFamily::open(&n.to_string(), Play(&list)).unwrap();
    }

    /// A position does not depend on the order of play, and incremental values equal those of a setup.
    #[test]
    fn order_does_not_matter(n in 2usize..=7, seed in any::<u64>()) {
        let game = Small::new(n);
        let (mut rng, mut scratch, mut at) = (Seed(seed).rng(), Vec::new(), game.start());
        while let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) {
            game.play(&mut at, mv);
            let read = game.parse_setup(&game.setup(&at)).unwrap();
            prop_assert_eq!(&read, &at);
            prop_assert_eq!(read.points, at.points);
            prop_assert_eq!(game.key(&read), game.key(&at));
        }
    }
}

/// A brick is chosen by clicks on its two cells.
#[test]
fn spots_of_a_brick() {
    let game = Small::new(4);
    let at = game.start();
    let check = |stages: &[&str], expected: &[usize]| {
        let stages: Vec<String> = stages.iter().map(|&stage| stage.to_owned()).collect();
        assert_eq!(game.spots(&at, &stages), expected, "{stages:?}");
    };
    check(&["c2"], &[6]);
    check(&["c2", "h"], &[7]);
    check(&["c2", "v"], &[10]);
    check(&["d4"], &[15]);
    for nowhere in
        [&["d4", "h"][..], &["d4", "v"], &["e1"], &["a5"], &["a0"], &["a"], &["é1"], &["a1", "x"], &[]]
    {
        check(nowhere, &[]);
    }
    assert_eq!(game.grid(&at, None).name_of(6), "c2");
    let mv = game.parse_move(&at, "c2v").unwrap();
    assert_eq!(game.frames(&at, mv).len(), 1);
}
