//! Pages as files, rendered from the templates and data of the site: the report of a run, the page of a study, and an
//! event as a folder.
//!
//! An exported page has no forms, no links to the server and nothing that needs an answer; it opens from a disk.

mod error;
mod folder;
mod links;
mod names;
mod site;
#[cfg(test)]
mod tests;

pub use error::ExportError;
pub use folder::{FolderKind, FolderWriter, SiteWritten};
pub use names::PlayerFiles;
pub use site::event_site;

use crate::app::App;
use crate::config::Config;
use crate::pages::{PageFrame, PageOutput, run, study};
use crate::viewer::Language;
use palestra_review::tuning::RunReport;
use palestra_store::Store;
use palestra_study::{Assessment, StudyWorkspace};

/// The report of a run as one file that loads nothing. `options` are further options of the commands that repeat the
/// run, such as that of the store.
pub fn run_report(
    config: Config,
    store: &Store,
    report: RunReport,
    language: Language,
    options: &str,
) -> Result<String, ExportError> {
    let frame = PageFrame::exported(language, PageOutput::SingleFile);
    Ok(run::page(store, &App::new(config), frame, report, None, options)?)
}

/// The page of a study as one file that loads nothing.
pub fn study_page(
    workspace: &StudyWorkspace,
    assessment: Assessment,
    language: Language,
) -> Result<String, ExportError> {
    let frame = PageFrame::exported(language, PageOutput::SingleFile);
    Ok(study::page(frame, workspace, Some(assessment), Vec::new())?)
}
