//! The programs: static, one for each level of processors.

use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Named to cargo even where it is the machine's own: then procedural macros, which cannot be static, are left alone.
pub(crate) const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The levels of processors, and the two that are built.
pub(crate) const OLDER: &str = "x86-64-v2";
pub(crate) const NEWER: &str = "x86-64-v3";

/// Builds the program for a level. `commit` is what it says of itself.
pub(crate) fn build(profile: &str, level: &str, commit: &str) -> Result<Vec<u8>> {
    let mut command = cargo();
    command.args(["build", "--locked", "--profile", profile, "--target", TARGET]);
    command.args(["--package", "palestra", "--bin", "palestra"]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    // These take the place of those in .cargo/config.toml, and must not be joined by others.
    command.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", flags(level).join("\u{1f}"));
    command.env("PALESTRA_DIST", level).env("PALESTRA_COMMIT", commit);
    let (said, _) = capture(&mut command)?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    };
    let path = said.lines().filter_map(executable).next_back().context("cargo built no binary")?;
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(is_static(&bytes), "the program for {level} is not static: it asks for a dynamic linker");
    Ok(bytes)
}

/// The flags of the compiler. Folders of this machine are not written into the program.
fn flags(level: &str) -> Vec<String> {
    let mut flags = vec![format!("-Ctarget-cpu={level}"), "-Ctarget-feature=+crt-static".to_owned()];
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let folders = [(Some(root()), "/palestra"), (home, "/cargo")];
    for (folder, shown) in folders {
        if let Some(folder) = folder {
            flags.push(format!("--remap-path-prefix={}={shown}", folder.display()));
        }
    }
    flags
}

/// Whether a program for Linux starts without a dynamic linker: no part of it names one.
pub(crate) fn is_static(program: &[u8]) -> bool {
    const INTERPRETER: u64 = 3;
    let number = |place: usize, n_bytes: usize| {
        let bytes = program.get(place..place + n_bytes)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    };
    let kinds = || {
        let begin = usize::try_from(number(32, 8)?).ok()?;
        let (size, n_parts) = (number(54, 2)? as usize, number(56, 2)? as usize);
        (0..n_parts).map(|i| number(begin + i * size, 4)).collect::<Option<Vec<u64>>>()
    };
    program.starts_with(b"\x7fELF\x02\x01") && kinds().is_some_and(|kinds| !kinds.contains(&INTERPRETER))
}
