//! `cargo xtask bench`: all benchmarks in CPU time and instructions, compared with other programs.

use crate::counts;
use crate::report::{Machine, Row, markdown};
use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Rounds over all cases. Builds alternate within a round, so that a slowdown of the machine affects both.
const ROUNDS: u32 = 2;
/// Passes of each case in a round; the fastest of all counts.
const REPEAT: u32 = 2;

/// Options of `cargo xtask bench`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Options {
    /// Leave the instruction counts out.
    quick: bool,
    /// Also measure the cases that take minutes; their instructions are not counted.
    long: bool,
    /// Another build to measure in the same run.
    against: Option<PathBuf>,
}

impl Options {
    /// Parses the arguments after `bench`; `None` if one is invalid.
    pub(crate) fn parse(args: &[&str]) -> Option<Options> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            match arg {
                "--quick" => options.quick = true,
                "--long" => options.long = true,
                "--against" => options.against = Some(PathBuf::from(args.next()?)),
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

/// Counts the instructions of every case, with one thread per build: counts do not depend on the load.
fn count(builds: &[PathBuf], measured: &mut [Vec<Row>]) -> Result<()> {
    std::thread::scope(|scope| {
        let count_one = |(build, rows): (&'_ PathBuf, &'_ mut Vec<Row>)| -> Result<()> {
            let frame = counts::of_frame(build)?;
            for row in rows.iter_mut().filter(|row| !row.is_long) {
                let count = (counts::of_pass(build, &row.case)? - frame) as f64 / row.units;
                println!("  {:20} {count:>16.1} per unit, {}", row.case, build.display());
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

/// Builds the release binary; its path comes from cargo's messages.
fn build() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--release", "--package", "palestra", "--bin", "palestra"]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let (stdout, _) = capture(&mut command)?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    };
    stdout.lines().filter_map(executable).next_back().context("cargo built no binary")
}

/// Measures CPU time of the named cases, or of all but the long ones.
fn measure(binary: &Path, names: &[&str], repeat: u32) -> Result<Vec<Row>> {
    let mut command = Command::new(binary);
    command.arg("bench").args(names).args(["--json", "--repeat", &repeat.to_string()]);
    let (stdout, _) = capture(&mut command)?;
    stdout.lines().map(|line| read_row(line, !names.is_empty())).collect()
}

/// The cases that only run by name.
fn long_cases(binary: &Path) -> Result<Vec<String>> {
    let (stdout, _) = capture(Command::new(binary).args(["bench", "--list", "--json"]))?;
    let mut names = Vec::new();
    for line in stdout.lines() {
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

/// Processor and compiler of the measurement; nothing that identifies the machine.
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
        let parsed = |args: &[&str]| Options::parse(args);
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
