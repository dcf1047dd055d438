//! A folder with a text for each submission, for its students.

use super::checked::{CheckedSubmission, SubmissionResult};
use crate::cli::check_player::check_lines;
use crate::cli::check_terms::CheckTerms;
use crate::cli::output::quoted;
use crate::cli::output_file::{check_output, write_file};
use crate::cli::submissions::Submission;
use anyhow::{Context, Result};
use palestra_arena::TimeControl;
use palestra_core::InputError;
use palestra_review::event::text::plain;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// How every report begins, so that no other file is replaced.
const MARK: &str = "# palestra check-submissions:";

/// Longest name of a report without its suffix, in bytes.
const MAX_STEM: usize = 200;

/// The files of the reports, by the folder of their submission.
pub(super) struct ReportFolder(BTreeMap<PathBuf, PathBuf>);

impl ReportFolder {
    /// Creates the folder and refuses files in it that would be replaced and are no reports.
    pub(super) fn new(folder: &Path, handed_in: &Path, submissions: &[Submission]) -> Result<ReportFolder> {
        let created = fs::create_dir_all(folder).and_then(|()| folder.canonicalize());
        let own = created.with_context(|| format!("cannot create {}", folder.display()))?;
        if own.starts_with(handed_in.canonicalize().unwrap_or_else(|_| handed_in.to_owned())) {
            let reason = "it lies in the folder of submissions, of which it would be one";
            return Err(InputError::not_allowed("--reports", reason).into());
        }
        let mut files: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for submission in submissions {
            let stem = stem(&submission.folder_name());
            let mut file = folder.join(format!("{stem}.txt"));
            let mut number = 1;
            while files.values().any(|other| *other == file) {
                number += 1;
                file = folder.join(format!("{stem}-{number}.txt"));
            }
            check_output(&file)?;
            if !is_report(&file) {
                let expected = "a new name, or a report of an earlier check, which this file is not";
                return Err(InputError::new("output file", file.display().to_string(), expected).into());
            }
            files.insert(submission.folder.clone(), file);
        }
        Ok(ReportFolder(files))
    }

    /// Writes the report of a submission.
    pub(super) fn write(&self, checked: &CheckedSubmission, game: &str, terms: &CheckTerms) -> Result<()> {
        match self.0.get(&checked.folder) {
            Some(file) => write_file(file, text(checked, game, terms).as_bytes()),
            None => Ok(()),
        }
    }
}

/// The name of a folder as that of a file, without its suffix.
fn stem(folder: &str) -> String {
    let name = plain(folder);
    let end = name.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= MAX_STEM).last();
    name[..end.unwrap_or(0)].to_owned()
}

/// Whether a file does not exist or is a report.
fn is_report(file: &Path) -> bool {
    let mut start = vec![0; MARK.len()];
    match File::open(file) {
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        Ok(mut file) => file.read_exact(&mut start).is_ok() && start == MARK.as_bytes(),
    }
}

fn text(checked: &CheckedSubmission, game: &str, terms: &CheckTerms) -> String {
    let control = &terms.control;
    let mut text = format!("{MARK} {} on {game}, clock {control}\n", plain(&checked.folder_name));
    let add = |text: &mut String, line: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    };
    add(
        &mut text,
        &match checked.result {
            SubmissionResult::Fit => "\nResult: fit to play.".to_owned(),
            SubmissionResult::Odd => format!(
                "\nResult: fit to play. Have a look at this, although it loses no game:\n  {}",
                checked.reason
            ),
            SubmissionResult::NotFit => format!("\nResult: NOT FIT to play.\n  {}", checked.reason),
            SubmissionResult::NotChecked => format!("\nResult: not checked.\n  {}", checked.reason),
        },
    );
    for notice in &checked.notices {
        add(&mut text, &format!("Note: {}", plain(notice)));
    }
    if !checked.compiled.command.is_empty() {
        add(
            &mut text,
            &format!("\nCompiled as {}: {}", checked.compiled.language, plain(&checked.compiled.command)),
        );
        for line in checked.compiled.log.lines() {
            add(&mut text, &format!("  {}", plain(line)));
        }
    }
    if let Some(command) = checked.command() {
        add(&mut text, &format!("\nStarted with: {}", plain(&command)));
    }
    if let Some(report) = &checked.report {
        add(&mut text, &format!("\nChecked with {}", terms.text()));
        for line in check_lines(report, false) {
            add(&mut text, &line);
        }
    }
    if let Some(command) = checked.command() {
        let control = &terms.control;
        let mut command = format!("palestra engine check {game} {} --clock {control}", quoted(&command));
        if control.margin != TimeControl::default().margin {
            command += &format!(" --margin-ms {}", control.margin.as_millis());
        }
        add(&mut text, &format!("\nTo repeat it in your folder: {}", plain(&command)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_reports_are_names_of_files() {
        assert_eq!(stem("García, Ana_1 "), "García, Ana_1 ");
        assert_eq!(stem("a\nb"), "a\u{fffd}b");
        assert_eq!(stem(&"ñ".repeat(125)).len(), 200);
        assert_eq!(stem(&"x".repeat(255)).len(), 200);
    }
}
