//! `palestra report`: a run of the store as one HTML page.

use super::args::CommonArgs;
use super::args_tune::ReportArgs;
use super::external;
use super::output::{Output, counted, quoted, write_figures};
use super::output_file::write_file;
use super::store;
use super::tune::with_resolver;
use crate::games;
use anyhow::Result;
use palestra_arena::program_name;
use palestra_core::InputError;
use palestra_review::tuning::{RunReport, figures};
use palestra_web::{Config, export};
use serde_json::json;
use std::path::PathBuf;

pub(super) fn run(args: &ReportArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let store = store::open_for_reading(common)?;
    let run = store.run(&args.run)?;
    if run.kind == palestra_store::EVENT {
        let expected =
            format!("a tuning run (for this event, use {} event {} --site DIR)", program_name(), run.name);
        return Err(InputError::new("run", &args.run, expected).into());
    }
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", run.name)));
    let report = with_resolver(common, |resolver| RunReport::read(&store, run, resolver))?;
    let figures = figures(&report, args.language.translate());
    let config = Config { methods: external::METHODS, ..Config::new(games(), common.store.clone()) };
    let page = export::run_report(config, &store, report, args.language, &store_option(common))?;
    let files = match &args.figures {
        Some(folder) => write_figures(folder, &figures)?,
        None => Vec::new(),
    };
    write_file(&path, page.as_bytes())?;
    if output.json {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        return output.json(&json!({ "report": path.display().to_string(), "figures": files }));
    }
    let n_figures = counted(figures.len() as u64, "figure");
    output.line(format_args!("{} with {n_figures}: open it in a browser", path.display()))?;
    if let Some(folder) = &args.figures {
        output.line(format_args!("{} in {}", counted(files.len() as u64, "file"), folder.display()))?;
    }
    Ok(())
}

/// The option `--store` of the commands on the page; empty for the default store.
fn store_option(common: &CommonArgs) -> String {
    match common.store.to_str() {
        Some("palestra.db") => String::new(),
        _ => format!(" --store {}", quoted(&common.store.to_string_lossy())),
    }
}
