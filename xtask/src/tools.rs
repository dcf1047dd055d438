//! Running other programs.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The cargo that runs this task, so that the toolchain stays the same.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The folder of the workspace. Cargo's environment takes precedence, because the folder may have moved since the
/// build.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let here = PathBuf::from(here);
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// Whether a command succeeds; its output is discarded.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The command as it would be typed.
pub(crate) fn command_line(command: &Command) -> String {
    let parts = std::iter::once(command.get_program()).chain(command.get_args());
    let parts: Vec<String> = parts.map(|part| part.to_string_lossy().into_owned()).collect();
    let program = parts[0].rsplit('/').next().unwrap_or_default().to_owned();
    std::iter::once(program).chain(parts[1..].iter().cloned()).collect::<Vec<_>>().join(" ")
}

/// Standard output and, unless redirected, standard error of a command; an error if it fails.
pub(crate) fn capture(command: &mut Command) -> Result<(String, String)> {
    let name = command_line(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {name}"))?;
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    if !output.status.success() {
        bail!("{name} failed ({}): {}", output.status, stderr.trim());
    }
    Ok((stdout, stderr))
}
