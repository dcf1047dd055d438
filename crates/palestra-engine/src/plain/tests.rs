//! Processes as on systems other than Linux, tested with real programs.

use super::{Process, missing};
use crate::confine::Confinement;
use crate::process::{ExitKind, ExitReport, Launcher, ProcessSetup, ProgramCommand, ResourceLimits};
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, Speaker};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Longest wait for an event that must happen; a machine may be slow.
const PATIENCE: Duration = Duration::from_secs(20);

fn setup(program: &str, args: &[&str]) -> ProcessSetup {
    ProcessSetup {
        launcher: Launcher::new("unused", "supervisor"),
        program: ProgramCommand {
            program: program.into(),
            args: args.iter().map(|word| (*word).to_owned()).collect(),
            folder: PathBuf::from("/"),
            environment: Vec::new(),
        },
        limits: ResourceLimits::default(),
        confinement: None,
        core: None,
    }
}

/// Starts a shell script.
fn shell(script: &str) -> Process {
    Process::start(&setup("sh", &["-c", script])).unwrap()
}

fn soon() -> Instant {
    Instant::now() + PATIENCE
}

/// Reads all lines and returns the fault after them.
fn fault_of(process: &mut Process) -> Fault {
    loop {
        match process.receive(soon()) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("nothing happened"),
            Err(fault) => return fault,
        }
    }
}

#[track_caller]
fn check_fault(script: &str, kind: FaultKind, detail: &str) {
    let fault = fault_of(&mut shell(script));
    assert_eq!(fault.kind, kind, "{fault}");
    assert!(fault.detail.contains(detail), "{fault}");
}

#[test]
fn lines_are_sent_and_received() {
    let mut process = Process::start(&setup("cat", &[])).unwrap();
    for line in ["hello", "", &"é".repeat(30_000)] {
        process.send(line, soon()).unwrap();
        assert_eq!(process.receive(soon()).unwrap().as_deref(), Some(line));
    }
    let scratch = process.scratch();
    assert!(scratch.is_dir() && process.group() > 0 && process.waited_for_core().is_zero());
    let dialogue = process.take_dialogue();
    assert_eq!(dialogue.len(), 6);
    assert!(dialogue[0].by == Speaker::Palestra && dialogue[1].by == Speaker::Program);
    assert_eq!(process.stop(PATIENCE), ExitReport { kind: ExitKind::ByItself, fault: None });
    assert!(process.send("more", soon()).is_err());
    drop(process);
    assert!(!scratch.exists());
}

#[test]
fn waiting_ends_at_the_deadline() {
    let mut process = shell("exec sleep 1000");
    let since = Instant::now();
    assert_eq!(process.receive(since + Duration::from_millis(100)), Ok(None));
    assert_eq!(process.receive(Instant::now()), Ok(None));
    assert_eq!(
        process.stop(Duration::from_millis(100)),
        ExitReport { kind: ExitKind::Killed, fault: None },
        "it ignores the end of its input"
    );
    assert!(since.elapsed() < PATIENCE);
}

#[test]
fn a_program_that_does_not_read_does_not_block() {
    let mut process = shell("exec sleep 1000");
    let line = "x".repeat(40_000);
    let fault = (0..10).find_map(|_| process.send(&line, Instant::now() + Duration::from_millis(100)).err());
    assert_eq!(fault, Some(Fault::new(FaultKind::Closed, "it does not read its input")));
}

#[test]
fn floods_end_the_dialogue() {
    check_fault("yes", FaultKind::Flood, "lines in one answer");
    check_fault("tr '\\0' x </dev/zero", FaultKind::Flood, "64 KiB: xxx");
}

#[test]
fn exits_are_faults() {
    check_fault("exit 3", FaultKind::Crash, "exit code 3");
    check_fault("kill -ABRT $$", FaultKind::Crash, "SIGABRT");
    check_fault("exec >&-; exec sleep 1000", FaultKind::Closed, "closed its output");
    // A child of the program keeps its output open.
    check_fault("sleep 2 & exit 5", FaultKind::Crash, "exit code 5");
}

#[test]
fn sending_to_a_closed_input_is_a_fault() {
    let mut process = shell("exec <&-; echo closed; exec sleep 1000");
    assert_eq!(process.receive(soon()).unwrap().as_deref(), Some("closed"));
    assert_eq!(process.send("hello", soon()), Err(Fault::new(FaultKind::Closed, "it closed its input")));
}

#[test]
fn lines_before_the_end_are_received() {
    let mut process = shell("echo one; echo two; echo oh >&2; printf three; exit 5");
    assert_eq!(process.receive(soon()).unwrap().as_deref(), Some("one"));
    assert_eq!(process.receive(soon()).unwrap().as_deref(), Some("two"));
    for _ in 0..2 {
        assert!(process.receive(soon()).unwrap_err().detail.contains("exit code 5"));
    }
    let lines: Vec<String> = process.dialogue().into_iter().map(|line| line.text).collect();
    assert_eq!(lines, ["one", "two", "three"]);
    let exit_report = process.stop(PATIENCE);
    assert_eq!(
        (exit_report.kind, exit_report.fault.map(|fault| fault.kind)),
        (ExitKind::ByItself, Some(FaultKind::Crash))
    );
    assert_eq!(process.stderr_tail(), "oh\n");
}

#[test]
fn a_missing_program_is_not_started() {
    for (program, folder, named) in [
        ("./no-such-program", "/", "no-such-program"),
        ("no-such-program", "/", "no-such-program"),
        ("sh", "/no/such", "/no/such: no"),
    ] {
        let mut setup = setup(program, &[]);
        setup.program.folder = folder.into();
        let mut process = Process::start(&setup).unwrap();
        let fault = process.receive(soon()).unwrap_err();
        assert!(fault.kind == FaultKind::Start && fault.detail.contains(named), "{fault}");
        assert_eq!(process.stop(PATIENCE).fault, Some(fault));
    }
}

#[test]
fn unconfined_programs_start_only_where_accepted() {
    assert!(missing().iter().all(|missing| !missing.part.is_empty() && !missing.risk.is_empty()));
    for accept_missing in [false, true] {
        let confinement = Some(Confinement { accept_missing, ..Confinement::default() });
        let mut process =
            Process::start(&ProcessSetup { confinement, ..setup("sh", &["-c", "echo $HOME"]) }).unwrap();
        let scratch = process.scratch().display().to_string();
        match process.receive(soon()) {
            Ok(line) => assert!(accept_missing && line == Some(scratch)),
            Err(fault) => {
                assert!(!accept_missing && fault.kind == FaultKind::Start, "{fault}");
                assert!(fault.detail.contains("cannot confine an engine (confinement of files"), "{fault}");
            }
        }
    }
}
