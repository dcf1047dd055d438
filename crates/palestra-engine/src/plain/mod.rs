//! Engines on systems other than Linux: plain child processes. Only their clocks and the size of their output are
//! limited. [`missing`] lists the rest, and no engine starts unless that was accepted.
#![cfg_attr(
    test,
    allow(dead_code, unreachable_pub, unused_imports, reason = "under Linux only its tests use it")
)]

mod machine;
mod pipes;
mod process;
mod scratch;
#[cfg(test)]
mod tests;

pub use machine::{
    ask_to_stop, cpu_seconds, cpu_seconds_of_children, machine_memory, separate_process_group,
};
pub use process::{Process, run_supervisor};

use crate::confine::MissingProtection;

/// The protections of an engine that only Linux has, each with what an engine could do without it.
const MISSING: [(&str, &str); 6] = [
    ("confinement of files (Linux only)", "an engine could read and write all files of its user"),
    ("confinement of the network (Linux only)", "an engine could open sockets and get help from the network"),
    ("confinement of signals (Linux only)", "an engine could end other programs of the same user"),
    ("limits (Linux only)", "an engine could use all memory, processors, processes and disk space"),
    (
        "supervisors (Linux only)",
        "processes of an engine could outlive it, or outlive Palestra when it is killed",
    ),
    ("fair clocks (Linux only)", "an engine is not pinned to its core and is charged while it waits for one"),
];

/// The protections that this system lacks: all of them.
pub(crate) fn missing() -> Vec<MissingProtection> {
    MISSING.map(|(part, risk)| MissingProtection { part: part.to_owned(), risk: risk.to_owned() }).to_vec()
}
