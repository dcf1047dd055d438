//! Recorded games, known positions, and the texts of the family.

use super::*;
use crate::checks::{check_name, check_result};
use palestra_core::{
    ChildBuffers, Evaluator, FeatureSet, Game, Linear, Notation, Seed, Side, count_distinct, count_sequences,
    named_players,
};
use serde_json::Value;
use std::sync::Arc;

type Connect4 = Connect<1, 8, 1>;

fn connect4() -> Connect4 {
    Size::parse("7x6x4").unwrap().game()
}

/// A recorded game: both players' weights, every move, the result and the features at the end.
struct Replay<'a> {
    record: &'a Value,
    features: &'static str,
}

fn numbers<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    value.as_array().unwrap().iter().map(|item| read(item).unwrap()).collect()
}

impl GameVisitor for Replay<'_> {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        struct Play<'a, G> {
            game: &'a G,
            record: &'a Value,
        }
        impl<G: Playable> EvaluationVisitor<G> for Play<'_, G> {
            type Out = ();

            fn linear<F: FeatureSet<G> + 'static>(self, set: F) {
                let (game, record) = (self.game, self.record);
                let set = Arc::new(set);
                let [first, second] = ["first", "second"]
                    .map(|key| Linear::new::<G>(Arc::clone(&set), &numbers(&record[key], Value::as_f64)));
                let (mut at, mut moves, mut played) = (game.start(), Vec::new(), Vec::new());
                let mut accumulator = set.begin(game, &at);
                let mut buffers = ChildBuffers::default();
                while game.ending(&at).is_none() {
                    let side = game.to_move(&at);
                    let evaluator = if side == Side::First { &first } else { &second };
                    moves.clear();
                    game.moves(&at, &mut moves);
                    evaluator.child_values(game, &at, &accumulator, side, &moves, &mut buffers);
                    let values = &buffers.values;
                    let best =
                        (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best });
                    set.advance(game, &mut accumulator, &at, moves[best]);
                    game.play(&mut at, moves[best]);
                    played.push(moves[best].to_string());
                }
                let known: Vec<String> =
                    numbers(&record["moves"], Value::as_u64).iter().map(|c| (c + 1).to_string()).collect();
                assert_eq!(played, known, "moves of game {}", record["id"]);
                let result = match game.ending(&at).unwrap().winner {
                    Some(Side::First) => 1,
                    Some(Side::Second) => -1,
                    None => 0,
                };
                assert_eq!(Some(result), record["result"].as_i64(), "result of game {}", record["id"]);
                for (view, key) in Side::BOTH.into_iter().zip(["features_first", "features_second"]) {
                    let known: Vec<i64> = numbers(&record[key], Value::as_i64);
                    let mut row = [0; 6];
                    set.extract(game, &at, view, &mut row);
                    assert_eq!(row.map(i64::from).to_vec(), known, "{key} of game {}", record["id"]);
                }
            }

            fn other<T: palestra_core::ParametricEvaluator<G>>(self, _template: T) {
                unreachable!("both sets are linear");
            }
        }
        game.evaluation(self.features, Play { game: &game, record: self.record }).unwrap();
    }
}

fn replay(games: &str, features: &'static str) {
    assert_eq!(games.lines().count(), 100);
    for line in games.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let size = format!("{}x{}x{}", record["cols"], record["rows"], record["c"]);
        ConnectFamily::open(&size, Replay { record: &record, features }).unwrap();
    }
}

#[test]
fn games_by_the_reports_counting_replay() {
    replay(include_str!("data/connect_games.jsonl"), "lines");
}

#[test]
fn games_by_the_programs_counting_replay() {
    replay(include_str!("data/connect_games_coded.jsonl"), "lines-coded");
}

#[test]
fn threes_of_known_positions() {
    let game = connect4();
    let set = ThreesFeatures::new(&game);
    let mut n_lines = 0;
    for line in include_str!("data/connect4_threes.txt").lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let (at, _) = game.play_list(&game.start(), parts[0]).unwrap();
        let values: Vec<f64> = parts[4].split(' ').map(|value| value.parse().unwrap()).collect();
        let evaluator = Linear::new::<Connect4>(set.clone(), &[4.0, 4.0, 1.0, 2.0]);
        for (i, view) in Side::BOTH.into_iter().enumerate() {
            let known: Vec<i32> = parts[2 + i].split(' ').map(|count| count.parse().unwrap()).collect();
            let mut row = [0; 4];
            set.extract(&game, &at, view, &mut row);
            assert_eq!(row.to_vec(), known, "{line}");
            let accumulator = evaluator.begin(&game, &at);
            assert_eq!(evaluator.value(&game, &at, &accumulator, view), values[i], "{line}");
        }
        n_lines += 1;
    }
    assert_eq!(n_lines, 200);
}

#[test]
fn counts_of_connect_4() {
    let game = connect4();
    let start = game.start();
    assert_eq!(count_sequences(&game, &start, 7), [7, 49, 343, 2401, 16807, 117_649, 823_536]);
    assert_eq!(count_distinct(&game, &start, 7), [1, 7, 49, 238, 1120, 4263, 16422, 54859]);
}

#[test]
fn game_strings() {
    let check_name = check_name::<ConnectFamily>;
    check_name("7x6x4", Ok("connect:7x6x4"));
    check_name("7x6x4x21", Ok("connect:7x6x4"));
    check_name("7x6x4x5", Ok("connect:7x6x4x5"));
    check_name("32x32x32", Ok("connect:32x32x32"));
    check_name("", Err("COLUMNSxROWSxRUN"));
    check_name("7x6", Err("COLUMNSxROWSxRUN"));
    check_name("0x6x4", Err("\"0\" for columns of \"connect:0x6x4\": expected a whole number from 1 to 32"));
    check_name("7x33x4", Err("rows of"));
    check_name("7x6x4x0", Err("pieces of"));
    check_name("7x6x4x", Err("missing value for pieces of"));
    check_name("7x-6x4", Err("rows of"));
    check_name("7x+6x4", Err("rows of"));
    check_name("9999999999999x6x4", Err("columns of"));
}

fn check_setup(text: &str, expected: Result<&str, &str>) {
    let game: Connect4 = Size::parse("3x2x2").unwrap().game();
    let winner = |at| format!("{:?}", game.ending(&at).map(|ending| ending.winner));
    check_result(text, game.parse_setup(text).map(winner), expected);
}

#[test]
fn setups() {
    check_setup(".../... 1", Ok("None"));
    check_setup(".../1.1 2", Ok("None"));
    check_setup("1../1.2 1", Ok("Some(Some(First))"));
    check_setup("121/212 1", Err("line of each side"));
    check_setup("1../... 2", Err("without gaps"));
    check_setup(".../... 3", Err("the side to move"));
    check_setup(".../...", Err("the side to move"));
    check_setup("... 1", Err("2 rows"));
    check_setup("..../.... 1", Err("a row of 3 cells"));
    check_setup(".../..x 1", Err("invalid value \"x\" for setup \".../..x 1\": expected one of . 1 2"));
    check_setup("111/... 1", Err("without gaps"));
    check_setup("", Err("the side to move"));
}

/// The example in `notation.txt`: the sides need not have moved equally often.
#[test]
fn setup_gives_the_side_to_move() {
    let game = connect4();
    let at = game.parse_setup("......./......./......./......./..1..../..21... 1").unwrap();
    assert_eq!(game.to_move(&at), Side::First);
    assert_eq!(at.left, 38, "the side with fewer stones left ends the game");
}

#[test]
fn mirrored_positions_have_equal_endings_and_counts() {
    let game = connect4();
    let mut rng = Seed(5).rng();
    for _ in 0..200 {
        let (mut at, mut mirror) = (game.start(), game.start());
        while let Some(Column(column)) = game.random_move(&at, &mut rng, &mut Vec::new()) {
            game.play(&mut at, Column(column));
            game.play(&mut mirror, Column(6 - column));
            assert_eq!(game.ending(&at), game.ending(&mirror));
            assert_eq!(count_sequences(&game, &at, 2), count_sequences(&game, &mirror, 2));
        }
    }
}

#[test]
fn named_players_are_complete() {
    let players: Vec<_> = named_players(ConnectFamily::INFO.players).collect();
    let with = |start: &str| players.iter().filter(|player| player.name.starts_with(start)).count();
    assert_eq!([with("rival-"), with("grid-"), with("genetic-"), with("threes-")], [9, 9, 7, 4]);
    assert!(players.iter().all(|player| !player.player.is_empty() && !player.about.is_empty()));
}

/// All cells of a column choose it, and the frames show the stone falling.
#[test]
fn a_stone_is_dropped() {
    struct Drop;
    impl GameVisitor for Drop {
        type Out = ();

        fn visit<G: Playable>(self, game: G) {
            let (at, _) = game.play_list(&game.start(), "22").unwrap();
            assert_eq!(game.spots(&at, &["2".to_owned()]), [1, 4, 7, 10]);
            assert!(game.spots(&at, &["4".to_owned()]).is_empty() && game.spots(&at, &[]).is_empty());
            let mv = game.parse_move(&at, "2").unwrap();
            let frames: Vec<String> = game.frames(&at, mv).iter().map(|frame| frame.to_text(false)).collect();
            let top = " .  X  .\n .  .  .\n .  O  .\n .  X  .\n 1  2  3\n";
            let rest = " .  .  .\n . (X) .\n .  O  .\n .  X  .\n 1  2  3\n";
            assert_eq!(frames, [top, rest]);
            let name = |cell| game.grid(&at, None).name_of(cell);
            assert_eq!([name(1), name(11)], ["2", "3"]);
        }
    }
    ConnectFamily::open("3x4x3", Drop).unwrap();
}
