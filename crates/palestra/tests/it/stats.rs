//! The calculators: published numbers, degenerate results, invalid input.

use crate::support::{empty_folder, objects, run, say};
use serde_json::Value;
use std::path::PathBuf;

fn object(line: &str) -> Value {
    let mut objects = objects(line);
    assert_eq!(objects.len(), 1, "{line}");
    objects.remove(0)
}

#[track_caller]
fn check(found: &Value, key: &str, expected: f64, tolerance: f64) {
    let number = found[key].as_f64().unwrap_or_else(|| panic!("{key} of {found}"));
    assert!((number - expected).abs() <= tolerance, "{key}: {number} and not {expected} in {found}");
}

/// Elo, its error, normalized Elo, its error, LOS in percent, and the LLR.
fn check_row(line: &str, expected: [f64; 6]) {
    let found = object(line);
    let keys = ["elo", "elo_error", "nelo", "nelo_error", "los", "llr"];
    for (key, expected) in keys.into_iter().zip(expected) {
        let scale = if key == "los" { 0.01 } else { 1.0 };
        check(&found, key, scale * expected, scale * 0.00005001);
    }
    let bounds = found["bounds"].as_array().unwrap();
    assert!((bounds[0].as_f64().unwrap() + 2.9444).abs() < 0.00005, "{found}");
    assert!((bounds[1].as_f64().unwrap() - 2.9444).abs() < 0.00005, "{found}");
}

fn results(name: &str, text: &str) -> String {
    let path: PathBuf = empty_folder(&format!("stats-{name}")).join("results.csv");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn games_and_pairs_agree_with_fastchess() {
    check_row("stats 5 1 2 --sprt logistic,0,100", [136.9691, 398.7334, 152.0361, 240.7562, 89.2087, 0.6176]);
    check_row("stats 20 10 10 --sprt logistic,0,50", [88.7395, 98.2503, 104.7558, 107.6694, 97.1735, 1.3774]);
    check_row("stats 60 0 40 --sprt logistic,0,50", [70.4365, 70.5712, 70.9200, 68.0961, 97.9387, 1.8463]);
    check_row("stats 10 20 10 --sprt logistic,0,20", [0.0, 77.3887, 0.0, 107.6694, 50.0, -0.1323]);
    let pairs = [23.7256, 37.3261, 29.3870, 45.9104, 89.5181, 0.7005];
    check_row("stats --pairs 10,20,40,25,15 --sprt normalized,0,20", pairs);
    check_row("stats 75 85 60 --pairs 10,20,40,25,15 --sprt normalized,0,20,0.05,0.05", pairs);
    let found = object("stats 5 1 2");
    check(&found, "elo_low", -94.54, 0.005);
    check(&found, "elo_high", 406.20, 0.005);
    check(&found, "los_decisive", 0.871580, 5e-7);
    check(&found, "los_exact", 0.855469, 5e-7);
    assert!(found["llr"].is_null() && found["bounds"].is_null() && found["decision"].is_null());
}

#[test]
fn a_sequential_test_decides() {
    let found = object("stats 600 0 400 --sprt bayesian,0,20,0.05,0.1");
    let bounds: Vec<f64> =
        found["bounds"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
    assert!(
        (bounds[0] - (0.1f64 / 0.95).ln()).abs() < 1e-9 && (bounds[1] - 18f64.ln()).abs() < 1e-9,
        "{bounds:?}"
    );
    assert_eq!(found["decision"], "H1");
    assert_eq!(object("stats 400 0 600 --sprt normalized,0,20")["decision"], "H0");
    assert_eq!(object("stats 6 0 4 --sprt logistic,-5,5")["decision"], "continue");
}

#[test]
fn degenerate_results_have_no_infinity() {
    let counts =
        ["0 0 0", "10 0 0", "0 10 0", "0 0 10", "1 0 0", "1000000000000000 0 0", "0 18446744073709551615 1"];
    for counts in counts {
        for sprt in ["logistic,0,50", "normalized,0,5", "bayesian,-5,5"] {
            let line = format!("stats {counts} --sprt {sprt}");
            let text = say(&line);
            assert!(!text.contains("inf") && !text.contains("NaN"), "{line}: {text}");
            let found = object(&line);
            assert!(
                found["llr"].is_f64() && found["los"].is_f64() && found["score"].is_f64(),
                "{line}: {found}"
            );
        }
    }
    check(&object("stats 10 0 0 --sprt logistic,0,50"), "llr", 1.3359, 0.00005001);
    check(&object("stats 0 10 0 --sprt logistic,0,50"), "llr", -1.5348, 0.00015);
    check(&object("stats --pairs 0,0,0,0,20 --sprt normalized,0,100"), "llr", 6.3982, 0.0002);
    check(&object("stats --pairs 20,0,0,0,0 --sprt normalized,-1500,-500"), "llr", -0.9181, 0.00005001);
    let found = object("stats 10 0 0");
    check(&found, "elo_low", 269.66, 0.005);
    assert!(found["elo"].is_null() && found["elo_high"].is_null() && found["elo_error"].is_null());
    let text = say("stats 10 0 0 --player Ann --opponent Bob");
    assert!(text.contains("Ann is better than Bob: more than +270 Elo (all 10 games won)"), "{text}");
    assert!(text.contains("more than +270 Elo"), "{text}");
}

#[test]
fn ratings_of_three() {
    let file = results("three", "first,second,wins,draws,losses\nA,B,18,9,3\nB,C,18,9,3\nA,C,24,6,0\n");
    let found = object(&format!("ratings {file}"));
    let expected = [("A", 190.849, 80.02), ("B", 0.0, 67.67), ("C", -190.849, 80.02)];
    for (player, (name, rating, error)) in found["ratings"].as_array().unwrap().iter().zip(expected) {
        assert_eq!(player["player"], name);
        check(player, "rating", rating, 0.0005);
        check(player, "error", error, 0.005);
        assert!(player["low"].as_f64().unwrap() < rating && rating < player["high"].as_f64().unwrap());
    }
    check(&found, "advantage", 0.0, 0.0);
    let anchored = object(&format!("ratings {file} --anchor B=1500 --bootstrap 50 --nash --glicko"));
    let best = &anchored["ratings"][0];
    check(best, "rating", 1690.849, 0.0005);
    check(best, "nash", 1.0, 1e-6);
    assert!(
        best["bootstrap"]["error"].as_f64().unwrap() > 10.0 && best["glicko"]["rating"].is_f64(),
        "{best}"
    );
    let line = format!("ratings {file} --bootstrap 50 --nash --glicko");
    assert_eq!(say(&line), say(&line), "same seed, same bytes");
    let text = say(&format!("ratings {file}"));
    assert!(
        text.contains("A is better than B: +191 Elo [+66, +316], likelihood of superiority 99.9 %"),
        "{text}"
    );
    insta::assert_snapshot!("ratings", text);
}

#[test]
fn sides_clean_scores_and_groups() {
    let file = results("sides", "first,second,wins,draws,losses\nA,B,30,0,10\nB,A,30,0,10\n");
    check(&object(&format!("ratings {file}")), "advantage", 190.849, 0.0005);
    check(&object(&format!("ratings {file} --no-advantage")), "advantage", 0.0, 0.0);
    let text = "first,second,wins,draws,losses\n\"Ann, old\",Bob,10,0,0\nCy,Dee,3,1,2\n";
    let file = results("groups", text);
    let found = object(&format!("ratings {file}"));
    assert_eq!(
        (&found["groups"], &found["ratings"][0]["player"]),
        (&Value::from(2), &Value::from("Ann, old"))
    );
    assert!(found["ratings"][0]["high"].is_null() && found["ratings"][0]["rating"].is_f64(), "{found}");
    assert_eq!(found["los"][0][2], Value::Null);
    let text = say(&format!("ratings {file}"));
    assert!(text.contains("half a virtual draw") && text.contains("2 groups that never met"), "{text}");
    let numbers = text.replace("infinite", "");
    assert!(text.contains("> +") && !numbers.contains("inf") && !numbers.contains("NaN"), "{text}");
}

#[test]
fn bad_input_is_named() {
    let refused = |line: &str, part: &str| {
        let ran = run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(part) && ran.stderr.lines().count() == 1, "{line}: {}", ran.stderr);
    };
    refused("stats", "three numbers");
    refused("stats 5 1", "\"5 1\" for results: expected three numbers");
    refused("stats 5 1 x", "x");
    refused("stats 5 1 2 3", "3");
    refused("stats 5 1 2 --pairs 1,2,3", "\"1,2,3\" for --pairs: expected five numbers of pairs");
    refused("stats 5 1 2 --pairs 0,0,9,0,0", "at most 4 pairs, as there are 8 games");
    refused("stats 5 1 2 --sprt logistik,0,5", "did you mean \"logistic\"?");
    refused("stats 5 1 2 --sprt logistic,0", "MODEL,E0,E1");
    refused("stats 5 1 2 --sprt logistic,5,0", "greater than elo0");
    refused("stats 5 1 2 --sprt logistic,0,nan", "NaN");
    refused("ratings nowhere.csv", "nowhere.csv");
    let file = results("bad", "first,second,wins,draws,losses\nA,B,18,many,3\n");
    refused(&format!("ratings {file}"), "\"many\" for draws (line 2 of");
    let file = results("good", "first,second,wins,draws,losses\nAnn,Bob,18,0,3\n");
    refused(&format!("ratings {file} --anchor Anna=5"), "did you mean \"Ann\"?");
    refused(&format!("ratings {file} --anchor Ann"), "NAME=RATING");
    refused(&format!("ratings {file} --anchor Ann=inf"), "from -20000 to 20000");
    refused(&format!("ratings {file} --bootstrap 0"), "0");
}

#[test]
fn values_of_several_seeds() {
    let found = object("stats --values 0.53,0.49,0.56,0.52,0.55 --against 0.5");
    check(&found, "mean", 0.53, 1e-12);
    check(&found, "low", 0.495_996, 1e-6);
    check(&found, "high", 0.564_004, 1e-6);
    check(&found, "p", 0.070_48, 1e-5);
    let ran = run(&["stats", "--values", "0.5,x"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("\"x\" for --values: expected a finite number"), "{}", ran.stderr);
}
