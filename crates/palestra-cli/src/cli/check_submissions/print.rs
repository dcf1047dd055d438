//! The checks as a table, as JSON and as CSV.

use super::checked::{CheckedSubmission, SubmissionResult};
use crate::cli::check_terms::CheckTerms;
use crate::cli::output::{Align, Output, counted, table};
use anyhow::Result;
use palestra_review::event::LeftOutPlayer;
use palestra_review::event::text::{plain, short};
use palestra_tournament::Student;
use serde_json::{Value, json};

/// Longest reason in the table, in characters.
const REASON_WIDTH: usize = 100;

/// Prints the checks and the students without a submission.
pub(super) fn print(
    checked: &[CheckedSubmission],
    absent: &[LeftOutPlayer],
    terms: &CheckTerms,
    output: &mut Output,
) -> Result<()> {
    if output.json {
        checked.iter().try_for_each(|one| output.json(&object(one, terms)))?;
        return absent.iter().try_for_each(|player| output.json(&object_of_absent(player)));
    }
    let mut rows = vec![["player", "result", "reason"].map(str::to_owned).to_vec()];
    for one in checked {
        rows.push(vec![short(&one.entry.name), one.result.name().to_owned(), cut(&one.reason)]);
    }
    for player in absent {
        rows.push(vec![short(&player.player), "–".to_owned(), player.reason.clone()]);
    }
    output.line(table(&rows, &[Align::Left, Align::Left, Align::Left]).trim_end())?;
    let count = |result| checked.iter().filter(|one| one.result == result).count();
    let (n_odd, n_bad) = (count(SubmissionResult::Odd), count(SubmissionResult::NotFit));
    let n_all = counted(checked.len() as u64, "submission");
    output.line(format_args!("\n{}", terms.text()))?;
    let not_checked = match count(SubmissionResult::NotChecked) {
        0 => String::new(),
        n => format!(", {n} not checked"),
    };
    let n_fit = count(SubmissionResult::Fit);
    output.line(format_args!("{n_all}: {n_fit} fit, {n_odd} odd, {n_bad} not fit{not_checked}"))
}

fn cut(reason: &str) -> String {
    match reason.char_indices().nth(REASON_WIDTH) {
        None => reason.to_owned(),
        Some((end, _)) => format!("{}…", &reason[..end]),
    }
}

fn object(one: &CheckedSubmission, terms: &CheckTerms) -> Value {
    let entry = &one.entry;
    let compiled = &one.compiled;
    let has_compiled = !compiled.language.is_empty() || compiled.problem.is_some();
    let mut object = json!({
        "player": entry.name,
        "folder": one.folder_name,
        "group": entry.group,
        "identifier": entry.identifier,
        "students": entry.students,
        "result": one.result.name(),
        "fit": one.is_fit(),
        "reason": one.reason,
        "program": one.command(),
        "notices": one.notices,
        "compiled": has_compiled.then(|| json!({
            "language": compiled.language,
            "command": compiled.command,
            "written": compiled.written,
            "log": compiled.log,
            "problem": compiled.problem,
        })),
        "checks": one.report.as_ref().map(|report| &report.checks),
        "stderr": one.report.as_ref().map(|report| &report.stderr),
        "dialogue": one.report.as_ref().map(|report| &report.dialogue),
        "peak": one.report.as_ref().map(|report| report.peak),
    });
    terms.add_to(&mut object);
    object
}

fn object_of_absent(player: &LeftOutPlayer) -> Value {
    json!({
        "player": player.player,
        "group": player.group,
        "identifier": player.identifier,
        "students": player.students,
        "result": "no submission",
        "fit": false,
        "reason": player.reason,
    })
}

/// One line per student: those of a team have the same result.
pub(super) fn csv(checked: &[CheckedSubmission], absent: &[LeftOutPlayer]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to a vector does not fail.
    let _ = writer.write_record(["player", "student", "group", "identifier", "folder", "result", "reason"]);
    let mut write = |who: (&str, &[Student], Option<&str>, Option<&str>), result: [&str; 3]| {
        let (player, students, group, identifier) = who;
        let single = [Student { name: player.to_owned(), identifier: identifier.map(str::to_owned) }];
        for student in if students.is_empty() { &single } else { students } {
            let cells =
                [player, &student.name, group.unwrap_or(""), student.identifier.as_deref().unwrap_or("")];
            let cells = cells.into_iter().chain(result).map(safe);
            let _ = writer.write_record(cells.collect::<Vec<String>>());
        }
    };
    for one in checked {
        let entry = &one.entry;
        let who = (&*entry.name, &*entry.students, entry.group.as_deref(), entry.identifier.as_deref());
        write(who, [&one.folder_name, one.result.name(), &one.reason]);
    }
    for player in absent {
        let who = (&*player.player, &*player.students, player.group.as_deref(), player.identifier.as_deref());
        write(who, ["", "", &player.reason]);
    }
    writer.into_inner().unwrap_or_default()
}

/// Text that a spreadsheet does not take for a formula.
fn safe(text: &str) -> String {
    let text = plain(text);
    if text.trim_start().starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}
