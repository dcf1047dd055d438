//! How programs leave, and that nothing is left of them.

use crate::support::{PATIENCE, ask, converse, eventually, example, group_exists, setup};
use palestra_engine::{ExitKind, ExitReport, FaultKind, Process, ProcessSetup, Transport};
use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(5);

/// Plays a while, says quit, and stops the player.
fn farewell(setup: &ProcessSetup, grace: Duration) -> ExitReport {
    let mut process = Process::start(setup).unwrap();
    let group = process.group();
    converse(&mut process, TIME);
    let _ = process.send("quit", Instant::now() + TIME);
    let since = Instant::now();
    let farewell = process.stop(grace);
    assert!(since.elapsed() < grace + Duration::from_secs(2));
    assert!(!group_exists(group));
    assert_eq!(process.stop(grace).fault, farewell.fault, "a second time changes nothing");
    farewell
}

fn left_of(kind: &str, grace: Duration) -> (ExitKind, Option<FaultKind>) {
    let farewell = farewell(&setup(&[kind]), grace);
    (farewell.kind, farewell.fault.map(|fault| fault.kind))
}

#[test]
fn players_leave_in_their_ways() {
    let short = Duration::from_millis(200);
    assert_eq!(left_of("honest-first", PATIENCE), (ExitKind::ByItself, None));
    assert_eq!(left_of("crash-at-end", PATIENCE), (ExitKind::ByItself, Some(FaultKind::Crash)));
    assert_eq!(left_of("ignore-term", short), (ExitKind::Killed, None));
}

#[test]
fn who_hangs_is_told_to_terminate() {
    let mut process = Process::start(&setup(&["hang-at-start"])).unwrap();
    // Long enough for a program that has only just been started, on a busy machine as well.
    let farewell = process.stop(Duration::from_secs(1));
    assert_eq!(farewell, ExitReport { kind: ExitKind::Terminated, fault: None });
}

#[test]
fn the_end_of_input_is_enough() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    ask(&mut process, "hello");
    assert_eq!(process.stop(PATIENCE), ExitReport { kind: ExitKind::ByItself, fault: None });
    assert!(process.send("hello", Instant::now()).is_err());
}

#[test]
fn children_that_were_left_behind_are_gone_too() {
    for confined in [true, false] {
        let mut setup = setup(&["orphan"]);
        if !confined {
            setup.confinement = None;
        }
        let mut process = Process::start(&setup).unwrap();
        converse(&mut process, TIME);
        assert!(eventually(|| descendants(process.group()).len() >= 4), "a player and three sleepers");
        let sleepers = descendants(process.group());
        let _ = process.send("quit", Instant::now() + TIME);
        assert_eq!(process.stop(PATIENCE), ExitReport { kind: ExitKind::ByItself, fault: None });
        assert!(eventually(|| sleepers.iter().all(|pid| !alive(*pid))), "{sleepers:?}");
    }
}

/// All processes below one, the player's and those it left to the warden.
fn descendants(root: i32) -> Vec<i32> {
    // A child belongs to the thread that started it, as long as that lives.
    let tasks = std::fs::read_dir(format!("/proc/{root}/task")).into_iter().flatten().flatten();
    let lists = tasks.flat_map(|task| std::fs::read_to_string(task.path().join("children")));
    let listed = lists.collect::<String>();
    let children: Vec<i32> = listed.split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    let below = children.iter().flat_map(|child| descendants(*child));
    children.iter().copied().chain(below).collect()
}

/// The player below a warden, as soon as it is seen: the thread that started it may end in between, and hand it to
/// another.
fn only_descendant(group: i32) -> i32 {
    let seen = Cell::new(None);
    let is_seen = || {
        seen.set(descendants(group).first().copied());
        seen.get().is_some()
    };
    assert!(eventually(is_seen), "the player runs");
    seen.get().unwrap()
}

/// Whether a process runs; one that has ended and was not waited for does not.
fn alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
fn killing_us_takes_the_player_along() {
    // A program in the middle starts a player, says where, and is killed without warning.
    let mut middle = Command::new(example()).arg("hold").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(middle.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let group: i32 = line.trim().parse().unwrap();
    let player = only_descendant(group);
    middle.kill().unwrap();
    middle.wait().unwrap();
    assert!(eventually(|| !alive(group) && !alive(player)));
}

#[test]
fn rooms_of_programs_that_were_killed_are_cleared() {
    let mut middle = Command::new(example()).arg("hold").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(middle.stdout.take().unwrap()).lines();
    let (_group, scratch) = (lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap());
    assert!(std::path::Path::new(&scratch).exists());
    middle.kill().unwrap();
    middle.wait().unwrap();
    // Only a program that has no player yet looks around: another one in the middle.
    let mut next = Command::new(example()).arg("hold").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(next.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!std::path::Path::new(&scratch).exists());
    next.kill().unwrap();
    next.wait().unwrap();
}

#[test]
fn killing_the_warden_takes_the_player_along() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    ask(&mut process, "hello");
    let group = process.group();
    let player = only_descendant(group);
    let warden = rustix::process::Pid::from_raw(group).unwrap();
    rustix::process::kill_process(warden, rustix::process::Signal::KILL).unwrap();
    let fault = process.receive(Instant::now() + PATIENCE).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Crash, "{fault}");
    drop(process);
    assert!(!group_exists(group) && !alive(player));
}

#[test]
fn many_players_at_once_do_not_hold_each_others_pipes() {
    let one = || {
        for _ in 0..4 {
            let mut process = Process::start(&setup(&["probe"])).unwrap();
            ask(&mut process, "hello");
            // The end of its input reaches a player only if nobody else holds the other end.
            assert_eq!(process.stop(PATIENCE), ExitReport { kind: ExitKind::ByItself, fault: None });
        }
    };
    std::thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(one))));
}
