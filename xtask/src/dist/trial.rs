//! Whether the programs do on each processor what they should, before they are packed.

use super::build::{NEWER as NEWER_LEVEL, OLDER as OLDER_LEVEL};
use super::layout::NEWER;
use crate::tools::{capture, works};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Runs programs as if on another processor.
const EMULATOR: &str = "qemu-x86_64";

/// What a program says on a processor that it cannot run on.
const REFUSAL: &str = "this processor is too old for this build";

/// Tries the programs in a folder with `bin` and `libexec`.
pub(crate) fn run(folder: &Path) -> Result<()> {
    let older = folder.join("bin/palestra");
    let asked = |level: Option<&str>| {
        let mut command = Command::new(&older);
        command.arg("--version").env_remove("PALESTRA_CPU");
        command.envs(level.map(|level| ("PALESTRA_CPU", level)));
        Ok::<String, anyhow::Error>(capture(&mut command)?.0)
    };
    let kept = asked(Some("v2"))?;
    ensure!(kept.contains(OLDER_LEVEL), "bin/palestra with PALESTRA_CPU=v2 says {kept:?}");
    let chosen = asked(None)?;
    let expected = if is_newer() { NEWER_LEVEL } else { OLDER_LEVEL };
    ensure!(chosen.contains(expected), "bin/palestra on an {expected} says {chosen:?}");
    println!("  {}", chosen.trim());
    emulate(folder)
}

/// Whether this machine is of the newer level, as the standard library sees it.
fn is_newer() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Tries older processors, where there is an emulator: a sentence, never a signal.
fn emulate(folder: &Path) -> Result<()> {
    if !works(Command::new(EMULATOR).arg("--version")) {
        println!(
            "  NOT TESTED on older processors: that needs {EMULATOR} (Debian: apt-get install qemu-user)"
        );
        return Ok(());
    }
    // A processor, a program, and what it says there.
    let cases = [
        ("core2duo", "bin/palestra", REFUSAL),
        ("Nehalem", "bin/palestra", OLDER_LEVEL),
        ("core2duo", NEWER, REFUSAL),
        ("Nehalem", NEWER, REFUSAL),
        ("SandyBridge", NEWER, REFUSAL),
    ];
    for (processor, program, expected) in cases {
        let mut command = Command::new(EMULATOR);
        command.args(["-cpu", processor]).arg(folder.join(program)).arg("--version");
        let output = command.output().with_context(|| format!("cannot start {EMULATOR}"))?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        let code = i32::from(expected == REFUSAL);
        let is_right = output.status.code() == Some(code) && said.contains(expected);
        ensure!(is_right, "{program} on a {processor} ended with {}: {said}", output.status);
        let line = said.lines().find(|line| line.contains(expected)).unwrap_or_default();
        println!("  {processor}, {program}: {line}");
    }
    Ok(())
}
