//! `analyze` and `accuracy`: moves valued exactly or by a deep search.

use crate::support::{objects, say};
use serde_json::{Value, json};

fn object(line: &str) -> Value {
    objects(line).remove(0)
}

/// Value of a finished game for `to_move`: in Connect Four by the winner's stones left, elsewhere by the margin.
fn worth(game: &str, ended: &Value, n_plies: u64, to_move: &Value) -> f64 {
    let size = match ended["margin"].as_f64().unwrap() {
        _ if game == "connect4" => 22.0 - n_plies.div_ceil(2) as f64,
        margin => margin,
    };
    match &ended["winner"] {
        Value::Null => 0.0,
        winner if winner == to_move => size,
        _ => -size,
    }
}

#[test]
fn lines_end_with_what_is_claimed() {
    for (game, moves) in [
        ("connect4", "4526134446113274123666"),
        ("connect4", "6273541753653271474371"),
        ("kalah:4x3", "-"),
        ("kalah:4x3", "2 3"),
        ("kalah:3x3,capture=empty", "1"),
        ("ladrillos:4", "b2h"),
    ] {
        let found = object(&format!("analyze {game} {moves}"));
        assert_eq!(found["exact"], true, "{game} {moves}");
        let judged = found["moves"].as_array().unwrap();
        let before = &object(&format!("show {game} {moves}"))["legal"];
        assert_eq!(judged.len(), before.as_array().unwrap().len());
        for judged in judged {
            let line: Vec<&str> =
                judged["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
            assert_eq!(line[0], judged["move"]);
            let played = match moves {
                "-" => line.join(" "),
                moves if game == "connect4" => format!("{moves}{}", line.concat()),
                moves => format!("{moves} {}", line.join(" ")),
            };
            let shown = object(&format!("show {game} {played}"));
            let n_plies = (moves.len() + line.len()) as u64;
            let value = worth(game, &shown["ended"], n_plies, &found["to_move"]);
            assert_eq!(judged["value"].as_f64(), Some(value), "{game} {played}");
        }
        let best = judged.iter().map(|judged| judged["value"].as_f64().unwrap()).fold(f64::MIN, f64::max);
        assert_eq!(found["value"], best);
        let solved = object(&format!("solve {game} {moves} --no-cache"));
        assert_eq!([&found["value"], &found["best"]], [&solved["value"], &solved["best"]], "{game} {moves}");
    }
}

#[test]
fn a_player_is_compared() {
    let line = "analyze connect4 4526134446113274123666 --player";
    for (player, chosen, regret) in [("perfect", "2", 0.0), ("first", "1", 15.0), ("last", "7", 14.0)] {
        let found = object(&format!("{line} {player}"));
        let expected = json!({ "player": player, "chosen": chosen, "regret": regret });
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&found[key], value, "{key} of {player}");
        }
    }
    assert!(object("analyze kalah:4x3").get("player").is_none());
    let text = say(&format!("{line} last"));
    let chosen = text.lines().find(|line| line.starts_with('>')).unwrap();
    assert!(chosen.starts_with(">     7     -5     14  2 2 3 5"), "{chosen}");
    assert!(text.ends_with("last plays 7: 14 worse than the best\n"), "{text}");
}

#[test]
fn deep_searches_prove_nothing() {
    for line in
        ["mancala:uam,fuga --nodes 500", "connect:14x14x7 --nodes 200", "kalah:4x3 --deep --nodes 500"]
    {
        let found = object(&format!("analyze {line}"));
        assert_eq!(found["exact"], false, "{line}");
        assert!(found["nodes"].as_u64() > Some(0) && found["seconds"].is_f64(), "{line}");
        let n_best = found["best"].as_array().unwrap().len();
        assert!(n_best > 0 && n_best <= found["moves"].as_array().unwrap().len(), "{line}");
        assert!(say(&format!("analyze {line}")).contains(" (by deep search, not proved; "), "{line}");
    }
    // A proven win is printed as "won", and a move that gives it away as "the win", not as a number of points.
    let text = say("analyze connect4 121212 --deep --nodes 500 --player last");
    let rows: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in ["* 1 won", "3 lost the win 2", "> 7 lost the win 2", "last plays 7: gives away the win"] {
        assert!(rows.iter().any(|line| line == row), "{row}: {text}");
    }
    // These rules evaluate finished boards like any other, so that a win has no special large value.
    let found = object("analyze mancala:uam,fuga 6 6 --nodes 200");
    let small = |judged: &Value| judged["value"].as_f64().is_some_and(|value| value.abs() < 1e6);
    assert!(found["moves"].as_array().unwrap().iter().all(small), "{found}");
}

#[test]
fn perfect_play_has_no_regrets() {
    for line in [
        "accuracy connect4 perfect random --positions 8 --exact-nodes 10000",
        "accuracy kalah:4x3 perfect random --positions 30",
        "accuracy ladrillos:4 perfect random --positions 10",
        "accuracy mancala:uam perfect random --positions 10 --from-ply 20",
    ] {
        let found = object(&format!("{line} --threads 1"));
        assert_eq!(object(&format!("{line} --threads 4")), found, "{line}");
        assert_eq!(
            [&found["exact"], &found["complete"], &found["seed"]],
            [&json!(true), &json!(true), &json!(1)]
        );
        let players = found["players"].as_array().unwrap();
        let n_positions = found["positions"].as_u64().unwrap();
        for key in ["share", "share_low", "share_high", "mean_regret", "blunder_rate"] {
            assert!(players.iter().all(|player| player[key].is_f64()), "{key} of {line}");
        }
        let perfect = &players[0];
        assert_eq!(perfect["player"], "perfect");
        assert_eq!(perfect["optimal"], n_positions, "{line}");
        assert_eq!(
            [&perfect["share"], &perfect["mean_regret"], &perfect["blunders"]],
            [&json!(1.0), &json!(0.0), &json!(0)]
        );
        let random = &players[1];
        assert!(random["share"].as_f64() < Some(0.8) && random["mean_regret"].as_f64() > Some(0.0), "{line}");
    }
}

/// A game that is solved as a whole is solved once, not once per position.
#[test]
fn accuracy_in_a_game_that_is_solved_whole() {
    let line = "accuracy mastergoal:1 hand-level1 random --positions 200 --threads";
    let found = object(&format!("{line} 1"));
    assert_eq!(object(&format!("{line} 2")), found);
    assert_eq!([&found["exact"], &found["positions"]], [&json!(true), &json!(200)]);
    let [hand, random] = [0, 1].map(|i| found["players"][i]["blunder_rate"].as_f64().unwrap());
    assert!(hand < random, "{found}");
}

#[test]
fn accuracy_as_a_table() {
    let line = "accuracy kalah:4x3 perfect stores random --positions 20 --seed 2";
    insta::with_settings!({ omit_expression => true, description => format!("palestra {line}") }, {
        insta::assert_snapshot!("accuracy", say(line));
    });
    let text = say("accuracy kalah:4x3 random --positions 1");
    assert!(text.starts_with("kalah:4x3: 1 position, seed 1, every move rated exactly\n"), "{text}");
    // A board with one column has no position whose moves differ in value.
    let text = say("accuracy connect:1x4x4 random --positions 2");
    assert!(
        text.contains("connect:1x4x4: 0 positions") && text.contains("fewer than the requested 2 positions"),
        "{text}"
    );
    assert!(!text.contains("NaN"), "{text}");
    let found = object("accuracy mancala:uam,fuga random --positions 2 --nodes 100");
    assert_eq!(found["exact"], false);
}

/// `--from-ply` selects later positions; the mean regret is lower there because fewer moves are left.
#[test]
fn late_positions() {
    let measured = |more: &str| object(&format!("accuracy kalah:4x3 random --positions 40{more}"));
    assert_eq!(measured(" --from-ply 0"), measured(""));
    let regret = |found: &Value| found["players"][0]["mean_regret"].as_f64().unwrap();
    let (all, late) = (measured(""), measured(" --from-ply 12"));
    assert_eq!(late["positions"], 40);
    assert!(regret(&late) < regret(&all), "{late} {all}");
    assert_eq!(measured(" --from-ply 1000")["positions"], 0);
}
