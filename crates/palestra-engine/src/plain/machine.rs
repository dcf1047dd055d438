//! What other crates ask of the system.

use std::process::{Child, Command};
use std::sync::LazyLock;
use std::time::Instant;

/// Processor time of this process so far, in seconds. This system is not asked for it: it is the time that has passed
/// since the first call, which is more where the process had to wait.
#[must_use]
pub fn cpu_seconds() -> f64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed().as_secs_f64()
}

/// Processor time of all children that have ended, in seconds, where the system tells: here it does not.
#[must_use]
pub fn cpu_seconds_of_children() -> Option<f64> {
    None
}

/// Keeps Ctrl-C in a terminal from a command that is about to be started. Here it reaches both.
pub fn separate_process_group(_command: &mut Command) {}

/// Asks a process to stop. Here it is ended at once: what it has kept in a store is whole at any instant.
pub fn ask_to_stop(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
}
