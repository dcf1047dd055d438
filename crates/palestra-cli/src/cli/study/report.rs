//! `palestra study report`.

use super::{open_workspace, size, studies};
use crate::cli::args::CommonArgs;
use crate::cli::args_study::StudyReportArgs;
use crate::cli::output::{Output, counted, write_figures};
use crate::cli::output_file::write_file;
use anyhow::Result;
use palestra_core::InputError;
use palestra_study::{Study, StudyFiles, StudyScale, StudyWorkspace};
use palestra_web::export;
use serde_json::json;
use std::path::Path;

pub(super) fn run(args: &StudyReportArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let studies = studies(&args.names)?;
    if let (Some(path), 2..) = (&args.output, studies.len()) {
        let reason = format!("{} can hold the report of one study, not of {}", path.display(), studies.len());
        return Err(InputError::not_allowed("--output", reason).into());
    }
    for one in studies {
        let workspace = choose_workspace(args, one, common)?;
        let mut figures = Vec::new();
        for part in &workspace.study().parts {
            figures.extend(workspace.figures(part)?);
        }
        let page = export::study_page(&workspace, workspace.assess()?, args.language)?;
        let path = args.output.clone().unwrap_or_else(|| workspace.folder().join("report.html"));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let figures = write_figures(&folder.join("figures"), &figures)?;
        write_file(&path, page.as_bytes())?;
        if output.json {
            let figures: Vec<String> = figures.iter().map(|file| file.display().to_string()).collect();
            let study = &workspace.study().name;
            output.json(&json!({ "study": study, "size": workspace.size().word(), "report": path.display().to_string(), "figures": figures }))?;
        } else {
            let n_files = counted(figures.len() as u64, "file");
            output.line(format_args!(
                "{}: open it in a browser; figures in {n_files} next to it",
                path.display()
            ))?;
        }
    }
    Ok(())
}

/// The workspace to report on: of the size of the options, otherwise of the larger size that has been run.
fn choose_workspace(
    args: &StudyReportArgs,
    (study, source): (Study, StudyFiles),
    common: &CommonArgs,
) -> Result<StudyWorkspace> {
    let open = |size| open_workspace(&args.studies.folder, (study.clone(), source.clone()), size, common);
    let workspace = match size(&args.size) {
        Some(size) => open(size)?,
        None => Some(open(StudyScale::Full)?)
            .filter(|workspace| !workspace.is_empty())
            .map_or_else(|| open(StudyScale::Quick), Ok)?,
    };
    if workspace.is_empty() {
        let expected = format!("a study that has been run (palestra study run {})", study.name);
        return Err(InputError::new("study", &study.name, expected).into());
    }
    Ok(workspace)
}
