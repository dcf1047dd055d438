//! `compare-methods`: output that does not depend on threads or interruptions, and errors of invalid files.

use crate::support::{Ran, empty_folder, run, workspace};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Three runs each of two methods and the random control, on a board where a game takes microseconds.
const TINY: &str = r#"game = "connect:4x4x3"
player = "greedy/lines"
opening_plies = 2
seeds = 3
checkpoints = [200, 600]
[gauntlet]
opponents = ["random", "greedy/lines/1,-1,0,0,0,0"]
opening_plies = 3
pairs = 10
[[methods]]
name = "spsa"
[[methods]]
name = "cmaes"
label = "cmaes small"
lambda = 6
"#;

fn file(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("file.toml");
    fs::write(&path, text).unwrap();
    path
}

fn compare(folder: &Path, store: &str, text: &str, more: &[&str]) -> Ran {
    let (path, store) = (file(folder, text), folder.join(store));
    let words = ["compare-methods", path.to_str().unwrap(), "--store", store.to_str().unwrap()];
    run(&[&words[..], more].concat())
}

fn export(folder: &Path, store: &str) -> String {
    let store = folder.join(store);
    let ran = run(&["run", "export", "compare-connect-4x4x3-1", "--store", store.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn threads_and_engines_do_not_matter() {
    let folder = empty_folder("compare-threads");
    let one = json(&compare(&folder, "one.db", TINY, &["--threads", "1", "--json"]));
    let two = json(&compare(&folder, "two.db", TINY, &["--threads", "2", "--json"]));
    let plain = json(&compare(&folder, "plain.db", TINY, &["--no-cohort", "--json"]));
    assert_eq!(one["outcome"], two["outcome"]);
    assert_eq!(one["outcome"], plain["outcome"]);
    assert_eq!(export(&folder, "one.db"), export(&folder, "two.db"));
    assert_eq!(export(&folder, "one.db"), export(&folder, "plain.db"));
    let outcome = &one["outcome"];
    let labels: Vec<&str> =
        outcome["methods"].as_array().unwrap().iter().map(|m| m["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["spsa", "cmaes small", "random"]);
    for run in outcome["runs"].as_array().unwrap() {
        // Games stay within the budget, and strength is measured at both checkpoints.
        assert!((1..=600).contains(&run["n_games"].as_u64().unwrap()), "{run}");
        assert_eq!(run["elo"].as_array().unwrap().len(), 2);
    }
    assert_eq!(outcome["runs"].as_array().unwrap().len(), 9);
    assert_eq!(outcome["comparison"]["differences"].as_array().unwrap().len(), 6);
    // CPU time differs between runs of the command, so it is not part of `outcome`.
    assert_eq!(one["cpu_seconds"].as_array().unwrap().len(), 3);
}

#[test]
fn a_table_and_a_chart_for_people() {
    let folder = empty_folder("compare-table");
    let [svg, png] = ["curves.svg", "curves.png"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let ran = compare(&folder, "store.db", TINY, &["--svg", &svg, "--png", &png]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for part in [
        "method",
        "200 games",
        "600 games",
        "cmaes small",
        "held-out",
        "Mann-Whitney",
        "at 600 games: ",
        "CPU",
    ] {
        assert!(ran.stdout.contains(part), "{part} is not in:\n{}", ran.stdout);
    }
    assert!(fs::read_to_string(&svg).unwrap().contains(">cmaes small</text>"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    // The second call plays and measures nothing.
    let again = compare(&folder, "store.db", TINY, &[]);
    assert_eq!(again.stderr, "compare-connect-4x4x3-1 is already done; --again starts a new comparison\n");
    assert!(ran.stdout.starts_with(again.stdout.trim_end()), "{}\n{}", ran.stdout, again.stdout);
    let store = folder.join("store.db");
    let shown = run(&["run", "show", "compare-connect-4x4x3-1", "--store", store.to_str().unwrap()]);
    assert!(shown.stdout.contains("[[methods]]") && shown.stdout.contains("at 600 games: "));
}

/// The printed plan is a valid plan file of the same comparison.
#[test]
fn the_printed_plan_is_a_file() {
    let folder = empty_folder("compare-plan");
    let printed = compare(&folder, "store.db", TINY, &["--print-plan"]);
    assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""));
    let plan = |text: &str| text.split("\n# ").next().unwrap().to_owned();
    let again = compare(&folder, "store.db", &printed.stdout, &["--print-plan"]);
    assert_eq!(plan(&again.stdout), plan(&printed.stdout));
    assert!(printed.stdout.contains("# 9 runs, at most 5,400 training games"), "{}", printed.stdout);
    assert!(!folder.join("store.db").exists(), "nothing was written");
}

#[test]
fn bad_files_are_told_where() {
    let folder = empty_folder("compare-bad");
    let check = |from: &str, to: &str, expected: &[&str]| {
        let ran = compare(&folder, "store.db", &TINY.replacen(from, to, 1), &[]);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (Some(2), "", 1), "{to}");
        for part in expected {
            assert!(ran.stderr.contains(part), "{part} is not in: {}", ran.stderr);
        }
    };
    check("\"spsa\"", "\"spaa\"", &["line 11, column 8", "did you mean \"spsa\"?"]);
    check("lambda", "lamda", &["line 15, column 1", "did you mean \"lambda\"?"]);
    check("seeds = 3", "seeds = 0", &["line 4, column 9", "from 1 to"]);
    check("[200, 600]", "[600, 200]", &["line 5, column 21", "more games"]);
    check("\"random\", ", "\"nobody\", ", &["line 7, column 14", "nobody"]);
    check("opening_plies = 3", "opening_plies = 0", &["line 8, column 17"]);
    check("[[methods]]\nname = \"spsa\"\n", "", &["1 method", "at least two sections [[methods]]"]);
    check("seeds = 3", "budget = 3", &["line 4, column 10", "the last checkpoint"]);
    check("game = \"connect:4x4x3\"", "game = \"chess\"", &["chess"]);
    assert!(!folder.join("store.db").exists(), "nothing was written");
    let missing = run(&["compare-methods", "no-such-file.toml"]);
    assert_eq!((missing.code, missing.stderr.lines().count()), (Some(2), 1));
}

#[test]
fn the_experiments_can_be_read() {
    for name in ["compare-tiny.toml", "compare-connect4.toml"] {
        let path = workspace().join("experiments").join(name);
        let ran = run(&["compare-methods", path.to_str().unwrap(), "--print-plan", "--json"]);
        let plan = json(&ran);
        assert!(plan["plan"].as_str().unwrap().contains("[[methods]]"), "{name}");
    }
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::process::{Child, Command, Stdio};

    /// Slow enough to be interrupted: one opponent searches with 3000 playouts per move.
    fn slow() -> String {
        TINY.replacen("\"random\", ", "\"mcts:playouts=3000\", ", 1)
    }

    fn start(folder: &Path, store: &Path) -> Child {
        let mut asked = Command::new(env!("CARGO_BIN_EXE_palestra"));
        asked.arg("compare-methods").arg(file(folder, &slow())).arg("--store").arg(store);
        asked.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        asked.spawn().unwrap()
    }

    /// Number of games of the only run in the store.
    fn n_games(store: &Path) -> u64 {
        let ran = run(&["runs", "--store", store.to_str().unwrap(), "--json"]);
        serde_json::from_str::<Value>(ran.stdout.lines().next().unwrap_or("null"))
            .map_or(0, |run| run["games"].as_u64().unwrap_or(0))
    }

    /// Waits until the store has more games, then sends a signal.
    fn interrupt(folder: &Path, store: &Path, signal: &str) -> Ran {
        let before = n_games(store);
        let mut child = start(folder, store);
        while n_games(store) <= before && child.try_wait().unwrap().is_none() {}
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Ran { code: output.status.code(), stdout, stderr }
    }

    #[test]
    fn a_comparison_goes_on_to_the_same_bytes() {
        let folder = empty_folder("compare-interrupted");
        let store = folder.join("cut.db");
        let killed = interrupt(&folder, &store, "-KILL");
        assert_eq!(killed.code, None, "{}", killed.stderr);
        let stopped = interrupt(&folder, &store, "-INT");
        assert_eq!((stopped.code, stopped.stdout.as_str()), (Some(130), ""), "{}", stopped.stderr);
        let last = stopped.stderr.lines().last().unwrap();
        assert_eq!(
            last,
            "interrupted; all results are kept, and the same command continues compare-connect-4x4x3-1"
        );
        let resumed = compare(&folder, "cut.db", &slow(), &[]);
        assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
        assert!(resumed.stderr.starts_with("continuing compare-connect-4x4x3-1, "), "{}", resumed.stderr);
        let whole = compare(&folder, "whole.db", &slow(), &[]);
        assert_eq!(whole.code, Some(0), "{}", whole.stderr);
        assert_eq!(export(&folder, "cut.db"), export(&folder, "whole.db"));
    }
}
