//! `cargo xtask check-own-game`: the tests of `examples/own-game`, a game in a crate outside of the workspace.

use crate::tools::{capture, cargo, command_line, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the tests in the target folder of the workspace, with its profiles: what both need is compiled once.
pub(crate) fn check() -> Result<ExitCode> {
    let target = target_folder()?;
    let manifest = fs::read_to_string(root().join("Cargo.toml")).context("cannot read Cargo.toml")?;
    let profiles = target.join("own-game-profiles.toml");
    fs::create_dir_all(&target).with_context(|| format!("cannot create {}", target.display()))?;
    fs::write(&profiles, profiles_of(&manifest))
        .with_context(|| format!("cannot write {}", profiles.display()))?;
    let mut command = cargo();
    command.args(["test", "--manifest-path", "examples/own-game/Cargo.toml", "--config"]);
    command.arg(&profiles).arg("--target-dir").arg(&target);
    let name = command_line(&command);
    let status = command.status().with_context(|| format!("cannot start {name}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

/// The sections of profiles of a manifest, which are its last ones.
fn profiles_of(manifest: &str) -> &str {
    manifest.find("\n[profile.").map_or("", |at| &manifest[at..])
}

pub(crate) fn target_folder() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&capture(&mut command)?.0).context("cargo wrote no JSON")?;
    let folder = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(folder.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_end_the_manifest() {
        assert_eq!(profiles_of("[workspace]\n\n[profile.dev]\na = 1\n"), "\n[profile.dev]\na = 1\n");
        assert_eq!(profiles_of("[workspace]\n"), "");
    }
}
