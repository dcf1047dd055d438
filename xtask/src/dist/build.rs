//! Builds the static programs, one per processor level.

use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Given to cargo even if it is the host: the flags then do not apply to procedural macros, which cannot be static.
pub(crate) const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The processor levels that are built.
pub(crate) const OLDER: &str = "x86-64-v2";
pub(crate) const NEWER: &str = "x86-64-v3";

/// Builds the program for a level. `commit` becomes part of its version.
pub(crate) fn build(profile: &str, level: &str, commit: &str) -> Result<Vec<u8>> {
    let mut command = cargo();
    command.args(["build", "--locked", "--profile", profile, "--target", TARGET]);
    command.args(["--package", "palestra", "--bin", "palestra"]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    // These replace the flags of .cargo/config.toml; RUSTFLAGS must not add others.
    command.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", flags(level).join("\u{1f}"));
    command.env("PALESTRA_DIST", level).env("PALESTRA_COMMIT", commit);
    let (stdout, _) = capture(&mut command)?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    };
    let path = stdout.lines().filter_map(executable).next_back().context("cargo built no binary")?;
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(is_static(&bytes), "the program for {level} is not static: it needs a dynamic linker");
    Ok(bytes)
}

/// The compiler flags. Local paths are remapped, so that they are not in the program.
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

/// Whether a 64-bit ELF program is static: it has no program header of the type PT_INTERP.
pub(crate) fn is_static(program: &[u8]) -> bool {
    const PT_INTERP: u64 = 3;
    let number = |offset: usize, n_bytes: usize| {
        let bytes = program.get(offset..offset + n_bytes)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    };
    let kinds = || {
        // e_phoff, e_phentsize and e_phnum of the ELF header.
        let start = usize::try_from(number(32, 8)?).ok()?;
        let (size, n_headers) = (number(54, 2)? as usize, number(56, 2)? as usize);
        (0..n_headers).map(|i| number(start + i * size, 4)).collect::<Option<Vec<u64>>>()
    };
    program.starts_with(b"\x7fELF\x02\x01") && kinds().is_some_and(|kinds| !kinds.contains(&PT_INTERP))
}
