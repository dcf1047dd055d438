//! The browser of the tests: Debian's Chromium and its driver, which must be of one version.

use crate::tools::{capture, typed, works};
use anyhow::{Result, bail};
use std::process::Command;
use std::time::{Duration, Instant};

/// What the tests start, asked for its version.
const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];

/// The packages with the programs, and letters for the pages.
const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", "fonts-dejavu-core"];

/// Both steps together download about 100 MB; whatever takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// Installs what is missing, where that can be done without asking; otherwise says what to type.
pub(crate) fn provide() -> Result<()> {
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    let wanted = format!("the tests of the page need {}", missing.join(" and "));
    let line = format!("apt-get update && {}", typed(&install()));
    if !works(Command::new("apt-get").arg("--version")) {
        bail!("{wanted}: put Chromium and its driver on the path (on Debian: {line})");
    }
    if !is_root() {
        bail!("{wanted}; type: sudo sh -c '{line}'");
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
    capture(Command::new("id").arg("-u")).is_ok_and(|(said, _)| said.trim() == "0")
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

/// Waits for a step, but not forever.
fn finish(step: &mut Command) -> Result<()> {
    let name = typed(step);
    let mut child = step.stdin(std::process::Stdio::null()).spawn()?;
    let began = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => bail!("{name} failed ({status})"),
            None if began.elapsed() > PATIENCE => {
                child.kill()?;
                child.wait()?;
                bail!("{name} took longer than {} minutes and was ended", PATIENCE.as_secs() / 60);
            }
            None => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}
