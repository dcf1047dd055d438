//! Other programs: finding them and running them.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The cargo that runs this task, so that a chosen toolchain stays chosen.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The folder of the workspace: where cargo says it is now, for the build may be older than a move.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let here = PathBuf::from(here);
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// Whether a command runs and succeeds, whatever it says.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The command as a person would type it.
pub(crate) fn typed(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let program = words[0].rsplit('/').next().unwrap_or_default().to_owned();
    std::iter::once(program).chain(words[1..].iter().cloned()).collect::<Vec<_>>().join(" ")
}

/// What a command prints on standard output and, unless sent elsewhere, on standard error; it must succeed.
pub(crate) fn capture(command: &mut Command) -> Result<(String, String)> {
    let name = typed(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {name}"))?;
    let [said, complained] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    if !output.status.success() {
        bail!("{name} failed ({}): {}", output.status, complained.trim());
    }
    Ok((said, complained))
}
