//! Misbehaving programs under the supervisor of Linux.
#![cfg(all(target_os = "linux", not(feature = "portable")))]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "programs are started and timed here; a test may fail"
)]

mod command_run;
mod confinement;
mod copy;
mod endings;
mod limits;
mod places;
mod support;
mod turns;
mod verdicts;
#[path = "../zoo/mod.rs"]
mod zoo;
