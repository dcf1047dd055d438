//! The limits that the kernel keeps.

use crate::process::ResourceLimits;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::fs;

/// Lays the limits that the kernel keeps on this process and on all that it starts. The warden watches the sums.
pub(super) fn apply_limits(limits: &ResourceLimits) -> Result<(), String> {
    let grace = 5;
    // The kernel counts memory that was asked for and not only what is used, and a Java machine asks for much
    // more than it uses. So this only stops what grows between two looks of the warden, who counts what is used.
    let asked = limits.memory.saturating_mul(4);
    // All tasks of a user count here, not the player's alone: room for it beside all that runs now. Root is not
    // held back by it, and nobody is held back from what the warden allows.
    let tasks = tasks_now().saturating_add(limits.threads.saturating_mul(4));
    let all = [
        (Resource::Data, asked, asked),
        (Resource::Nproc, tasks, tasks),
        (Resource::Cpu, limits.cpu_seconds, limits.cpu_seconds.saturating_add(grace)),
        (Resource::Fsize, limits.file_bytes, limits.file_bytes),
        (Resource::Nofile, limits.open_files, limits.open_files),
        (Resource::Core, 0, 0),
    ];
    for (resource, soft, hard) in all {
        // A limit that somebody set for us cannot be raised, and need not be.
        let most = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) };
        setrlimit(resource, limit).map_err(|error| format!("limit {resource:?}: {error}"))?;
    }
    Ok(())
}

/// Tasks of the whole machine: the fourth word of the load, `running/all`.
fn tasks_now() -> u64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let all = load.split(' ').nth(3).and_then(|word| word.split('/').nth(1));
    all.and_then(|number| number.parse().ok()).unwrap_or(u64::MAX / 2)
}
