//! `palestra study report`.

use super::{place, size, studies};
use crate::cli::args::CommonArgs;
use crate::cli::args_study::StudyReportArgs;
use crate::cli::output::{Output, counted, write_file};
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_study::{Study, StudyFiles, StudyScale, StudyWorkspace, report};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &StudyReportArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let studies = studies(&args.names)?;
    if let (Some(path), 2..) = (&args.output, studies.len()) {
        let path = path.display().to_string();
        return Err(InputError::new(
            "--output",
            path,
            "for several studies at once: each has a place of its own",
        )
        .into());
    }
    for one in studies {
        let place = looked_at(args, one, common)?;
        let page = report::page(&place, &place.assess()?)?;
        let path = args.output.clone().unwrap_or_else(|| place.folder().join("report.html"));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let figures = write_figures(&place, &folder.join("figures"))?;
        write_file(&path, page.as_bytes())?;
        if output.json {
            let figures: Vec<String> = figures.iter().map(|file| file.display().to_string()).collect();
            let study = &place.study().name;
            output.json(&json!({ "study": study, "size": place.size().word(), "report": path.display().to_string(), "figures": figures }))?;
        } else {
            let n_files = counted(figures.len() as u64, "file");
            output.line(format_args!(
                "{}: open it in any browser; figures in {n_files} beside it",
                path.display()
            ))?;
        }
    }
    Ok(())
}

/// The place of a study: the size that was asked for, or the larger one that has been run.
fn looked_at(
    args: &StudyReportArgs,
    (study, source): (Study, StudyFiles),
    common: &CommonArgs,
) -> Result<StudyWorkspace> {
    let open = |size| place(&args.place.folder, (study.clone(), source.clone()), size, common);
    let found = match size(&args.size) {
        Some(size) => open(size)?,
        None => Some(open(StudyScale::Full)?)
            .filter(|place| !place.is_empty())
            .map_or_else(|| open(StudyScale::Quick), Ok)?,
    };
    if found.is_empty() {
        let expected = format!("a study that has been run: palestra study run {}", study.name);
        return Err(InputError::new("study", &study.name, expected).into());
    }
    Ok(found)
}

/// Every figure in both kinds of file.
fn write_figures(place: &StudyWorkspace, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for part in &place.study().parts {
        for picture in place.pictures(part)? {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            let drawing = &picture.drawing;
            for (kind, bytes) in [("svg", drawing.to_svg().into_bytes()), ("png", drawing.to_png()?)] {
                let file = folder.join(format!("{}.{kind}", picture.id));
                write_file(&file, &bytes)?;
                files.push(file);
            }
        }
    }
    Ok(files)
}
