//! `palestra check-submissions`: the full check of all submissions of a folder, and compiling them before it.

mod checked;
mod print;
mod reports;

use super::args::CommonArgs;
use super::args_submissions::CheckSubmissionsArgs;
use super::check_terms::{self, CheckTerms};
use super::output::{Output, note, note_old_names, thread_pool};
use super::output_file::{check_output, write_file};
use super::progress::with_bar;
use super::submissions::{self, CompileOptions, CompileOutcome, Compiler, Roster, Submission};
use super::tournament::{sandbox_of, sandbox_warning, store_files};
use super::{CommandStatus, ENGINE_FAILED, interrupt};
use crate::games;
use anyhow::{Context, Result};
use checked::{CheckOutcome, CheckedSubmission};
use palestra_arena::{AnyGame, TimeControl};
use palestra_core::{CancelFlag, Progress};
use palestra_engine::{PreflightError, ProgramSpec, Sandbox, full_check};
use palestra_review::event::LeftOutPlayer;
use rayon::prelude::*;
use reports::ReportFolder;
use std::time::Duration;

/// Default limits of compiling.
const COMPILE_SECONDS: u32 = 60;
const COMPILE_MEMORY_MB: u32 = 2048;

pub(super) fn run(
    args: &CheckSubmissionsArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let (control, limits_of_plan) = check_terms::read(args.plan.as_deref(), &args.programs)?;
    let (mut submissions, absent) = read(args)?;
    let reports =
        args.reports.as_deref().map(|folder| ReportFolder::new(folder, &args.submissions, &submissions));
    let reports = reports.transpose()?;
    if let Some(path) = &args.csv {
        check_output(path)?;
    }
    let stop = interrupt::flag()?;
    let mut hidden = store_files(common);
    hidden.extend(submissions.iter().map(|submission| submission.folder.clone()));
    hidden.extend(args.roster.iter().chain(&args.csv).chain(&args.reports).cloned());
    let sandbox = sandbox_of(&limits_of_plan, &args.programs.sandbox, hidden, &stop)?;
    let terms = CheckTerms { control, limits: sandbox.limits.clone() };
    if let Some(warning) = sandbox_warning(&sandbox) {
        note(format_args!("warning: {warning}"));
    }
    let compiled = match args.compile {
        true => compile(args, common, &mut submissions, sandbox.clone(), &stop)?,
        false => Vec::new(),
    };
    for submission in &submissions {
        note_old_names(&submission.notices);
    }
    let mut compiled = compiled.into_iter();
    let work: Vec<(Submission, CompileOutcome)> =
        submissions.into_iter().map(|one| (one, compiled.next().flatten().unwrap_or_default())).collect();
    let check = Check { game: game.as_ref(), control, sandbox, stop: stop.clone() };
    let progress = Progress::new(stop.clone());
    let n_all = work.len();
    let check_one = |(submission, compiled): (Submission, CompileOutcome)| {
        if stop.is_canceled() {
            return Ok(None);
        }
        let checked = check.submission(submission, compiled);
        if let (Some(checked), Some(reports)) = (&checked, &reports) {
            reports.write(checked, &game.name(), &terms)?;
        }
        progress.add(1);
        Ok(checked)
    };
    let pool = thread_pool(common.threads)?;
    let checked: Vec<CheckedSubmission> = with_bar(&progress, n_all as u64, "submissions", || {
        let all = pool.install(|| work.into_par_iter().map(check_one).collect::<Result<Vec<_>>>());
        all.map(|all| all.into_iter().flatten().collect())
    })?;
    if let Some(path) = &args.csv {
        write_file(path, &print::csv(&checked, &absent))?;
    }
    print::print(&checked, &absent, &terms, output)?;
    if checked.len() < n_all {
        let n_left = n_all - checked.len();
        note(format_args!("interrupted: {n_left} of {n_all} submissions were not checked"));
        return Ok(CommandStatus::Interrupted);
    }
    match checked.iter().all(CheckedSubmission::is_fit) {
        true => Ok(CommandStatus::Completed),
        false => Ok(CommandStatus::Code(ENGINE_FAILED)),
    }
}

/// The submissions with their entries of the roster, and the students without a submission.
fn read(args: &CheckSubmissionsArgs) -> Result<(Vec<Submission>, Vec<LeftOutPlayer>)> {
    let roster = args.roster.as_deref().map(Roster::read).transpose()?;
    let mut submissions = submissions::read(&args.submissions)?;
    let Some(roster) = roster else { return Ok((submissions, Vec::new())) };
    let (absent, notices) = roster.assign(&mut submissions);
    note_old_names(&notices);
    Ok((submissions, absent))
}

/// Compiles all submissions, in their order; `None` where the user canceled before.
fn compile(
    args: &CheckSubmissionsArgs,
    common: &CommonArgs,
    submissions: &mut [Submission],
    sandbox: Sandbox,
    stop: &CancelFlag,
) -> Result<Vec<Option<CompileOutcome>>> {
    let seconds = args.compile_seconds.unwrap_or(COMPILE_SECONDS);
    let options = CompileOptions {
        time: Duration::from_secs(u64::from(seconds)),
        memory_mb: u64::from(args.compile_memory_mb.unwrap_or(COMPILE_MEMORY_MB)),
        runs_student_commands: args.student_commands,
    };
    let compiler = Compiler::new(options, sandbox);
    let progress = Progress::new(stop.clone());
    let compile_one = |submission: &mut Submission| {
        if stop.is_canceled() {
            return Ok(None);
        }
        let compiled = compiler.compile(submission);
        progress.add(1);
        match compiled {
            Err(_) if stop.is_canceled() => Ok(None),
            Err(error) => Err(error).with_context(|| format!("compiling {}", submission.folder.display())),
            Ok(outcome) => Ok(Some(outcome)),
        }
    };
    let pool = thread_pool(common.threads)?;
    with_bar(&progress, submissions.len() as u64, "submissions compiled", || {
        pool.install(|| submissions.par_iter_mut().map(compile_one).collect())
    })
}

fn is_internal<T>(checked: &Result<T, PreflightError>) -> bool {
    matches!(checked, Err(PreflightError::Internal(_)))
}

/// What every submission is checked with.
struct Check<'a> {
    game: &'a dyn AnyGame,
    control: TimeControl,
    sandbox: Sandbox,
    stop: CancelFlag,
}

impl Check<'_> {
    /// Checks a submission; `None` where the user canceled.
    fn submission(&self, submission: Submission, compiled: CompileOutcome) -> Option<CheckedSubmission> {
        let outcome = match &submission.program {
            Ok(program) if compiled.problem.is_none() => {
                // Once more where the machine failed, which may have been too busy.
                let first = self.program(program);
                match if is_internal(&first) { self.program(program) } else { first } {
                    Ok(report) => CheckOutcome::Report(report),
                    Err(PreflightError::Bad(problem)) => CheckOutcome::Problem(problem),
                    Err(PreflightError::Internal(_)) if self.stop.is_canceled() => return None,
                    Err(PreflightError::Internal(why)) => CheckOutcome::Failed(why),
                }
            }
            Ok(_) => CheckOutcome::NoProgram,
            Err(problem) => CheckOutcome::Problem(problem.clone()),
        };
        Some(CheckedSubmission::new(submission, compiled, outcome))
    }

    fn program(&self, program: &ProgramSpec) -> Result<palestra_engine::PreflightReport, PreflightError> {
        program.protocol.load()?.check(&self.game.name(), false, &program.options)?;
        let mut sandbox = self.sandbox.clone();
        if let Some(confinement) = &mut sandbox.confinement {
            confinement.shown.extend(program.own_files());
        }
        full_check(self.game, program, &sandbox, &self.control)
    }
}
