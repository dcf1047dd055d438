//! Arguments of `palestra study`.

use palestra_web::Language;
use std::path::PathBuf;

/// Reproduce published studies and compare the results
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
    /// List the built-in studies and the state of each
    List(StudyListArgs),
    /// Run a study's commands and compare the results with the published ones
    ///
    /// The output of every command is kept in the folder; the same command continues an interrupted study.
    #[command(after_help = "Examples:
  palestra study run connect-c
  palestra study run all --quick
  palestra study run ladrillos --full
  palestra study run mancala --part course-tables
  palestra study run my-study/

Exit codes: 0 done; 1 file or system error, or a command failed; 2 invalid input; 3 a result differs
from the published one and the study does not explain it; 130 interrupted (the same command
continues).")]
    Run(StudyRunArgs),
    /// Write a page that compares published and obtained results, with every figure as SVG and PNG
    #[command(after_help = "Examples:
  palestra study report connect-c
  palestra study report connect-c --full --output connect-c.html

Exit codes: 0 done; 1 file or system error; 2 invalid input.")]
    Report(StudyReportArgs),
}

/// Folder of the studies.
#[derive(clap::Args, Debug)]
pub(crate) struct StudyFolder {
    /// Folder for results: one folder per study and size
    #[arg(long, value_name = "DIR", default_value = "palestra-studies")]
    pub(crate) folder: PathBuf,
}

/// Size of a study.
#[derive(clap::Args, Debug)]
pub(crate) struct StudySize {
    /// Small sizes: minutes in all
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,
    /// Published sizes
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(clap::Args, Debug)]
pub(crate) struct StudyListArgs {
    #[command(flatten)]
    pub(crate) studies: StudyFolder,
}

#[derive(clap::Args, Debug)]
pub(crate) struct StudyRunArgs {
    /// Study: a name of palestra study list, a folder with a study.toml, or all
    #[arg(value_name = "NAME", required = true)]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) size: StudySize,
    /// Run this part only; repeatable
    #[arg(long = "part", value_name = "ID")]
    pub(crate) parts: Vec<String>,
    /// Run all commands again, finished ones too
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) studies: StudyFolder,
}

#[derive(clap::Args, Debug)]
pub(crate) struct StudyReportArgs {
    /// Study: a name of palestra study list, a folder with a study.toml, or all
    #[arg(value_name = "NAME", required = true)]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) size: StudySize,
    /// Output file, for one study [default: report.html in the study's folder]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Language of the page: en or es
    #[arg(long, value_name = "CODE", default_value = "en")]
    pub(crate) language: Language,
    #[command(flatten)]
    pub(crate) studies: StudyFolder,
}
