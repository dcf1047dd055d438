//! Events on the command line: formats, resuming, resubmission, exit codes, outputs.

use crate::support::{Ran, command, empty_folder, finish};
use crate::zoo::zoo;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A folder with its own store, in which commands are run.
pub(crate) struct Place(pub(crate) PathBuf);

impl Place {
    pub(crate) fn new(name: &str) -> Place {
        Place(empty_folder(name))
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        let mut command = command(words);
        command.current_dir(&self.0).timeout(Duration::from_secs(300));
        finish(&mut command)
    }

    /// Runs a command with `--json`, which must exit with this code; returns its one object.
    #[track_caller]
    pub(crate) fn object(&self, words: &[&str], code: i32) -> Value {
        let ran = self.run(&[words, &["--json"]].concat());
        assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap()
    }
}

/// Rows of the standings without the values that depend on time.
pub(crate) fn standings(value: &Value) -> Vec<Value> {
    let rows = value["standings"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            let mut row = row.clone();
            if let Some(row) = row.as_object_mut() {
                row.retain(|key, _| !["second", "time", "late_"].iter().any(|part| key.contains(part)));
            }
            row
        })
        .collect()
}

fn names(value: &Value) -> Vec<&str> {
    value["standings"].as_array().unwrap().iter().map(|row| row["player"].as_str().unwrap()).collect()
}

/// Every format ranks the strongest player first, with one, two and five games at a time.
#[test]
fn every_format_ranks_the_same_on_any_number_of_threads() {
    let place = Place::new("event-formats");
    let players = ["alphabeta:depth=4/threes/4,4,1,2", "grid-5", "first", "random"];
    for (format, more) in [
        ("round-robin", vec!["--cycles", "4"]),
        ("swiss", vec!["--rounds", "3"]),
        ("king-of-the-hill", vec![]),
        ("knockout", vec![]),
        ("adaptive", vec!["--budget", "60"]),
        ("gauntlet", vec!["--staff", "house=rival-4"]),
    ] {
        let of = |threads: &str| {
            let name = format!("{format}-{threads}");
            let head = ["tournament", "connect4"];
            let tail =
                ["--format", format, "--opening-plies", "4", "--concurrency", threads, "--name", &name];
            place.object(&[&head[..], &players, &tail, &more].concat(), 0)
        };
        let [one, two, five] = ["1", "2", "5"].map(of);
        assert_eq!(standings(&one), standings(&two), "{format}");
        assert_eq!(standings(&one), standings(&five), "{format}");
        assert_eq!(names(&one)[0], players[0], "{format}: {one}");
        for row in one["standings"].as_array().unwrap() {
            for key in [
                "player",
                "rank",
                "points",
                "wins",
                "draws",
                "losses",
                "forfeits",
                "rating",
                "rating_low",
                "rating_high",
            ] {
                assert!(row.get(key).is_some(), "{format}: {key}");
            }
        }
    }
}

/// Killed at fifty instants, an event loses no game and counts none twice.
#[test]
fn kill_nine_loses_nothing() {
    let place = Place::new("event-kill");
    let store = |name: &str| place.0.join(name).display().to_string();
    let program = format!("middle=cmd:{} honest-middle", zoo().display());
    let words = |store: &str| {
        let players =
            ["alphabeta:depth=5/threes/4,4,1,2", "alphabeta:depth=4/threes/4,4,1,2", "grid-5", "rival-4"];
        let head = ["tournament", "connect4", &program];
        let tail = ["--cycles", "24", "--opening-plies", "5", "--name", "cup", "--json", "--store", store];
        [&head[..], &players, &tail].concat().into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let began = std::time::Instant::now();
    let whole = place.run(&words(&store("whole.db")).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    let took = began.elapsed();
    let cut = store("cut.db");
    let mut dice = 12345_u64;
    let mut n_killed = 0;
    for _ in 0..50 {
        dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut child = Command::new(env!("CARGO_BIN_EXE_palestra"))
            .args(words(&cut))
            .current_dir(&place.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Each wait is below 1/20 of the event's time; all 50 together are about 1.25 times that time.
        std::thread::sleep(took.mul_f64((dice >> 33) as f64 / (1_u64 << 31) as f64 / 20.0));
        let was_running = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        n_killed += u32::from(was_running);
    }
    assert!(n_killed > 25, "the event was over too soon: {n_killed}");
    let last = place.run(&words(&cut).iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(last.code, Some(0), "{}", last.stderr);
    let [whole, last] = [&whole, &last].map(|ran| serde_json::from_str::<Value>(&ran.stdout).unwrap());
    assert_eq!(standings(&whole), standings(&last));
    let games = |store: &str| {
        let words = ["event", "cup", "--games", "--json", "--store", store];
        let ran = place.run(&words);
        let mut lines: Vec<String> = Vec::new();
        for line in ran.stdout.lines() {
            let game: Value = serde_json::from_str(line).unwrap();
            lines.push(format!(
                "{} {} {} {} {}",
                game["round"], game["first"], game["second"], game["opening"], game["moves"]
            ));
        }
        lines
    };
    let (of_whole, of_cut) = (games(&store("whole.db")), games(&cut));
    assert_eq!(of_whole.len(), 10 * 24 * 2);
    assert_eq!(of_whole, of_cut);
}

fn n_games(place: &Place) -> usize {
    let runs = place.run(&["runs", "--json"]);
    let rows: Vec<Value> = runs.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let games = rows.iter().find(|row| row["run"] == "cup").map(|row| row["games"].clone());
    games.and_then(|games| games.as_u64()).unwrap() as usize
}

/// After a resubmission only the games of the changed player are played again.
#[test]
fn a_resubmission_replays_its_own_games() {
    let place = Place::new("event-again");
    let put = |name: &str, kind: &str| {
        let folder = place.0.join("handed-in").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("kind"), kind).unwrap();
        fs::copy(zoo(), folder.join("zoo")).unwrap();
        let card = "command = [\"sh\", \"-c\", \"exec ./zoo $(cat kind)\"]\n";
        fs::write(folder.join("player.toml"), card).unwrap();
    };
    put("ana", "honest-first");
    put("berta", "honest-last");
    put("carla", "honest-middle");
    let words = [
        "tournament",
        "connect4",
        "grid-5",
        "--submissions",
        "handed-in",
        "--name",
        "cup",
        "--opening-plies",
        "2",
    ];
    let before = place.object(&words, 0);
    assert_eq!(before["standings"].as_array().unwrap().len(), 4);
    assert_eq!(n_games(&place), 12);
    assert_eq!(standings(&place.object(&words, 0)), standings(&before), "the same command again");
    assert_eq!(n_games(&place), 12, "nothing was played again");
    // Not byte for byte carla's submission: identical submissions share their games.
    put("berta", "honest-middle 1");
    place.object(&words, 0);
    // Three opponents, two games each.
    assert_eq!(n_games(&place), 18);
    put("berta", "honest-last");
    assert_eq!(standings(&place.object(&words, 0)), standings(&before), "and back");
    assert_eq!(n_games(&place), 18, "what it played before is remembered");
}

/// Built-in players play the same moves as external engines: over UGI, and over the protocols of two course judges.
#[test]
fn a_pipe_changes_nothing() {
    let own = env!("CARGO_BIN_EXE_palestra");
    for (game, player, opponent, protocol, serve) in [
        ("connect4", "grid-5", "rival-4", "ugi", "engine serve connect4"),
        (
            "connect:9x8x5",
            "greedy/lines/1000,-500,80,-2,2,80",
            "grid-5",
            "conecta-c",
            "engine judge conecta-c",
        ),
        (
            "ladrillos:7",
            "greedy/islands/2,4,4,0,1",
            "greedy/islands/1,1,1,1,1",
            "ladrillos",
            "engine judge ladrillos",
        ),
        ("mancala:uam", "regular", "bueno", "ugi", "engine serve mancala:uam"),
    ] {
        let place = Place::new(&format!("event-pipe-{protocol}-{}", game.replace(':', "-")));
        let games = |player: &str, name: &str| {
            let player = format!("it={player}");
            place.object(&["tournament", game, &player, opponent, "--name", name, "--clock", "30/move"], 0);
            let ran = place.run(&["event", name, "--games", "--json"]);
            let moves = |line: &str| serde_json::from_str::<Value>(line).unwrap()["moves"].clone();
            ran.stdout.lines().map(moves).collect::<Vec<Value>>()
        };
        let plain = games(player, "plain");
        let piped = games(&format!("cmd(protocol={protocol}):'{own}' {serve} '{player}'"), "piped");
        assert!(plain.len() == 2 && plain == piped, "{game}: {plain:?} {piped:?}");
    }
}

#[test]
fn exit_codes_say_what_happened() {
    let place = Place::new("event-codes");
    let zoo = zoo().display().to_string();
    let check = |words: &[&str], code: i32, part: &str| {
        let ran = place.run(words);
        assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains(part) || ran.stdout.contains(part),
            "{words:?}: {} {}",
            ran.stdout,
            ran.stderr
        );
    };
    check(&["tournament", "connect4", "grid-5", "random", "--name", "a"], 0, "grid-5");
    check(&["tournament", "connect4", "grid-5", "randum"], 2, "did you mean \"random\"?");
    check(&["tournament", "no.toml"], 2, "no.toml");
    check(&["tournament", "connect4", "grid-5"], 2, "at least two players");
    check(&["tournament", "connect4", "grid-5", "random", "--format", "swis"], 2, "did you mean \"swiss\"?");
    check(&["tournament", "connect4", "grid-5", "random", "--clock", "fast"], 2, "a time control");
    check(&["tournament", "connect4", "grid-5", "cmd(protocol=uggi):x"], 2, "did you mean \"ugi\"?");
    check(
        &["tournament", "connect4", "grid-5", "random", "cmd:./no-such-program", "--name", "b"],
        3,
        "failed the pre-flight check",
    );
    let crash = format!("crash=cmd:{zoo} crash");
    check(&["tournament", "connect4", "grid-5", "random", &crash, "--strict", "--name", "c"], 4, "crash");
    check(&["report", "a"], 2, "palestra event a --site DIR");
    check(&["event", "a"], 0, "grid-5");
    check(&["event", "aa"], 2, "has no run \"aa\"");
    check(&["event", "a", "--player", "grid5"], 2, "did you mean \"grid-5\"?");
    check(&["event", "c", "--player", "crash"], 0, "crash");
    check(&["engine", "check", "connect4", &format!("cmd:{zoo} honest-first")], 0, "passed");
    check(&["engine", "check", "connect4", &format!("cmd:{zoo} illegal")], 3, "illegal move");
    check(&["engine", "check", "connect4", "random"], 2, "an external engine");
    check(&["engine", "replay", "9999"], 2, "no game 9999");
}

/// An event writes all its output files and leaves no partial file.
#[test]
fn an_event_is_written_in_every_form() {
    let place = Place::new("event-forms");
    let crash = format!("crash=cmd:{} crash", zoo().display());
    let words = [
        "tournament",
        "connect4",
        "grid-5",
        "rival-4",
        "random",
        &crash,
        "--opening-plies",
        "2",
        "--name",
        "cup",
        "--csv",
        "marks.csv",
        "--pgn",
        "games.txt",
        "--jsonl",
        "games.jsonl",
        "--site",
        "public",
        "--stream",
        "live.jsonl",
    ];
    let value = place.object(&words, 0);
    let read = |name: &str| fs::read_to_string(place.0.join(name)).unwrap();
    assert_eq!(value["standings"].as_array().unwrap().len(), 4);
    assert_eq!(read("marks.csv").lines().count(), 5);
    assert!(read("marks.csv").lines().any(|line| line.contains("crash")));
    let lines = read("games.jsonl");
    let n_games = lines.lines().count();
    assert!((9..=12).contains(&n_games), "{n_games}");
    assert_eq!(read("games.txt").matches("[First ").count(), n_games);
    assert!(read("live.jsonl").lines().count() >= n_games);
    let failed = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let failed: Vec<Value> = failed.filter(|game| !game["forfeit"].is_null()).collect();
    assert_eq!(failed.len(), 3, "quarantined after three");
    let id = failed[0]["id"].to_string();
    let again = place.object(&["engine", "replay", &id], 0);
    assert_eq!((again["same"].as_bool(), again["player"].as_str()), (Some(true), Some("crash")));
    for path in ["public/index.html", "public/style.css"] {
        assert!(place.0.join(path).is_file() || path.ends_with("css"), "{path}");
    }
    let left: Vec<String> =
        crate::support::names_in(&place.0).into_iter().filter(|name| name.contains("part")).collect();
    assert!(left.is_empty(), "{left:?}");
    // A site may be written again; a folder with other files is refused.
    assert_eq!(place.run(&["event", "cup", "--site", "public"]).code, Some(0));
    fs::create_dir_all(place.0.join("theirs")).unwrap();
    fs::write(place.0.join("theirs/thesis.txt"), "years of work").unwrap();
    assert_ne!(place.run(&["event", "cup", "--site", "theirs"]).code, Some(0));
    assert!(place.0.join("theirs/thesis.txt").is_file());
}

/// An interrupt takes effect in the middle of a move; the printed command to continue is the one that was typed.
#[test]
fn an_interrupted_event_says_how_to_go_on() {
    let place = Place::new("event-stop");
    let slow = format!("slow=cmd:{} late 20000", zoo().display());
    let child = Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(["tournament", "connect4", &slow, "grid-5", "--clock", "60/move", "--name", "cup"])
        .current_dir(&place.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&place.0.join("palestra.db"));
    std::thread::sleep(Duration::from_millis(1500));
    let signaled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signaled.success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(
        stderr.contains("To continue: ") && stderr.contains("'slow=cmd:") && stderr.contains("--name cup"),
        "{stderr}"
    );
}

fn wait_for(path: &Path) {
    for _ in 0..600 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{} never came", path.display());
}
