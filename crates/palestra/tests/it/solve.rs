//! `solve`: known values, the cache, and interruption.

use crate::support::{Ran, command, empty_folder, finish, names_in, objects};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Positions of Connect Four with published values.
const SOLVED: &str = include_str!("../../../palestra-search/src/exact/connect4_solved.txt");

/// Runs a command line without quotes, with its own cache folder.
fn run_in(cache: &Path, line: &str) -> Ran {
    let words: Vec<&str> = line.split(' ').collect();
    finish(command(&words).env("PALESTRA_CACHE", cache))
}

fn say_in(cache: &Path, line: &str) -> String {
    let ran = run_in(cache, line);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    ran.stdout
}

fn object_in(cache: &Path, line: &str) -> Value {
    serde_json::from_str(&say_in(cache, &format!("{line} --json"))).unwrap()
}

/// All files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let paths = names_in(folder).into_iter().map(|name| folder.join(name));
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn texts(values: &Value) -> Vec<&str> {
    values.as_array().unwrap().iter().map(|value| value.as_str().unwrap()).collect()
}

#[test]
fn published_values_of_connect_four() {
    let cache = empty_folder("solve-published");
    let cases = SOLVED.lines().filter_map(|line| line.split_once(' '));
    let cases: Vec<(&str, &str)> = cases.filter(|(played, _)| played.len() >= 22).step_by(6).collect();
    assert!(cases.len() >= 6);
    for (played, value) in cases {
        let found = object_in(&cache, &format!("solve connect4 {played} --no-cache"));
        assert_eq!(found["value"].as_f64(), value.parse().ok(), "{played}");
        let moves = found["moves"].as_array().unwrap();
        let named: Vec<&str> = moves.iter().map(|judged| judged["move"].as_str().unwrap()).collect();
        let shown = &objects(&format!("show connect4 {played}"))[0];
        assert_eq!(texts(&shown["legal"]), named, "{played}");
        assert_eq!((&shown["setup"], &shown["to_move"]), (&found["setup"], &found["to_move"]));
        let best = moves.iter().filter(|judged| judged["value"] == found["value"]);
        let best: Vec<&str> = best.map(|judged| judged["move"].as_str().unwrap()).collect();
        assert!(!best.is_empty() && texts(&found["best"]) == best, "{played}");
        assert!(moves.iter().all(|judged| judged["value"].as_f64() <= found["value"].as_f64()));
        assert_eq!([&found["exact"], &found["cached"], &found["resumed"]], [true, false, false]);
    }
    assert_eq!(names_in(&cache), [""; 0], "--no-cache");
}

#[test]
fn known_values_of_other_games() {
    let cache = empty_folder("solve-known");
    for (line, value) in [
        ("kalah:4x3", 6.0),
        ("kalah:4x3,capture=empty", 8.0),
        ("kalah:3x4", 2.0),
        ("ladrillos:4", 0.0),
        ("ladrillos:5 --value", 32.0),
        ("connect:4x4x4", 0.0),
    ] {
        for n_threads in [1, 3] {
            let found = object_in(&cache, &format!("solve {line} --no-cache --threads {n_threads}"));
            assert_eq!(found["value"], value, "{line}");
            assert_eq!(found["threads"], n_threads);
            assert_eq!(found["moves"].as_array().unwrap().is_empty(), line.ends_with("--value"), "{line}");
            if line == "ladrillos:4" {
                let moves = found["moves"].as_array().unwrap();
                assert!(moves.len() == 24 && moves.iter().all(|judged| judged["value"] == 0.0));
                assert_eq!(texts(&found["best"]).len(), 24);
            }
        }
    }
}

/// A position given by moves and by its setup has the same result and the same cache entry.
#[test]
fn a_setup_is_the_position() {
    let cache = empty_folder("solve-setup");
    let by_moves = object_in(&cache, "solve kalah:4x3 2 3");
    let setup = by_moves["setup"].as_str().unwrap();
    for (no_cache, cached) in [(&["--no-cache"][..], false), (&[], true)] {
        let words = [&["solve", "kalah:4x3", "--json", "--setup", setup], no_cache].concat();
        let ran = finish(command(&words).env("PALESTRA_CACHE", &cache));
        let by_setup: Value = serde_json::from_str(&ran.stdout).unwrap();
        for key in ["setup", "to_move", "value", "best", "moves"] {
            assert_eq!(by_setup[key], by_moves[key], "{key}");
        }
        assert_eq!(by_setup["cached"], cached);
    }
}

/// The line with time and node count differs between runs, so it is replaced.
#[test]
fn what_a_person_sees() {
    let cache = empty_folder("solve-text");
    let shown = |line: &str| {
        let text = say_in(&cache, line);
        let work = |line: &str| if line.contains(" in 0.") { "(work)" } else { line }.to_owned();
        text.lines().map(work).collect::<Vec<_>>().join("\n")
    };
    let first = shown("solve kalah:4x3");
    insta::with_settings!({ omit_expression => true, description => "palestra solve kalah:4x3" }, {
        insta::assert_snapshot!("solve", first);
    });
    let again = shown("solve kalah:4x3");
    assert_eq!(again, first.replace("(work)", "from the cache (--no-cache solves it again)"));
    let value = shown("solve kalah:4x3 --value");
    assert!(!value.contains("move  value") && value.contains("\nvalue 6: first, to move, wins\n"), "{value}");
}

#[test]
fn what_was_found_is_found_again() {
    let cache = empty_folder("solve-cache");
    let value_only = object_in(&cache, "solve kalah:4x3 --value");
    assert_eq!((&value_only["value"], &value_only["best"]), (&json!(6.0), &json!([])));
    assert_eq!(object_in(&cache, "solve kalah:4x3 --value")["cached"], true);
    // A cached value alone does not answer a query for all moves.
    let fully = object_in(&cache, "solve kalah:4x3");
    assert_eq!([&fully["cached"], &fully["best"]], [&json!(false), &json!(["2"])]);
    let again = object_in(&cache, "solve kalah:4x3");
    assert_eq!(
        [&again["cached"], &again["nodes"], &again["moves"]],
        [&json!(true), &json!(0), &fully["moves"]]
    );
    assert_eq!(object_in(&cache, "solve kalah:4x3 --no-cache")["cached"], false);
    // Other rules have another cache entry.
    assert_eq!(object_in(&cache, "solve kalah:4x3,capture=empty")["cached"], false);
    assert_eq!(files_below(&cache).len(), 2);
}

#[test]
fn a_damaged_cache_is_passed_over() {
    let cache = empty_folder("solve-damaged");
    let fully = object_in(&cache, "solve kalah:4x3");
    let [path] = files_below(&cache).try_into().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let setup = fully["setup"].as_str().unwrap();
    for damaged in [
        "nonsense\n".to_owned(),
        text.trim_end().to_owned(),
        text.replace('6', "x"),
        text.replace('6', "nan"),
        format!("{setup}\t5\t1 2 3 4\n"),
        format!("{setup}\t6\t6\n"),
        "\0\u{fffd}\t\t\t\n".to_owned(),
    ] {
        fs::write(&path, &damaged).unwrap();
        let found = object_in(&cache, "solve kalah:4x3");
        assert_eq!((&found["cached"], &found["moves"]), (&json!(false), &fully["moves"]), "{damaged:?}");
    }
    fs::write(&path, b"\xff\xfe").unwrap();
    assert_eq!(object_in(&cache, "solve kalah:4x3")["moves"], fully["moves"]);
}

/// If the cache cannot be written, the result is still printed.
#[test]
fn a_cache_that_cannot_be_written() {
    let folder = empty_folder("solve-no-folder");
    let file = folder.join("a-file");
    fs::write(&file, "").unwrap();
    let ran = run_in(&file, "solve kalah:4x3");
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("value 6"), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("the result was not stored: cannot write to the cache"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1);
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    fn start(cache: &Path, line: &str) -> Child {
        let mut asked = Command::new(env!("CARGO_BIN_EXE_palestra"));
        asked.args(line.split(' ')).env("PALESTRA_CACHE", cache);
        asked.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        asked.spawn().unwrap()
    }

    /// Sends SIGINT after `wait`.
    fn interrupt(child: Child, wait: Duration) -> Ran {
        std::thread::sleep(wait);
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Ran { code: output.status.code(), stdout, stderr }
    }

    /// Interrupts after enough work to save; repeats with longer waits on slow machines.
    fn interrupt_late(cache: &Path, line: &str) -> Ran {
        for wait_ms in [300, 600, 1200, 2400, 4800, 9600] {
            let ran = interrupt(start(cache, line), Duration::from_millis(wait_ms));
            assert_ne!(ran.code, Some(0), "{line} was faster than {wait_ms} ms");
            if ran.stderr.contains("this command continues") {
                return ran;
            }
        }
        panic!("{line} did not do enough to keep");
    }

    #[test]
    fn the_printed_line_goes_on() {
        let cache = empty_folder("solve-interrupted");
        let ran = interrupt_late(&cache, "solve kalah:5x4 --value --threads 1");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), ""));
        assert!(ran.stderr.starts_with("interrupted after ") && ran.stderr.lines().count() == 1);
        let [kept] = files_below(&cache).try_into().unwrap();
        assert_eq!(kept.extension().unwrap(), "unfinished");
        let line = ran.stderr.split_once(": palestra ").unwrap().1.trim_end();
        assert_eq!(line, "solve kalah:5x4 --value --memory 1024M");
        let found = object_in(&cache, line);
        assert_eq!(
            [&found["resumed"], &found["cached"], &found["value"]],
            [&json!(true), &json!(false), &json!(10.0)]
        );
        // The unfinished work is removed, and only the result is kept.
        let [kept] = files_below(&cache).try_into().unwrap();
        assert_eq!(kept.file_name().unwrap(), "results.txt");
        let found = object_in(&cache, line);
        assert_eq!([&found["resumed"], &found["cached"]], [false, true]);
    }

    /// A file of another format or version is ignored.
    #[test]
    fn foreign_work_is_passed_over() {
        let cache = empty_folder("solve-foreign");
        interrupt_late(&cache, "solve kalah:5x4 --value --threads 1");
        let [kept] = files_below(&cache).try_into().unwrap();
        let whole = fs::read(&kept).unwrap();
        let other: Vec<u8> = [b"palestra unfinished 0".as_slice(), &whole[21..]].concat();
        for bytes in [other, Vec::new(), vec![0xa5; 4096]] {
            fs::write(&kept, bytes).unwrap();
            let ran = interrupt(start(&cache, "solve kalah:5x4 --value"), Duration::from_millis(30));
            // Resumed work is always saved, even after 30 ms; so this message would show that the file was used.
            assert!(!ran.stderr.contains("this command continues"), "{}", ran.stderr);
        }
        fs::write(&kept, whole).unwrap();
        assert_eq!(object_in(&cache, "solve kalah:5x4 --value")["resumed"], true);
    }

    /// An early interrupt saves nothing, and a position that may take days gets a warning.
    #[test]
    fn early() {
        let cache = empty_folder("solve-early");
        for line in ["solve ladrillos:8 a1h --value --no-cache", "solve ladrillos:8 a1h --no-cache"] {
            let ran = interrupt(start(&cache, line), Duration::from_millis(400));
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), ""), "{}", ran.stderr);
            let lines: Vec<&str> = ran.stderr.lines().collect();
            assert!(lines.len() == 2 && lines[0].starts_with("this position may take days"), "{lines:?}");
            let again = line.replace("a1h", "'a1h'");
            assert!(
                lines[1].ends_with(&format!("starts again: palestra {again} --memory 1024M")),
                "{lines:?}"
            );
        }
        assert_eq!(names_in(&cache), [""; 0]);
    }
}
