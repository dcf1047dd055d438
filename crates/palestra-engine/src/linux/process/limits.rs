//! The limits that the kernel enforces.

use crate::process::ResourceLimits;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::fs;

/// Sets the kernel's limits for this process and the processes that it starts. They hold per process; the supervisor
/// checks the sums.
pub(super) fn apply_limits(limits: &ResourceLimits) -> Result<(), String> {
    // Seconds from `SIGXCPU` at the soft limit to `SIGKILL` at the hard one.
    let grace = 5;
    let data_bytes = data_limit(limits);
    // `RLIMIT_NPROC` counts all tasks of the user, so the limit adds the tasks that exist now. It is never lower than
    // what the supervisor allows, and does not apply to root.
    let tasks = tasks_now().saturating_add(limits.threads.saturating_mul(4));
    // The starter, which has the limits of its engine, writes a file of some bytes.
    let file_bytes = limits.file_bytes.max(4096);
    let all = [
        (Resource::Data, data_bytes, data_bytes),
        (Resource::Nproc, tasks, tasks),
        (Resource::Cpu, limits.cpu_seconds, limits.cpu_seconds.saturating_add(grace)),
        (Resource::Fsize, file_bytes, file_bytes),
        (Resource::Nofile, limits.open_files, limits.open_files),
        (Resource::Core, 0, 0),
    ];
    for (resource, soft, hard) in all {
        // A lower hard limit that this process inherited cannot be raised.
        let max = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(soft.min(max)), maximum: Some(hard.min(max)) };
        setrlimit(resource, limit).map_err(|error| format!("limit {resource:?}: {error}"))?;
    }
    Ok(())
}

/// The kernel's limit on the allocated memory of one process, in bytes.
///
/// A Java virtual machine allocates much more than it uses. The factor leaves room for that: this limit only stops
/// growth between two checks of the supervisor, which counts memory in use.
pub(super) fn data_limit(limits: &ResourceLimits) -> u64 {
    limits.memory.saturating_mul(4)
}

/// Number of tasks on the whole machine, from the fourth word of `/proc/loadavg`: `running/all`.
fn tasks_now() -> u64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let all = load.split(' ').nth(3).and_then(|word| word.split('/').nth(1));
    all.and_then(|number| number.parse().ok()).unwrap_or(u64::MAX / 2)
}
