//! The fault of every kind of engine, and how soon it is found.

use crate::support::{Verdict, converse, group_exists, request, setup};
use palestra_engine::{FaultKind, Process, ProcessSetup, Speaker, Transport};
use std::time::{Duration, Instant};

/// Time for each answer.
const TIME: Duration = Duration::from_millis(1000);

/// Talks to an engine; checks that the verdict came in time and that no process or folder of the engine is left.
/// Returns the verdict, the engine's lines and its standard error.
fn verdict(args: &[&str]) -> (Verdict, Vec<String>, String) {
    let mut process = Process::start(&setup(args)).unwrap();
    let (since, group) = (Instant::now(), process.group());
    let verdict = converse(&mut process, TIME);
    let took = since.elapsed();
    assert!(took < 6 * TIME, "{args:?} took {took:?}");
    let dialogue = process.take_dialogue();
    let lines =
        dialogue.into_iter().filter(|line| line.by == Speaker::Program).map(|line| line.text).collect();
    let (errors, scratch) = (process.stderr_tail(), process.scratch());
    let since = Instant::now();
    drop(process);
    assert!(since.elapsed() < Duration::from_secs(2), "{args:?}");
    assert!(!group_exists(group) && !scratch.exists(), "{args:?}");
    (verdict, lines, errors)
}

#[track_caller]
fn check_fault(args: &[&str], kind: FaultKind, detail: &str) {
    let (verdict, ..) = verdict(args);
    let Verdict::Fault(fault) = verdict else { panic!("{args:?}: {verdict:?}") };
    assert_eq!(fault.kind, kind, "{fault}");
    assert!(fault.detail.contains(detail), "{fault}");
}

#[track_caller]
fn check_answer(args: &[&str], answer: &str) {
    assert_eq!(verdict(args).0, Verdict::Answered(format!("bestmove {answer}")));
}

#[test]
fn honest_engines_answer() {
    check_answer(&["honest-first"], "1");
    check_answer(&["honest-last"], "7");
    check_answer(&["honest-middle"], "4");
    check_answer(&["slow-start"], "1");
    check_answer(&["late", "20"], "1");
}

#[test]
fn moves_are_not_checked_by_the_process() {
    check_answer(&["illegal"], "9");
    check_answer(&["garbage-answer"], "banana split");
    check_answer(&["out-of-turn"], "1");
}

#[test]
fn waiting_ends_at_the_deadline() {
    for kind in ["hang", "hang-at-start", "stdin-deaf", "drip"] {
        assert_eq!(verdict(&[kind]).0, Verdict::Silence, "{kind}");
    }
    assert_eq!(verdict(&["late", "60000"]).0, Verdict::Silence);
}

#[test]
fn invalid_bytes_are_escaped() {
    let (verdict, lines, _) = verdict(&["noise"]);
    assert_eq!(verdict, Verdict::Silence);
    assert!(lines.iter().filter(|line| line.ends_with("\\xff")).count() >= 16, "{lines:?}");
}

#[test]
fn floods_end_the_dialogue() {
    check_fault(&["endless-line"], FaultKind::Flood, "64 KiB: xxx");
    check_fault(&["flood"], FaultKind::Flood, "lines");
    let (verdict, _, errors) = verdict(&["flood-stderr"]);
    assert!(verdict == Verdict::Silence || verdict.kind() == Some(FaultKind::Flood), "{verdict:?}");
    assert!(errors.len() == 64 << 10 && errors.bytes().all(|byte| byte == b'e'));
}

#[test]
fn crashes_are_described() {
    check_fault(&["crash-at-start"], FaultKind::Crash, "exit code 3");
    check_fault(&["crash"], FaultKind::Crash, "SIGABRT");
    check_fault(&["close-pipes"], FaultKind::Closed, "closed its");
}

#[test]
fn lines_before_the_end_are_received() {
    let mut setup = setup(&[]);
    setup.program.program = "sh".into();
    setup.program.args = ["-c", "echo one; echo two; printf three; exit 5"].map(str::to_owned).to_vec();
    let mut process = Process::start(&setup).unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    assert_eq!(process.receive(until).unwrap().as_deref(), Some("one"));
    assert_eq!(process.receive(until).unwrap().as_deref(), Some("two"));
    for _ in 0..2 {
        let fault = process.receive(until).unwrap_err();
        assert!(fault.kind == FaultKind::Crash && fault.detail.contains("exit code 5"), "{fault}");
    }
    assert!(process.send("more", until).is_err());
    let lines: Vec<String> = process.take_dialogue().into_iter().map(|line| line.text).collect();
    assert_eq!(lines, ["one", "two", "three"]);
}

#[test]
fn a_missing_program_is_not_started() {
    for (program, folder) in [("./no-such-program", "/"), ("no-such-program", "/"), ("sh", "/no/such")] {
        let mut setup = setup(&[]);
        (setup.program.program, setup.program.folder) = (program.into(), folder.into());
        let mut process = Process::start(&setup).unwrap();
        let fault = process.receive(Instant::now() + Duration::from_secs(10)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Start, "{fault}");
        let named = fault.detail.contains(program.trim_start_matches("./")) || fault.detail.contains(folder);
        assert!(named, "{fault}");
    }
}

#[test]
fn a_program_that_does_not_read_does_not_block() {
    let mut process = Process::start(&setup(&["stdin-deaf"])).unwrap();
    let line = "x".repeat(40_000);
    let since = Instant::now();
    let fault = (0..10).find_map(|_| process.send(&line, Instant::now() + Duration::from_millis(100)).err());
    assert_eq!(fault.map(|fault| fault.kind), Some(FaultKind::Closed));
    assert!(since.elapsed() < Duration::from_secs(3));
}

#[test]
fn long_lines_are_sent_and_received_whole() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    let line = "é".repeat(30_000);
    assert_eq!(request(&mut process, &line), format!("ok heard {line}"));
    assert_eq!(request(&mut process, "again"), "ok heard again");
}

#[test]
fn waiting_for_a_core_is_measured() {
    // Two engines on one processor: each gets half of it.
    let [mut first, mut second] = [0, 1].map(|_| {
        let setup = ProcessSetup { core: Some(0), ..setup(&["probe"]) };
        let mut process = Process::start(&setup).unwrap();
        request(&mut process, "hello");
        process
    });
    let until = Instant::now() + Duration::from_secs(20);
    second.send("spin 600", until).unwrap();
    let since = Instant::now();
    first.begin_exchange();
    request(&mut first, "spin 300");
    let (waited, took) = (first.waited_for_core(), since.elapsed());
    assert!(waited > Duration::from_millis(30) && waited < took, "{waited:?} of {took:?}");
    second.receive(until).unwrap();
    // The next line of the exchange keeps what was measured before it, and a new exchange begins at nothing.
    first.send("hello", until).unwrap();
    assert!(first.waited_for_core() >= waited, "{waited:?}");
    first.begin_exchange();
    assert!(first.waited_for_core() < waited, "{waited:?}");
    first.receive(until).unwrap();
    second.send("spin 1200", until).unwrap();
    // A wait in progress is seen by looking twice.
    first.send("spin 300", until).unwrap();
    let mut n_waiting = 0;
    let has_answered = (0..10_000).any(|_| {
        n_waiting += u32::from(first.is_waiting_for_core());
        first.receive(Instant::now() + Duration::from_millis(1)).unwrap().is_some()
    });
    assert!(has_answered && n_waiting > 1, "{n_waiting}");
}
