//! Integration tests: the command line as a process, every registered game, the studies, and the source
//! tree itself.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at what it did not expect, and reads the source tree"
)]

mod allocations;
mod analyze;
mod appeals;
mod bad_input;
#[cfg(target_os = "linux")]
mod browser;
mod certify;
mod chart;
mod cli;
mod compare;
mod conformance;
mod course;
mod events;
mod examples;
mod human;
#[cfg(target_os = "linux")]
mod interrupt;
mod json;
mod judges;
mod mancala;
mod map;
mod names;
mod old_store;
mod perfect;
mod programs;
mod protocols;
mod published;
mod random_play;
mod report;
#[cfg(unix)]
mod resume;
mod rosters;
#[cfg(unix)]
mod samples;
#[cfg(unix)]
mod serve;
mod solve;
mod stats;
mod studies;
mod studies_ladrillos;
#[cfg(unix)]
mod study;
mod submissions;
mod submissions_check;
mod submissions_compile;
mod support;
mod tidy;
mod tune;
mod upkeep;
#[path = "../../../palestra-engine/tests/zoo/mod.rs"]
mod zoo;
mod zoo_event;
