//! External engines in play, match, accuracy, explain and tune: correct ones, and ones that fail in every way.

use crate::events::Place;
use crate::zoo::zoo;
use serde_json::{Value, json};

/// An engine of the zoo as a player string.
fn engine(kind: &str) -> String {
    format!("cmd:{} {kind}", zoo().display())
}

/// Engines that fail at their third move, and the kind of failure.
const FAILING: [(&str, &str); 3] = [("crash", "crash"), ("hang", "time"), ("illegal", "illegal move")];

#[test]
fn a_program_plays_a_game() {
    let place = Place::new("programs-play");
    let play = |first: &str, more: &[&str]| {
        let words = ["play", "connect4", "--first", first, "--second", "last", "--clock", "0.5/move"];
        place.object(&[&words, more].concat(), 0)
    };
    let (outside, builtin) = (play(&engine("honest-first"), &[]), play("first", &[]));
    for key in ["moves", "winner", "margin", "points", "plies", "end", "score", "forfeit"] {
        assert_eq!(outside[key], builtin[key], "{key}");
    }
    assert_eq!(outside["first"], engine("honest-first"));
    assert_eq!(outside["sides"][0]["turns"], 4);
    for (kind, fault) in FAILING {
        let record = play(&engine(kind), &[]);
        assert_eq!((&record["winner"], &record["end"]), (&json!("second"), &json!(fault)), "{record}");
        let forfeit = &record["forfeit"];
        assert_eq!((&forfeit["side"], &forfeit["kind"]), (&json!("first"), &json!(fault)), "{record}");
        assert_eq!((record["points"].as_f64(), record["plies"].as_u64()), (Some(-1.0), Some(4)), "{record}");
    }
    // The moves before count as played.
    assert_eq!(play(&engine("honest-last"), &["--moves", "4433"])["moves"][4], "7");
    let ran = place.run(&["play", "connect4", "--first", &engine("crash"), "--second", "last"]);
    let text = &ran.stdout;
    assert!(text.contains("second (O) wins: crash") && text.contains("zoo crash failed: crash: "), "{text}");
}

#[test]
fn a_person_plays_against_a_program() {
    let words = ["play", "connect4", "--second", &engine("honest-first"), "--clock", "0.5/move", "--json"]
        .map(str::to_owned);
    let typed = |lines: &str| {
        let ran = crate::support::finish(crate::support::command(&words).write_stdin(lines.to_owned()));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        (serde_json::from_str::<Value>(&ran.stdout).unwrap(), ran.stderr)
    };
    let (record, _) = typed("4\n4\n4\n4\n");
    assert_eq!(record["moves"], json!(["4", "1", "4", "1", "4", "1", "4"]));
    assert_eq!((&record["winner"], &record["end"]), (&json!("first"), &json!("line")));
    // Moves that are taken back are told to the program as well.
    let (record, said) = typed("4\n5\nundo\n3\nquit\n");
    assert_eq!(record["moves"], json!(["4", "1", "3", "1"]), "{said}");
    assert_eq!(record["end"], "unfinished");
    assert!(said.contains("to continue: palestra play connect4 --first human --second 'cmd:"), "{said}");
    assert!(said.contains("--moves '4 1 3 1' --seed 1 --clock 0.5/move"), "{said}");
}

#[test]
fn a_match_with_a_program() {
    let place = Place::new("programs-match");
    let play = |a: &str, more: &[&str]| {
        let words = ["match", "connect4", a, "last", "--games", "6", "--clock", "0.5/move"];
        place.object(&[&words, more].concat(), 0)
    };
    for more in [&["--opening-plies", "2", "--concurrency", "2"][..], &["--moves", "44"]] {
        let (outside, builtin) = (play(&engine("honest-first"), more), play("first", more));
        for key in ["games", "results", "as_first", "as_second", "pairs", "distinct", "elo", "complete"] {
            assert_eq!(outside[key], builtin[key], "{key}");
        }
        assert_eq!((&outside["repeatable"], &outside["forfeits"]), (&json!(false), &json!([])));
    }
    for (kind, fault) in FAILING {
        let record = play(&engine(kind), &["--opening-plies", "2"]);
        let forfeits = record["forfeits"].as_array().unwrap();
        assert_eq!((&record["losses"], forfeits.len()), (&json!(6), 6), "{record}");
        assert!(forfeits.iter().all(|forfeit| forfeit["kind"] == fault && forfeit["player"] == engine(kind)));
    }
    let words = ["match", "connect4", &engine("crash"), "last", "--games", "2"];
    let text = place.run(&words).stdout;
    assert!(text.contains("zoo crash lost 2 games by a failure: crash (the first: "), "{text}");
    assert!(text.contains("depend on this machine"), "{text}");
}

/// The printed command plays the rest of an interrupted match.
#[cfg(unix)]
#[test]
fn an_interrupted_match_goes_on() {
    use std::process::{Command, Stdio};
    let place = Place::new("programs-interrupt");
    let child = Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(["match", "connect4", &engine("late 200"), "first", "--games", "400", "--clock", "2/move"])
        .current_dir(&place.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(5));
    let signaled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signaled.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("to play the rest: palestra match connect:7x6x4 'cmd:"), "{said}");
    assert!(said.contains("--clock 2/move --skip-pairs "), "{said}");
}

#[test]
fn the_accuracy_of_a_program() {
    let place = Place::new("programs-accuracy");
    let test = |players: &[&str], positions: &str| {
        let words = [
            "accuracy",
            "connect4",
            "--positions",
            positions,
            "--from-ply",
            "26",
            "--clock",
            "0.5/move",
            "--threads",
            "1",
        ];
        place.object(&[&words, players].concat(), 0)
    };
    let record = test(&[&engine("honest-first"), "first"], "16");
    let [outside, builtin] = [0, 1].map(|i| &record["players"][i]);
    for key in ["optimal", "share", "mean_regret", "blunders"] {
        assert_eq!(outside[key], builtin[key], "{key}: {record}");
    }
    assert_eq!(record["repeatable"], false);
    for (kind, fault) in FAILING {
        let record = test(&[&engine(kind)], "6");
        let row = &record["players"][0];
        assert!(row["failures"][fault].as_u64().is_some_and(|n| n > 0), "{kind}: {row}");
        assert_eq!(row["failures"].as_object().unwrap().len(), 1, "{kind}: {row}");
    }
}

#[test]
fn the_choice_of_a_program() {
    let place = Place::new("programs-explain");
    let words = ["explain", "connect4", "4455", &engine("honest-last"), "--values", "grid-5"];
    let record = place.object(&words, 0);
    assert_eq!((&record["chosen"], &record["values_by"]), (&json!("7"), &json!("grid-5")), "{record}");
    assert_eq!((&record["value"], record["moves"].as_array().unwrap().len()), (&json!(0.0), 7), "{record}");
    let text = place.run(&words).stdout;
    assert!(text.contains("The values of the moves are not the engine's: grid-5."), "{text}");
    assert!(text.contains("plays 7, which it values at 0"), "{text}");
}

/// Engines that cannot be used end a command with code 3, and no game is played.
#[test]
fn programs_that_cannot_be_used() {
    let place = Place::new("programs-unusable");
    for (program, part) in [("cmd:./no-such-program", "not started"), (&*engine("crash-at-start"), "crash")] {
        for words in [
            &["match", "connect4", program, "random", "--games", "2"][..],
            &["accuracy", "connect4", program, "--positions", "2", "--from-ply", "30"],
            &["explain", "connect4", program, "--values", "first"],
        ] {
            let ran = place.run(words);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{words:?}: {}", ran.stderr);
            assert!(ran.stderr.contains(part), "{words:?}: {}", ran.stderr);
        }
    }
}

/// A folder with a description or a single program is a player everywhere.
#[test]
fn a_folder_is_a_program() {
    let place = Place::new("programs-folder");
    let folder = place.0.join("ana");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(zoo(), folder.join("bot")).unwrap();
    let command = "command = [\"./bot\", \"honest-first\"]\n";
    std::fs::write(folder.join("player.toml"), command).unwrap();
    let record = place.object(&["match", "connect4", "./ana", "last", "--games", "2"], 0);
    assert_eq!(record["games"], 2);
    assert!(record["player"].as_str().unwrap().starts_with("cmd(folder=./ana):"), "{record}");
    let event = place.object(&["tournament", "connect4", "./ana", "random", "--name", "cup"], 0);
    assert!(event["standings"].as_array().unwrap().iter().any(|row| row["player"] == "ana"), "{event}");
    let ran = place.run(&["match", "connect4", "./berta", "last"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("./berta"), "{}", ran.stderr);
}

/// A tuning run with a program as its opponent: repeated from the store, and not from the store of another program.
#[test]
fn a_program_as_an_opponent() {
    let place = Place::new("programs-tune");
    let script = place.0.join("bot.sh");
    std::fs::copy(zoo(), place.0.join("zoo")).unwrap();
    let write = |kind: &str| std::fs::write(&script, format!("exec ./zoo {kind}\n")).unwrap();
    write("honest-first");
    let opponent = "cmd:sh bot.sh";
    let plan = format!(
        "game = \"connect4\"\nplayer = \"greedy/lines\"\nmethod = \"random\"\nbudget.games = 128\ntest.wanted = false\n\
         [objective]\nname = \"reference\"\nplayer = {opponent:?}\n[programs]\nclock = \"2/move\"\n"
    );
    std::fs::write(place.0.join("plan.toml"), plan).unwrap();
    let shown = place.run(&["tune", "plan.toml", "--print-plan", "--margin-ms", "300"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let text = &shown.stdout;
    assert!(text.contains("\n[programs]\nclock = \"2/move\"\nmargin_ms = 300\n"), "{text}");
    assert!(text.contains("\n[programs.keys]\n\"cmd:sh bot.sh\" = \""), "{text}");
    let tuned = || place.object(&["tune", "plan.toml"], 0);
    let first = tuned();
    assert_eq!(first["repeatable"], false, "{first}");
    let again = tuned();
    assert_eq!((&first["run"], &first["weights"]), (&again["run"], &again["weights"]));
    // Another content is another run.
    write("honest-last");
    assert_ne!(tuned()["run"], first["run"]);
}

/// A program that fails is no measure of a candidate: the run ends with its failure.
#[test]
fn an_opponent_that_fails_ends_the_run() {
    let place = Place::new("programs-tune-fails");
    for (kind, fault) in FAILING {
        let opponent = engine(kind);
        let words =
            ["tune", "connect4", "--method", "random", "--opponent", &opponent, "--clock", "0.3/move"];
        let ran = place.run(&[&words[..], &["--budget", "1gen"]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{kind}: {}", ran.stderr);
        let expected = format!("zoo {kind} failed: {fault}");
        assert!(ran.stderr.contains(&expected), "{kind}: {}", ran.stderr);
    }
    let ran = place.run(&["tune", "connect4", "--opponent", "cmd:./no-such-program", "--budget", "1gen"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("failed the pre-flight check: not started"), "{}", ran.stderr);
}
