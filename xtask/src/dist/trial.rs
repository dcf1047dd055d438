//! Tests of the programs on different processors, before they are packed.

use super::build::{NEWER as NEWER_LEVEL, OLDER as OLDER_LEVEL};
use super::layout::NEWER;
use crate::tools::{capture, works};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Emulator of other processors.
const EMULATOR: &str = "qemu-x86_64";

/// Part of the error message on a processor that is too old.
const REFUSAL: &str = "this processor is too old for this build";

/// Tests the programs in a folder with `bin` and `libexec`.
pub(crate) fn run(folder: &Path) -> Result<()> {
    let older = folder.join("bin/palestra");
    let version = |level: Option<&str>| {
        let mut command = Command::new(&older);
        command.arg("--version").env_remove("PALESTRA_CPU");
        command.envs(level.map(|level| ("PALESTRA_CPU", level)));
        Ok::<String, anyhow::Error>(capture(&mut command)?.0)
    };
    let kept = version(Some("v2"))?;
    ensure!(kept.contains(OLDER_LEVEL), "bin/palestra with PALESTRA_CPU=v2 prints {kept:?}");
    let chosen = version(None)?;
    let expected = if is_newer() { NEWER_LEVEL } else { OLDER_LEVEL };
    ensure!(chosen.contains(expected), "bin/palestra on an {expected} prints {chosen:?}");
    println!("  {}", chosen.trim());
    emulate(folder)
}

/// Whether this machine has the newer level, by the detection of the standard library.
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

/// Tests older processors, if there is an emulator: a program must print an error there, and not die by a signal.
fn emulate(folder: &Path) -> Result<()> {
    if !works(Command::new(EMULATOR).arg("--version")) {
        println!(
            "  NOT TESTED on older processors: that needs {EMULATOR} (Debian: apt-get install qemu-user)"
        );
        return Ok(());
    }
    // Processor, program and expected output.
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
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let code = i32::from(expected == REFUSAL);
        let is_right = output.status.code() == Some(code) && printed.contains(expected);
        ensure!(is_right, "{program} on a {processor} ended with {}: {printed}", output.status);
        let line = printed.lines().find(|line| line.contains(expected)).unwrap_or_default();
        println!("  {processor}, {program}: {line}");
    }
    Ok(())
}
