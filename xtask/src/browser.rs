//! The browser of the tests: Debian's Chromium and its driver, which must have the same version.

use crate::tools::{capture, command_line, works};
use anyhow::{Result, bail};
use std::process::Command;
use std::time::{Duration, Instant};

/// Programs that the tests start.
const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];

/// Debian packages of the programs, and fonts for the pages.
const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", "fonts-dejavu-core"];

/// Limit of a step. Both together download about 100 MB; a step that takes this long hangs.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Installs missing programs as root; otherwise fails with the command to type.
pub(crate) fn ensure_installed() -> Result<()> {
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    let needed = format!("the tests of the page need {}", missing.join(" and "));
    let line = format!("apt-get update && {}", command_line(&install()));
    if !works(Command::new("apt-get").arg("--version")) {
        bail!("{needed}: put Chromium and its driver on the path (on Debian: {line})");
    }
    if !is_root() {
        bail!("{needed}; type: sudo sh -c '{line}'");
    }
    println!("--- {line}");
    for mut step in [update(), install()] {
        finish(&mut step)?;
    }
    match self::missing().join(" and ") {
        still if still.is_empty() => Ok(()),
        still => bail!("{still}: still missing after {line}"),
    }
}

fn missing() -> Vec<&'static str> {
    PROGRAMS.into_iter().filter(|program| !works(Command::new(program).arg("--version"))).collect()
}

fn is_root() -> bool {
    capture(Command::new("id").arg("-u")).is_ok_and(|(user, _)| user.trim() == "0")
}

fn update() -> Command {
    let mut command = Command::new("apt-get");
    command.arg("update");
    command
}

fn install() -> Command {
    let mut command = Command::new("apt-get");
    command.args(["install", "-y", "--no-install-recommends"]).args(PACKAGES);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Runs a step, with a time limit.
fn finish(step: &mut Command) -> Result<()> {
    let name = command_line(step);
    let mut child = step.stdin(std::process::Stdio::null()).spawn()?;
    let began = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => bail!("{name} failed ({status})"),
            None if began.elapsed() > TIMEOUT => {
                child.kill()?;
                child.wait()?;
                bail!("{name} took longer than {} minutes and was killed", TIMEOUT.as_secs() / 60);
            }
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}
