//! `cargo xtask bench`: every benchmark, in CPU time and in instructions, beside what others reach.

use crate::counts;
use crate::report::{Machine, Row, markdown};
use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Rounds over all cases; builds take turns within a round, so that a machine that slows down slows both.
const ROUNDS: u32 = 2;
/// Passes of each case in a round; the fastest of all counts.
const REPEAT: u32 = 2;

/// What is measured.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Options {
    /// Leave the instruction counts out.
    quick: bool,
    /// Measure the cases that take minutes, too; their instructions are not counted.
    long: bool,
    /// Another build to measure in the same run.
    against: Option<PathBuf>,
}

impl Options {
    /// Reads the words behind `bench`; none where one is not understood.
    pub(crate) fn parse(words: &[&str]) -> Option<Options> {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--quick" => options.quick = true,
                "--long" => options.long = true,
                "--against" => options.against = Some(PathBuf::from(words.next()?)),
                _ => return None,
            }
        }
        Some(options)
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    println!("building");
    let mut builds = vec![build()?];
    builds.extend(options.against.clone());
    println!("measuring, the fastest of {} passes", ROUNDS * REPEAT);
    let mut measured: Vec<Vec<Row>> = vec![Vec::new(); builds.len()];
    for round in 1..=ROUNDS {
        for (build, rows) in builds.iter().zip(&mut measured) {
            println!("round {round} of {ROUNDS}: {}", build.display());
            keep_fastest(rows, measure(build, &[], REPEAT)?);
        }
    }
    if options.long {
        let names: Vec<String> = long_cases(&builds[0])?;
        for name in &names {
            for (build, rows) in builds.iter().zip(&mut measured) {
                rows.extend(measure(build, &[name], 1)?);
            }
        }
    }
    if !options.quick && counts::available() {
        println!("counting instructions");
        count(&builds, &mut measured)?;
    }
    let path = root().join("docs").join("benchmarks.md");
    let text = markdown(&measured[0], measured.get(1).map(Vec::as_slice), &machine()?);
    std::fs::write(&path, text).context("cannot write docs/benchmarks.md")?;
    println!("wrote docs/benchmarks.md");
    Ok(ExitCode::SUCCESS)
}

/// Counts every case of every build, as many at a time as there are builds: counts do not mind company.
fn count(builds: &[PathBuf], measured: &mut [Vec<Row>]) -> Result<()> {
    std::thread::scope(|scope| {
        let count_one = |(build, rows): (&'_ PathBuf, &'_ mut Vec<Row>)| -> Result<()> {
            let frame = counts::of_frame(build)?;
            for row in rows.iter_mut().filter(|row| !row.is_long) {
                let count = (counts::of_pass(build, &row.case)? - frame) as f64 / row.units;
                println!("  {:20} {count:>16.1} a unit, {}", row.case, build.display());
                row.instructions = Some(count);
            }
            Ok(())
        };
        let threads: Vec<_> =
            builds.iter().zip(measured).map(|pair| scope.spawn(move || count_one(pair))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("counting does not panic"))
    })
}

/// Keeps the faster of two measurements of each case.
fn keep_fastest(rows: &mut Vec<Row>, others: Vec<Row>) {
    for other in others {
        match rows.iter_mut().find(|row| row.case == other.case) {
            Some(row) if row.rate >= other.rate => {}
            Some(row) => *row = other,
            None => rows.push(other),
        }
    }
}

/// Builds the release binary; cargo says where it is.
fn build() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--release", "--package", "palestra", "--bin", "palestra"]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let (said, _) = capture(&mut command)?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    };
    said.lines().filter_map(executable).next_back().context("cargo built no binary")
}

/// Runs benchmarks in CPU time, all of the usual ones or those named.
fn measure(binary: &Path, names: &[&str], repeat: u32) -> Result<Vec<Row>> {
    let mut command = Command::new(binary);
    command.arg("bench").args(names).args(["--json", "--repeat", &repeat.to_string()]);
    let (said, _) = capture(&mut command)?;
    said.lines().map(|line| read_row(line, !names.is_empty())).collect()
}

/// The cases that only run when they are asked for.
fn long_cases(binary: &Path) -> Result<Vec<String>> {
    let (said, _) = capture(Command::new(binary).args(["bench", "--list", "--json"]))?;
    let mut names = Vec::new();
    for line in said.lines() {
        let value: Value = serde_json::from_str(line).with_context(|| format!("not JSON: {line}"))?;
        if value["is_long"] == true {
            names.extend(value["case"].as_str().map(str::to_owned));
        }
    }
    Ok(names)
}

fn read_row(line: &str, is_long: bool) -> Result<Row> {
    let value: Value = serde_json::from_str(line).with_context(|| format!("not JSON: {line}"))?;
    let text =
        |key: &str| value[key].as_str().map(str::to_owned).with_context(|| format!("no {key}: {line}"));
    let number = |key: &str| value[key].as_f64().with_context(|| format!("no {key}: {line}"));
    let peers = value["peers"].as_object().into_iter().flatten();
    Ok(Row {
        case: text("case")?,
        about: text("about")?,
        unit: text("unit")?,
        units: number("units")?,
        rate: number("rate")?,
        clock: number("clock_ghz")?,
        target: value["target"].as_f64(),
        peers: peers.filter_map(|(name, rate)| Some((name.clone(), rate.as_f64()?))).collect(),
        signature: text("signature")?,
        instructions: None,
        is_long,
    })
}

/// What was measured on, without saying whose machine it is.
fn machine() -> Result<Machine> {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let cpu = model.map_or("unknown", |(_, name)| name.trim()).to_owned();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let (rustc, _) = capture(rustc.arg("--version"))?;
    Ok(Machine { cpu, rustc: rustc.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options() {
        let parsed = |words: &[&str]| Options::parse(words);
        assert_eq!(parsed(&[]), Some(Options::default()));
        let against = Some(PathBuf::from("old"));
        assert_eq!(
            parsed(&["--quick", "--against", "old"]),
            Some(Options { quick: true, long: false, against })
        );
        assert_eq!(parsed(&["--against"]), None);
        assert_eq!(parsed(&["quick"]), None);
    }
}
