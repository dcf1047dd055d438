//! Functions of the system that other crates need.

use std::process::{Child, Command};
use std::sync::LazyLock;
use std::time::Instant;

/// Processor time of this process so far, in seconds. On this system it is the wall time since the first call.
#[must_use]
pub fn cpu_seconds() -> f64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed().as_secs_f64()
}

/// Processor time of all children that have ended, in seconds; always `None` on this system.
#[must_use]
pub fn cpu_seconds_of_children() -> Option<f64> {
    None
}

/// Memory of this machine in bytes; always `None` on this system.
#[must_use]
pub fn machine_memory() -> Option<u64> {
    None
}

/// Gives a command its own process group on Linux. On this system it does nothing, and Ctrl-C in a terminal reaches
/// both processes.
pub fn separate_process_group(_command: &mut Command) {}

/// Stops a process. On this system it is killed, which is safe because a store is consistent at any instant.
pub fn ask_to_stop(child: &mut Child) {
    // Fails where the process has ended meanwhile.
    let _ = child.kill();
}
