//! Tests of stores as files: several processes, full disks and damaged files.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a failing test may panic and print")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files, processes and time")]

mod archive;
mod child;
mod damage;
mod disk;
mod events;
mod export;
mod long_runs;
mod migration;
mod pages;
mod processes;
mod refusals;
mod runs;
mod support;
mod watched;
