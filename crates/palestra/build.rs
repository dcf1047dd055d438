//! What `palestra --version` says of a build: the commit and the target, with the level of the processor where
//! `cargo xtask dist` built it.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads its environment, asks git and talks to cargo"
)]

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PALESTRA_COMMIT");
    println!("cargo::rerun-if-env-changed=PALESTRA_DIST");
    println!("cargo::rustc-check-cfg=cfg(dist)");
    let mut target = std::env::var("TARGET").unwrap_or_default();
    // Builds that are handed out come in twos, and the one for older processors looks for the other.
    if let Ok(level) = std::env::var("PALESTRA_DIST") {
        println!("cargo::rustc-cfg=dist");
        target = format!("{target}, {level}");
    }
    println!("cargo::rustc-env=PALESTRA_TARGET={target}");
    println!("cargo::rustc-env=PALESTRA_COMMIT={}", commit());
}

/// The commit that is built: as the environment says, where there is no repository, or as git does.
fn commit() -> String {
    if let Ok(named) = std::env::var("PALESTRA_COMMIT") {
        return named;
    }
    // Asked of builds that are handed out only: after a commit the tests need not be linked anew.
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return "development build".to_owned();
    }
    // Rewritten by every commit, checkout and reset.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "commit unknown".to_owned())
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !said.is_empty()).then_some(said)
}
