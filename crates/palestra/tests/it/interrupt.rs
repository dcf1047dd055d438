//! Ctrl-C: every command that works for long hears it in the middle of a move, and keeps what is finished.

use crate::support::empty_folder;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Generous: each of these commands would work for minutes, and is heard to stop within a second on an idle machine.
const LIMIT: Duration = Duration::from_secs(10);

/// Clock ticks of processor time after which a command is at work, a fifth of a second.
const AT_WORK: u64 = 20;

/// Processor time of a process in ticks, and whether it catches SIGINT.
fn state(pid: u32) -> Option<(u64, bool)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
    Some((ticks, u64::from_str_radix(caught.trim(), 16).ok()? & 0b10 != 0))
}

fn start(words: &[&str], folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(words)
        .current_dir(folder)
        .env("PALESTRA_CACHE", folder.join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a command is at work.
fn wait_for_work(child: &mut Child, words: &[&str]) {
    let began = Instant::now();
    while state(child.id()).is_none_or(|(ticks, hears)| ticks < AT_WORK || !hears) {
        assert_eq!(child.try_wait().unwrap(), None, "{words:?} ended by itself");
        assert!(began.elapsed() < Duration::from_secs(120), "{words:?} does not begin");
        std::thread::park_timeout(Duration::from_millis(10));
    }
}

/// What a command printed, and its exit code.
fn end(mut child: Child) -> (Option<i32>, String, String) {
    let mut texts = [String::new(), String::new()];
    child.stdout.take().unwrap().read_to_string(&mut texts[0]).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut texts[1]).unwrap();
    let [stdout, stderr] = texts;
    (child.wait().unwrap().code(), stdout, stderr)
}

fn send(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

/// Starts a command, interrupts it when it is at work, and returns what it printed.
fn interrupt(line: &str, folder: &Path) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut child = start(&words, folder);
    wait_for_work(&mut child, &words);
    send("-INT", child.id());
    let began = Instant::now();
    let (code, stdout, stderr) = end(child);
    let took = began.elapsed();
    assert_eq!(code, Some(130), "{line}: {stderr}");
    assert!(took < LIMIT, "{line} took {took:?}");
    stdout
}

#[test]
fn ctrl_c_is_heard_in_the_middle_of_a_move() {
    let folder = empty_folder("interrupt");
    for line in [
        "match connect4 mcts:playouts=3000000 random --games 1000",
        "match connect4 minimax:depth=20/threes/4,4,1,2 random",
        "match connect4 alphabeta:depth=20/threes/4,4,1,2 random",
        "match connect4 pvs:depth=20/threes/4,4,1,2 random",
        "match connect4 mcts:time=1000 random --games 1000",
        "match connect4 perfect random",
        "match connect4 random first --games 100000000",
        "tournament connect4 a=mcts:playouts=3000000 b=mcts:playouts=2000000",
        "accuracy connect4 mcts:playouts=10000000",
        "analyze ladrillos:15 --nodes 1000000000",
        "tune connect4 --player alphabeta:depth=12/threes --budget 100000 --no-cohort",
        "tune connect4 --method grid --set steps=6 --budget 1gen",
        "tune connect4 --pairs 1000000 --opening-plies 30 --budget 100gen",
    ] {
        interrupt(line, &folder);
    }
}

#[test]
fn a_move_that_was_canceled_does_not_count() {
    let folder = empty_folder("interrupt-counts");
    let printed = interrupt("match connect4 mcts:playouts=20000000 random --games 100 --json", &folder);
    let record: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&record["games"], &record["complete"]), (&0.into(), &false.into()), "{printed}");
    interrupt("tournament connect4 a=mcts:playouts=20000000 b=random --name cup", &folder);
    let child = start(&["runs", "--json"], &folder);
    let (_, runs, _) = end(child);
    let row: serde_json::Value = serde_json::from_str(runs.lines().next().unwrap()).unwrap();
    assert_eq!(row["games"], 0, "{runs}");
}

#[test]
fn an_optimizer_that_says_nothing_keeps_nobody() {
    let folder = empty_folder("interrupt-external");
    let line =
        ["tune", "connect4", "--method", "external", "--set", "command=sleep 1000", "--budget", "1000"];
    let mut child = start(&line, &folder);
    let began = Instant::now();
    // It waits without using the processor: the program is its child.
    let mut program = String::new();
    while program.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(120), "the program does not start");
        assert_eq!(child.try_wait().unwrap(), None);
        let tasks = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
        for task in tasks.flatten() {
            program += &fs::read_to_string(task.path().join("children")).unwrap_or_default();
        }
    }
    send("-INT", child.id());
    let began = Instant::now();
    let (code, _, stderr) = end(child);
    assert_eq!(code, Some(130), "{stderr}");
    assert!(began.elapsed() < LIMIT, "{:?}", began.elapsed());
    let program = program.split_whitespace().next().unwrap();
    assert!(!Path::new(&format!("/proc/{program}")).exists(), "{program} is left behind");
}

#[test]
fn an_optimizer_without_an_end_of_line_is_an_error() {
    let folder = empty_folder("external-line");
    let line =
        ["tune", "connect4", "--method", "external", "--set", "command=cat /dev/zero", "--budget", "1000"];
    let (code, _, stderr) = end(start(&line, &folder));
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("an answer of the program is longer than 16 MB"), "{stderr}");
}
