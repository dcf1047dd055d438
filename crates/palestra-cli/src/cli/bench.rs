//! `palestra bench`.

use super::args::BenchArgs;
use super::output::{Align, Output, bar, grouped, table};
use crate::bench::{BenchCase, CASES, Measurement, effective_clock, measure};
use anyhow::Result;
use palestra_core::InputError;
use serde_json::json;

pub(super) fn run(args: &BenchArgs, output: &mut Output) -> Result<()> {
    if args.list {
        return list(output);
    }
    let chosen = choose(&args.cases)?;
    let mut rows = vec![
        ["case", "per CPU second", "unit", "best published", "ratio", "signature"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let bar = bar(chosen.len() as u64, "cases");
    for case in chosen {
        let measured = measure(case, args.repeat);
        bar.inc(1);
        if output.json {
            output.json(&to_json(case, &measured, effective_clock()))?;
            output.flush()?;
        } else {
            rows.push(row(case, &measured));
        }
    }
    bar.finish_and_clear();
    if !output.json {
        let align = [Align::Left, Align::Right, Align::Left, Align::Left, Align::Right, Align::Right];
        output.line(table(&rows, &align))?;
        output.line(format_args!(
            "Effective clock {:.2} GHz; the published figures were recorded at about {:.1} GHz.",
            effective_clock(),
            crate::bench::PEERS_CLOCK
        ))?;
        output.line("The signature depends on the results only: another signature means other play.")?;
    }
    Ok(())
}

/// Lists all cases, and which run only by name.
fn list(output: &mut Output) -> Result<()> {
    let mut rows = vec![["case", "runs", "about"].map(str::to_owned).to_vec()];
    for case in CASES {
        if output.json {
            output.json(&json!({
                "case": case.name, "about": case.about, "unit": case.unit, "is_long": case.is_long,
            }))?;
        } else {
            let runs = if case.is_long { "by name" } else { "always" };
            rows.push([case.name, runs, case.about].map(str::to_owned).to_vec());
        }
    }
    if !output.json {
        output.line(table(&rows, &[Align::Left; 3]))?;
    }
    Ok(())
}

fn choose(names: &[String]) -> Result<Vec<&'static BenchCase>, InputError> {
    if names.is_empty() {
        return Ok(CASES.iter().filter(|case| !case.is_long).collect());
    }
    let find = |name: &String| {
        CASES.iter().find(|case| case.name == name).ok_or_else(|| {
            InputError::unknown("case", name, "a benchmark", CASES.iter().map(|case| case.name))
        })
    };
    names.iter().map(find).collect()
}

/// A rate per second, with decimals if it is small.
fn rate(rate: f64) -> String {
    if rate < 100.0 { format!("{rate:.4}") } else { grouped(rate as u64) }
}

fn row(case: &BenchCase, measured: &Measurement) -> Vec<String> {
    let best = case.peers.iter().max_by(|a, b| a.rate.total_cmp(&b.rate));
    vec![
        case.name.to_owned(),
        rate(measured.rate()),
        case.unit.to_owned(),
        best.map_or(String::new(), |peer| format!("{} ({})", rate(peer.rate), peer.name)),
        best.map_or(String::new(), |peer| format!("{:.1}×", measured.rate() / peer.rate)),
        format!("{:016x}", measured.signature),
    ]
}

fn to_json(case: &BenchCase, measured: &Measurement, clock: f64) -> serde_json::Value {
    let peers: serde_json::Map<_, _> =
        case.peers.iter().map(|peer| (peer.name.to_owned(), json!(peer.rate))).collect();
    json!({
        "case": case.name, "about": case.about, "unit": case.unit, "units": measured.units,
        "seconds": measured.seconds, "rate": measured.rate(), "clock_ghz": clock, "target": case.target,
        "peers": peers, "signature": format!("{:016x}", measured.signature),
    })
}
