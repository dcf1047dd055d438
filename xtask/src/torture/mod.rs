//! `cargo xtask torture`: bad input, faults and load, in numbers that no test suite has time for.
//!
//! Every case is drawn from the seed and its number, so that a failure can be repeated alone.

mod calls;
mod draw;
mod inputs;
mod job;
mod kills;
mod program;
mod requests;
mod stores;
mod work;

use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result, ensure};
use job::{Job, Tally};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// A part of the torture.
type Part = (&'static str, fn(&Job<'_>) -> Result<Tally>);

const PARTS: [Part; 5] = [
    ("inputs", inputs::run),
    ("stores", stores::run),
    ("kills", kills::run),
    ("requests", requests::run),
    ("calls", calls::run),
];

/// Options of `cargo xtask torture`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    /// Names of parts; none for all.
    parts: Vec<String>,
    seed: u64,
    /// A tenth of the cases.
    quick: bool,
    /// This case alone.
    only: Option<usize>,
    /// The program under torture, instead of a build.
    binary: Option<PathBuf>,
}

impl Options {
    /// Parses the arguments after `torture`; `None` if one is invalid.
    pub(crate) fn parse(args: &[&str]) -> Option<Options> {
        let mut options = Options { parts: Vec::new(), seed: 1, quick: false, only: None, binary: None };
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            match arg {
                "--seed" => options.seed = args.next()?.parse().ok()?,
                "--quick" => options.quick = true,
                "--only" => options.only = Some(args.next()?.parse().ok()?),
                "--binary" => options.binary = Some(PathBuf::from(args.next()?)),
                name if PARTS.iter().any(|part| part.0 == name) => options.parts.push(name.to_owned()),
                _ => return None,
            }
        }
        // A case is one of a part.
        (options.only.is_none() || options.parts.len() == 1).then_some(options)
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = match &options.binary {
        Some(path) => path.canonicalize().with_context(|| format!("no program {}", path.display()))?,
        None => build()?,
    };
    let folder = root().join("target").join(format!("torture-{}", std::process::id()));
    let mut table = String::new();
    let mut n_failures = 0;
    for (part, work) in PARTS {
        if !options.parts.is_empty() && !options.parts.iter().any(|name| name == part) {
            continue;
        }
        let began = Instant::now();
        let job = Job { part, options, binary: &binary, folder: folder.join(part) };
        let tally = work(&job)?;
        n_failures += tally.failures.len();
        table.push_str(&rows(&job, &tally, began.elapsed()));
    }
    print!("---\n{table}");
    if n_failures > 0 {
        println!("{n_failures} failures; what they left is in {}", folder.display());
        return Ok(ExitCode::FAILURE);
    }
    fs::remove_dir_all(&folder)?;
    Ok(ExitCode::SUCCESS)
}

/// The lines of a part in the table: cases, outcomes, failures with the command that repeats each.
fn rows(job: &Job<'_>, tally: &Tally, took: Duration) -> String {
    let mut text = format!("{}: {} cases, {:.0} s\n", job.part, tally.n_cases, took.as_secs_f64());
    for (outcome, n) in &tally.outcomes {
        let _ = writeln!(text, "  {n:6}  {outcome}");
    }
    let binary =
        job.options.binary.as_ref().map_or(String::new(), |path| format!(" --binary {}", path.display()));
    for (case, fault) in &tally.failures {
        let only = case.map_or(String::new(), |case| format!(" --only {case}"));
        let _ = writeln!(
            text,
            "  {fault}\n    cargo xtask torture {} --seed {}{only}{binary}",
            job.part, job.options.seed
        );
    }
    text
}

/// The program, built as a developer runs it.
fn build() -> Result<PathBuf> {
    println!("building");
    let mut command = cargo();
    command.args(["build", "--package", "palestra", "--bin", "palestra"]);
    let status = command.status().context("cannot start cargo")?;
    ensure!(status.success(), "the program does not compile");
    let (metadata, _) = capture(cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(Path::new(target).join("debug").join("palestra"))
}

/// Whether a tool is there and may be used.
fn has(tool: &str, args: &[&str]) -> bool {
    crate::tools::works(Command::new(tool).args(args))
}
