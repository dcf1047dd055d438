//! Players on any other system: plain child processes. Their clocks and the length of their answers are watched, and
//! nothing else; [`missing`] says so, and nothing starts unless somebody accepted that.
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

pub use machine::{ask_to_stop, cpu_seconds, cpu_seconds_of_children, separate_process_group};
pub use process::{Process, run_supervisor};

use crate::confine::MissingProtection;

/// All that Linux does to a player and this system does not.
const MISSING: [(&str, &str); 6] = [
    ("confinement of files, on Linux alone", "a player could read and write whatever its user can"),
    ("confinement of the network, on Linux alone", "a player could open sockets and get help from outside"),
    ("confinement of signals, on Linux alone", "a player could end other programs of the same user"),
    ("limits, on Linux alone", "a player could use all memory, processors, processes and disk space"),
    ("wardens, on Linux alone", "what a player started, and itself when palestra is killed, could go on"),
    ("fair clocks, on Linux alone", "a player is not kept on its core, and its clock runs without one"),
];

/// The parts of the confinement that this system lacks: all of them.
pub(crate) fn missing() -> Vec<MissingProtection> {
    MISSING.map(|(part, risk)| MissingProtection { part: part.to_owned(), risk: risk.to_owned() }).to_vec()
}
