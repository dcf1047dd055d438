//! Players of other courses, and engines with a notation of their own, in games under the referee.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::events::Place;
use crate::zoo::compiled;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The program with players of other courses.
fn course() -> String {
    static COURSE: OnceLock<PathBuf> = OnceLock::new();
    let path =
        COURSE.get_or_init(|| compiled("course", &[("course.rs", include_str!("../course/course.rs"))]));
    path.display().to_string()
}

/// A game between two players with a clock.
fn play(place: &Place, game: &str, [first, second]: [&str; 2], clock: &str, more: &[&str]) -> Value {
    let words = ["play", game, "--first", first, "--second", second, "--clock", clock];
    place.object(&[&words, more].concat(), 0)
}

/// The program plays the same game as a built-in player of the same moves, with either side, and gets through
/// `engine check`.
#[track_caller]
fn check(name: &str, game: &str, settings: &str, kind: &str, same: &str, opponent: &str) {
    let place = Place::new(name);
    let program = format!("cmd({settings}):{} {kind}", course());
    for (players, reference) in
        [([program.as_str(), opponent], [same, opponent]), ([opponent, &program], [opponent, same])]
    {
        let (played, expected) =
            (play(&place, game, players, "60", &[]), play(&place, game, reference, "60", &[]));
        for key in ["moves", "winner", "margin", "end"] {
            assert_eq!(played[key], expected[key], "{key} of {played}");
        }
    }
    let checked = place.object(&["engine", "check", game, &program, "--clock", "60"], 0);
    let grades: Vec<&Value> =
        checked["checks"].as_array().unwrap().iter().map(|check| &check["grade"]).collect();
    assert!(grades.iter().all(|grade| **grade == json!("good")), "{checked}");
}

#[test]
fn the_comp2230_coordinator() {
    check("judges-comp2230", "connect4", "protocol=comp2230", "comp2230", "first", "last");
    let place = Place::new("judges-comp2230-openings");
    let program = format!("cmd(protocol=comp2230):{} comp2230", course());
    let words =
        ["match", "connect4", &program, "last", "--games", "4", "--opening-plies", "3", "--clock", "60"];
    assert_eq!(place.object(&words, 0)["forfeits"].as_array().map_or(0, Vec::len), 0);
    let ran = place.run(&["engine", "check", "connect:11x6x4", &program]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("at most 10 for the protocol comp2230"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_kalah_engine_of_manchester() {
    check("judges-manchester", "kalah:7x7", "protocol=manchester-kalah", "manchester", "first", "last");
    let place = Place::new("judges-swap");
    let program = format!("cmd(protocol=manchester-kalah):{} manchester-swap", course());
    let record = play(&place, "kalah:7x7", [&program, "last"], "60", &[]);
    assert_eq!(record["forfeit"]["kind"], "illegal move", "{record}");
    assert_eq!(record["forfeit"]["detail"], "\"SWAP\": the game has no pie rule");
}

#[test]
fn clients_of_the_kalah_game_protocol() {
    check("judges-kgp", "kalah:6x4", "protocol=kgp", "kgp", "last", "first");
    // One that thinks until it is stopped, from a setup.
    let place = Place::new("judges-kgp-stop");
    let program = format!("cmd(protocol=kgp):{} kgp-thinks-on", course());
    let setup = ["--setup", "0,1,0,0,0,1,20/0,0,0,0,2,0,20 1"];
    let played = play(&place, "kalah:6x4", [&program, "first"], "0.1/move", &setup);
    let expected = play(&place, "kalah:6x4", ["last", "first"], "0.1/move", &setup);
    assert_eq!((&played["moves"], &played["end"]), (&expected["moves"], &expected["end"]), "{played}");
}

#[test]
fn players_whose_input_is_never_closed() {
    let place = Place::new("judges-sigterm");
    let program = format!("cmd(protocol=ladrillos):{} deaf-ladrillos", course());
    let checked = place.object(&["engine", "check", "ladrillos:2", &program], 0);
    let checks: Vec<&Value> = checked["checks"].as_array().unwrap().iter().collect();
    assert!(checks.iter().all(|check| check["grade"] == "good"), "{checked}");
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"goodbye") && !names.contains(&"end of input"), "{names:?}");
}

/// Engines that write `P@d1` for a stone in the fourth column, in UCI and GTP, with openings.
#[test]
fn engines_with_their_own_notation() {
    let cfour = "protocol=uci,moves=cfour,option.UCI_Variant=cfour";
    check("judges-cfour", "connect4", cfour, "cfour", "first", "last");
    check("judges-cfour-gtp", "connect4", "protocol=gtp,moves=cfour", "cfour-gtp", "first", "last");
    let place = Place::new("judges-cfour-openings");
    for settings in [cfour, "protocol=gtp,moves=cfour"] {
        let kind = if settings == cfour { "cfour" } else { "cfour-gtp" };
        let program = format!("cmd({settings}):{} {kind}", course());
        let words = ["match", "connect4", &program, "last", "--games", "4", "--opening-plies", "5"];
        assert_eq!(place.object(&words, 0)["forfeits"].as_array().map_or(0, Vec::len), 0);
    }
    for (settings, game, more, part) in [
        ("protocol=uci,moves=cfuor", "connect4", &[][..], "did you mean \"cfour\"?"),
        (
            "protocol=kgp,moves=cfour",
            "kalah:6x4",
            &[],
            "moves cannot be used here: the protocol kgp has a notation of its own",
        ),
        ("protocol=uci,moves=cfour", "kalah:6x4", &[], "a game of the move map cfour"),
        (
            "protocol=uci,moves=cfour",
            "connect4",
            &["--setup", "......./......./......./......./......./1..2... 1"],
            "a setup has none",
        ),
        ("protocol=gtp,python=python3", "connect4", &[], "python cannot be used here"),
    ] {
        let program = format!("cmd({settings}):{} cfour", course());
        let ran = place.run(&[&["play", game, "--first", &program, "--second", "last"], more].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(part), "{settings}: {}", ran.stderr);
    }
}

/// A virtual environment outside of the submissions, and the path at which agents find their files on Kaggle.
#[test]
fn kaggle_agents_in_a_virtual_environment() {
    let place = Place::new("judges-kaggle");
    let venv = place.0.join("staff/venv");
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&venv).output();
    if !made.is_ok_and(|made| made.status.success()) {
        eprintln!("NOT TESTED: there is no python3 with venv here, so no agent ran in a virtual environment");
        return;
    }
    let packages =
        fs::read_dir(venv.join("lib")).unwrap().next().unwrap().unwrap().path().join("site-packages");
    fs::write(packages.join("strategy.py"), "def column():\n    return 3\n").unwrap();
    let agent = "import os\nimport sys\nimport strategy\n\nclass Net:\n    pass\n\ndef play(observation, configuration):\n\
        \x20   files = '/kaggle_simulations/agent'\n    has_files = not os.path.exists(files) or os.path.exists(files + '/table.txt')\n\
        \x20   print('alias', os.path.exists(files + '/table.txt'), file=sys.stderr)\n\
        \x20   assert has_files\n    full = [column for column in range(configuration.columns) if not observation.board[column]]\n\
        \x20   return strategy.column() if strategy.column() in full else full[0]\n";
    let folder = place.0.join("handed-in/ana");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("agent.py"), agent).unwrap();
    fs::write(folder.join("table.txt"), "").unwrap();
    fs::write(folder.join("player.toml"), "command = [\"python3\", \"agent.py\"]\nprotocol = \"kaggle\"\n")
        .unwrap();
    let event = ["tournament", "connect4", "first", "--submissions", "handed-in", "--name"];
    let played =
        place.object(&[&event[..], &["cup", "--kaggle-python", "staff/venv/bin/python"]].concat(), 0);
    assert_eq!(played["standings"].as_array().unwrap().len(), 2, "{played}");
    // Without it the agent fails, and so it does with one that does not exist.
    assert_eq!(place.run(&[&event[..], &["b"]].concat()).code, Some(3));
    let ran = place.run(&[&event[..], &["c", "--kaggle-python", "staff/bin/python"]].concat());
    assert!(ran.code == Some(2) && ran.stderr.contains("an interpreter that exists"), "{}", ran.stderr);
    let program = "cmd(protocol=kaggle,python=../../staff/venv/bin/python,folder=handed-in/ana):agent.py";
    let checked = place.object(&["engine", "check", "connect4", program], 0);
    assert_eq!(checked["checks"][0]["name"], "agent");
    assert_eq!(checked["checks"][0]["words"], "agent.py: function play (line 8)");
    // Where the machine has no namespaces, an engine sees the folder at its own path only.
    let is_own_root = checked["stderr"].as_str().unwrap().contains("alias True");
    let can_unshare =
        Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success());
    assert!(is_own_root || !can_unshare, "{checked}");
}
