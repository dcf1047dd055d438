//! Resource limits of an engine.

use serde::{Deserialize, Serialize};

/// Limits of an engine, for all its processes together unless stated otherwise. Only enforced on Linux.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResourceLimits {
    /// Memory in bytes.
    pub memory: u64,
    /// Number of processes.
    pub processes: u64,
    /// Number of threads; a Java virtual machine alone has about thirty.
    pub threads: u64,
    /// Processor time over the life of the engine, in seconds.
    pub cpu_seconds: u64,
    /// Size of one file, in bytes.
    pub file_bytes: u64,
    /// Size of the whole scratch folder, in bytes.
    pub scratch_bytes: u64,
    /// Number of files and folders in the scratch folder.
    pub files: u64,
    /// Number of open files of one process.
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

impl ResourceLimits {
    /// Environment variables that tell runtimes their limits: half of the memory for the heap, since code, stacks and
    /// collectors need the rest. Without them a Java virtual machine or Node takes a share of the whole machine.
    #[must_use]
    pub fn runtime_environment(&self) -> [(String, String); 3] {
        let heap_mb = (self.memory >> 21).max(16);
        [
            // The serial collector has no threads of its own, and the memory is returned after each collection.
            ("JAVA_TOOL_OPTIONS", format!("-Xmx{heap_mb}m -XX:+UseSerialGC")),
            ("NODE_OPTIONS", format!("--max-old-space-size={heap_mb}")),
            // Hexadecimal, as .NET reads it.
            ("DOTNET_GCHeapHardLimit", format!("{:x}", heap_mb << 20)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
    }
}
