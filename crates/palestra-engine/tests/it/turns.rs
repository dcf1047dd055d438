//! A program runs only while it is to move, and then with all its processes as one core.

use crate::copy::run_as_ordinary_user;
use crate::support::{PATIENCE, eventually, request, setup};
use palestra_engine::{Process, ProcessSetup, Transport};
use std::fs;
use std::time::{Duration, Instant};

/// Time during which a program is watched.
const WATCHED: Duration = Duration::from_millis(300);

/// The processes of a program: the descendants of its supervisor.
fn processes(root: i32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{root}/task")).into_iter().flatten().flatten();
    let lists = tasks.flat_map(|task| fs::read_to_string(task.path().join("children")));
    let children: Vec<i32> =
        lists.collect::<String>().split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    children.iter().flat_map(|child| [vec![*child], processes(*child)].concat()).collect()
}

/// Time on a processor of all threads of a program.
fn cpu_time(process: &Process) -> Duration {
    let threads = processes(process.group()).into_iter().flat_map(|pid| {
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        tasks.flat_map(|task| fs::read_to_string(task.path().join("schedstat")))
    });
    let nanos = threads.map(|line| line.split(' ').next().unwrap().parse::<u64>().unwrap());
    Duration::from_nanos(nanos.sum())
}

/// Processor time of a program while this thread keeps a core busy.
fn cpu_time_of(process: &Process, time: Duration) -> Duration {
    let (since, before) = (Instant::now(), cpu_time(process));
    while since.elapsed() < time {
        std::hint::black_box(0);
    }
    cpu_time(process) - before
}

/// Whether a program runs.
fn is_busy(process: &Process) -> bool {
    let before = cpu_time(process);
    eventually(|| cpu_time(process) > before + Duration::from_millis(50))
}

/// A probe with busy children, which has answered.
fn busy(setup: &ProcessSetup) -> Process {
    let mut process = Process::start(setup).unwrap();
    // The shell ends; its children go on.
    let command = "shell for i in 1 2 3 4 5 6 7 8; do (while :; do :; done) >/dev/null 2>&1 & done";
    assert_eq!(request(&mut process, command), "ok Some(0)");
    let group = process.group();
    assert!(eventually(|| processes(group).len() >= 9), "{:?}", processes(group));
    process
}

#[test]
fn a_program_that_is_not_to_move_does_not_run() {
    for is_confined in [true, false] {
        let mut setup = setup(&["probe"]);
        if !is_confined {
            setup.confinement = None;
        }
        let mut process = busy(&setup);
        assert!(is_busy(&process), "the children are busy");
        process.freeze();
        // The kernel stops a running process at its next tick.
        assert!(cpu_time_of(&process, WATCHED) <= Duration::from_millis(20), "confined: {is_confined}");
        assert_eq!(request(&mut process, "again"), "ok heard again");
        assert!(is_busy(&process), "they run again");
        // One that is frozen can still be asked to exit, which it does in time.
        let mut idle = Process::start(&setup).unwrap();
        request(&mut idle, "hello");
        idle.freeze();
        let exit_report = idle.stop(PATIENCE);
        assert_eq!(exit_report.fault, None);
    }
}

/// A program that leaves its group cannot hide from being stopped either.
#[test]
fn sessions_of_an_unconfined_program_are_stopped() {
    let mut process = Process::start(&ProcessSetup { confinement: None, ..setup(&["probe"]) }).unwrap();
    let command = "shell setsid sh -c 'while :; do :; done' >/dev/null 2>&1 &";
    assert_eq!(request(&mut process, command), "ok Some(0)");
    assert!(is_busy(&process));
    process.freeze();
    assert!(cpu_time_of(&process, WATCHED) <= Duration::from_millis(20));
}

#[test]
fn children_share_one_core() {
    let mut process = busy(&setup(&["probe"]));
    let until = Instant::now() + PATIENCE;
    let before = cpu_time(&process);
    let since = Instant::now();
    // The probe sleeps, so that Palestra waits for its answer.
    process.send("shell sleep 1", until).unwrap();
    assert_eq!(process.receive(until).unwrap().as_deref(), Some("ok Some(0)"));
    let (wall, used) = (since.elapsed(), cpu_time(&process) - before);
    // Two cores would be 2. The first looks are after 25 and 50 ms, and a stop takes effect at the next tick.
    assert!(used < wall.mul_f64(1.25), "{used:?} of {wall:?}");
    assert!(!used.is_zero());
}

#[test]
fn a_program_that_is_starting_is_not_stopped() {
    let mut process = Process::start(&setup(&["slow-start", "100"])).unwrap();
    process.freeze();
    let until = Instant::now() + PATIENCE;
    let group = process.group();
    assert!(eventually(|| !processes(group).is_empty()));
    process.send("isready", until).unwrap();
    assert_eq!(process.receive(until).unwrap().as_deref(), Some("readyok"));
}

/// A user who cannot create control groups.
#[test]
fn the_same_as_an_ordinary_user() {
    run_as_ordinary_user("turns", &["turns::", "--skip", "ordinary_user"], 4);
}
