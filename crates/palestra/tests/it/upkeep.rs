//! The store as users look after it: its size, damage, copies, and what happens when it disappears.

use crate::events::Place;
use crate::support::command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PLAN: &str = "game = \"connect:3x3x3\"\nplayer = \"greedy/lines\"\nopening_plies = 1\nmethod = { name = \"cmaes\", lambda = 4 }\n[budget]\ngenerations = 2500\n[test]\npairs = 10\ncontrols = false\n";

fn place(name: &str, plan: &str) -> Place {
    let place = Place::new(name);
    fs::write(place.0.join("plan.toml"), plan).unwrap();
    place
}

fn say(place: &Place, words: &[&str]) -> String {
    let ran = place.run(words);
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    ran.stdout
}

fn change(place: &Place, sql: &str) {
    let store = rusqlite::Connection::open(place.0.join("palestra.db")).unwrap();
    assert!(store.execute(sql, []).unwrap() > 0, "{sql}");
    store.close().unwrap();
}

/// A long run keeps a sample of its generations; the others are exported as they were.
#[test]
fn a_long_run_is_small_and_loses_no_candidate() {
    let place = place("upkeep-long", PLAN);
    say(&place, &["tune", "plan.toml", "--threads", "1"]);
    let shown = place.object(&["run", "show", "1"], 0);
    assert_eq!(shown["generations"].as_array().unwrap().len(), 1251);
    let bytes = fs::metadata(place.0.join("palestra.db")).unwrap().len();
    assert!(bytes < 2_000_000, "{bytes} bytes");
    let csv = say(&place, &["run", "export", "1", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 1 + 4 * 2500);
    let rows: BTreeMap<(u64, usize), Vec<f64>> = csv
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let numbers = fields[2..].iter().map(|field| field.parse().unwrap()).collect();
            ((fields[0].parse().unwrap(), fields[1].parse().unwrap()), numbers)
        })
        .collect();
    let whole: Value = serde_json::from_str(&say(&place, &["run", "export", "1"])).unwrap();
    for generation in whole["generations"].as_array().unwrap() {
        let number = generation["number"].as_u64().unwrap();
        for (i, candidate) in generation["candidates"].as_array().unwrap().iter().enumerate() {
            let weights = candidate["weights"].as_array().unwrap();
            let stored: Vec<f64> = std::iter::once(&candidate["fitness"])
                .chain(weights)
                .map(|number| number.as_f64().unwrap())
                .collect();
            assert_eq!(rows[&(number, i)], stored, "generation {number}");
        }
    }
    say(&place, &["report", "1", "--output", "report.html"]);
    say(&place, &["run", "hall", "1", "--every", "400", "--pairs", "2"]);
    // A damaged generation is found, and played again where it is needed.
    change(&place, "UPDATE replies SET reply = zeroblob(length(reply)) WHERE generation = 77");
    let checked = place.object(&["store", "check"], 1);
    assert_eq!((&checked["whole"], &checked["damaged"][0]["entries"]), (&false.into(), &1.into()));
    assert!(say(&place, &["run", "export", "1", "--format", "csv"]) == csv);
}

#[test]
fn a_store_is_checked_compacted_and_copied() {
    let place = place("upkeep-commands", &PLAN.replace("2500", "3"));
    say(&place, &["tune", "plan.toml"]);
    let checked = place.object(&["store", "check"], 0);
    assert_eq!((&checked["whole"], &checked["damaged"]), (&true.into(), &Value::Array(Vec::new())));
    assert!(say(&place, &["store", "check"]).ends_with("palestra.db: no damage\n"));
    change(
        &place,
        "INSERT INTO batches (run, key, result, n_games) VALUES (1, zeroblob(32), zeroblob(3000000), 1)",
    );
    let compacted = place.object(&["store", "compact"], 0);
    let bytes = |key: &str| compacted[key].as_u64().unwrap();
    assert_eq!((&compacted["runs"], &compacted["results"]), (&1.into(), &1.into()));
    assert!(bytes("bytes_after") + 2_900_000 < bytes("bytes_before"), "{compacted}");
    assert!(say(&place, &["store", "compact"]).contains("nothing to remove"));
    let copied = place.object(&["store", "backup", "copy.db"], 0);
    assert_eq!(copied["bytes"], fs::metadata(place.0.join("copy.db")).unwrap().len());
    let export = say(&place, &["run", "export", "1"]);
    assert!(say(&place, &["run", "export", "1", "--store", "copy.db"]) == export);
    for name in ["copy.db", "palestra.db", "plan.toml"] {
        let before = fs::read(place.0.join(name)).unwrap();
        let ran = place.run(&["store", "backup", name]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains("a name that does not exist yet"), "{}", ran.stderr);
        assert!(fs::read(place.0.join(name)).unwrap() == before);
    }
    change(&place, "UPDATE candidates SET fitness = fitness + 1 WHERE generation = 1 AND number = 0");
    let ran = place.run(&["store", "check"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("a candidate is damaged, and the run is done"), "{}", ran.stdout);
    let ran = place.run(&["store", "check", "--store", "plan.toml"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

/// A damaged result of an interrupted run: the run says so and ends as it would have.
#[test]
fn damage_in_an_interrupted_run_is_repaired() {
    let place = place("upkeep-damage", &PLAN.replace("2500", "6"));
    say(&place, &["tune", "plan.toml"]);
    let expected = say(&place, &["run", "export", "1"]);
    for sql in [
        "UPDATE replies SET reply = zeroblob(1) WHERE generation = 3",
        "UPDATE candidates SET fitness = 1e9 WHERE generation = 2 AND number = 1",
        "UPDATE generations SET best_number = 3 WHERE number = 1",
    ] {
        change(&place, "UPDATE runs SET state = 'running', outcome = NULL");
        // The games of the tests are played again, and were counted.
        let games = |place: &Place| place.object(&["runs"], 0)["games"].as_u64().unwrap();
        let before = games(&place);
        change(&place, sql);
        let ran = place.run(&["tune", "plan.toml"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains("note: damage in the store"), "{}", ran.stderr);
        let after = games(&place);
        change(&place, &format!("UPDATE runs SET n_games = n_games - {}", after - before));
        assert!(say(&place, &["run", "export", "1"]) == expected, "{sql}");
    }
}

#[test]
fn names_are_checked_before_a_store_is_made() {
    let place = Place::new("upkeep-names");
    let players = "[[players]]\ntemplate = \"greedy/lines\"\ngrid = [0, 1]\n";
    for (file, name) in [("plan.toml", "name = \"a/b\"\n"), ("two words.toml", "")] {
        fs::write(place.0.join(file), format!("{name}game = \"connect:3x3x3\"\n{players}")).unwrap();
        let ran = place.run(&["tournament", file]);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains("for name: expected at most 100 letters"), "{}", ran.stderr);
        assert!(!place.0.join("palestra.db").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_deleted_store_is_no_success() {
    let place = place("upkeep-deleted", &PLAN.replace("2500", "1000000"));
    let child = Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(["tune", "plan.toml"])
        .current_dir(&place.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let has_games = || {
        let ran = command(&["runs", "--json"]).current_dir(&place.0).output().unwrap();
        let games = serde_json::from_slice::<Value>(&ran.stdout).ok().and_then(|run| run["games"].as_u64());
        games.is_some_and(|games| games > 0)
    };
    while !has_games() {
        assert!(began.elapsed() < Duration::from_secs(60), "no games were played");
    }
    for name in ["palestra.db", "palestra.db-wal", "palestra.db-shm"] {
        drop(fs::remove_file(place.0.join(name)));
    }
    let output = child.wait_with_output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!((output.status.code(), stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("was deleted or replaced") && !stderr.contains("are kept"), "{stderr}");
}
