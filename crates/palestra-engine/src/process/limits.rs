//! How much of the machine a player may use.

use serde::{Deserialize, Serialize};

/// What a player may use, all its processes together unless said otherwise. Only Linux keeps to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResourceLimits {
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

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits {
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
