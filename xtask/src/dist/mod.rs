//! `cargo xtask dist`: the release files. Static programs in an archive, the same as a Debian package, and checksums.

mod archive;
mod build;
mod deb;
mod layout;
mod notices;
mod sums;
#[cfg(test)]
mod tests;
mod tree;
mod trial;

use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result, ensure};
use layout::Parts;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tree::Tree;

/// The cargo profile of release programs.
pub(crate) const PROFILE: &str = "dist";

/// Shells with completions.
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// Documents of a release: changelog, licenses and README.
const DOCUMENTS: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

pub(crate) fn run(profile: &str) -> Result<ExitCode> {
    ensure!(cfg!(target_os = "linux"), "release files can only be built on Linux");
    let metadata = metadata()?;
    let (commit, time) = (commit()?, time()?);
    let version = version(&metadata)?;
    let target = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    let folder = Path::new(target).join("dist").join(format!("palestra-{version}"));
    println!("palestra {version} ({commit}), profile {profile}");

    println!("building for {}", build::OLDER);
    let older = build::build(profile, build::OLDER, &commit)?;
    println!("building for {}", build::NEWER);
    let newer = build::build(profile, build::NEWER, &commit)?;

    // Files of an earlier run would become part of the release.
    remove(&folder)?;
    let trial = Path::new(target).join("dist").join("trial");
    remove(&trial)?;
    println!("testing the programs");
    layout::programs(&older, &newer).write(&trial)?;
    trial::run(&trial)?;

    println!("manual pages, completions, licenses");
    let program = trial.join("bin/palestra");
    let known = known_files()?;
    let mut documents = Tree::default();
    for name in DOCUMENTS {
        let bytes = std::fs::read(root().join(name)).with_context(|| format!("cannot read {name}"))?;
        documents.add(name, bytes);
    }
    documents.add("THIRD-PARTY.md", notices::page(&metadata)?);
    let parts = Parts {
        version,
        time,
        date: capture(Command::new("date").args(["-u", "-R", "-d", &format!("@{time}")]).env("LC_ALL", "C"))?
            .0
            .trim()
            .to_owned(),
        older,
        newer,
        manuals: manuals(&program, &trial.join("man"))?,
        completions: completions(&program)?,
        documents,
        examples: Tree::read(&root(), "examples/players", &known)?,
        studies: Tree::read(&root(), "studies", &known)?,
    };
    println!("packing");
    pack(&parts, &containerfile(&parts.version)?)?.write(&folder)?;
    remove(&trial)?;
    list(&folder)
}

/// All release files, by name.
fn pack(parts: &Parts, containerfile: &str) -> Result<Tree> {
    let name = parts.name();
    let mut files = Tree::default();
    let tar = archive::tar(&layout::archive(parts), &format!("{name}/"), parts.time)?;
    files.add(format!("{name}.tar.gz"), archive::gzip(&tar)?);
    files.add(deb::file_name(&parts.version), deb::package(parts)?);
    files.add("Containerfile", containerfile);
    let sums = sums::sha256sums(files.items().map(|(name, item)| (name, item.bytes.as_slice())));
    files.add("SHA256SUMS", sums);
    Ok(files)
}

/// The Containerfile with this version.
fn containerfile(version: &str) -> Result<String> {
    let text = std::fs::read_to_string(root().join("Containerfile")).context("cannot read Containerfile")?;
    Ok(text.replace("ARG VERSION\n", &format!("ARG VERSION={version}\n")))
}

fn metadata() -> Result<Value> {
    let args = ["metadata", "--locked", "--format-version", "1", "--filter-platform", build::TARGET];
    let (stdout, _) = capture(cargo().args(args))?;
    serde_json::from_str(&stdout).context("cargo metadata is not JSON")
}

fn version(metadata: &Value) -> Result<String> {
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let own = packages.find(|package| package["name"] == "palestra");
    let version = own.and_then(|package| package["version"].as_str());
    Ok(version.context("cargo knows no version of palestra")?.to_owned())
}

fn git(args: &[&str]) -> Result<String> {
    Ok(capture(Command::new("git").args(args).current_dir(root()))?.0.trim().to_owned())
}

/// The commit that is built, marked if files differ from it.
fn commit() -> Result<String> {
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let is_clean = git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Ok(if is_clean { commit } else { format!("{commit}, changed") })
}

/// The files that git tracks.
fn known_files() -> Result<Vec<String>> {
    Ok(git(&["ls-files", "-z"])?.split('\0').map(str::to_owned).collect())
}

/// Modification time of all files: that of the commit, unless `SOURCE_DATE_EPOCH` is set.
fn time() -> Result<u64> {
    let text = std::env::var("SOURCE_DATE_EPOCH").or_else(|_| git(&["log", "-1", "--format=%ct"]))?;
    text.trim().parse().with_context(|| format!("{text:?} is not a time in seconds"))
}

fn manuals(program: &Path, folder: &Path) -> Result<Tree> {
    capture(Command::new(program).arg("man").arg(folder))?;
    let mut tree = Tree::default();
    for entry in std::fs::read_dir(folder).context("no manual pages were written")? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tree.add(name, std::fs::read(&path)?);
    }
    Ok(tree)
}

fn completions(program: &Path) -> Result<Tree> {
    let mut tree = Tree::default();
    for shell in SHELLS {
        tree.add(shell, capture(Command::new(program).args(["completions", shell]))?.0);
    }
    Ok(tree)
}

fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Lists the release files with their sizes.
fn list(folder: &Path) -> Result<ExitCode> {
    println!("{}:", folder.display());
    let entries = std::fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{:>12} {name}", path.metadata()?.len());
    }
    Ok(ExitCode::SUCCESS)
}
