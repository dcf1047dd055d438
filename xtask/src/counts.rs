//! Instruction counts: they survive a noisy machine, where times do not.

use crate::tools::{capture, works};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// Makes sure that there is a valgrind, installing it where that is ours to do. Otherwise says what to type.
pub(crate) fn available() -> bool {
    let installed = || works(Command::new("valgrind").arg("--version"));
    if installed() {
        return true;
    }
    if is_root() && works(Command::new("apt-get").arg("--version")) {
        println!("installing valgrind");
        works(Command::new("apt-get").arg("update"));
        works(Command::new("apt-get").args(["install", "-y", "valgrind"]));
    }
    if !installed() {
        eprintln!("no valgrind, so no instruction counts; type: sudo apt-get install -y valgrind");
    }
    installed()
}

fn is_root() -> bool {
    capture(Command::new("id").arg("-u")).is_ok_and(|(user, _)| user.trim() == "0")
}

/// Instructions for one unit of a case: two passes less one pass, so that the start of the program and the
/// choice of the case cancel out.
pub(crate) fn per_unit(binary: &Path, case: &str, units: f64) -> Result<f64> {
    let once = instructions(binary, case, 1)?;
    let twice = instructions(binary, case, 2)?;
    Ok((twice - once) as f64 / units)
}

/// All instructions of a run, start and end included.
fn instructions(binary: &Path, case: &str, repeat: u32) -> Result<i64> {
    let profile = std::env::temp_dir().join(format!("palestra-callgrind-{}", std::process::id()));
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(binary).args(["bench", case, "--repeat", &repeat.to_string()]);
    let said = capture(&mut command);
    // Only the total is wanted. Where nothing was written there is nothing to remove.
    let _ = std::fs::remove_file(&profile);
    collected(&said?.1).with_context(|| format!("callgrind gave no total for {case}"))
}

/// The number in callgrind's line `==123== Collected : 4567`.
fn collected(text: &str) -> Option<i64> {
    let line = text.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        let text = "==7== For interactive control\n==7== \n==7== Events    : Ir\n==7== Collected : 1234\n";
        assert_eq!(collected(text), Some(1234));
        assert_eq!(collected("==7== Collected\n"), None);
    }
}
