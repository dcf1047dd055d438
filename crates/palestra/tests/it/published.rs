//! What an event publishes and exports: the site, private texts, gradebooks of learning platforms, groups, notes about
//! programs that play the same.

use crate::events::Place;
use crate::zoo::zoo;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What the program of `cora` writes to standard error before it plays.
const DUMP: &str = "# secret: A fatal error has been detected by the Java Runtime Environment";

/// A course: `ana` and `bea` play the same with different files, `team` is the work of two, `cora` crashes.
const PLAN: &str = r#"
name = "cup"
game = "connect4"
format = "gauntlet"
cycles = 12
opening_plies = 3
seed = 7

[[mark]]
above = "easy"
confidence = 0.6
grade = 5.5

[[player]]
name = "easy"
player = "grid-5"
staff = true

[[player]]
name = "ana"
command = ["./zoo", "honest-first"]
folder = "in/ana"
group = "morning"
identifier = "100234"

[[player]]
name = "bea"
command = ["./zoo", "honest-first"]
folder = "in/bea"
group = "evening"
identifier = "100235"

[[player]]
name = "team"
command = ["./zoo", "honest-last"]
folder = "in/team"
group = "evening"
students = [{ name = "Eva Ñ.", identifier = "100236" }, { name = "=Leo" }]

[[player]]
name = "cora"
command = ["./start"]
folder = "in/cora"
group = "morning"
identifier = "100237"
"#;

/// The course, played.
fn course(name: &str) -> Place {
    let place = Place::new(name);
    for player in ["ana", "bea", "team", "cora"] {
        let folder = place.0.join("in").join(player);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(zoo(), folder.join("zoo")).unwrap();
        fs::write(folder.join("notes.txt"), player).unwrap();
    }
    let start = place.0.join("in/cora/start");
    fs::write(&start, format!("#!/bin/sh\necho '{DUMP}' >&2\nexec ./zoo crash\n")).unwrap();
    fs::set_permissions(&start, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(place.0.join("cup.toml"), PLAN).unwrap();
    let ran = place.run(&["tournament", "cup.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    place
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.0.join(name)).unwrap()
}

/// Every file of a folder and below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn what_a_program_wrote_is_for_staff_and_its_student() {
    let place = course("published-stderr");
    let ran =
        place.run(&["event", "cup", "--site", "public", "--private", "texts", "--jsonl", "staff.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let folder = place.0.display().to_string();
    for path in files(&place.0.join("public")) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for private in ["secret", "./start", "in/cora", "100237", "fatal error", &folder] {
            assert!(!text.contains(private), "{private} in {}", path.display());
        }
    }
    let dump = format!("Java crash dump, {} bytes", DUMP.len() + 1);
    assert!(read(&place, "public/index.html").contains(&dump), "{}", read(&place, "public/index.html"));
    assert!(read(&place, "public/players/cora.html").contains(&dump));
    assert!(read(&place, "public/games.jsonl").contains("\"stderr_kind\":\"Java crash dump\""));
    assert!(read(&place, "staff.jsonl").contains("secret"));
    assert!(place.run(&["event", "cup", "--player", "cora"]).stdout.contains("secret"));
    // The student has the dialogue as well; the others have nothing of it.
    let own = read(&place, "texts/cora.txt");
    for part in ["for cora alone", "secret", "← ugiok", "disqualified (crash 3×)"] {
        assert!(own.contains(part), "{part}: {own}");
    }
    for other in ["ana", "bea", "team"] {
        let text = read(&place, &format!("texts/{other}.txt"));
        assert!(!text.contains("secret") && text.contains("rank"), "{text}");
    }
    assert!(!place.0.join("texts/easy.txt").exists(), "a staff player has no student");
    assert_eq!(fs::metadata(place.0.join("texts")).unwrap().permissions().mode() & 0o077, 0);
    // Written again it is replaced; with other files it stays as it is.
    assert_eq!(place.run(&["event", "cup", "--private", "texts"]).code, Some(0));
    fs::write(place.0.join("texts/thesis.txt"), "years of work").unwrap();
    let ran = place.run(&["event", "cup", "--private", "texts"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("it also has \"thesis.txt\""), "{}", ran.stderr);
    assert_eq!(read(&place, "texts/thesis.txt"), "years of work");
}

#[test]
fn gradebooks_have_a_row_for_every_student() {
    let place = course("published-grades");
    let words =
        ["event", "cup", "--moodle", "moodle.csv", "--canvas", "canvas.csv", "--assignment", "Cup, final"];
    let ran = place.run(&[&words[..], &["--csv", "marks.csv"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("without an identifier, so that the gradebook will not find them: =Leo"));
    let rows = |name: &str| -> Vec<Vec<String>> {
        let text = read(&place, name);
        let text = text.strip_prefix('\u{feff}').expect("spreadsheets need the mark").to_owned();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let moodle = rows("moodle.csv");
    assert_eq!(moodle[0], ["ID number", "Full name", "Grade", "Feedback comments"]);
    let of = |rows: &[Vec<String>], name: &str| {
        rows.iter().find(|row| row.contains(&name.to_owned())).unwrap().clone()
    };
    assert_eq!(moodle.len(), 6, "five students");
    assert_eq!(of(&moodle, "Eva Ñ.")[0], "100236");
    let leo = of(&moodle, "'=Leo");
    assert_eq!((leo[0].as_str(), &leo[2..]), ("", &of(&moodle, "Eva Ñ.")[2..]), "the same work");
    let cora = of(&moodle, "cora");
    assert_eq!(cora[..3], ["100237", "cora", "0"]);
    assert_eq!(cora[3], "disqualified: crash 3×; none of its games count");
    let ana = of(&moodle, "ana");
    assert!(ana[3].starts_with("rank "), "{ana:?}");
    for part in [" points in 24 games (won ", "better than easy with ", " %"] {
        assert!(ana[3].contains(part), "{ana:?}");
    }
    let canvas = rows("canvas.csv");
    assert_eq!(canvas[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Cup, final"]);
    assert_eq!(canvas.len(), 6);
    assert_eq!(of(&canvas, "ana")[..5], ["ana", "", "100234", "100234", "morning"]);
    assert_eq!(of(&canvas, "ana")[5], ana[2]);
    let marks = rows("marks.csv");
    assert_eq!(marks[0][..3], ["player", "group", "rank"]);

    // Without identifiers a platform cannot tell who they are.
    let words = ["tournament", "connect4", "grid-5", "first", "--name", "other", "--moodle", "other.csv"];
    let ran = place.run(&words);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--moodle cannot be used here: no player of other has an identifier"));
    assert!(ran.stderr.contains("--roster FILE.csv"), "{}", ran.stderr);
    assert!(!place.0.join("other.csv").exists());
}

#[test]
fn groups_have_results() {
    let place = course("published-groups");
    let value = place.object(&["event", "cup"], 0);
    let groups = value["groups"].as_array().unwrap();
    let names: Vec<&Value> = groups.iter().map(|group| &group["group"]).collect();
    assert_eq!(names, [&json!("evening"), &json!("morning")]);
    let key = |i: usize, key: &str| groups[i][key].clone();
    assert_eq!([key(0, "students"), key(0, "players"), key(0, "failed")], [json!(3), json!(2), json!(0)]);
    assert_eq!([key(1, "students"), key(1, "players"), key(1, "failed")], [json!(2), json!(2), json!(1)]);
    let score = |player: &str| {
        let rows = value["standings"].as_array().unwrap();
        rows.iter().find(|row| row["player"] == player).unwrap()["score"].as_f64().unwrap()
    };
    let mean = (score("bea") + score("team")) / 2.0;
    assert!((key(0, "score").as_f64().unwrap() - mean).abs() < 1e-9);
    assert!(key(0, "score_low").as_f64().unwrap() <= mean && key(0, "score_high").as_f64().unwrap() >= mean);
    // Of one player that counts there is no spread.
    assert_eq!((key(1, "score").as_f64(), key(1, "score_low")), (Some(score("ana")), Value::Null));
    assert_eq!(key(1, "best"), json!(["ana"]));
    let table = place.run(&["event", "cup"]).stdout;
    let head = table.lines().next().unwrap();
    assert!(head.starts_with("rank  player  group "), "{head}");
    assert!(table.contains("group    students  mean score [95 %]"), "{table}");
    assert_eq!(place.run(&["event", "cup", "--site", "public"]).code, Some(0));
    let page = read(&place, "public/groups.html");
    assert!(page.contains("id=\"group-2\"") && page.contains("players/ana.html"), "{page}");
    assert!(read(&place, "public/index.html").contains("groups.html#group-1"));
}

#[test]
fn staff_read_of_programs_that_play_the_same() {
    let place = course("published-same");
    let value = place.object(&["event", "cup"], 0);
    let same = value["identical_play"].as_array().unwrap();
    assert_eq!(same.len(), 1, "{same:?}");
    assert_eq!(same[0]["players"], json!(["ana", "bea"]));
    assert_eq!(same[0]["positions"], same[0]["same_moves"]);
    assert!(same[0]["positions"].as_u64().unwrap() >= 40 && same[0]["same_games"].as_u64().unwrap() >= 4);
    let sentence = "ana and bea have different files and play alike: the same move in ";
    let table = place.run(&["event", "cup"]).stdout;
    assert!(table.contains(sentence) && table.contains("that is no proof of copying"), "{table}");
    assert_eq!(place.run(&["event", "cup", "--site", "public"]).code, Some(0));
    for path in files(&place.0.join("public")) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains("play alike") && !text.contains("identical_play"), "{}", path.display());
    }
    // The same files under two names share their games; with fewer positions nothing is said of the others.
    fs::copy(place.0.join("in/ana/notes.txt"), place.0.join("in/team/notes.txt")).unwrap();
    let plan = PLAN.replace("honest-last", "honest-first").replace("cycles = 12", "cycles = 1");
    fs::write(place.0.join("cup.toml"), plan).unwrap();
    let value = place.object(&["tournament", "cup.toml"], 0);
    assert_eq!(value["same_files"], json!([["ana", "team"]]));
    assert_eq!(value["identical_play"], json!([]));
}

/// The files of games are the same for any number of games at a time, and their numbers can be replayed.
#[test]
fn files_of_games_do_not_depend_on_the_order_in_which_games_end() {
    let place = Place::new("published-numbers");
    let players = ["alphabeta:depth=4/threes/4,4,1,2", "grid-5", "rival-4", "first"];
    let files = ["1", "2", "5"].map(|threads| {
        let store = format!("{threads}.db");
        let head = ["tournament", "connect4", "--name", "cup", "--opening-plies", "3", "--cycles", "3"];
        let tail =
            ["--concurrency", threads, "--store", &store, "--jsonl", "games.jsonl", "--pgn", "games.txt"];
        let ran = place.run(&[&head[..], &players, &tail].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        [read(&place, "games.jsonl"), read(&place, "games.txt")]
    });
    assert!(files[0] == files[1] && files[0] == files[2], "the files differ");
    let numbers: std::collections::BTreeSet<u64> = files[0][0]
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers.len(), 36);
    assert!(numbers.iter().all(|number| (1 << 52..1 << 53).contains(number)));
    // The number is found, and the game is not one that can be replayed.
    let number = numbers.first().unwrap().to_string();
    let ran = place.run(&["engine", "replay", &number, "--store", "1.db"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("the number of a forfeited game"), "{}", ran.stderr);
    let ran = place.run(&["engine", "replay", "9007199254740991", "--store", "1.db"]);
    assert!(ran.stderr.contains("no game 9007199254740991"), "{}", ran.stderr);
}

#[test]
fn another_clock_or_seed_is_the_reason_why_games_do_not_count() {
    let place = course("published-changes");
    let check = |from: &str, to: &str, reason: &str| {
        fs::write(place.0.join("cup.toml"), PLAN.replace(from, to)).unwrap();
        let ran = place.run(&["tournament", "cup.toml"]);
        assert!(ran.stderr.contains(reason), "{reason}: {}", ran.stderr);
    };
    check("seed = 7", "seed = 8", "none of them counts: the seed was 7, and is 8");
    check("seed = 7", "seed = 8\nclock = \"2/move\"", "none of them counts: the clock was ");
}
