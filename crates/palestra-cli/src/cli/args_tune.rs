//! Arguments of the commands for tuning and for weights.

use super::args::{ChartArgs, PlanMemoryArgs};
use super::args_programs::ProgramArgs;
use palestra_review::tuning::TuningOptions;
use palestra_web::Language;
use std::path::PathBuf;

/// Tune a player's weights
///
/// A plan file or the options describe the run. It is kept in the store: the same command continues an interrupted run.
/// At the end the champion is tested on openings that training never used.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra tune connect4 --features lines --method cmaes --budget 100k
  palestra tune studies/connect-c/grid.toml --json
  palestra tune connect:9x8x5 --player pvs:depth=2/threes --method spsa --budget 5m --opening-plies 6
  palestra tune mastergoal:1 --method coevolution --objective parasites --budget 200gen --print-plan
  palestra tune connect4 --method cmaes --set sigma=0.2 --set lambda=40
  palestra tune plan.toml --set seed=2 --set budget.generations=50
  palestra tune connect4 --opponent 'cmd:python3 bot.py' --clock 0.1/move --budget 400

A budget is a number of games (100k, 5M), of generations (200gen) or a time (20s, 5m, 2h).
All keys of a plan: docs/tuning.md. Methods and their settings: palestra methods.
Exit codes: 0 done; 1 file or system error, or an opponent failed; 2 invalid input; 3 an engine
failed the pre-flight check; 130 interrupted (the same command continues).")]
pub(crate) struct TuneArgs {
    /// Plan file (FILE.toml), or the game to tune for
    #[arg(value_name = "FILE.toml|GAME")]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) options: TuningOptions,
    /// Set a setting of the method or, with a plan file, override any key, such as seed=2; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print the complete plan, the number of games and an estimate of the time, and stop
    #[arg(long)]
    pub(crate) print_plan: bool,
    /// Play every game separately, even where candidates could share games
    #[arg(long)]
    pub(crate) no_cohort: bool,
    /// Store every game of training, not only the counts
    #[arg(long)]
    pub(crate) keep_games: bool,
    /// Start a new run, even if the store has one with the same plan
    #[arg(long)]
    pub(crate) again: bool,
    /// Name to save the champion under, for @NAME in player strings
    #[arg(long, value_name = "NAME")]
    pub(crate) save: Option<String>,
    /// For the method grid: write every score to this file, one per line, first weight outermost
    #[arg(long, value_name = "FILE")]
    pub(crate) scores: Option<PathBuf>,
    /// Skip the pre-flight check of engines
    #[arg(long)]
    pub(crate) no_preflight: bool,
    #[command(flatten)]
    pub(crate) memory: PlanMemoryArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

/// Compare tuning methods by the strength they reach per game
///
/// Every method trains from the same start, once per seed. At each checkpoint the weights it recommends play a gauntlet
/// on openings that training never used. The comparison is kept in the store: the same command continues an interrupted
/// one.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra compare-methods experiments/compare-connect4.toml --print-plan
  palestra compare-methods experiments/compare-connect4.toml --svg curves.svg
  palestra compare-methods experiments/compare-connect4.toml --set seeds=3

All keys of a file, and how to read the table: docs/comparing-methods.md.
Exit codes: 0 done; 1 file or system error; 2 invalid input; 130 interrupted (the same command
continues).")]
pub(crate) struct CompareMethodsArgs {
    /// Plan file of the comparison
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,
    /// Override a key of the file, such as seeds=3 or gauntlet.pairs=10; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print the complete plan, the number of games and an estimate of the time, and stop
    #[arg(long)]
    pub(crate) print_plan: bool,
    /// Play every game separately, even where candidates could share games
    #[arg(long)]
    pub(crate) no_cohort: bool,
    /// Start anew, even if the store has the same comparison
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(crate) memory: PlanMemoryArgs,
    #[command(flatten)]
    pub(super) chart: ChartArgs,
}

/// List tuning methods with their settings, and objectives
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra methods\n  palestra methods cmaes")]
pub(crate) struct MethodsArgs {
    /// Only this method
    pub(crate) name: Option<String>,
}

/// List the runs, events and champions in the store
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra runs\n  palestra runs --store course.db --json")]
pub(crate) struct RunsArgs {}

/// Show, export, compare, resume or delete a run
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra run show cmaes-connect4-1
  palestra run hall coevolution-mastergoal-1-1
  palestra run export cmaes-connect4-1 --format csv --output weights.csv
  palestra run compare cmaes-connect4-1 spsa-connect4-1
  palestra run resume cmaes-connect4-1
  palestra run delete cmaes-connect4-1")]
pub(crate) struct RunArgs {
    #[command(subcommand)]
    pub(crate) what: RunCommand,
}

#[derive(clap::Subcommand, Debug)]
pub(crate) enum RunCommand {
    /// Show a run's plan, fitness by generation and champion
    Show {
        /// Name or number of the run
        run: String,
    },
    /// Play a round robin of the hall of fame, to see whether later generations are stronger
    ///
    /// For a method without a hall of fame, the weights that it recommended after each generation play.
    Hall(HallOfFameArgs),
    /// Export all candidates (csv, parquet) or the whole run (json)
    ///
    /// Of a grid search, csv has every weight vector with its score.
    Export {
        /// Name or number of the run
        run: String,
        /// Format of the output
        #[arg(long, value_enum, default_value_t = ExportFormatArg::Json)]
        format: ExportFormatArg,
        /// Output file [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Include dates and durations, which are not repeatable
        #[arg(long)]
        timings: bool,
    },
    /// Play a match between the champions of two runs, and show how their plans differ
    Compare {
        /// Name or number of the first run
        a: String,
        /// Name or number of the second run
        b: String,
        /// Number of pairs of games
        #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        pairs: u32,
    },
    /// Continue an interrupted run or event
    Resume(ResumeArgs),
    /// Delete a run from the store; champions are kept
    Delete {
        /// Name or number of the run
        run: String,
    },
}

/// Entries, openings and games of a hall-of-fame round robin.
#[derive(clap::Args, Debug)]
pub(crate) struct HallOfFameArgs {
    /// Name or number of the run
    pub(crate) run: String,
    /// Use every Nth entry, and always the last
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) every: u32,
    /// Random moves before the players take over [default: as in training]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) opening_plies: Option<u32>,
    /// Pairs of games per match
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) pairs: u32,
}

/// Run to continue, and options.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra run resume cmaes-connect4-1
  palestra run resume cup --store course.db

The plan is the one in the store. The engines of an event are started from the current folder, with
the sandbox of the plan.
Exit codes: those of palestra tune and palestra tournament.")]
pub(crate) struct ResumeArgs {
    /// Name or number of the run
    pub(crate) run: String,
    /// Store every game of training, not only the counts
    #[arg(long)]
    pub(crate) keep_games: bool,
    /// Name to save the champion under, for @NAME in player strings
    #[arg(long, value_name = "NAME")]
    pub(crate) save: Option<String>,
}

/// Write a run's report as one HTML page
///
/// It describes the champion and contains the figures and tests. The page needs no network and no script. For an
/// unfinished run it covers the generations so far.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra report cmaes-connect4-1
  palestra report cmaes-connect4-1 --output course/cmaes.html --figures course/figures
  palestra report 3 --json

How to read the report: docs/reports.md.
Exit codes: 0 done; 1 file or system error; 2 invalid input, nothing was written.")]
pub(crate) struct ReportArgs {
    /// Name or number of the run
    pub(crate) run: String,
    /// Output file [default: RUN.html]
    #[arg(long, short, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// Also write every figure to this folder, as SVG and PNG
    #[arg(long, value_name = "FOLDER")]
    pub(crate) figures: Option<PathBuf>,
    /// Language of the page: en or es
    #[arg(long, value_name = "CODE", default_value = "en")]
    pub(crate) language: Language,
}

/// Opponents and openings of the games that weights are measured in.
#[derive(clap::Args, Debug)]
pub(crate) struct GauntletArgs {
    /// Opponent, played from both sides; repeatable
    #[arg(long = "opponent", value_name = "PLAYER", required = true)]
    pub(crate) opponents: Vec<String>,
    /// Opening moves of the games; repeatable [default: none]
    #[arg(long = "opening", value_name = "MOVES")]
    pub(crate) openings: Vec<String>,
}

/// Map a greedy player's score over two of its weights
///
/// The other weights are fixed. Within a region of the map every game has the same moves; the borders of the regions
/// are exact.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra map connect4 grid-5 --x own-longest --y own-lines --opponent rival-4 --svg map.svg
  palestra map connect:4x4x3 greedy/threes/4,4,1,2 --x 1 --y 2 --x-range -8..8 --y-range -8..8 --opponent first
  palestra map connect4 grid-5 --board connect:9x8x5 --x 1 --y 2 --opponent rival-0 --opponent rival-4 --json

A weight is named by its feature (palestra games NAME) or by its number, from 1. The default range is
from 0 to twice the weight. A win scores 1, a draw 0, a loss -1. How to read the map: docs/reports.md.
Exit codes: 0 done; 1 file or system error; 2 invalid input, nothing was written; 130 interrupted.")]
pub(crate) struct MapArgs {
    /// Game: connect4, connect:9x8x5, …
    pub(crate) game: String,
    /// Greedy player with weights, or @NAME
    pub(crate) player: String,
    /// Weight on the horizontal axis
    #[arg(long, value_name = "NAME")]
    pub(crate) x: String,
    /// Weight on the vertical axis
    #[arg(long, value_name = "NAME")]
    pub(crate) y: String,
    /// Range of the x weight
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    pub(crate) x_range: Option<String>,
    /// Range of the y weight
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    pub(crate) y_range: Option<String>,
    #[command(flatten)]
    pub(crate) gauntlet: GauntletArgs,
    /// Another game to play too; repeatable
    #[arg(long = "board", value_name = "GAME")]
    pub(crate) boards: Vec<String>,
    #[command(flatten)]
    pub(crate) chart: ChartArgs,
}

/// Measure how far each weight can move before play changes
///
/// For each weight of a greedy player: the interval in which no move of its games changes.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra sensitivity connect4 grid-5 --opponent rival-4
  palestra sensitivity connect:4x4x3 greedy/threes/4,4,1,2 --opponent first --opponent random --opening '1 2' --json

How to read the output: docs/reports.md.
Exit codes: 0 done; 1 file or system error; 2 invalid input.")]
pub(crate) struct SensitivityArgs {
    /// Game: connect4, connect:9x8x5, …
    pub(crate) game: String,
    /// Greedy player with weights, or @NAME
    pub(crate) player: String,
    #[command(flatten)]
    pub(crate) gauntlet: GauntletArgs,
}

/// Analyze a player's weights: redundant features and each feature's influence
///
/// A feature that is a linear combination of others at all positions of random games is redundant: its weight is moved
/// to those others, so that equivalent weights look the same. The influence of a feature is its weight times its
/// standard deviation at those positions, relative to the largest.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra weights mastergoal:1 hand-level1
  palestra weights connect4 @cmaes-connect-7x6x4-1 --json

Exit codes: 0 done; 2 invalid input.")]
pub(crate) struct WeightsArgs {
    /// Game: connect4, connect:9x8x5, …
    pub(crate) game: String,
    /// Player whose evaluation is a weighted sum, or @NAME
    pub(crate) player: String,
    /// Number of random games to take positions from
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) games: u64,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportFormatArg {
    /// All candidates, one per line
    Csv,
    /// The whole run
    Json,
    /// All candidates, in columns (needs the cargo feature parquet)
    Parquet,
}
