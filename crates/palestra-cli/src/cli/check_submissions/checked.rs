//! The result of the check of a submission.

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
    /// The machine was too busy, or failed; nothing is known of the program.
    NotChecked,
}

/// What the check of a submission gave.
#[derive(Debug)]
pub(super) enum CheckOutcome {
    Report(PreflightReport),
    /// Why it cannot be started.
    Problem(InputError),
    /// Why it was not checked: a failure of the machine.
    Failed(String),
    /// It does not compile.
    NoProgram,
}

impl SubmissionResult {
    pub(super) fn name(self) -> &'static str {
        match self {
            SubmissionResult::Fit => "fit",
            SubmissionResult::Odd => "odd",
            SubmissionResult::NotFit => "not fit",
            SubmissionResult::NotChecked => "not checked",
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
    /// A submission with what its check gave.
    pub(super) fn new(
        submission: Submission,
        compiled: CompileOutcome,
        outcome: CheckOutcome,
    ) -> CheckedSubmission {
        let folder_name = submission.folder_name();
        let (mut report, mut problem, mut failed) = (None, None, None);
        match outcome {
            CheckOutcome::Report(found) => report = Some(found),
            CheckOutcome::Problem(found) => problem = Some(found.to_string()),
            CheckOutcome::Failed(why) => failed = Some(why),
            CheckOutcome::NoProgram => {}
        }
        let compile_problem = compiled.problem.as_ref().map(|problem| format!("does not compile: {problem}"));
        let first = |grade: CheckResult| {
            let check = report.as_ref()?.checks.iter().find(|check| check.grade == grade)?;
            Some(format!("{}: {}", check.name, check.words))
        };
        let (result, reason) = match compile_problem.or(problem).or_else(|| first(CheckResult::Bad)) {
            Some(reason) => (SubmissionResult::NotFit, reason),
            None => match (failed, first(CheckResult::Odd)) {
                (Some(why), _) => (SubmissionResult::NotChecked, why),
                (None, Some(reason)) => (SubmissionResult::Odd, reason),
                (None, None) => (SubmissionResult::Fit, String::new()),
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
        matches!(self.result, SubmissionResult::Fit | SubmissionResult::Odd)
    }

    /// Its command, as its own folder has it.
    pub(super) fn command(&self) -> Option<String> {
        self.program.as_ref().map(|program| ProgramSpec { folder: None, ..program.clone() }.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine that fails is no fault of the program, and does not end the check of the others.
    #[test]
    fn what_was_not_checked_is_neither_fit_nor_unfit() {
        let submission = Submission {
            folder: "handed-in/ana".into(),
            entry: RosterEntry::default(),
            program: Ok(ProgramSpec::new(vec!["./player".to_owned()])),
            notices: Vec::new(),
        };
        let failed = CheckOutcome::Failed("the machine is too busy".to_owned());
        let checked = CheckedSubmission::new(submission, CompileOutcome::default(), failed);
        assert!(!checked.is_fit());
        assert_eq!(
            (checked.result.name(), checked.reason.as_str()),
            ("not checked", "the machine is too busy")
        );
    }
}
