//! `palestra study`: reproductions of published studies.

mod child;
mod print;
mod report;
mod run;

use super::CommandStatus;
use super::args::CommonArgs;
use super::args_study::{StudyArgs, StudyCommand, StudySize};
use super::output::Output;
use crate::games;
use anyhow::Result;
use palestra_study::{Study, StudyFiles, StudyScale, StudyWorkspace, shipped_for};
use std::path::Path;

pub(super) fn run(args: &StudyArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    match &args.what {
        StudyCommand::List(args) => print::list(args, common, output).map(|()| CommandStatus::Completed),
        StudyCommand::Run(args) => run::run(args, common, output),
        StudyCommand::Report(args) => report::run(args, common, output).map(|()| CommandStatus::Completed),
    }
}

/// The studies of the arguments: names, folders, or `all`.
fn studies(names: &[String]) -> Result<Vec<(Study, StudyFiles)>> {
    let mut studies = Vec::new();
    for name in names {
        if name == "all" {
            for name in shipped_for(|game| games().family(game).is_ok()) {
                studies.push(study(&name)?);
            }
        } else {
            studies.push(study(name)?);
        }
    }
    Ok(studies)
}

fn study(name: &str) -> Result<(Study, StudyFiles)> {
    let folder = Path::new(name);
    let (source, name) = if folder.join("study.toml").is_file() {
        let own = std::path::absolute(folder)?;
        let name = own.file_name().map_or_else(|| "study".into(), |name| name.to_string_lossy());
        (StudyFiles::of_folder(folder)?, name.into_owned())
    } else {
        (StudyFiles::shipped(name)?, name.to_owned())
    };
    Ok((Study::read(&source, &name)?, source))
}

/// The workspace of a study. The default seed 1 stands for the seeds of the study.
fn open_workspace(
    root: &Path,
    (study, source): (Study, StudyFiles),
    size: StudyScale,
    common: &CommonArgs,
) -> Result<StudyWorkspace> {
    Ok(StudyWorkspace::open(root, study, source, size, (common.seed != 1).then_some(common.seed))?)
}

/// The size of the options, if one is given.
fn size(options: &StudySize) -> Option<StudyScale> {
    match (options.quick, options.full) {
        (true, _) => Some(StudyScale::Quick),
        (_, true) => Some(StudyScale::Full),
        _ => None,
    }
}
