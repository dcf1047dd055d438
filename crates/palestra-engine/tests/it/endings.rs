//! How programs exit, and that none of their processes is left.

use crate::support::{PATIENCE, converse, eventually, example, group_exists, request, setup};
use palestra_engine::{ExitKind, ExitReport, FaultKind, Process, ProcessSetup, Transport};
use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(5);

/// Talks to an engine, sends `quit` and stops it.
fn stop_after_dialogue(setup: &ProcessSetup, grace: Duration) -> ExitReport {
    let mut process = Process::start(setup).unwrap();
    let group = process.group();
    converse(&mut process, TIME);
    let _ = process.send("quit", Instant::now() + TIME);
    let since = Instant::now();
    let exit_report = process.stop(grace);
    assert!(since.elapsed() < grace + Duration::from_secs(2));
    assert!(!group_exists(group));
    assert_eq!(process.stop(grace).fault, exit_report.fault, "a second call changes nothing");
    exit_report
}

fn exit_of(kind: &str, grace: Duration) -> (ExitKind, Option<FaultKind>) {
    let exit_report = stop_after_dialogue(&setup(&[kind]), grace);
    (exit_report.kind, exit_report.fault.map(|fault| fault.kind))
}

#[test]
fn kinds_of_exit() {
    let short = Duration::from_millis(200);
    assert_eq!(exit_of("honest-first", PATIENCE), (ExitKind::ByItself, None));
    assert_eq!(exit_of("crash-at-end", PATIENCE), (ExitKind::ByItself, Some(FaultKind::Crash)));
    assert_eq!(exit_of("ignore-term", short), (ExitKind::Killed, None));
}

#[test]
fn a_program_that_hangs_is_terminated() {
    let mut process = Process::start(&setup(&["hang-at-start"])).unwrap();
    // Long enough for a program that has only just been started, on a busy machine as well.
    let exit_report = process.stop(Duration::from_secs(1));
    assert_eq!(exit_report, ExitReport { kind: ExitKind::Terminated, fault: None });
}

#[test]
fn the_end_of_input_stops_a_program() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    request(&mut process, "hello");
    assert_eq!(process.stop(PATIENCE), ExitReport { kind: ExitKind::ByItself, fault: None });
    assert!(process.send("hello", Instant::now()).is_err());
}

/// A program that leaves by itself with exit code 0 has not crashed, even where that is noticed before it is stopped.
#[test]
fn a_program_may_leave_first() {
    for (code, fault) in [(0, None), (3, Some(FaultKind::Crash))] {
        let mut setup = setup(&["-c", &format!("read line; exit {code}")]);
        setup.program.program = "sh".into();
        let mut process = Process::start(&setup).unwrap();
        process.send("salir", Instant::now() + TIME).unwrap();
        let noticed = process.receive(Instant::now() + PATIENCE).unwrap_err();
        assert_eq!(noticed.kind, FaultKind::Crash);
        let exit_report = process.stop(PATIENCE);
        assert_eq!(exit_report.kind, ExitKind::ByItself);
        assert_eq!(exit_report.fault.map(|fault| fault.kind), fault, "exit code {code}");
    }
}

#[test]
fn orphans_are_killed_too() {
    for confined in [true, false] {
        let mut setup = setup(&["orphan"]);
        if !confined {
            setup.confinement = None;
        }
        let mut process = Process::start(&setup).unwrap();
        converse(&mut process, TIME);
        assert!(eventually(|| descendants(process.group()).len() >= 4), "the engine and three sleepers");
        let sleepers = descendants(process.group());
        let _ = process.send("quit", Instant::now() + TIME);
        assert_eq!(process.stop(PATIENCE), ExitReport { kind: ExitKind::ByItself, fault: None });
        assert!(eventually(|| sleepers.iter().all(|pid| !alive(*pid))), "{sleepers:?}");
    }
}

/// All descendants of a process: the engine's processes and the orphans that its supervisor adopted.
fn descendants(root: i32) -> Vec<i32> {
    // A child is listed with the thread that started it, as long as that thread lives.
    let tasks = std::fs::read_dir(format!("/proc/{root}/task")).into_iter().flatten().flatten();
    let lists = tasks.flat_map(|task| std::fs::read_to_string(task.path().join("children")));
    let listed = lists.collect::<String>();
    let children: Vec<i32> = listed.split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    let grandchildren = children.iter().flat_map(|child| descendants(*child));
    children.iter().copied().chain(grandchildren).collect()
}

/// The engine of a supervisor, as soon as it is found: the thread that started it may end meanwhile, so that it is
/// listed with another.
fn only_descendant(group: i32) -> i32 {
    let pid = Cell::new(None);
    let is_found = || {
        pid.set(descendants(group).first().copied());
        pid.get().is_some()
    };
    assert!(eventually(is_found), "the engine runs");
    pid.get().unwrap()
}

/// Whether a process runs; a zombie does not.
fn alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
fn killing_the_parent_kills_the_engine() {
    // Another program starts an engine, prints its group, and is killed.
    let mut parent = Command::new(example()).arg("hold").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(parent.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let group: i32 = line.trim().parse().unwrap();
    let engine = only_descendant(group);
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(eventually(|| !alive(group) && !alive(engine)));
}

#[test]
fn work_dirs_of_killed_programs_are_removed() {
    let mut parent = Command::new(example()).arg("hold").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(parent.stdout.take().unwrap()).lines();
    let (_group, scratch) = (lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap());
    assert!(std::path::Path::new(&scratch).exists());
    parent.kill().unwrap();
    parent.wait().unwrap();
    // A program removes abandoned folders when it starts its first engine, so another program is started.
    let mut next = Command::new(example()).arg("hold").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(next.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!std::path::Path::new(&scratch).exists());
    next.kill().unwrap();
    next.wait().unwrap();
}

#[test]
fn killing_the_supervisor_kills_the_engine() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    request(&mut process, "hello");
    let group = process.group();
    let engine = only_descendant(group);
    let supervisor = rustix::process::Pid::from_raw(group).unwrap();
    rustix::process::kill_process(supervisor, rustix::process::Signal::KILL).unwrap();
    let fault = process.receive(Instant::now() + PATIENCE).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Crash, "{fault}");
    drop(process);
    assert!(!group_exists(group) && !alive(engine));
}

#[test]
fn concurrent_engines_do_not_hold_each_others_pipes() {
    let one = || {
        for _ in 0..4 {
            let mut process = Process::start(&setup(&["probe"])).unwrap();
            request(&mut process, "hello");
            // An engine sees the end of its input only if no other process holds the other end of the pipe.
            assert_eq!(process.stop(PATIENCE), ExitReport { kind: ExitKind::ByItself, fault: None });
        }
    };
    std::thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(one))));
}
