//! The misbehaving engines and three honest ones in one event: misbehavior does not affect other players.

use crate::events::{Place, standings};
use crate::zoo::zoo;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An engine that uses up resources may hit any of these limits first, or its clock.
const HOGS: &[&str] = &["processes", "memory", "disk", "crash", "time"];

/// Every misbehavior and its possible verdicts. Some have two, depending on which symptom is detected first: an engine
/// that never reads sends no handshake either.
const KINDS: [(&str, &[&str]); 24] = [
    ("hang", &["time"]),
    ("hang-at-start", &["no handshake"]),
    ("drip", &["time"]),
    ("endless-line", &["flood"]),
    ("noise", &["time", "flood", "garbled answer"]),
    ("flood", &["flood", "time"]),
    ("flood-stderr", &["flood", "time"]),
    ("crash-at-start", &["crash"]),
    ("crash", &["crash"]),
    ("illegal", &["illegal move"]),
    ("out-of-turn", &["out of turn"]),
    ("late", &["time"]),
    ("fork-bomb", HOGS),
    ("thread-bomb", HOGS),
    ("memory-hog", HOGS),
    ("disk-filler", HOGS),
    ("large-file", HOGS),
    ("many-files", HOGS),
    ("socket", &["forbidden call"]),
    ("close-pipes", &["closed pipe"]),
    ("stdin-deaf", &["no handshake", "closed pipe"]),
    ("garbage-answer", &["illegal move", "garbled answer"]),
    // It starts one more child with every move.
    ("orphan", &["processes"]),
    // No forfeit: the result stands, and the process is killed after the game.
    ("ignore-term", &[]),
];

/// Engines that are strange in one way each, and their possible verdicts: the kernel refuses what they try, or it is
/// allowed, or it loses games.
const STRANGE: [(&str, &[&str]); 33] = [
    ("leak", &[]),
    ("daemon", &[]),
    ("long-stderr", &[]),
    ("crlf", &[]),
    ("invalid-utf8", &[]),
    ("many-lines", &[]),
    ("tabs", &[]),
    ("ready-twice", &[]),
    ("odd-info", &[]),
    ("slow-answer", &[]),
    ("many-threads", &[]),
    ("socket-pair", &[]),
    ("forbidden-calls", &[]),
    ("signals", &[]),
    ("tracer", &[]),
    ("writer", &[]),
    ("late-start", &[]),
    ("answers-early", &["out of turn"]),
    ("half-line", &["time"]),
    ("stops-itself", &["time"]),
    ("cr-only", &["no handshake"]),
    ("nul-before", &["time"]),
    ("nul-after", &["illegal move"]),
    ("leading-zero", &["illegal move"]),
    ("plus-sign", &["illegal move"]),
    ("full-width-digit", &["illegal move"]),
    ("capital-ok", &["no handshake"]),
    ("exits", &["crash"]),
    ("closes-output", &["closed pipe"]),
    ("illegal-sometimes", &["illegal move"]),
    ("zombies", &["processes"]),
    ("deep-folders", &["disk", "time"]),
    // It shares one core with its children.
    ("slow-and-busy", &["time"]),
];

const HONEST: [&str; 3] = ["honest-first", "honest-last", "honest-middle"];

/// Seconds per move; the start has its own limit (`--startup`).
const CLOCK: &str = "0.5/move";

#[test]
fn nothing_a_player_does_hurts_the_event() {
    let place = Place::new("zoo-event");
    // A unique path distinguishes the processes of this test from all others.
    let program = place.0.join("zoo-of-this-test");
    std::fs::copy(zoo(), &program).unwrap();
    let player = |kind: &str| {
        let number = if kind == "late" { " 1500" } else { "" };
        format!("{kind}=cmd:{} {kind}{number}", program.display())
    };
    let options =
        ["--clock", CLOCK, "--startup", "5", "--cycles", "2", "--opening-plies", "1", "--memory-mb", "256"];
    let honest: Vec<String> = HONEST.map(player).to_vec();
    let run = |players: &[String], name: &str| {
        let players: Vec<&str> = players.iter().map(String::as_str).collect();
        // Without the preflight check, so that the event itself has to handle the failures.
        let tail = ["--no-preflight", "--name", name];
        place.object(&[&["tournament", "connect4"][..], &players, &options, &tail].concat(), 0)
    };
    let alone = run(&honest, "alone");
    let all: Vec<String> = honest.iter().cloned().chain(KINDS.map(|(kind, _)| player(kind))).collect();
    let began = Instant::now();
    let together = run(&all, "together");
    let took = began.elapsed();
    let order = |value: &Value| -> Vec<String> {
        let names = standings(value).into_iter().map(|row| row["player"].as_str().unwrap().to_owned());
        names.filter(|name| HONEST.contains(&name.as_str())).collect()
    };
    assert_eq!(order(&alone), order(&together));
    let among = |name: &str| {
        let ran = place.run(&["event", name, "--games", "--json"]);
        let games = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let text = |game: &Value, key: &str| game[key].as_str().unwrap().to_owned();
        let games = games
            .filter(|game| ["first", "second"].iter().all(|key| HONEST.contains(&text(game, key).as_str())));
        let seen = games.map(|game| (text(&game, "first"), text(&game, "second"), game["moves"].to_string()));
        let mut seen: Vec<(String, String, String)> = seen.collect();
        seen.sort();
        seen
    };
    assert_eq!(among("alone"), among("together"), "the same games");
    for (kind, verdicts) in KINDS {
        check_verdicts(find(&together, kind), verdicts);
    }
    let quarantined = standings(&together).iter().filter(|row| row["rank"].is_null()).count();
    assert_eq!(quarantined, KINDS.iter().filter(|(_, verdicts)| !verdicts.is_empty()).count());
    // Each engine fails at most three times, plus games in flight (5 in total); each failure takes at most the startup
    // limit, the move time and the margin. Honest games take almost no time.
    let most = Duration::from_secs_f64(KINDS.len() as f64 * 5.0 * (5.0 + 0.5 + 0.2) + 60.0);
    assert!(took < most, "{took:?} of {most:?}");
    assert!(left_behind(&program.display().to_string()).is_empty(), "processes are left");
}

/// The row of a player in the table.
fn find(event: &Value, name: &str) -> Value {
    let found = standings(event).into_iter().find(|row| row["player"] == name);
    found.unwrap_or_else(|| panic!("{name} is not in the table"))
}

/// Checks that a player lost games for these reasons only, and some if there are any.
fn check_verdicts(row: Value, verdicts: &[&str]) {
    let forfeits: BTreeMap<String, u64> =
        serde_json::from_value(row["forfeit_kinds"].clone()).unwrap_or_default();
    assert_eq!(forfeits.is_empty(), verdicts.is_empty(), "{row}");
    assert!(forfeits.keys().all(|fault| verdicts.contains(&fault.as_str())), "{row}");
}

/// Strange engines lose what they must and nothing else; honest ones play all their games.
#[test]
fn strange_players_get_their_verdicts() {
    let place = Place::new("zoo-strange");
    let program = place.0.join("zoo-of-that-test");
    std::fs::copy(zoo(), &program).unwrap();
    let player = |kind: &str| format!("{kind}=cmd:{} {kind}", program.display());
    let strange = STRANGE.map(|(kind, _)| player(kind));
    let honest = HONEST.map(player);
    let mut args =
        vec!["tournament", "connect4", "--format", "gauntlet", "--cycles", "2", "--opening-plies", "1"];
    args.extend(["--clock", CLOCK, "--startup", "5", "--no-preflight", "--name", "strange"]);
    args.extend(strange.iter().map(String::as_str));
    args.extend(honest.iter().flat_map(|player| ["--staff", player]));
    let event = place.object(&args, 0);
    for (kind, verdicts) in STRANGE {
        check_verdicts(find(&event, kind), verdicts);
    }
    for kind in HONEST {
        check_verdicts(find(&event, kind), &[]);
    }
    // An illegal move in every fifth game costs two of twelve; all others that fail are disqualified.
    let disqualified: Vec<Value> =
        standings(&event).into_iter().filter(|row| row["quarantined"] == true).collect();
    let losing = STRANGE.iter().filter(|(_, verdicts)| !verdicts.is_empty()).count();
    assert_eq!(disqualified.len(), losing - 1, "{disqualified:?}");
    assert!(find(&event, "illegal-sometimes")["forfeits"].as_u64() <= Some(2));
    assert!(left_behind(&program.display().to_string()).is_empty(), "processes are left");
}

/// Programs with busy children make no honest program lose on time, in their games and in those of others.
#[test]
fn busy_children_cost_nobody_a_game() {
    let place = Place::new("zoo-busy");
    let program = place.0.join("zoo-of-busy-test");
    std::fs::copy(zoo(), &program).unwrap();
    // Each needs 60 ms of processor time for a move, of 100.
    let thinkers =
        ["ana", "luis", "eva", "leo"].map(|name| format!("{name}=cmd:{} thinker 60", program.display()));
    let hogs = ["hog-1", "hog-2"].map(|name| format!("{name}=cmd:{} busy-children 8", program.display()));
    let cycles = if std::env::var_os("RUN_SLOW_TESTS").is_some() { "7" } else { "1" };
    for concurrency in ["2", "4"] {
        let name = format!("busy-{concurrency}");
        let mut args = vec!["tournament", "connect4", "--cycles", cycles, "--opening-plies", "2"];
        args.extend([
            "--clock",
            "0.1/move",
            "--margin-ms",
            "50",
            "--concurrency",
            concurrency,
            "--name",
            &name,
        ]);
        args.extend(thinkers.iter().chain(&hogs).map(String::as_str));
        let event = place.object(&args, 0);
        for name in ["ana", "luis", "eva", "leo"] {
            check_verdicts(find(&event, name), &[]);
        }
    }
}

/// Command lines of the processes that contain a path.
fn left_behind(path: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(path) && !line.contains("tournament")).collect()
}
