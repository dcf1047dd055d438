//! `palestra study run`.

use super::{child, open_workspace, print, size, studies};
use crate::cli::args::CommonArgs;
use crate::cli::args_study::StudyRunArgs;
use crate::cli::output::{Output, note, quoted};
use crate::cli::{CommandStatus, interrupt};
use anyhow::{Context, Result};
use child::ChildOutcome;
use palestra_core::{CancelFlag, InputError};
use palestra_study::{Study, StudyScale, StudyWorkspace};

/// Exit code when a result differs and the study does not explain it.
const UNEXPLAINED: u8 = 3;

pub(super) fn run(args: &StudyRunArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let size = size(&args.size).unwrap_or(StudyScale::Quick);
    let studies = studies(&args.names)?;
    for (study, _) in &studies {
        check_parts(study, &args.parts)?;
    }
    let stop = interrupt::flag()?;
    let mut is_unexplained = false;
    for one in studies {
        let mut workspace = open_workspace(&args.studies.folder, one, size, common)?;
        workspace.prepare()?;
        if !work(&mut workspace, args, common, &stop)? {
            note(format_args!("interrupted; to continue: {}", interrupt::same_command()));
            return Ok(CommandStatus::Interrupted);
        }
        let assessment = workspace.assess()?;
        let tally = assessment.tally();
        is_unexplained |= tally.unexplained + tally.missing > 0;
        print::outcome(&workspace, &assessment, output)?;
    }
    Ok(if is_unexplained { CommandStatus::Code(UNEXPLAINED) } else { CommandStatus::Completed })
}

fn check_parts(study: &Study, parts: &[String]) -> Result<(), InputError> {
    match parts.iter().find(|part| study.part(part).is_none()) {
        None => Ok(()),
        Some(unknown) => {
            let known = study.parts.iter().map(|part| part.id.as_str());
            Err(InputError::unknown("--part", unknown, "a part of the study", known))
        }
    }
}

/// Runs the commands that have not been run; `false` if interrupted.
fn work(
    workspace: &mut StudyWorkspace,
    args: &StudyRunArgs,
    common: &CommonArgs,
    stop: &CancelFlag,
) -> Result<bool> {
    let jobs = workspace.jobs()?;
    let n_jobs = jobs.len();
    for (i, job) in jobs.into_iter().enumerate() {
        let part = &workspace.study().parts[job.part];
        if !args.parts.is_empty() && !args.parts.contains(&part.id) {
            continue;
        }
        if workspace.record(&job.id).is_some() && !args.again {
            continue;
        }
        let command = workspace.words(&job)?;
        let shown = command.iter().map(|argument| quoted(argument)).collect::<Vec<_>>().join(" ");
        note(format_args!(
            "{} {} of {n_jobs}, {}: palestra {shown:.160}",
            workspace.study().name,
            i + 1,
            part.id
        ));
        let named = || format!("run {} of {}", job.id, workspace.study().name);
        match child::run(&command, workspace.folder(), common, stop).with_context(named)? {
            ChildOutcome::Stopped => return Ok(false),
            ChildOutcome::Exited { printed, seconds, cpu_seconds } => {
                workspace.keep(&job.id, command, printed, seconds, cpu_seconds)?;
            }
        }
    }
    Ok(true)
}
