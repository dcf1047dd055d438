//! What came of the check of a submission.

use crate::cli::submissions::{CompileOutcome, RosterEntry, Submission};
use palestra_core::InputError;
use palestra_engine::{CheckResult, PreflightReport, ProgramSpec};
use palestra_review::event::text::plain;
use std::path::PathBuf;

/// Whether a submission can play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SubmissionResult {
    Fit,
    /// Fit, with a deviation that loses no game.
    Odd,
    NotFit,
}

impl SubmissionResult {
    pub(super) fn name(self) -> &'static str {
        match self {
            SubmissionResult::Fit => "fit",
            SubmissionResult::Odd => "odd",
            SubmissionResult::NotFit => "not fit",
        }
    }
}

/// A submission with its result.
#[derive(Debug)]
pub(super) struct CheckedSubmission {
    pub(super) folder: PathBuf,
    pub(super) folder_name: String,
    pub(super) entry: RosterEntry,
    /// How it is started, if that is known.
    pub(super) program: Option<ProgramSpec>,
    pub(super) notices: Vec<String>,
    pub(super) compiled: CompileOutcome,
    /// `None` where it could not be started or compiled.
    pub(super) report: Option<PreflightReport>,
    pub(super) result: SubmissionResult,
    /// The first reason for the result; empty for a submission that is fit.
    pub(super) reason: String,
}

impl CheckedSubmission {
    /// A submission with the report of its check, or the reason why there is none. Without either, compiling failed.
    pub(super) fn new(
        submission: Submission,
        compiled: CompileOutcome,
        report: Option<Result<PreflightReport, InputError>>,
    ) -> CheckedSubmission {
        let folder_name = submission.folder_name();
        let (report, problem) = match report {
            Some(Ok(report)) => (Some(report), None),
            Some(Err(problem)) => (None, Some(problem.to_string())),
            None => (None, None),
        };
        let compile_problem = compiled.problem.as_ref().map(|problem| format!("does not compile: {problem}"));
        let first = |grade: CheckResult| {
            let check = report.as_ref()?.checks.iter().find(|check| check.grade == grade)?;
            Some(format!("{}: {}", check.name, check.words))
        };
        let (result, reason) = match compile_problem.or(problem).or_else(|| first(CheckResult::Bad)) {
            Some(reason) => (SubmissionResult::NotFit, reason),
            None => match first(CheckResult::Odd) {
                Some(reason) => (SubmissionResult::Odd, reason),
                None => (SubmissionResult::Fit, String::new()),
            },
        };
        let Submission { folder, entry, program, notices } = submission;
        CheckedSubmission {
            folder,
            folder_name,
            entry,
            program: program.ok(),
            notices,
            compiled,
            report,
            result,
            reason: plain(&reason),
        }
    }

    pub(super) fn is_fit(&self) -> bool {
        self.result != SubmissionResult::NotFit
    }

    /// Its command, as its own folder has it.
    pub(super) fn command(&self) -> Option<String> {
        self.program.as_ref().map(|program| ProgramSpec { folder: None, ..program.clone() }.to_string())
    }
}
