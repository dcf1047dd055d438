//! Arguments of `palestra check-submissions`.

use super::args_programs::ProgramArgs;
use std::path::PathBuf;

/// Check all submissions of a folder at once, and compile them on request
///
/// Each submission is checked as engine check does it, confined, with the clock and the limits of the event.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra check-submissions connect4 handed-in/
  palestra check-submissions connect4 handed-in/ --compile --reports reports/ --csv checks.csv
  palestra check-submissions connect4 handed-in/ --roster students.csv --plan cup.toml

--compile knows C, C++, Rust, Java, JavaScript and C# by their files (docs/course-tournament.md).
Exit codes: 0 all are fit to play; 1 file or system error; 2 invalid input; 3 some are not fit;
130 interrupted, with the reports of those that were checked.")]
pub(crate) struct CheckSubmissionsArgs {
    /// Game: connect4, ladrillos:9, …
    pub(crate) game: String,
    /// Folder with one folder per submission
    #[arg(value_name = "DIR")]
    pub(crate) submissions: PathBuf,
    /// Names, groups and identifiers of the submissions: a CSV file with the columns folder, name, group, identifier
    #[arg(long, value_name = "FILE")]
    pub(crate) roster: Option<PathBuf>,
    /// Compile the sources of each submission before its check
    #[arg(long)]
    pub(crate) compile: bool,
    /// Run the compile commands in player.toml too, which students wrote
    #[arg(long, requires = "compile")]
    pub(crate) student_commands: bool,
    /// Time limit of compiling a submission, in seconds [default: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3600), requires = "compile")]
    pub(crate) compile_seconds: Option<u32>,
    /// Memory limit of compiling a submission, in megabytes [default: 2048]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(64..=1_048_576), requires = "compile")]
    pub(crate) compile_memory_mb: Option<u32>,
    /// Write a text for each submission to this folder, for its students
    #[arg(long, value_name = "DIR")]
    pub(crate) reports: Option<PathBuf>,
    /// Write one line per student to this CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Use the clock and the limits of this tournament plan
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) plan: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}
