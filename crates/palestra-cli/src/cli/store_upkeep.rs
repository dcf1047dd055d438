//! `palestra store`: damage, space and copies of the store.

use super::args::CommonArgs;
use super::args_store::{StoreArgs, StoreCommand};
use super::output::{Output, counted};
use super::{CommandStatus, store};
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_review::tuning::TuningOutcome;
use palestra_store::{Compaction, DamagedEntries, Run};
use serde_json::json;
use std::path::Path;

/// Exit code of `store check` where there is damage.
const DAMAGED: u8 = 1;

pub(super) fn run(args: &StoreArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    match &args.what {
        StoreCommand::Check => return check(common, output),
        StoreCommand::Compact => compact(common, output)?,
        StoreCommand::Backup { file } => back_up(file, common, output)?,
    }
    Ok(CommandStatus::Completed)
}

fn check(common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let store = store::open_for_reading(common)?;
    let faults = store.check()?;
    // Values cannot be trusted where the structure is damaged.
    let damaged = if faults.is_empty() { store.damaged_entries()? } else { Vec::new() };
    let is_whole = faults.is_empty() && damaged.is_empty();
    let path = store.path().display();
    if output.json {
        output.json(&json!({
            "store": path.to_string(), "whole": is_whole, "faults": faults, "damaged": damaged,
        }))?;
    } else if is_whole {
        output.line(format_args!("{path}: no damage"))?;
    } else {
        for fault in &faults {
            output.line(format_args!("{path}: {fault}"))?;
        }
        for entries in &damaged {
            output.line(format_args!("{path}: {}", sentence(entries)))?;
        }
        if !faults.is_empty() {
            output.line(format_args!("copy the file, then try: sqlite3 {path} .recover"))?;
        }
    }
    Ok(if is_whole { CommandStatus::Completed } else { CommandStatus::Code(DAMAGED) })
}

/// What is damaged, and what becomes of it.
fn sentence(entries: &DamagedEntries) -> String {
    let DamagedEntries { run, what, n_entries, is_replayed } = entries;
    let count = if *n_entries == 1 { format!("{what} is") } else { format!("{n_entries} times {what} is") };
    match (run, is_replayed) {
        (None, _) => format!("{count} damaged"),
        (Some(run), true) => {
            format!("{run}: {count} damaged; the command that started the run plays it again")
        }
        (Some(run), false) => {
            format!("{run}: {count} damaged, and the run is done; --again plays the whole run again")
        }
    }
}

fn compact(common: &CommonArgs, output: &mut Output) -> Result<()> {
    let mut store = store::open_existing(common)?;
    // The scores of a grid from an earlier version are only in its batches.
    let mut grids = Vec::new();
    for run in store.runs()? {
        if is_grid(&run) && !store.has_replies(run.id)? {
            grids.push(run.id);
        }
    }
    let Compaction { n_runs, n_results, bytes_before, bytes_after } =
        store.compact(|run| grids.contains(&run.id))?;
    if output.json {
        return output.json(&json!({
            "store": store.path().display().to_string(), "runs": n_runs, "results": n_results,
            "bytes_before": bytes_before, "bytes_after": bytes_after,
        }));
    }
    let removed = match n_results {
        0 => "nothing to remove".to_owned(),
        n => format!("removed {} of {}", counted(n, "stored result"), counted(n_runs, "finished run")),
    };
    output.line(format_args!(
        "{}: {removed}; {:.1} MB, before {:.1} MB",
        store.path().display(),
        megabytes(bytes_after),
        megabytes(bytes_before)
    ))
}

fn is_grid(run: &Run) -> bool {
    TuningOutcome::of(run).is_ok_and(|outcome| outcome.grid.is_some())
}

fn back_up(file: &Path, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let taken =
        || InputError::new("backup file", file.display().to_string(), "a name that does not exist yet");
    if file.symlink_metadata().is_ok() {
        return Err(taken().into());
    }
    let store = store::open_for_reading(common)?;
    let context = || format!("cannot write {}", file.display());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Under a random name until it is complete.
    let part = tempfile::Builder::new()
        .prefix(".palestra-")
        .suffix(".part")
        .tempfile_in(folder)
        .with_context(context)?;
    store.back_up(part.path()).with_context(context)?;
    part.as_file().sync_all().with_context(context)?;
    let bytes = part.as_file().metadata().with_context(context)?.len();
    part.persist_noclobber(file).map_err(|error| match error.error.kind() {
        std::io::ErrorKind::AlreadyExists => taken().into(),
        _ => anyhow::Error::from(error.error).context(context()),
    })?;
    if output.json {
        return output.json(&json!({
            "store": store.path().display().to_string(), "backup": file.display().to_string(), "bytes": bytes,
        }));
    }
    output.line(format_args!("{}: {:.1} MB", file.display(), megabytes(bytes)))
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
