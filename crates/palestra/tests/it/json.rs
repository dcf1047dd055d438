//! The JSON output that scripts rely on: keys, types, and values where they are known.

use crate::support::{objects, run};
use serde_json::{Value, json};

/// The one object that a command prints.
fn object(line: &str) -> Value {
    let mut objects = objects(line);
    assert_eq!(objects.len(), 1, "{line}");
    objects.remove(0)
}

/// Checks the expected keys; the object may have others.
fn check(found: &Value, expected: &Value, line: &str) {
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&found[key], value, "{key} of: {line}");
    }
}

#[test]
fn play() {
    let line = "play connect:3x3x3 --first first --second last --seed 5";
    let expected = json!({
        "game": "connect:3x3x3", "first": "first", "second": "last", "moves": ["1", "3", "1", "3", "1"],
        "winner": "first", "margin": 0, "plies": 5, "end": "line", "seed": 5,
    });
    check(&object(line), &expected, line);
    let line = "play connect:1x1x2 --first random --second random";
    let expected = json!({ "winner": null, "plies": 1, "end": "full board", "seed": 1 });
    check(&object(line), &expected, line);
    // The final seeds of both rows in the game of the course's players at depth 2.
    let line = "play mancala --first bueno-fixed --second regular";
    check(&object(line), &json!({ "winner": "first", "margin": 28, "score": [32, 4] }), line);
}

/// The node counts of the study's program at depth 2, of the weights 4,4,1,2 and 1,1,1,1.
#[test]
fn play_tells_the_effort() {
    let players =
        ["alphabeta:depth=2,root=full/threes/4,4,1,2", "alphabeta:depth=2,root=full/threes/1,1,1,1"];
    let games = [[0, 1], [1, 0]].map(|[first, second]: [usize; 2]| {
        object(&format!("play connect4 --first {} --second {}", players[first], players[second]))
    });
    let sum = |player: &str, key: &str| -> u64 {
        let sides = games.iter().flat_map(|game| game["sides"].as_array().unwrap());
        sides.filter(|side| side["player"] == player).map(|side| side[key].as_u64().unwrap()).sum()
    };
    let effort = |player| ["nodes", "root_moves", "positions"].map(|key| sum(player, key));
    assert_eq!(effort(players[0]), [1362, 226, 1588]);
    assert_eq!(effort(players[1]), [1367, 227, 1594]);
    assert_eq!(sum(players[0], "turns") + sum(players[1], "turns"), 80);
    let side = &games[0]["sides"][0];
    let mean = side["nodes"].as_f64().unwrap() / side["root_moves"].as_f64().unwrap();
    assert_eq!(side["nodes_a_root_move"], mean);
    assert!(side["milliseconds"].as_f64() > side["milliseconds_a_turn"].as_f64());
}

#[test]
fn show() {
    let line = "show connect4 4455";
    let names = ["wins", "threats", "own-longest", "rival-longest", "own-lines", "rival-lines"];
    let lines = json!({ "names": names, "first": [0, 0, 2, 2, 3, 7], "second": [0, 0, 2, 2, 7, 3] });
    let threes = json!({
        "names": ["threes", "blocks", "middle", "low"], "first": [0, 0, 2, 2], "second": [0, 0, 2, 2],
    });
    let expected = json!({
        "game": "connect:7x6x4", "setup": "......./......./......./......./...22../...11.. 1",
        "to_move": "first", "ended": null, "legal": ["1", "2", "3", "4", "5", "6", "7"],
        "features": { "lines": lines, "lines-coded": lines, "threes": threes },
    });
    check(&object(line), &expected, line);
    let line = "show connect:3x3x3 13131";
    let ended = json!({ "winner": "first", "margin": 0, "end": "line" });
    check(&object(line), &json!({ "to_move": null, "legal": [], "ended": ended }), line);
    let line = "show connect:1x1x2 1";
    let ended = json!({ "winner": null, "margin": 0, "end": "full board" });
    check(&object(line), &json!({ "to_move": null, "legal": [], "ended": ended }), line);
}

/// A position given by moves and by its setup has the same output.
#[test]
fn setups() {
    let by_moves = object("show connect4 4455");
    let words = ["show", "connect4", "--setup", by_moves["setup"].as_str().unwrap(), "--json"];
    let by_setup: Value = serde_json::from_str(&run(&words).stdout).unwrap();
    assert_eq!(by_setup, by_moves);
    for command in [&["explain", "connect4", "grid-5"][..], &["perft", "connect4", "3"]] {
        let by_moves = [command, &["--json"]].concat();
        let start = "......./......./......./......./......./....... 1";
        let by_setup = [command, &["--setup", start, "--json"]].concat();
        assert_eq!(run(&by_setup).stdout, run(&by_moves).stdout, "{command:?}");
    }
}

#[test]
fn explain() {
    let line = "explain connect4 4455 greedy/lines/1000,-500,80,-2,2,80";
    let found = object(line);
    let shown = object("show connect4 4455");
    check(&found, &shown, line);
    check(&found, &json!({ "chosen": "3", "player": "greedy/lines/1000,-500,80,-2,2,80" }), line);
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    let third = json!({
        "move": "3", "features": [0, 0, 3, 2, 5, 7],
        "contributions": [0.0, 0.0, 240.0, -4.0, 10.0, 560.0], "value": 806.0,
    });
    assert_eq!(moves[2], third);
    for reason in moves {
        let sum: f64 = reason["contributions"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap()).sum();
        assert_eq!(reason["value"].as_f64(), Some(sum), "{line}");
    }
    // A policy has no values but reports its move; a finished game has no move.
    let line = "explain connect4 4455 last";
    check(&object(line), &json!({ "chosen": "7" }), line);
    let line = "explain connect:3x3x3 13131 last";
    check(&object(line), &json!({ "chosen": null, "moves": [] }), line);
}

#[test]
fn perft() {
    let line = "perft connect4 6";
    check(&object(line), &json!({ "counts": [7, 49, 343, 2401, 16807, 117_649] }), line);
    let line = "perft connect4 4 --distinct";
    check(&object(line), &json!({ "counts": [7, 49, 343, 2401], "distinct": [1, 7, 49, 238, 1120] }), line);
    let line = "perft connect:1x1x1 3";
    check(&object(line), &json!({ "counts": [1, 0, 0] }), line);
}

#[test]
fn matches() {
    let line = "match connect4 rival-4 grid-5 --games 60 --opening-plies 4";
    let found = object(line);
    let count = |key: &str| found[key].as_u64().unwrap();
    assert_eq!(count("games"), 60);
    assert_eq!(count("wins") + count("draws") + count("losses"), 60);
    let pairs: Vec<u64> = found["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!((pairs.len(), pairs.iter().sum::<u64>()), (5, 30));
    let points: u64 = pairs.iter().zip(0..).map(|(n, points)| n * points).sum();
    assert_eq!(points, 2 * count("wins") + count("draws"), "points of pairs are points of games");
    let number = |key: &str| found[key].as_f64().unwrap();
    assert!(number("elo_low") < number("elo") && number("elo") < number("elo_high"));
    assert!((0.0..=1.0).contains(&number("los")));
    // With wins only, the interval has no upper bound, and JSON has no infinity.
    let found = object("match connect4 grid-5 random --games 20");
    assert_eq!(found["wins"], 20);
    for key in ["elo", "elo_low", "elo_high", "los"] {
        assert!(found.get(key).is_some_and(|value| value.is_null() || value.is_f64()), "{key}: {found}");
    }
    let found = object("match connect:4x4x9 random random --games 200");
    assert_eq!([&found["wins"], &found["draws"], &found["losses"]], [0, 200, 0]);
    assert_eq!(found["results"], json!([0, 200, 0]));
}

#[test]
fn lists() {
    let games = objects("games");
    assert_eq!(games.len(), palestra_registry::GAMES.families().count());
    assert_eq!(games[0]["aliases"]["connect4"], "connect:7x6x4");
    let game = object("games connect:14x14x7");
    assert_eq!(game["game"], "connect:14x14x7");
    for key in ["name", "title", "syntax", "rules", "notation"] {
        assert!(game[key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
    let evaluations = game["evaluations"].as_array().unwrap();
    assert!(evaluations.iter().any(|evaluation| evaluation["name"] == "lines"));
    let players = objects("players connect4");
    assert!(players.iter().all(|player| player["kind"].is_string() && player["name"].is_string()));
    assert!(players.iter().any(|player| player["name"] == "grid-5" && player["player"].is_string()));
}

#[test]
fn bench() {
    let found = object("bench perft --repeat 1");
    check(&found, &json!({ "case": "perft", "unit": "leaves", "units": 39_394_572 }), "bench");
    for key in ["seconds", "rate"] {
        assert!(found[key].as_f64().is_some_and(|number| number > 0.0), "{key}");
    }
    assert_eq!(found["signature"].as_str().map(str::len), Some(16));
}

#[test]
fn playouts() {
    let line = "playouts connect:1x1x2 --games 3";
    let one = json!({ "mean": 1.0, "error": 0.0, "least": 1, "most": 1 });
    let expected = json!({
        "game": "connect:1x1x2", "games": 3, "wins": 0, "draws": 3, "losses": 0, "moves": one, "plies": one,
        "end_reasons": { "full board": 3 }, "seed": 1,
    });
    assert_eq!(object(line), expected);
    // On a 2x2 board with runs of two the third stone wins.
    let found = object("playouts connect:2x2x2 --games 40 --threads 1");
    assert_eq!((&found["plies"]["mean"], &found["wins"]), (&json!(3.0), &json!(40)));
    assert_eq!(found, object("playouts connect:2x2x2 --games 40 --threads 2"));
    assert_ne!(found["moves"], object("playouts connect:2x2x2 --games 40 --seed 2")["moves"]);
}

/// Equivalent weights have the same `plain` weights.
#[test]
fn weights() {
    let plain = |player: &str| {
        let found = object(&format!("weights mastergoal:1 greedy/level1/{player} --games 20"));
        assert_eq!(found["ties"], json!(["distance-lead is always -own-distance + rival-distance"]));
        found["features"]
            .as_array()
            .unwrap()
            .iter()
            .map(|feature| feature["plain"].clone())
            .collect::<Value>()
    };
    let expected = json!([10.0, -2.0, 1.0, -1.0, 2.0, -1.0, 1.0, 0.0]);
    assert_eq!(plain("10,-1,1,-1,1,-1,1,1"), expected);
    assert_eq!(plain("10,-2,1,-1,2,-1,1,0"), expected);
}
