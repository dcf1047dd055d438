//! A store and plans of version 0.0: they open, show, resume and run, with a notice for each old key.
//!
//! `old-store` was written by that version: a finished and an interrupted tuning run, an event and a comparison, with
//! the plans that made them.

use crate::events::Place;
use crate::support::workspace;
use serde_json::Value;
use std::fs;

/// A folder with the old store and its plans.
fn old_place(name: &str) -> Place {
    let place = Place::new(name);
    let old = workspace().join("crates/palestra/tests/it/old-store");
    for (file, copy) in [
        ("old.db", "palestra.db"),
        ("done.toml", "done.toml"),
        ("resume.toml", "resume.toml"),
        ("cup.toml", "cup.toml"),
        ("compare.toml", "compare.toml"),
    ] {
        fs::copy(old.join(file), place.0.join(copy)).unwrap();
    }
    place
}

/// The runs of the store: name, state, games.
fn runs(place: &Place) -> Vec<(String, String, u64)> {
    let list = place.run(&["runs", "--json"]).stdout;
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        (text("run"), text("state"), row["games"].as_u64().unwrap())
    };
    list.lines().map(read).collect()
}

fn before() -> Vec<(String, String, u64)> {
    let run = |name: &str, state: &str, games| (name.to_owned(), state.to_owned(), games);
    vec![
        run("ga-connect-4x4x3-1", "done", 120),
        run("ga-connect-5x5x4-1", "interrupted", 484),
        run("cup", "done", 8),
        run("compare-connect-4x4x3-1", "done", 288),
    ]
}

#[test]
fn old_runs_are_shown() {
    let place = old_place("old-store-shown");
    assert_eq!(runs(&place), before());
    for (words, expected) in [
        (vec!["run", "show", "ga-connect-4x4x3-1"], "ga-connect-4x4x3-1"),
        (vec!["run", "show", "ga-connect-5x5x4-1"], "interrupted"),
        (vec!["event", "cup"], "ana"),
        (vec!["event", "cup", "--games"], "eva"),
        (vec!["report", "ga-connect-4x4x3-1", "--output", "report.html"], ""),
    ] {
        let ran = place.run(&words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        assert!(ran.stdout.contains(expected), "{words:?}: {}", ran.stdout);
    }
}

/// The same plan file finds the old run and finishes it, with the weights that version 0.0 found.
#[test]
fn an_old_run_is_resumed() {
    let place = old_place("old-store-resumed");
    let outcome = place.object(&["tune", "resume.toml"], 0);
    check_resumed(&place, &outcome);
}

#[test]
fn an_old_run_is_resumed_by_name() {
    let place = old_place("old-store-resumed-by-name");
    let outcome = place.object(&["run", "resume", "ga-connect-5x5x4-1"], 0);
    check_resumed(&place, &outcome);
}

#[track_caller]
fn check_resumed(place: &Place, outcome: &Value) {
    let weights = [
        0.5356708480808455,
        0.17026475162113308,
        -0.07675965026801862,
        -0.36044547989098796,
        -0.4504008585284288,
        -0.15912000814213445,
    ];
    assert_eq!(outcome["weights"], Value::from(weights.to_vec()));
    assert_eq!(outcome["run"], "ga-connect-5x5x4-1");
    let mut after = before();
    after[1] = ("ga-connect-5x5x4-1".to_owned(), "done".to_owned(), 800);
    assert_eq!(runs(place), after);
}

/// Plans with old keys keep their meaning: each finds its run, and nothing is played again.
#[test]
fn old_plans_run_with_a_notice() {
    let place = old_place("old-store-plans");
    let tuning = ["openings in done.toml", "rivals in [objective]", "openings in [test]"];
    let cup =
        ["margin-ms in cup.toml", "tie-breaks in", "opening-plies in", "games in cup.toml", "memory-mb in"];
    let comparison =
        ["openings in compare.toml", "rivals in [gauntlet]", "openings in [gauntlet]", "scenes in [methods]"];
    for (command, file, old_keys) in [
        ("tune", "done.toml", &tuning[..]),
        ("tournament", "cup.toml", &cup[..]),
        ("compare-methods", "compare.toml", &comparison[..]),
    ] {
        let ran = place.run(&[command, file]);
        assert_eq!(ran.code, Some(0), "{file}: {}", ran.stderr);
        for key in old_keys {
            let is_notice =
                |line: &&str| line.starts_with(&format!("note: {key} ")) && line.contains(" is now called ");
            assert_eq!(ran.stderr.lines().filter(is_notice).count(), 1, "{key} of {file}: {}", ran.stderr);
        }
    }
    assert_eq!(runs(&place), before());
}

/// Options with old names still work and print a notice.
#[test]
fn old_options_run_with_a_notice() {
    let place = Place::new("old-options");
    let words = "tune connect:4x4x3 --features lines --rival random --openings 2 --budget 1gen --print-plan";
    let ran = place.run(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for (old, new) in [("--rival", "--opponent"), ("--openings", "--opening-plies")] {
        assert!(ran.stderr.contains(&format!("note: {old} is now called {new}")), "{}", ran.stderr);
    }
    for line in ["opening_plies = 2", "opponents = [\"random\"]"] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
}
