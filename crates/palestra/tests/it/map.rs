//! Weight maps and sensitivities, compared with games played one by one.

use crate::support::{empty_folder, names_in, objects, run, say};
use serde_json::Value;
use std::fs;

/// The evaluation of integer weights does not round, so that exact maps can be compared with games.
const PLAYER: &str = "greedy/lines/1000,-500,83,-3,7,61";
const MAP: &str = "map connect:4x4x3 greedy/lines/1000,-500,83,-3,7,61 --x own-longest --y 5 --x-range -128..128 --y-range -128..128";
const OPPONENTS: [&str; 3] = ["first", "last", "greedy/lines/1,-1,10,-10,1,-1"];

fn opponents() -> String {
    OPPONENTS.map(|opponent| format!("--opponent {opponent}")).join(" ")
}

/// Wins minus losses from the start position, with both sides against all opponents, one game at a time.
fn played(game: &str, player: &str) -> f64 {
    let head_to_head = |opponent: &str| {
        let record = &objects(&format!("match {game} {player} {opponent} --games 2"))[0];
        record["wins"].as_f64().unwrap() - record["losses"].as_f64().unwrap()
    };
    OPPONENTS.iter().map(|opponent| head_to_head(opponent)).sum()
}

fn corners(region: &Value) -> Vec<(f64, f64)> {
    let corner = |corner: &Value| (corner[0].as_f64().unwrap(), corner[1].as_f64().unwrap());
    region["polygon"].as_array().unwrap().iter().map(corner).collect()
}

/// Whether a point is inside by a margin, so that no tie decides.
fn is_inside(corners: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).all(|(a, b)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0) > 1e-6)
}

/// Compares pseudorandom points and the center of every region with games.
#[test]
fn a_map_says_what_games_say() {
    let map = &objects(&format!("{MAP} {}", opponents()))[0];
    let regions = map["regions"].as_array().unwrap();
    assert!(regions.len() > 3 && map["games"] == 6, "{} regions", regions.len());
    let area: f64 = regions.iter().map(|region| region["area"].as_f64().unwrap()).sum();
    assert!((area - 65536.0).abs() < 1e-6, "{area}");
    let hat = |i: u32, by: f64| f64::from(i * 7919 % 1000) / 1000.0 * by;
    let random = (1..=12).map(|i| (hat(i, 256.0) - 128.0, hat(i * i + 5, 256.0) - 128.0));
    let middle = |region: &Value| {
        let corners = corners(region);
        let n = corners.len() as f64;
        (corners.iter().map(|c| c.0).sum::<f64>() / n, corners.iter().map(|c| c.1).sum::<f64>() / n)
    };
    let mut n_checked = 0;
    for (x, y) in random.chain(regions.iter().take(20).map(middle)) {
        let Some(region) = regions.iter().find(|region| is_inside(&corners(region), (x, y))) else {
            continue;
        };
        n_checked += 1;
        let player = format!("greedy/lines/1000,-500,{x:?},-3,{y:?},61");
        assert_eq!(region["score"].as_f64(), Some(played("connect:4x4x3", &player)), "{player}");
    }
    assert!(n_checked >= 12, "only {n_checked} points lay inside of a region");
    assert_eq!(map["own_scores"].as_array().unwrap().len(), 1);
    assert_eq!(map["own_scores"][0].as_f64(), Some(played("connect:4x4x3", PLAYER)));
}

#[test]
fn two_games_are_the_sum_of_both() {
    let line = format!("{MAP} {} --board connect:5x4x3", opponents());
    let map = &objects(&line)[0];
    assert_eq!(map["games"], 12);
    let sum = played("connect:4x4x3", PLAYER) + played("connect:5x4x3", PLAYER);
    assert_eq!(map["own_scores"][0].as_f64(), Some(sum));
}

#[test]
fn a_map_in_files() {
    let folder = empty_folder("map");
    let [svg, png] = ["map.svg", "map.png"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let text = say(&format!("{MAP} --opponent first --svg {svg} --png {png}"));
    assert!(text.contains("share of the map") && text.contains("the player scores"), "{text}");
    assert_eq!(names_in(&folder), ["map.png", "map.svg"]);
    let n_regions = objects(&format!("{MAP} --opponent first"))[0]["regions"].as_array().unwrap().len();
    let drawn = fs::read_to_string(&svg).unwrap();
    assert_eq!(drawn.matches("<path ").count(), n_regions);
    assert!(drawn.contains("<title>") && !drawn.contains("NaN"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
}

/// Within the limits no game changes; beyond them the reported decision changes.
#[test]
fn limits_are_where_games_change() {
    let moves = |player: &str, opponent: &str, side: &str| {
        let [first, second] = if side == "first" { [player, opponent] } else { [opponent, player] };
        objects(&format!("play connect:4x4x3 --first {first} --second {second}"))
    };
    let found = &objects(&format!("sensitivity connect:4x4x3 {PLAYER} {}", opponents()))[0];
    let weights = found["weights"].as_array().unwrap();
    assert_eq!((weights.len(), &found["games"]), (6, &Value::from(6)));
    let own = [1000.0, -500.0, 83.0, -3.0, 7.0, 61.0];
    let mut n_checked = 0;
    for (i, weight) in weights.iter().enumerate() {
        assert_eq!(weight["weight"].as_f64(), Some(own[i]));
        for (end, sign) in [("low", -1.0), ("high", 1.0)] {
            let Some(at) = weight[end]["at"].as_f64() else { continue };
            n_checked += 1;
            let with = |value: f64| {
                let mut weights = own;
                weights[i] = value;
                format!("greedy/lines/{}", weights.map(|weight| format!("{weight:?}")).join(","))
            };
            let inside = own[i] + (at - own[i]) * 0.999_999;
            for opponent in OPPONENTS {
                for side in ["first", "second"] {
                    let [a, b] = [own[i], inside].map(|value| moves(&with(value), opponent, side));
                    assert_eq!(a[0]["moves"], b[0]["moves"], "{weight}");
                }
            }
            let [opponent, side] = ["opponent", "side"].map(|key| weight[end][key].as_str().unwrap());
            let outside = at + sign * 1e-6;
            let [a, b] = [own[i], outside].map(|value| moves(&with(value), opponent, side));
            assert_ne!(a[0]["moves"], b[0]["moves"], "{weight}");
        }
    }
    assert!(n_checked > 0, "{found}");
    let text = say(&format!("sensitivity connect:4x4x3 {PLAYER} --opponent first"));
    assert!(text.contains("first change") && text.contains("at once before play changes"), "{text}");
}

#[test]
fn what_can_go_wrong() {
    let folder = empty_folder("map-wrong");
    let svg = folder.join("map.svg").to_str().unwrap().to_owned();
    let check = |line: &str, says: &str| {
        let line = format!("{line} --svg {svg}");
        let ran = run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(ran.stderr.contains(says) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
        assert!(names_in(&folder).is_empty(), "{line}");
    };
    let names: Vec<String> =
        objects(&format!("sensitivity connect:4x4x3 {PLAYER} --opponent first"))[0]["weights"]
            .as_array()
            .unwrap()
            .iter()
            .map(|weight| weight["name"].as_str().unwrap().to_owned())
            .collect();
    let mistyped = format!("{}x", names[0]);
    let base = format!("map connect:4x4x3 {PLAYER}");
    check(&format!("{base} --x {mistyped} --y 2 --opponent first"), &names[0]);
    check(&format!("{base} --x 1 --y 1 --opponent first"), "a weight other than");
    check(&format!("{base} --x 1 --y 7 --opponent first"), "--y");
    check(&format!("{base} --x 1 --y 2 --x-range 2..1 --opponent first"), "LOW..HIGH");
    check(&format!("{base} --x 1 --y 2 --opponent firts"), "first");
    check(&format!("{base} --x 1 --y 2 --opponent mcts:playouts=10"), "depends only on the position");
    check(&format!("{base} --x 1 --y 2"), "--opponent");
    check("map connect:4x4x3 greedy/threes --x 1 --y 2 --opponent first", "weights");
    check("map connect:4x4x3 alphabeta:depth=2/threes/4,4,1,2 --x 1 --y 2 --opponent first", "greedy");
    check(&format!("{base} --x 1 --y 2 --opponent first --board conect:4x4x3"), "connect");
}
