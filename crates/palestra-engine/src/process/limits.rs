//! How much of the machine a player may use.

use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};
use std::fs;

/// What a player may use, all its processes together unless said otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Memory in bytes.
    pub memory: u64,
    /// Processes.
    pub processes: u64,
    /// Threads: a Java machine alone has about thirty.
    pub threads: u64,
    /// Seconds of processor time from start to end.
    pub cpu_seconds: u64,
    /// Bytes in one file.
    pub file_bytes: u64,
    /// Bytes in the whole scratch folder.
    pub scratch_bytes: u64,
    /// Files and folders in the scratch folder.
    pub files: u64,
    /// Open files of one process.
    pub open_files: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 1 << 30,
            processes: 32,
            threads: 256,
            cpu_seconds: 3600,
            file_bytes: 64 << 20,
            scratch_bytes: 256 << 20,
            files: 10_000,
            open_files: 256,
        }
    }
}

impl Limits {
    /// Lays the limits that the kernel keeps on this process and on all that it starts. The warden watches the sums.
    pub(super) fn apply(&self) -> Result<(), String> {
        let grace = 5;
        // The kernel counts memory that was asked for and not only what is used, and a Java machine asks for much
        // more than it uses. So this only stops what grows between two looks of the warden, who counts what is used.
        let asked = self.memory.saturating_mul(4);
        // All tasks of a user count here, not the player's alone: room for it beside all that runs now. Root is not
        // held back by it, and nobody is held back from what the warden allows.
        let tasks = tasks_now().saturating_add(self.threads.saturating_mul(4));
        let limits = [
            (Resource::Data, asked, asked),
            (Resource::Nproc, tasks, tasks),
            (Resource::Cpu, self.cpu_seconds, self.cpu_seconds.saturating_add(grace)),
            (Resource::Fsize, self.file_bytes, self.file_bytes),
            (Resource::Nofile, self.open_files, self.open_files),
            (Resource::Core, 0, 0),
        ];
        for (resource, soft, hard) in limits {
            // A limit that somebody set for us cannot be raised, and need not be.
            let most = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
            let limit = Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) };
            setrlimit(resource, limit).map_err(|error| format!("limit {resource:?}: {error}"))?;
        }
        Ok(())
    }
}

/// Tasks of the whole machine: the fourth word of the load, `running/all`.
fn tasks_now() -> u64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let all = load.split(' ').nth(3).and_then(|word| word.split('/').nth(1));
    all.and_then(|number| number.parse().ok()).unwrap_or(u64::MAX / 2)
}
