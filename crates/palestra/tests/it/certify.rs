//! Certificates for all real weights.

use crate::support::{empty_folder, run, say};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const PLAN: &str = "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\npoints = \"1/0/-1\"\nmethod = \"random\"\n\
    objective = { name = \"gauntlet\", opponents = [\"rival-4\", \"rival-5\", \"rival-8\"] }\n";

fn plan(name: &str, text: &str) -> PathBuf {
    let path = empty_folder(name).join("plan.toml");
    fs::write(&path, text).unwrap();
    path
}

fn certificate(path: &str, more: &str) -> Value {
    serde_json::from_str(&say(&format!("certify {path} {more} --json"))).unwrap()
}

#[test]
fn a_certificate_says_what_is_proved_and_who_gets_there() {
    let path = plan("certify", PLAN);
    let path = path.to_str().unwrap();
    let found = certificate(path, "");
    assert_eq!(found["exact"], true, "{found}");
    assert_eq!((&found["games"], &found["bound"]), (&Value::from(6), &found["best"]));
    // The best player reaches that score in games.
    let score: f64 = ["rival-4", "rival-5", "rival-8"]
        .iter()
        .map(|opponent| {
            let player = found["best_player"].as_str().unwrap();
            let record =
                &crate::support::objects(&format!("match connect:4x4x3 {player} {opponent} --games 2"))[0];
            record["wins"].as_f64().unwrap() - record["losses"].as_f64().unwrap()
        })
        .sum();
    assert_eq!(found["best"], score);
    let text = say(&format!("certify {path}"));
    assert!(text.contains("proved: ") && text.contains("the highest score of any real weights"), "{text}");
    let little = certificate(path, "--nodes 5");
    assert_eq!(
        (&little["exact"], &little["levels"][0]["reached"]),
        (&Value::from(false), &Value::from("unknown"))
    );
    let text = say(&format!("certify {path} --nodes 5"));
    assert!(text.contains("nothing is proved yet"), "{text}");
    let known = certificate(path, &format!("--nodes 1 --from {}", found["best_player"].as_str().unwrap()));
    assert_eq!(known["best"], found["best"]);
}

#[test]
fn what_cannot_be_certified_is_refused() {
    let check = |name: &str, text: &str, more: &[&str], complaint: &str| {
        let path = plan(name, text);
        let mut words = vec!["certify", path.to_str().unwrap()];
        words.extend(more);
        let ran = run(&words);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    };
    check("certify-dice", &PLAN.replace("rival-8", "random"), &[], "a deterministic player");
    check("certify-deep", &PLAN.replace("greedy/", "ab:depth=2/"), &[], "greedy over a weighted sum");
    check("certify-openings", &format!("opening_plies = 2\n{PLAN}"), &[], "games from the start");
    check("certify-from", PLAN, &["--from", "random"], "a player with 6 weights");
}
