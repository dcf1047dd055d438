//! Positions counted by another program, the generator against the plain one, and invalid texts.

use super::rules::BallHolder;
use super::*;
use crate::checks::{check_name, check_result};
use palestra_core::{Game, Notation, Seed, Side, View, count_sequences};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

fn game(text: &str) -> Mastergoal {
    parse(text).unwrap()
}

/// A line of the data as a setup string.
fn setup(line: &Value) -> String {
    let square = |pair: &Value| {
        Square::new(pair[0].as_u64().unwrap() as usize, pair[1].as_u64().unwrap() as usize).to_string()
    };
    let team = |list: &Value| list.as_array().unwrap().iter().map(square).collect::<Vec<_>>().join(",");
    let to_move = line["turn"].as_u64().unwrap() + 1;
    format!("{}/{}/{} {to_move}", team(&line["team0"]), team(&line["team1"]), square(&line["ball"]))
}

/// The data's checksum of all results.
fn checksum(game: &Mastergoal, at: &Position, moves: &[Turn]) -> u64 {
    let n_field = game.level.n_pieces() - usize::from(game.level.has_keeper());
    let mut sum = 0u32;
    for &mv in moves {
        let mut after = *at;
        game.play(&mut after, mv);
        let mut numbers = Vec::new();
        for side in Side::BOTH {
            let mut pieces: Vec<Square> = after.pieces(side).collect();
            pieces[..n_field].sort_unstable();
            numbers.extend(pieces.iter().flat_map(|piece| [piece.row(), piece.column()]));
        }
        numbers.extend([after.ball.row(), after.ball.column(), after.to_move.index()]);
        let step = |h: u32, &x: &usize| h.wrapping_mul(131).wrapping_add(x as u32).wrapping_add(1);
        sum = sum.wrapping_add(numbers.iter().fold(17, step));
    }
    u64::from(sum)
}

#[test]
fn known_positions() {
    let mut n_lines = 0;
    for text in include_str!("data/positions.jsonl").lines() {
        let line: Value = serde_json::from_str(text).unwrap();
        if line["kind"] == "average" {
            continue;
        }
        n_lines += 1;
        let game = game(line["level"].as_str().unwrap());
        let setup = setup(&line);
        let at = game.parse_setup(&setup).unwrap();
        assert_eq!(game.setup(&at), setup);
        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        let after = |mv: &Turn| {
            let mut after = at;
            game.play(&mut after, *mv);
            after
        };
        let count = |test: &dyn Fn(&Turn) -> bool| moves.iter().filter(|mv| test(mv)).count();
        let goals = count(&|mv| game.ending(&after(mv)).is_some_and(|ending| ending.reason == "goal"));
        let again = count(&|mv| game.ending(&after(mv)).is_none() && after(mv).to_move == at.to_move);
        let by_piece: Vec<usize> = at.pieces(at.to_move).map(|piece| count(&|mv| mv.from == piece)).collect();
        let known = |key: &str| line[key].as_u64().unwrap() as usize;
        assert_eq!([moves.len(), goals, again], ["results", "goals", "same_side"].map(known), "{text}");
        assert_eq!(serde_json::json!(by_piece), line["by_piece"], "{text}");
        assert_eq!(game.holder(&at) == BallHolder::Neutral, line["neutral"], "{text}");
        assert_eq!(checksum(&game, &at, &moves), line["checksum"].as_u64().unwrap(), "{text}");
        let plain = plain::turns(&game, &at);
        let counts = [plain.paths.len(), plain.plays.len(), plain.steps.len()];
        assert_eq!(counts, ["sequences", "plays", "player_moves"].map(known), "{text}");
    }
    assert_eq!(n_lines, 141);
}

/// The results of turns, without the paths of the ball.
fn results(paths: impl IntoIterator<Item = plain::Path>) -> BTreeSet<(Square, Square, Option<Square>)> {
    paths.into_iter().map(|(from, to, path)| (from, to, path.last().copied())).collect()
}

/// Every path is a plain one, every result has exactly one path, and no plain path is shorter.
#[test]
fn turns_equal_the_plain_ones() {
    for name in ["1", "2", "2+1", "3", "3,claim=no,keeper=2"] {
        let game = game(name);
        let mut rng = Seed(7).rng();
        let mut moves = Vec::new();
        for _ in 0..4 {
            let mut at = game.start();
            while game.ending(&at).is_none() {
                moves.clear();
                game.moves(&at, &mut moves);
                let plain = plain::turns(&game, &at);
                let fast = moves.iter().map(|mv| (mv.from, mv.to, mv.kicks().collect::<Vec<_>>()));
                let fast: Vec<plain::Path> = fast.collect();
                let distinct = results(fast.iter().cloned());
                assert_eq!(distinct.len(), fast.len(), "{name}: a result twice at {}", game.setup(&at));
                assert_eq!(distinct, results(plain.paths.iter().cloned()), "{name} at {}", game.setup(&at));
                for path in &fast {
                    assert!(plain.paths.contains(path), "{name}: {path:?} at {}", game.setup(&at));
                    let is_shorter = |other: &&plain::Path| {
                        (other.0, other.1, other.2.last()) == (path.0, path.1, path.2.last())
                            && other.2.len() < path.2.len()
                    };
                    assert_eq!(plain.paths.iter().find(is_shorter), None, "{name} at {}", game.setup(&at));
                }
                let mv = game.random_move(&at, &mut rng, &mut moves).unwrap();
                game.play(&mut at, mv);
            }
        }
    }
}

/// Any legal path means its result, and no other text does.
#[test]
fn other_paths_are_parsed() {
    let game = game("3");
    let at = game.start();
    let mut moves = Vec::new();
    game.moves(&at, &mut moves);
    let paths = plain::turns(&game, &at).paths;
    for (from, to, path) in paths.iter().step_by(97) {
        let kicks: String = path.iter().map(|square| format!("*{square}")).collect();
        let mv = game.parse_move(&at, &format!("{from}{to}{kicks}")).unwrap();
        assert_eq!((mv.from, mv.to, mv.last_kick()), (*from, *to, path.last().copied()));
        // The reversed path is usually not legal.
        let back: String = path.iter().rev().map(|square| format!("*{square}")).collect();
        let reversed = (*from, *to, path.iter().rev().copied().collect::<Vec<_>>());
        if !paths.contains(&reversed) {
            assert!(game.parse_move(&at, &format!("{from}{to}{back}")).is_err(), "{from}{to}{back}");
        }
    }
}

#[test]
fn counts_from_the_start() {
    for (name, counts) in [("1", vec![32, 1066]), ("2", vec![53, 3208]), ("2+1", vec![136]), ("3", vec![290])]
    {
        let game = game(name);
        assert_eq!(count_sequences(&game, &game.start(), counts.len() as u32), counts, "{name}");
    }
}

fn mirror(square: Square) -> Square {
    Square::new(14 - square.row(), square.column())
}

/// The other team has the same turns from its end, in the same order.
#[test]
fn teams_are_symmetric() {
    for name in ["1", "2", "2+1", "3"] {
        let game = game(name);
        let mut rng = Seed(3).rng();
        let mut scratch = Vec::new();
        let mut at = game.start();
        while game.ending(&at).is_none() {
            let mut turned = at;
            turned.teams = [at.teams[1], at.teams[0]]
                .map(|team| team.map(|square| if square.is_some() { mirror(square) } else { square }));
            turned.ball = mirror(at.ball);
            turned.to_move = at.to_move.other();
            let (mut here, mut there) = (Vec::new(), Vec::new());
            game.moves(&at, &mut here);
            game.moves(&turned, &mut there);
            let flip = |mv: &Turn| {
                let kicks = mv.kicks.map(|square| if square.is_some() { mirror(square) } else { square });
                Turn { from: mirror(mv.from), to: mirror(mv.to), kicks }
            };
            assert_eq!(here.iter().map(flip).collect::<Vec<_>>(), there, "{name}");
            let mv = game.random_move(&at, &mut rng, &mut scratch).unwrap();
            game.play(&mut at, mv);
        }
    }
}

/// Field pieces are interchangeable: their order in a setup changes nothing.
#[test]
fn order_of_pieces_does_not_matter() {
    let game = game("3");
    let a = game.parse_setup("c6,i6,d4,h4,f3/c8,i8,d10,h10,f11/f7 1").unwrap();
    let b = game.parse_setup("d4,i6,h4,c6,f3/i8,c8,d10,h10,f11/f7 1").unwrap();
    assert_eq!(a, b);
    assert_eq!(a, game.start());
    assert_eq!(game.key(&a), game.key(&b));
    let moves = [a, b].map(|at| {
        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        moves
    });
    assert_eq!(moves[0], moves[1]);
    assert_ne!(a, game.parse_setup("f3,i6,d4,h4,c6/c8,i8,d10,h10,f11/f7 1").unwrap(), "a different keeper");
}

/// A game to two goals: kick-off by the side that conceded, the score in the setup, and the ending.
#[test]
fn goals_are_counted() {
    let game = game("1,goals=2");
    let at = game.parse_setup("g9/b3/f11 1").unwrap();
    let goal = game.parse_move(&at, "g9g10*f14").unwrap();
    let mut after = at;
    game.play(&mut after, goal);
    assert_eq!(game.setup(&after), "f4/f10/f7 2 1-0");
    assert_eq!((game.ending(&after), after.goals), (None, [1, 0]));
    let mut last = game.parse_setup("g9/b3/f11 1 1-1").unwrap();
    game.play(&mut last, goal);
    let ending = game.ending(&last).unwrap();
    assert_eq!((ending.winner, ending.margin, ending.reason), (Some(Side::First), 1, "goal"));
    assert_eq!(game.setup(&last), "g10/b3/f14 2 2-1");
    assert_eq!(game.parse_setup("g10/b3/f14 2 2-1").map(|back| game.ending(&back)), Ok(Some(ending)));
}

#[test]
fn turn_limit_ends_a_game() {
    let game = game("1,limit=3");
    let (at, _) = game.play_list(&game.start(), "f4f5 f10f9 f5f4").unwrap();
    assert_eq!(game.ending(&at).map(|ending| (ending.winner, ending.reason)), Some((None, "turn limit")));
    assert_eq!(game.ending(&game.unclocked(&at)), None);
}

/// N20: no legal turn, because a piece next to a neutral ball must stay next to it and only its own corner is free
/// there, or because every move takes a ball that cannot be kicked.
#[test]
fn no_legal_turn_is_a_draw() {
    for (level, setup) in [
        ("1", "a2/b2/b1 1"),
        ("2", "b2,a2/b4,b3/a3 1"),
        ("2+1", "d2,b2,c1/d4,b4,a2/a1 1"),
        ("3", "d1,a4,c2,d3,b1/b4,b2,b3,c4,d4/a1 1"),
    ] {
        let game = game(level);
        let at = game.parse_setup(setup).unwrap();
        assert!(plain::turns(&game, &at).paths.is_empty(), "{setup}");
        let ending = game.ending(&at).map(|ending| (ending.winner, ending.reason));
        assert_eq!(ending, Some((None, "no legal turn")), "{setup}");
    }
    let game = game("1,goals=2");
    let at = game.parse_setup("a2/b2/b1 1 0-1").unwrap();
    assert_eq!(game.ending(&at).and_then(|ending| ending.winner), Some(Side::Second), "the score stands");
}

#[test]
fn game_strings() {
    let check_name = check_name::<MastergoalFamily>;
    check_name("1", Ok("mastergoal:1"));
    check_name("2+1", Ok("mastergoal:2+1"));
    check_name("3,limit=60,goals=1,claim=yes,keeper=3", Ok("mastergoal:3"));
    check_name("1,keeper=2", Ok("mastergoal:1"));
    check_name("3,keeper=2,claim=no,goals=2,limit=9", Ok("mastergoal:3,goals=2,limit=9,keeper=2,claim=no"));
    check_name("", Err("1, 2, 2+1, 3"));
    check_name("4", Err("level of \"mastergoal:4\""));
    check_name("1,goal=2", Err("did you mean \"goals\""));
    check_name("1,goals=0", Err("a whole number from 1 to 9"));
    check_name("1,limit=1001", Err("a whole number from 1 to 1000"));
    check_name("1,claim=maybe", Err("claim of"));
}

fn check_setup(level: &str, text: &str, expected: Result<(), &str>) {
    let setup = game(level).parse_setup(text).map(|at| game(level).setup(&at));
    check_result(text, setup, expected.map(|()| text));
}

#[test]
fn setups() {
    check_setup("1", "f4/f10/f7 1", Ok(()));
    check_setup("1", "f4/f10/f14 2", Ok(()));
    check_setup("1", "f4/f10/f7", Err("the side to move"));
    check_setup("1", "f4/f10/f7 3", Err("\"3\" for setup \"f4/f10/f7 3\": expected the side to move"));
    check_setup("1", "f4/f10 1", Err("first team/second team/ball"));
    check_setup("1", "f4,f5/f10/f7 1", Err("one square"));
    check_setup("1", "f14/f10/f7 1", Err("a1 to k13"));
    check_setup("1", "f04/f10/f7 1", Err("a1 to k13"));
    check_setup("1", "l4/f10/f7 1", Err("a1 to k13"));
    check_setup("1", "f4/f4/f7 1", Err("a square of its own"));
    check_setup("1", "f4/f7/f7 1", Err("a square of its own"));
    check_setup("1", "a1/f10/f7 1", Err("own corner"));
    check_setup("1", "f4/f10/a0 1", Err("the ball's square"));
    check_setup("1", "f4/f10/f7 1 1-0", Err("the first goal ends this game"));
    check_setup("1,goals=2", "f4/f10/f7 1 1-0", Ok(()));
    check_setup("1,goals=2", "f4/f10/f7 1 2-0", Err("a score such as"));
    check_setup("1,goals=2", "f4/f10/f14 2 2-0", Ok(()));
    check_setup("1,goals=2", "f4/f10/f14 2 2-2", Err("a score such as"));
    check_setup("2+1", "c5,e3,f3/c9,i9,f11/f7 1", Err("an arm of a keeper"));
    check_setup("2+1", "c5,i5,f3/c9,i9,f11/f7 1", Ok(()));
    check_setup("1", "é4/f10/f7 1", Err("a1 to k13"));
}

/// Any text gives an error or a position that can be played.
fn check_text(game: &Mastergoal, text: &str) {
    if let Ok(at) = game.parse_setup(text) {
        assert_eq!(game.parse_setup(&game.setup(&at)), Ok(at), "{text}");
        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        assert_eq!(moves.is_empty(), game.ending(&at).is_some(), "{text}");
        for mv in &moves {
            assert_eq!(game.parse_move(&at, &mv.to_string()).as_ref(), Ok(mv), "{text}");
            let mut after = at;
            game.play(&mut after, *mv);
            assert!(game.parse_setup(&game.setup(&after)).is_ok(), "{mv} at {text}");
        }
    }
    let _ = game.play_list(&game.start(), text);
}

proptest! {
    #[test]
    fn arbitrary_text_is_handled(level in 0..4usize, bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        check_text(&game(MastergoalLevel::ALL[level].name()), &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn text_of_valid_characters_is_handled(level in 0..4usize, text in "[a-k0-9,/* -]{0,40}") {
        check_text(&game(MastergoalLevel::ALL[level].name()), &text);
    }

    /// Random squares: many of these setups are positions.
    #[test]
    fn random_setups_can_be_played(
        level in 0..4usize,
        squares in prop::collection::vec((0..15usize, 0..11usize), 11),
        to_move in 1..3usize,
    ) {
        let game = game(MastergoalLevel::ALL[level].name());
        let n = game.level.n_pieces();
        let name = |&(row, column): &(usize, usize)| Square::new(row, column).to_string();
        let team = |squares: &[(usize, usize)]| squares.iter().map(name).collect::<Vec<_>>().join(",");
        let text = format!("{}/{}/{} {to_move}", team(&squares[..n]), team(&squares[5..5 + n]), name(&squares[10]));
        check_text(&game, &text);
    }
}

/// A turn is clicked square by square; its frames show first the piece, then each kick.
#[test]
fn spots_and_frames_of_a_turn() {
    let game = game("1,goals=2");
    let at = game.parse_setup("g9/b3/f11 1").unwrap();
    let mv = game.parse_move(&at, "g9g10*f14").unwrap();
    let grid = game.grid(&at, None);
    let stages = game.stages(mv);
    for (n, name) in ["g9", "g10", "f14"].into_iter().enumerate() {
        let spots = game.spots(&at, &stages[..=n]);
        assert_eq!(spots.iter().map(|&spot| grid.name_of(spot)).collect::<Vec<_>>(), [name]);
    }
    assert!(game.spots(&at, &[]).is_empty() && game.spots(&at, &["l4".to_owned()]).is_empty());
    let cell_of = |grid: &palestra_core::BoardGrid, content| {
        let cell = grid.cells.iter().position(|cell| cell.content == content);
        grid.name_of(cell.unwrap())
    };
    let frames = game.frames(&at, mv);
    let balls: Vec<String> =
        frames.iter().map(|frame| cell_of(frame, palestra_core::CellContent::Ball)).collect();
    // The goal is shown before the kick-off.
    assert_eq!(balls, ["f11", "f14", "f7"]);
    assert_eq!(cell_of(&frames[0], palestra_core::CellContent::Stone), "g10");
    let quiet = game.parse_move(&game.start(), "f4f5").unwrap();
    assert_eq!(game.frames(&game.start(), quiet).len(), 1);
}
