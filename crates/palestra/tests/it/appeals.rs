//! Games that a program lost by a failure: what is kept of them, and what it looks like when they are played again.

use crate::events::Place;
use crate::zoo::zoo;
use serde_json::Value;

/// A run of seven is hard to make, so that games are long.
const LONG_GAME: &str = "connect:7x6x7";

/// An event of one program of the zoo against a built-in player.
fn event(place: &Place, kind: &str, options: &[&str]) -> Value {
    let player = format!("eva=cmd:{} {kind}", zoo().display());
    place.object(&[&["tournament", LONG_GAME, &player, "random", "--name", "cup"][..], options].concat(), 0)
}

/// The games of the event, as objects.
fn games(place: &Place) -> Vec<Value> {
    let ran = place.run(&["event", "cup", "--games", "--json"]);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A loss on time says how its time was measured, in every output.
#[test]
fn a_loss_on_time_is_explained() {
    let place = Place::new("appeals-time");
    event(&place, "hang", &["--clock", "0.1/move"]);
    let game = games(&place).remove(0);
    let time = &game["forfeit"]["time"];
    assert_eq!((&time["allowed_us"], &time["margin_us"]), (&100_000.into(), &200_000.into()), "{game}");
    let micros = |key: &str| time[key].as_u64().unwrap();
    assert!(micros("elapsed_us") >= 300_000 && micros("given_back_us") == micros("waited_us"), "{time}");
    assert!(micros("at_us") > micros("elapsed_us"), "{time}");
    let page = place.run(&["event", "cup", "--player", "eva"]).stdout;
    assert!(page.contains("    allowed 0.100 s with a margin of 0.200 s; it took 0.3"), "{page}");
}

/// A program that always uses the margin loses, and one that may be late does not.
#[test]
fn the_margin_is_not_thinking_time() {
    let place = Place::new("appeals-late");
    let clock = ["--clock", "0.05/move", "--margin-ms", "1000"];
    let value = event(&place, "late 650", &clock);
    let row = value["standings"].as_array().unwrap().iter().find(|row| row["player"] == "eva").unwrap();
    assert_eq!(row["forfeit_kinds"]["time"], 2, "{row}");
    assert_eq!(row["late_moves"], 12);
    assert!(row["late_milliseconds"].as_u64().unwrap() >= 12 * 250, "{row}");
    let game = games(&place).remove(0);
    let detail = game["forfeit"]["detail"].as_str().unwrap();
    assert!(detail.starts_with("late in 6 of ") && detail.ends_with("20 % may be late"), "{detail}");
    let page = place.run(&["event", "cup", "--player", "eva"]).stdout;
    assert!(page.contains("  12 late moves, by "), "{page}");
    let checked = place.run(
        &[&["engine", "check", LONG_GAME, &format!("cmd:{} late 650", zoo().display())][..], &clock].concat(),
    );
    assert_eq!(checked.code, Some(3), "{}", checked.stdout);
    assert!(checked.stdout.contains("late in 6 of "), "{}", checked.stdout);
}

/// The options of a replay replace the limits of the event.
#[test]
fn a_replay_with_other_limits() {
    let place = Place::new("appeals-limits");
    std::fs::create_dir(place.0.join("own")).unwrap();
    std::fs::write(place.0.join("table"), "").unwrap();
    std::fs::copy(zoo(), place.0.join("own/zoo")).unwrap();
    let player = "eva=cmd(folder=own):sh -c 'cat ../table || exit 3; exec ./zoo honest-first'";
    place.object(&["tournament", "connect4", player, "random", "--no-preflight", "--name", "cup"], 0);
    let game = games(&place)[0]["id"].to_string();
    let replay = |options: &[&str]| place.run(&[&["engine", "replay", &game][..], options].concat());
    assert_eq!(replay(&[]).code, Some(0), "confined, it fails again");
    assert_eq!(replay(&["--read", "table"]).code, Some(1));
    assert_eq!(replay(&["--unconfined"]).code, Some(1));
}

/// An engine in Python that plays the lowest column that is not full, and at first the column in `first.txt`. The text
/// is put before its answer to the `n`th request.
const ENGINE: &str = "import os, random, sys, time\n\
def say(text): print(text, flush=True)\n\
moves, n, first = [], 0, open('first.txt').read().strip()\n\
for line in sys.stdin:\n\
\x20   words = line.split()\n\
\x20   if words[0] == 'ugi': say('id name eva\\nugiok')\n\
\x20   elif words[0] == 'isready': say('readyok')\n\
\x20   elif words[0] == 'position': moves = words[3:]\n\
\x20   elif words[0] == 'quit': break\n\
\x20   elif words[0] == 'go':\n\
\x20       n += 1\n\
\x20       column = next(c for c in first + '1234567' if moves.count(c) < 6)\n\
\x20       FAILURE\n\
\x20       say('bestmove ' + column)\n";

/// The same engine in GTP, which keeps the position itself.
const GTP_ENGINE: &str = "import sys\n\
moves, n, first = [], 0, open('first.txt').read().strip()\n\
for line in sys.stdin:\n\
\x20   number, command, *rest = line.split()\n\
\x20   answer = {'protocol_version': '2', 'list_commands': 'genmove'}.get(command, '')\n\
\x20   if command == 'clear_board': moves = []\n\
\x20   if command == 'play': moves.append(rest[1])\n\
\x20   if command == 'genmove':\n\
\x20       n += 1\n\
\x20       if n == 4: sys.exit(1)\n\
\x20       answer = next(c for c in first + '1234567' if moves.count(c) < 6)\n\
\x20       moves.append(answer)\n\
\x20   print('=' + number, answer + '\\n', flush=True)\n\
\x20   if command == 'quit': break\n";

/// An event of an engine in Python; returns the number of its first lost game.
fn python_event(place: &Place, settings: &str, engine: &str) -> String {
    let folder = place.0.join("eva");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("bot.py"), engine).unwrap();
    std::fs::write(folder.join("first.txt"), "2").unwrap();
    let player = format!("eva=cmd({settings}folder={}):python3 bot.py", folder.display());
    place.object(&["tournament", LONG_GAME, &player, "random", "--concurrency", "1", "--name", "cup"], 0);
    failed_game(place, "eva")
}

/// The number of the first game that a player lost by a failure.
fn failed_game(place: &Place, name: &str) -> String {
    let game = games(place).into_iter().find(|game| game["forfeit"]["player"] == name);
    game.unwrap_or_else(|| panic!("{name} has no failure"))["id"].to_string()
}

/// The same failure is found again in the second game of a process, however many lines the engine writes and however long it thinks.
#[test]
fn a_failure_is_matched_by_answers_and_not_by_lines() {
    for (name, failure) in [
        (
            "info",
            "for i in range(random.randint(1, 9)): say('info depth %d' % i)\n        if n == 25: sys.exit(1)",
        ),
        ("slow", "time.sleep(0.02); say('info nodes %d' % time.time_ns())\n        if n == 25: sys.exit(1)"),
        (
            "dump",
            "if n == 25: sys.stderr.write('#\\n# A fatal error at pc=%d\\n' % time.time_ns() * 500); os.abort()",
        ),
        ("twice", "if n == 25: say('bestmove ' + column)"),
        ("illegal", "if n == 25: column = str(random.randint(8, 99))"),
        ("nothing", "if n == 25: say('bestmove'); continue"),
        ("asleep", "if n == 25: time.sleep(60)"),
    ] {
        let place = Place::new(&format!("appeals-replay-{name}"));
        let game = python_event(&place, "", &ENGINE.replace("FAILURE", failure));
        let ran = place.run(&["engine", "replay", &game]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("eva failed again, in the same way: "), "{name}: {}", ran.stdout);
        assert!(!ran.stdout.contains("left the recorded game"), "{name}: {}", ran.stdout);
    }
}

/// An engine that plays other moves is told so. One that gets every position goes on; one that keeps it does not.
#[test]
fn other_moves_leave_the_recorded_game() {
    let place = Place::new("appeals-departure");
    let game = python_event(&place, "", &ENGINE.replace("FAILURE", "if n == 9: sys.exit(1)"));
    std::fs::write(place.0.join("eva/first.txt"), "6").unwrap();
    let ran = place.run(&["engine", "replay", &game, "--current"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let left = "it played 6, in the event 2; it then got the recorded position again";
    assert!(ran.stdout.contains(left) && ran.stdout.contains("in the same way: crash"), "{}", ran.stdout);

    let place = Place::new("appeals-departure-gtp");
    let game = python_event(&place, "protocol=gtp,", GTP_ENGINE);
    let ran = place.run(&["engine", "replay", &game]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    std::fs::write(place.0.join("eva/first.txt"), "6").unwrap();
    let ran = place.run(&["engine", "replay", &game, "--current"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let left = "eva left the recorded game at its move 1: it played 6, in the event 2; the replay ends there";
    assert!(ran.stdout.contains(left), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("eva did not fail before it left the recorded game (in the event crash"),
        "{}",
        ran.stdout
    );
}

/// An engine that was repaired does not fail.
#[test]
fn a_repaired_engine_does_not_fail() {
    let place = Place::new("appeals-repaired");
    let game = python_event(&place, "", &ENGINE.replace("FAILURE", "if n == 9: sys.exit(1)"));
    std::fs::write(place.0.join("eva/bot.py"), ENGINE.replace("FAILURE", "pass")).unwrap();
    let value = place.object(&["engine", "replay", &game, "--current"], 1);
    assert_eq!((&value["same"], &value["now"]), (&Value::Bool(false), &Value::Null), "{value}");
    let ran = place.run(&["engine", "replay", &game, "--current"]);
    assert!(
        ran.stdout.contains("eva did not fail (in the event crash: ended with exit code 1)"),
        "{}",
        ran.stdout
    );
}

/// Every kind of failure that does not depend on the machine is found again.
#[test]
fn failures_of_the_zoo_are_found_again() {
    const KINDS: [&str; 12] = [
        "hang",
        "hang-at-start",
        "drip",
        "endless-line",
        "crash-at-start",
        "crash",
        "illegal",
        "out-of-turn",
        "socket",
        "close-pipes",
        "garbage-answer",
        "flood-stderr",
    ];
    let place = Place::new("appeals-zoo");
    let players: Vec<String> =
        KINDS.iter().map(|kind| format!("{kind}=cmd:{} {kind}", zoo().display())).collect();
    let mut words = vec!["tournament", "connect4"];
    words.extend(players.iter().map(String::as_str));
    words.extend([
        "--staff",
        "grid-5",
        "--format",
        "gauntlet",
        "--cycles",
        "1",
        "--no-preflight",
        "--name",
        "cup",
    ]);
    words.extend(["--clock", "0.5/move", "--startup", "3"]);
    place.object(&words, 0);
    for kind in KINDS {
        let ran = place.run(&["engine", "replay", &failed_game(&place, kind), "--startup", "3"]);
        assert_eq!(ran.code, Some(0), "{kind}: {}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.contains(&format!("{kind} failed again, in the same way: ")),
            "{kind}: {}",
            ran.stdout
        );
    }
}

/// A game is replayed with the files that played it, also after a resubmission.
#[test]
fn an_appeal_survives_a_resubmission() {
    let place = Place::new("appeals-archive");
    let engine = ENGINE.replace("FAILURE", "if n == 9: sys.exit(1)").replace("first.txt", "data/link.txt");
    let folder = place.0.join("eva");
    std::fs::create_dir_all(folder.join("data")).unwrap();
    std::os::unix::fs::symlink("../first.txt", folder.join("data/link.txt")).unwrap();
    let run = "#!/bin/sh\nexec python3 bot.py\n";
    std::fs::write(folder.join("run"), run).unwrap();
    std::fs::set_permissions(folder.join("run"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    std::fs::write(folder.join("bot.py"), engine).unwrap();
    std::fs::write(folder.join("first.txt"), "2").unwrap();
    let player = format!("eva=cmd(folder={}):./run", folder.display());
    let event = ["tournament", LONG_GAME, &player, "random", "--name", "cup"];
    place.object(&event, 0);
    let game = failed_game(&place, "eva");
    // Handed in again, played again, and then removed.
    std::fs::write(folder.join("bot.py"), ENGINE.replace("FAILURE", "pass")).unwrap();
    place.object(&event, 0);
    let files = place.run(&["event", "cup", "--files", "eva", "now"]);
    assert_eq!(files.code, Some(0), "{}", files.stderr);
    assert!(std::fs::read_to_string(place.0.join("now/bot.py")).unwrap().contains("pass"));
    assert_eq!(std::fs::read_link(place.0.join("now/data/link.txt")).unwrap().to_str(), Some("../first.txt"));
    std::fs::remove_dir_all(&folder).unwrap();
    let ran = place.run(&["engine", "replay", &game]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let text = "the files of the engine have changed since the game; these are the archived ones";
    assert!(ran.stdout.contains(text) && ran.stdout.contains("in the same way: crash"), "{}", ran.stdout);
    assert_eq!(place.object(&["engine", "replay", &game], 0)["archived"], true);
    let again = place.run(&["event", "cup", "--files", "eva", "now"]);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    assert!(again.stderr.contains("a folder that is empty"), "{}", again.stderr);
}

/// Large programs are left out with a warning.
#[test]
fn large_programs_are_not_archived() {
    let place = Place::new("appeals-large");
    let folder = place.0.join("eva");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(zoo(), folder.join("zoo")).unwrap();
    std::fs::File::create(folder.join("table.bin")).unwrap().set_len(3 << 20).unwrap();
    let plan = "game = \"connect4\"\nformat = \"round-robin\"\nname = \"cup\"\narchive_mb = 2\n\
        [[player]]\nname = \"eva\"\ncommand = [\"./zoo\"]\nfolder = \"eva\"\n\
        [[player]]\nname = \"random\"\nplayer = \"random\"\n";
    std::fs::write(place.0.join("cup.toml"), plan).unwrap();
    let value = place.object(&["tournament", "cup.toml"], 0);
    let warnings = value["warnings"].to_string();
    assert!(
        warnings.contains("the files of eva are not archived") && warnings.contains("archive_mb is 2"),
        "{warnings}"
    );
    let files = place.run(&["event", "cup", "--files", "eva", "now"]);
    assert_eq!(files.code, Some(2), "{}", files.stderr);
}
