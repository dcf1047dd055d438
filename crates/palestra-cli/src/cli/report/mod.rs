//! `palestra report`: a run of the store as one HTML page.

mod page;
#[cfg(test)]
mod tests;

use super::args::CommonArgs;
use super::args_tune::ReportArgs;
use super::output::{Output, counted, quoted, write_file};
use super::store;
use super::tune::with_resolver;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_review::tuning::{RunReport, TuningFigure, figures};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &ReportArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let run = store::open_for_reading(common)?.run(&args.run)?;
    if run.kind == palestra_store::EVENT {
        let expected = format!("a tuning run (for this event, use palestra event {} --site DIR)", run.name);
        return Err(InputError::new("run", &args.run, expected).into());
    }
    let store = store::open_for_reading(common)?;
    let report = with_resolver(common, |resolver| RunReport::read(&store, &args.run, resolver))?;
    let figures = figures(&report);
    let page = page::page(&report, &figures, &store_option(common));
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", report.run.name)));
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

/// Writes every figure as SVG and PNG.
fn write_figures(folder: &Path, figures: &[TuningFigure]) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut files = Vec::new();
    for figure in figures {
        for (kind, bytes) in
            [("svg", figure.drawing.to_svg().into_bytes()), ("png", figure.drawing.to_png()?)]
        {
            let file = folder.join(format!("{}.{kind}", figure.name));
            write_file(&file, &bytes)?;
            files.push(file);
        }
    }
    Ok(files)
}
