//! Engines that exceed a resource limit, and one that does not.
#![allow(clippy::print_stderr, reason = "a test that could not be made says so")]

use crate::support::{PATIENCE, Verdict, converse, group_exists, request, setup};
use palestra_engine::{Confinement, FaultKind, Process, ProgramCommand, ResourceLimits, Transport};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Checks that an engine with ample time gets this fault when it exceeds a limit.
#[track_caller]
fn check(kind: &str, limits: ResourceLimits, expected: FaultKind, detail: &str) {
    for confined in [true, false] {
        let mut setup = setup(&[kind]);
        setup.limits = limits.clone();
        if !confined {
            setup.confinement = None;
        }
        let mut process = Process::start(&setup).unwrap();
        let (group, since) = (process.group(), Instant::now());
        let verdict = converse(&mut process, Duration::from_secs(15));
        let Verdict::Fault(fault) = verdict else { panic!("{kind}: {verdict:?}") };
        assert_eq!(fault.kind, expected, "{fault}");
        assert!(fault.detail.contains(detail), "{fault}");
        assert!(since.elapsed() < Duration::from_secs(14), "{kind} was stopped and did not stop by itself");
        drop(process);
        assert!(!group_exists(group), "{kind}");
    }
}

#[test]
fn bombs_are_stopped() {
    check("fork-bomb", ResourceLimits::default(), FaultKind::Processes, "processes, the limit is 32");
    check("thread-bomb", ResourceLimits::default(), FaultKind::Processes, "threads, the limit is 256");
}

#[test]
fn memory_is_limited() {
    let limits = ResourceLimits { memory: 100 << 20, ..ResourceLimits::default() };
    check("memory-hog", limits, FaultKind::Memory, "MiB of memory, the limit is 100");
}

/// The kernel refuses memory that is only reserved, and the program gives up.
#[test]
fn reserved_memory_is_limited() {
    let limits = ResourceLimits { memory: 100 << 20, ..ResourceLimits::default() };
    check("reserver", limits, FaultKind::Memory, "allocated in one process; the limit is 400, of which 100");
}

/// Maps a file and reads it, for ten checks of the supervisor, and says how much of it is in its memory.
const READER: &str = r#"
import mmap, sys, time
with open("book.bin", "rb") as book:
    whole = mmap.mmap(book.fileno(), 0, access=mmap.ACCESS_READ)
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        for at in range(0, len(whole), 4096):
            whole[at]
        book.seek(0)
        while book.read(1 << 20):
            pass
    print([line.split()[1] for line in open("/proc/self/status") if line.startswith("RssFile")][0], flush=True)
    sys.stdin.read()
"#;

/// A file in the program's folder may be larger than its memory: mappings and the page cache do not count.
#[test]
fn files_that_are_read_are_no_memory() {
    let python =
        Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        eprintln!("NOT TESTED: a program that maps a large file: it needs python3");
        return;
    }
    let memory = 64 << 20;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large-book");
    fs::create_dir_all(&folder).unwrap();
    File::create(folder.join("book.bin")).unwrap().set_len(3 * memory).unwrap();
    let mut setup = setup(&[]);
    setup.limits.memory = memory;
    setup.program = ProgramCommand {
        program: "python3".into(),
        args: vec!["-c".to_owned(), READER.to_owned()],
        folder: folder.clone(),
        environment: Vec::new(),
    };
    setup.confinement = Some(Confinement { shown: vec![folder.clone()], ..Confinement::default() });
    let mut process = Process::start(&setup).unwrap();
    let mapped = process.receive(Instant::now() + PATIENCE).unwrap().expect("the program answers");
    assert!(mapped.parse::<u64>().unwrap() << 10 > memory, "{mapped} KiB are mapped");
    assert_eq!(process.stop(PATIENCE).fault, None);
    let peak = process.peak().expect("the supervisor saw its end");
    assert!((1 << 20..memory).contains(&peak.memory), "{peak:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_disk_is_limited() {
    let limits = ResourceLimits { scratch_bytes: 40 << 20, ..ResourceLimits::default() };
    check("disk-filler", limits, FaultKind::Disk, "scratch folder, the limit is 40");
    let limits = ResourceLimits { files: 300, ..ResourceLimits::default() };
    check("many-files", limits, FaultKind::Disk, "files in its scratch folder, the limit is 300");
    let limits = ResourceLimits { file_bytes: 8 << 20, ..ResourceLimits::default() };
    check("large-file", limits, FaultKind::Disk, "SIGXFSZ");
}

#[test]
fn processor_time_is_limited() {
    check(
        "cpu-hog",
        ResourceLimits { cpu_seconds: 1, ..ResourceLimits::default() },
        FaultKind::Cpu,
        "processor time",
    );
}

#[test]
fn open_files_are_limited() {
    let mut setup = setup(&["probe"]);
    setup.limits.open_files = 50;
    let mut process = Process::start(&setup).unwrap();
    assert_eq!(request(&mut process, "shell ulimit -n"), "ok Some(0) 50");
    assert_eq!(request(&mut process, "shell ulimit -c"), "ok Some(0) 0");
}

#[test]
fn engines_can_be_pinned() {
    let mut setup = setup(&["probe"]);
    setup.core = Some(0);
    let mut process = Process::start(&setup).unwrap();
    let answer = request(&mut process, "shell grep Cpus_allowed_list /proc/self/status");
    assert_eq!(answer, "ok Some(0) Cpus_allowed_list:\t0");
}
