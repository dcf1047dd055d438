//! Stores as files: what processes do to them, and what becomes of them.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that fails says so")]
#![allow(clippy::disallowed_methods, reason = "these tests are about files, processes and time")]

mod child;
mod disk;
mod events;
mod export;
mod pages;
mod processes;
mod refusals;
mod runs;
mod support;
mod watched;
