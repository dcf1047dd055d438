//! `cargo xtask bench`: every benchmark, in CPU time and in instructions, beside what others reach.

use crate::counts;
use crate::report::{Machine, Row, markdown};
use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Passes of each case; the fastest counts.
const REPEAT: &str = "10";

pub(crate) fn run(with_counts: bool) -> Result<ExitCode> {
    println!("building");
    let binary = build()?;
    println!("measuring, {REPEAT} passes each");
    let mut rows = measure(&binary)?;
    if with_counts && counts::available() {
        println!("counting instructions");
        for row in &mut rows {
            let count = counts::per_unit(&binary, &row.case, row.units)?;
            println!("  {:14} {count:>14.1} a unit", row.case);
            row.instructions = Some(count);
        }
    }
    let path = root().join("docs").join("benchmarks.md");
    let text = markdown(&rows, &machine()?);
    std::fs::create_dir_all(root().join("docs")).context("cannot make the folder docs")?;
    std::fs::write(&path, text).context("cannot write docs/benchmarks.md")?;
    println!("wrote docs/benchmarks.md");
    Ok(ExitCode::SUCCESS)
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

/// Runs the benchmarks in CPU time and says each as it comes.
fn measure(binary: &Path) -> Result<Vec<Row>> {
    let mut command = Command::new(binary);
    command.args(["bench", "--json", "--repeat", REPEAT]).stdout(Stdio::piped());
    let mut child = command.spawn().context("cannot start the binary")?;
    let mut rows = Vec::new();
    for line in child.stdout.take().into_iter().flat_map(|said| BufReader::new(said).lines()) {
        let row = read_row(&line?)?;
        println!("  {:14} {:>14.0} {} per CPU second", row.case, row.rate, row.unit);
        rows.push(row);
    }
    let status = child.wait()?;
    ensure!(status.success(), "the benchmarks failed ({status})");
    Ok(rows)
}

fn read_row(line: &str) -> Result<Row> {
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
