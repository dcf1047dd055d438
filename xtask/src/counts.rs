//! Instruction counts, which unlike times do not depend on other work on the machine.

use crate::tools::{capture, works};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// Whether valgrind is available; installs it as root, otherwise prints the command to type.
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

/// Instructions of one pass of a case, including the [overhead](of_frame) of the program.
pub(crate) fn of_pass(binary: &Path, case: &str) -> Result<i64> {
    instructions(binary, &["bench", case, "--repeat", "1"])
}

/// Instructions outside the passes, such as the start of the program: two runs of one pass minus one run of two passes.
pub(crate) fn of_frame(binary: &Path) -> Result<i64> {
    /// A quick case.
    const CASE: &str = "mcts";
    let once = of_pass(binary, CASE)?;
    let twice = instructions(binary, &["bench", CASE, CASE, "--repeat", "1"])?;
    Ok(2 * once - twice)
}

/// All instructions of a run. Caches are not simulated, because only the total is used.
fn instructions(binary: &Path, args: &[&str]) -> Result<i64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.arg(binary).args(args);
    let (_, stderr) = capture(&mut command)?;
    total(&stderr).with_context(|| format!("valgrind gave no total for {}", args.join(" ")))
}

/// The number in valgrind's line `==123== I   refs:      4,567`.
fn total(text: &str) -> Option<i64> {
    let line = text.lines().find(|line| line.contains("refs:"))?;
    line.rsplit(':').next()?.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        let text = "==7== Cachegrind, a cache profiler\n==7== \n==7== I   refs:      1,000,234\n";
        assert_eq!(total(text), Some(1_000_234));
        assert_eq!(total("==7== refs\n"), None);
    }
}
