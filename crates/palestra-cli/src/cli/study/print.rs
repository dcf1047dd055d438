//! Studies as text and JSON.

use super::{open_workspace, study};
use crate::cli::args::CommonArgs;
use crate::cli::args_study::StudyListArgs;
use crate::cli::output::{Align, Output, table};
use crate::games;
use anyhow::Result;
use palestra_study::{
    Agreement, AgreementCounts, Assessment, StudyScale, StudyWorkspace, TableVerdict, seconds_in_words,
    shipped_for,
};
use serde_json::{Value, json};

/// Most differences that are printed; the report has all of them.
const MAX_DIFFERENCES: usize = 12;

/// `palestra study list`.
pub(super) fn list(args: &StudyListArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let mut rows = vec![["study", "parts", "quick", "full", "subject"].map(str::to_owned).to_vec()];
    for name in shipped_for(|game| games().family(game).is_ok()) {
        let mut done = Vec::new();
        for size in StudyScale::ALL {
            let workspace = open_workspace(&args.studies.folder, study(&name)?, size, common)?;
            let jobs = workspace.jobs()?;
            let n_done = jobs.iter().filter(|job| workspace.record(&job.id).is_some()).count();
            done.push((n_done, jobs.len()));
        }
        let (study, _) = study(&name)?;
        if output.json {
            let state = |(done, of): (usize, usize)| json!({ "done": done, "commands": of });
            let parts: Vec<Value> = study
                .parts
                .iter()
                .map(|part| json!({ "id": part.id, "title": part.title, "beyond": part.is_beyond }))
                .collect();
            output.json(&json!({
                "study": study.name, "title": study.title, "subject": study.subject, "parts": parts,
                "quick": state(done[0]), "full": state(done[1]),
            }))?;
            continue;
        }
        let state = |(done, of): (usize, usize)| match done {
            0 => "–".to_owned(),
            _ if done == of => "done".to_owned(),
            _ => format!("{done} of {of}"),
        };
        let n_parts = study.parts.len().to_string();
        rows.push(vec![study.name, n_parts, state(done[0]), state(done[1]), study.subject]);
    }
    if !output.json {
        let align = [Align::Left, Align::Right, Align::Left, Align::Left, Align::Left];
        output.line(table(&rows, &align).trim_end())?;
    }
    Ok(())
}

/// Prints the comparison with the published results, part by part, and the differences.
pub(super) fn outcome(
    workspace: &StudyWorkspace,
    assessment: &Assessment,
    output: &mut Output,
) -> Result<()> {
    if output.json {
        return output.json(&as_json(workspace, assessment));
    }
    let study = workspace.study();
    output.heading(&format!("{}, {}", study.title, assessment.size))?;
    let headings =
        ["part", "exact", "within noise", "different", "measured", "not run", "time", "original time"];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    for part in &assessment.parts {
        let name = format!("{}{}", part.part.title, if part.part.is_beyond { " (beyond)" } else { "" });
        let time = part.seconds.map_or_else(|| "–".to_owned(), seconds_in_words);
        let original = part.part.original_seconds.map_or_else(String::new, seconds_in_words);
        rows.push(line(name, part.tally(), time, original));
    }
    rows.push(line(
        "all".to_owned(),
        assessment.tally(),
        assessment.seconds().map_or_else(|| "–".to_owned(), seconds_in_words),
        String::new(),
    ));
    let mut align = [Align::Right; 8];
    align[0] = Align::Left;
    output.line(table(&rows, &align))?;
    differences(assessment, output)?;
    let size = assessment.size;
    output.line(format_args!("Full report: palestra study report {} --{size}", study.name))
}

fn line(name: String, tally: AgreementCounts, time: String, original: String) -> Vec<String> {
    let count = |n: usize| if n == 0 { "·".to_owned() } else { n.to_string() };
    let different = tally.explained + tally.unexplained + tally.missing;
    let counts = [tally.exact, tally.noise, different, tally.measured, tally.not_run].map(count);
    [vec![name], counts.to_vec(), vec![time, original]].concat()
}

fn differences(assessment: &Assessment, output: &mut Output) -> Result<()> {
    let mut lines = Vec::new();
    for table in assessment.parts.iter().flat_map(|part| &part.tables) {
        for row in &table.rows {
            if let mark @ (Agreement::Different { .. } | Agreement::Missing(_)) = row.mark() {
                let cell = row.cells.iter().find(|cell| cell.agreement == *mark);
                let shown = |text: Option<&String>| text.map_or("–", String::as_str).to_owned();
                let (published, obtained) = cell.map_or_else(Default::default, |cell| {
                    (shown(cell.published.as_ref()), shown(cell.obtained.as_ref()))
                });
                let reason = mark.reason().unwrap_or_default();
                lines.push(format!(
                    "  {}, {}: {published} published, {obtained} here: {reason}",
                    table.title, row.name
                ));
            }
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    output.line("Differences")?;
    for line in lines.iter().take(MAX_DIFFERENCES) {
        output.line(line)?;
    }
    if lines.len() > MAX_DIFFERENCES {
        output.line(format_args!("  … and {} more", lines.len() - MAX_DIFFERENCES))?;
    }
    output.line("")
}

fn as_json(workspace: &StudyWorkspace, assessment: &Assessment) -> Value {
    let tally = |tally: AgreementCounts| {
        json!({
            "exact": tally.exact, "within_noise": tally.noise, "different": tally.explained,
            "unexplained": tally.unexplained, "measured": tally.measured, "not_run": tally.not_run,
            "missing": tally.missing,
        })
    };
    let cell = |cell: &palestra_study::CellAssessment| {
        json!({
            "published": cell.published, "obtained": cell.obtained,
            "mark": cell.agreement.word(), "reason": cell.agreement.reason(),
            "p": cell.test.map(|test| test.p), "p_corrected": cell.test.map(|test| test.corrected),
        })
    };
    let table = |table: &palestra_study::TableAssessment| {
        let columns: Vec<&String> = table.headings.iter().map(|(name, _)| name).collect();
        let row = |row: &palestra_study::RowAssessment| {
            let cells: Vec<Value> = row.cells.iter().map(cell).collect();
            let mark = row.mark();
            json!({ "row": row.name, "mark": mark.word(), "reason": mark.reason(), "cells": cells })
        };
        let verdict = table.verdict().map(|TableVerdict { word, n_fixed, n_equal, n_noisy, smallest }| {
            json!({
                "mark": word, "fixed": n_fixed, "equal": n_equal, "noisy": n_noisy,
                "p": smallest.map(|test| test.p), "p_corrected": smallest.map(|test| test.corrected),
            })
        });
        let rows: Vec<Value> = table.rows.iter().map(row).collect();
        json!({ "id": table.id, "title": table.title, "columns": columns, "verdict": verdict, "rows": rows })
    };
    let part = |part: &palestra_study::PartAssessment| {
        let tables: Vec<Value> = part.tables.iter().map(table).collect();
        json!({
            "id": part.part.id, "title": part.part.title, "beyond": part.part.is_beyond,
            "seconds": part.seconds, "cpu_seconds": part.cpu_seconds, "original_seconds": part.part.original_seconds,
            "tally": tally(part.tally()), "tables": tables,
        })
    };
    let parts: Vec<Value> = assessment.parts.iter().map(part).collect();
    json!({
        "study": workspace.study().name, "size": assessment.size.word(),
        "folder": workspace.folder().display().to_string(), "seconds": assessment.seconds(),
        "cpu_seconds": assessment.cpu_seconds(), "tally": tally(assessment.tally()), "parts": parts,
    })
}
