//! `palestra check-submissions` as staff uses it.

use crate::events::Place;
use crate::submissions::{course, put};
use serde_json::Value;
use std::fs;

const CHECK: [&str; 3] = ["check-submissions", "connect4", "handed-in"];

fn check(place: &Place, more: &[&str]) -> crate::support::Ran {
    place.run(&[&CHECK[..], more].concat())
}

/// The objects of `--json`, by player.
fn objects(place: &Place, more: &[&str]) -> Vec<Value> {
    let ran = check(place, &[more, &["--json"]].concat());
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn all_submissions_are_checked_at_once() {
    let place = course("check-all");
    let ran = check(&place, &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("3 submissions: 3 fit, 0 odd, 0 not fit"), "{}", ran.stdout);
    put(&place, "hugo", "command = [\"./player\"]\nprotocl = \"ugi\"\n");
    put(&place, "ida", "command = [\"python3\", \"bot.py\"]\n");
    fs::write(
        place.0.join("handed-in/ida/bot.py"),
        "import sys\nsys.stderr.write('\\x1b[2Jno board today\\n')\nprint('\\x1b[2J', flush=True)\n",
    )
    .unwrap();
    let roster = "folder,name,group,identifier\nida,Ida,A,=7\n\"García, Ana_12345\",Ana,A,1\n\"García, Ana_12345\",Eva,A,2\nkim,Kim,B,3\n";
    fs::write(place.0.join("students.csv"), roster).unwrap();
    let more = ["--roster", "students.csv", "--reports", "reports", "--csv", "checks.csv"];
    let ran = check(&place, &more);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("5 submissions: 3 fit, 0 odd, 2 not fit"), "{}", ran.stdout);
    let row = |name: &str| ran.stdout.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(row("hugo").contains("not fit  invalid key \"protocl\""), "{}", row("hugo"));
    assert!(row("Ida").contains("not fit  a game with the first side: "), "{}", row("Ida"));
    assert!(row("Kim").contains("no submission"), "{}", row("Kim"));
    // A line for each student, of teams too.
    let csv = fs::read_to_string(place.0.join("checks.csv")).unwrap();
    let team = |name: &str, number: u8| {
        format!("\"García, Ana_12345\",{name},A,{number},\"García, Ana_12345\",fit,")
    };
    for line in [team("Ana", 1), team("Eva", 2), "Kim,Kim,B,3,,,no submission".to_owned()] {
        assert!(csv.lines().any(|other| other == line), "{line}\n{csv}");
    }
    assert!(csv.contains("Ida,Ida,A,'=7,ida,not fit,"), "{csv}");
    // A text for each submission, safe on a terminal.
    let report = |name: &str| fs::read_to_string(place.0.join(format!("reports/{name}.txt"))).unwrap();
    assert!(report("eva ").contains("Result: fit to play."), "{}", report("eva "));
    let ida = report("ida");
    for part in
        ["Result: NOT FIT to play.", "see what it wrote to standard error", "no board today", "engine check"]
    {
        assert!(ida.contains(part), "{part}: {ida}");
    }
    assert!(!ida.contains('\x1b'), "{ida:?}");
    assert!(report("hugo").contains("did you mean \"protocol\"?"));
    let all = objects(&place, &["--roster", "students.csv"]);
    let of = |name: &str| all.iter().find(|one| one["player"] == name).unwrap();
    assert_eq!((of("Ida")["result"].as_str(), of("Ida")["fit"].as_bool()), (Some("not fit"), Some(false)));
    assert_eq!(
        (of("Kim")["result"].as_str(), of("Kim")["identifier"].as_str()),
        (Some("no submission"), Some("3"))
    );
    assert_eq!(of("García, Ana_12345")["students"].as_array().unwrap().len(), 2);
    assert!(of("eva ")["checks"].as_array().unwrap().len() >= 5);
}

/// Both commands check with the limits of a plan, options replace them, and coming close to one is odd.
#[cfg(target_os = "linux")]
#[test]
fn the_limits_of_a_plan_are_those_of_the_check() {
    let place = Place::new("check-plan");
    put(&place, "ana", "command = [\"./zoo\", \"slow-start\", \"300\"]\n");
    fs::copy(crate::zoo::zoo(), place.0.join("handed-in/ana/zoo")).unwrap();
    let plan = "game = \"connect4\"\nplayers = \"handed-in/*\"\nclock = \"9/move\"\nmargin_ms = 450\n\
        [confinement]\nmemory_mb = 700\nprocesses = 1\nfile_mb = 5\nopen_files = 99\n";
    fs::write(place.0.join("cup.toml"), plan).unwrap();
    let resources = |value: &Value| {
        let checks = value["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["name"] == "resources").unwrap();
        (check["grade"].as_str().unwrap().to_owned(), check["words"].as_str().unwrap().to_owned())
    };
    let player = "cmd(folder=handed-in/ana):./zoo slow-start 300";
    let single = place.object(&["engine", "check", "connect4", player, "--plan", "cup.toml"], 0);
    let odd = ("odd".to_owned(), "close to a limit: at most 1 of 1 processes".to_owned());
    assert_eq!(resources(&single), odd);
    assert_eq!((&single["clock"], &single["margin_ms"]), (&"9/move".into(), &450.into()));
    let limits = &single["limits"];
    assert_eq!((&limits["memory"], &limits["processes"]), (&(700 << 20).into(), &1.into()));
    assert_eq!((&limits["threads"], &limits["open_files"]), (&8.into(), &99.into()));
    assert_eq!((&limits["file_bytes"], &single["peak"]["processes"]), (&(5 << 20).into(), &1.into()));
    let more = ["--plan", "cup.toml", "--memory-mb", "800", "--clock", "8/move", "--reports", "reports"];
    let all = objects(&place, &more);
    assert_eq!((all[0]["result"].as_str(), &resources(&all[0])), (Some("odd"), &odd));
    assert_eq!((&all[0]["clock"], &all[0]["limits"]["memory"]), (&"8/move".into(), &(800 << 20).into()));
    let report = fs::read_to_string(place.0.join("reports/ana.txt")).unwrap();
    let terms = "Checked with clock 8/move, margin 450 ms; limits: 800 MiB of memory, 1 processes, 8 threads, \
        99 open files, files of 5 MiB, 256 MiB and 10000 files in the scratch folder\n";
    assert!(report.contains(terms), "{report}");
    // Without the plan, the limits are wide enough.
    let wide = place.object(&["engine", "check", "connect4", player, "--clock", "9/move"], 0);
    assert_eq!(resources(&wide).0, "good", "{wide}");
    fs::write(place.0.join("bad.toml"), "[confinement]\nmemory = 7\n").unwrap();
    let ran = check(&place, &["--plan", "bad.toml"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("memory_mb"), "{}", ran.stderr);
}

/// Reports replace reports and nothing else.
#[test]
fn reports_replace_no_other_file() {
    let place = course("check-reports");
    fs::create_dir(place.0.join("reports")).unwrap();
    fs::write(place.0.join("reports/eva .txt"), "years of work").unwrap();
    let ran = check(&place, &["--reports", "reports"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("or a report of an earlier check"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(place.0.join("reports/eva .txt")).unwrap(), "years of work");
    fs::remove_file(place.0.join("reports/eva .txt")).unwrap();
    for _ in 0..2 {
        let ran = check(&place, &["--reports", "reports"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let ran = check(&place, &["--reports", "handed-in/reports"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--reports cannot be used here"), "{}", ran.stderr);
}

#[test]
fn wrong_arguments_are_refused() {
    let place = course("check-wrong");
    for (words, part) in [
        (&["check-submissions", "conect4", "handed-in"][..], "did you mean \"connect4\"?"),
        (&["check-submissions", "connect4", "nowhere"], "a folder with one folder per submission"),
        (&["check-submissions", "connect4", "handed-in", "--clock", "fast"], "a time control"),
        (&["check-submissions", "connect4", "handed-in", "--roster", "no.csv"], "an existing CSV file"),
        (&["check-submissions", "connect4", "handed-in", "--student-commands"], "--compile"),
    ] {
        let ran = place.run(words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(part), "{words:?}: {}", ran.stderr);
    }
}

/// What was checked before an interruption is printed and has its report.
#[cfg(unix)]
#[test]
fn an_interrupted_check_keeps_what_was_done() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = course("check-interrupted");
    put(&place, "slow", "command = [\"./zoo\", \"late\", \"60000\"]\n");
    fs::copy(crate::zoo::zoo(), place.0.join("handed-in/slow/zoo")).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(CHECK)
        .args(["--reports", "reports", "--clock", "60/move", "--threads", "4"])
        .current_dir(&place.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let reports = ["García, Ana_12345", "ana,start=game", "eva "];
    while !reports.iter().all(|name| place.0.join(format!("reports/{name}.txt")).exists()) {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing was checked");
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("3 submissions: 3 fit"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("1 of 4 submissions were not checked"), "{}", text(&output.stderr));
    assert!(!place.0.join("reports/slow.txt").exists());
}
