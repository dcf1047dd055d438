//! The raw arguments of the commands around studies, as typed.

use std::path::PathBuf;

/// Do published studies again, and compare: list, run, report
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra study list
  palestra study run connect-c
  palestra study run all
  palestra study run ladrillos --full --part masters
  palestra study report connect-c

What a study is, and how to write one: docs/studies.md.")]
pub(crate) struct StudyArgs {
    #[command(subcommand)]
    pub(crate) what: StudyCommand,
}

#[derive(clap::Subcommand, Debug)]
pub(crate) enum StudyCommand {
    /// The studies that come with palestra, and what has been done of each
    List(StudyListArgs),
    /// Run the commands of a study, and say how what comes out compares with what was published
    ///
    /// What every command prints is kept in the folder; the same command goes on where an interrupted one stopped.
    #[command(after_help = "Examples:
  palestra study run connect-c
  palestra study run all --quick
  palestra study run ladrillos --full
  palestra study run mancala --part course-tables
  palestra study run my-study/

Exit codes: 0 done; 1 a file, the machine or a command failed; 2 bad input; 3 something differs from what was
published and the study does not say why; 130 interrupted (the same command goes on).")]
    Run(StudyRunArgs),
    /// Write a page with what was published and what was obtained side by side, and every figure as SVG and PNG
    #[command(after_help = "Examples:
  palestra study report connect-c
  palestra study report connect-c --full --output connect-c.html

Exit codes: 0 done; 1 a file or the machine failed; 2 bad input.")]
    Report(StudyReportArgs),
}

/// Where studies are done.
#[derive(clap::Args, Debug)]
pub(crate) struct StudyFolder {
    /// Where studies are done: a folder for each study and size
    #[arg(long, value_name = "DIR", default_value = "palestra-studies")]
    pub(crate) folder: PathBuf,
}

/// How much of a study.
#[derive(clap::Args, Debug)]
pub(crate) struct StudySize {
    /// Small sizes: all of it in minutes
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,
    /// The published sizes
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct StudyListArgs {
    #[command(flatten)]
    pub(crate) place: StudyFolder,
}

#[derive(clap::Args, Debug)]
pub(crate) struct StudyRunArgs {
    /// The study: a name of `palestra study list`, a folder with a study.toml, or all
    #[arg(value_name = "NAME", required = true)]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) size: StudySize,
    /// Only these parts of it; give it several times
    #[arg(long = "part", value_name = "ID")]
    pub(crate) parts: Vec<String>,
    /// Run everything again, also what has been run
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) place: StudyFolder,
}

#[derive(clap::Args, Debug)]
pub(crate) struct StudyReportArgs {
    /// The study: a name of `palestra study list`, a folder with a study.toml, or all
    #[arg(value_name = "NAME", required = true)]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) size: StudySize,
    /// Where to write the page, of one study [default: report.html where the study was done]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) place: StudyFolder,
}
