//! Engines that exceed a resource limit.

use crate::support::{Verdict, converse, group_exists, request, setup};
use palestra_engine::{FaultKind, Process, ResourceLimits};
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
