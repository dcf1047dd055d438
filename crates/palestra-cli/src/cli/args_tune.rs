//! The raw arguments of the commands around tuning, as typed.

use super::args::ChartArgs;
use std::path::PathBuf;

/// Find weights for a player's features, and say whether they are any good
///
/// What to tune stands in a file, or is put together from the options. The run is kept in the store; the same command
/// goes on where an interrupted one stopped.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra tune connect4 --features lines --method cmaes --budget 100k
  palestra tune studies/connect-c/grid.toml --json
  palestra tune connect:9x8x5 --player ab:depth=2/threes --method spsa --budget 5m --openings 6
  palestra tune mastergoal:1 --method coevolution --objective parasites --budget 200gen --print-plan
  palestra tune connect4 --method cmaes --set sigma=0.2 --set lambda=40
  palestra tune plan.toml --set seed=2 --set budget.generations=50

A budget is a number of games (100k, 5M), of generations (200gen) or a time (20s, 5m, 2h).
All keys of a plan: docs/tuning.md. Methods and their settings: palestra methods.
Exit codes: 0 done; 1 a file or the machine failed; 2 bad input; 130 interrupted (the same command goes on).")]
pub(crate) struct TuneArgs {
    /// A plan (FILE.toml), or a game to tune for
    #[arg(value_name = "FILE.toml|GAME")]
    pub(crate) what: String,
    /// The evaluation whose weights to find, for a greedy player [default: the game's first]
    #[arg(long, value_name = "NAME", conflicts_with = "player")]
    pub(crate) features: Option<String>,
    /// The player whose weights to find: search/evaluation
    #[arg(long, value_name = "PLAYER")]
    pub(crate) player: Option<String>,
    /// How to find them: see palestra methods
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// What they are measured by: gauntlet, league, ancestors, reference, parasites, accuracy
    #[arg(long, value_name = "NAME")]
    pub(crate) objective: Option<String>,
    /// Players to meet, for a gauntlet; give it several times
    #[arg(long = "rival", value_name = "PLAYER")]
    pub(crate) rivals: Vec<String>,
    /// When to stop: 100k, 200gen, 5m
    #[arg(long, value_name = "BUDGET")]
    pub(crate) budget: Option<String>,
    /// Random moves before the players take over
    #[arg(long, value_name = "N")]
    pub(crate) openings: Option<u32>,
    /// Scenes (pairs of games) of every meeting
    #[arg(long, value_name = "N")]
    pub(crate) pairs: Option<u32>,
    /// A setting of the method; beside a file any key of it, such as seed=2 or method.sigma=0.5; give it several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Only show the plan in full, the number of games and how long they may take
    #[arg(long)]
    pub(crate) print_plan: bool,
    /// Play every game by itself, even where players share games
    #[arg(long)]
    pub(crate) no_cohort: bool,
    /// Keep every single game of training, not only the counts
    #[arg(long)]
    pub(crate) keep_games: bool,
    /// Begin a new run, even if the store has one of the same plan
    #[arg(long)]
    pub(crate) again: bool,
    /// Save the champion under this name, for @NAME in player strings
    #[arg(long, value_name = "NAME")]
    pub(crate) save: Option<String>,
    /// With a grid: write every score into this file, the first weight outermost, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) scores: Option<PathBuf>,
}

/// Compare methods that find weights: which gets how far with how many games
///
/// Every method trains from the same start, once for every seed. At each checkpoint the weights it recommends meet a
/// gauntlet on openings never used in training. The comparison is kept in the store; the same command goes on where an
/// interrupted one stopped.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra compare-methods experiments/compare-connect4.toml --print-plan
  palestra compare-methods experiments/compare-connect4.toml --svg curves.svg
  palestra compare-methods experiments/compare-connect4.toml --set seeds=3

All keys of a file, and how to read the table: docs/comparing-methods.md.
Exit codes: 0 done; 1 a file or the machine failed; 2 bad input; 130 interrupted (the same command goes on).")]
pub(crate) struct CompareMethodsArgs {
    /// What to compare
    #[arg(value_name = "FILE.toml")]
    pub(crate) file: PathBuf,
    /// Another value for a key of the file, such as seeds=3 or gauntlet.pairs=10; give it several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Only show the comparison in full, the number of games and how long they may take
    #[arg(long)]
    pub(crate) print_plan: bool,
    /// Play every game by itself, even where players share games
    #[arg(long)]
    pub(crate) no_cohort: bool,
    /// Begin anew, even if the store has the same comparison
    #[arg(long)]
    pub(crate) again: bool,
    #[command(flatten)]
    pub(super) picture: ChartArgs,
}

/// List the methods that find weights, with their settings, and the objectives
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra methods\n  palestra methods cmaes")]
pub(crate) struct MethodsArgs {
    /// Only this one
    pub(crate) name: Option<String>,
}

/// List the runs in the store, and the champions
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra runs\n  palestra runs --store course.db --json")]
pub(crate) struct RunsArgs {}

/// Look at a run, or go on with it: show, hall, export, compare, resume, delete
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
    /// The plan, the curve of fitness and the champion of a run
    Show {
        /// Its name, or its number
        run: String,
    },
    /// Everybody against everybody in the hall of fame: whether later generations play better
    ///
    /// Of a method without a hall of fame, those whom it would have recommended after each generation.
    Hall(HallOfFameArgs),
    /// All candidates (csv, parquet) or the whole run (json) for other programs
    Export {
        /// Its name, or its number
        run: String,
        /// How to write it
        #[arg(long, value_enum, default_value_t = ExportFormatArg::Json)]
        format: ExportFormatArg,
        /// Where to [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// With dates and durations, which differ from one time to the next
        #[arg(long)]
        timings: bool,
    },
    /// The champions of two runs against each other, and what their plans have different
    Compare {
        /// One run
        a: String,
        /// The other
        b: String,
        /// Pairs of games
        #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        pairs: u32,
    },
    /// Go on with an interrupted run or event, as the command that began it would
    Resume(ResumeArgs),
    /// Remove a run from the store; champions stay
    Delete {
        /// Its name, or its number
        run: String,
    },
}

/// Who meets in a hall of fame, and where.
#[derive(clap::Args, Debug)]
pub(crate) struct HallOfFameArgs {
    /// Its name, or its number
    pub(crate) run: String,
    /// Only every so manieth of them, and the last
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) every: u32,
    /// Random moves before the players take over [default: as in training]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) openings: Option<u32>,
    /// Scenes (pairs of games) of every meeting
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) pairs: u32,
}

/// How an interrupted run goes on.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra run resume cmaes-connect4-1
  palestra run resume cup --store course.db

The plan is the one in the store. Programs of an event are started from this folder, and confined as the plan says.
Exit codes: as those of palestra tune and palestra tournament.")]
pub(crate) struct ResumeArgs {
    /// Its name, or its number
    pub(crate) run: String,
    /// Keep every single game of training, not only the counts
    #[arg(long)]
    pub(crate) keep_games: bool,
    /// Save the champion under this name, for @NAME in player strings
    #[arg(long, value_name = "NAME")]
    pub(crate) save: Option<String>,
    /// Stop, as by Ctrl-C, when standard input ends: for programs that start this one and may fail
    #[arg(long, hide = true)]
    pub(crate) tied: bool,
}

/// Write a report of a run: one page of HTML with the champion in words, the figures and the tests
///
/// The page needs nothing else: no network, no script. A run that is not done has a report of what there is.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra report cmaes-connect4-1
  palestra report cmaes-connect4-1 --output course/cmaes.html --figures course/figures
  palestra report 3 --json

How to read it: docs/reports.md.
Exit codes: 0 done; 1 a file or the machine failed; 2 bad input, nothing was written.")]
pub(crate) struct ReportArgs {
    /// The run: its name, or its number
    pub(crate) run: String,
    /// Where to write the page [default: RUN.html]
    #[arg(long, short, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// Also write every figure into this folder, as SVG and as PNG
    #[arg(long, value_name = "FOLDER")]
    pub(crate) figures: Option<PathBuf>,
}

/// The games that weights are looked at in
#[derive(clap::Args, Debug)]
pub(crate) struct GauntletArgs {
    /// A player to meet, from both sides; give it several times
    #[arg(long = "rival", value_name = "PLAYER", required = true)]
    pub(crate) rivals: Vec<String>,
    /// Moves that lead to where games begin; give it several times [default: the start]
    #[arg(long = "opening", value_name = "MOVES")]
    pub(crate) openings: Vec<String>,
}

/// Draw an exact map of two weights of a greedy player: what its games are worth with any value of both
///
/// The other weights stay as they are. Within a region of the map every game goes the same way, move for move; its borders
/// are exact.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra map connect4 grid-5 --x own-longest --y own-lines --rival rival-4 --svg map.svg
  palestra map connect:4x4x3 greedy/threes/4,4,1,2 --x 1 --y 2 --x-range -8..8 --y-range -8..8 --rival first
  palestra map connect4 grid-5 --games connect:9x8x5 --x 1 --y 2 --rival rival-0 --rival rival-4 --json

A weight is named by its feature (palestra games NAME) or by its number, from 1. Ranges go from 0 to twice the weight
where none is given. A won game is worth 1, a lost one -1.
How to read it: docs/reports.md.
Exit codes: 0 done; 1 a file or the machine failed; 2 bad input, nothing was written; 130 interrupted.")]
pub(crate) struct MapArgs {
    /// The game, such as connect4
    pub(crate) game: String,
    /// A greedy player with weights, or @NAME
    pub(crate) player: String,
    /// The weight that goes from left to right
    #[arg(long, value_name = "NAME")]
    pub(crate) x: String,
    /// The weight that goes upward
    #[arg(long, value_name = "NAME")]
    pub(crate) y: String,
    /// From where to where x goes
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    pub(crate) x_range: Option<String>,
    /// From where to where y goes
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    pub(crate) y_range: Option<String>,
    #[command(flatten)]
    pub(crate) gauntlet: GauntletArgs,
    /// Another game to play as well; give it several times
    #[arg(long = "games", value_name = "GAME")]
    pub(crate) games: Vec<String>,
    #[command(flatten)]
    pub(crate) picture: ChartArgs,
}

/// How far each weight of a greedy player may move before any decision of its games changes
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra sensitivity connect4 grid-5 --rival rival-4
  palestra sensitivity connect:4x4x3 greedy/threes/4,4,1,2 --rival first --rival random --opening '1 2' --json

How to read it: docs/reports.md.
Exit codes: 0 done; 1 a file or the machine failed; 2 bad input.")]
pub(crate) struct SensitivityArgs {
    /// The game, such as connect4
    pub(crate) game: String,
    /// A greedy player with weights, or @NAME
    pub(crate) player: String,
    #[command(flatten)]
    pub(crate) gauntlet: GauntletArgs,
}

/// What the weights of a player come to: what depends on what, and which feature has how much say
///
/// Features that are sums of others are found at positions of random games; weights on them are given to those others,
/// so that weights which mean the same look the same. How much say a feature has is its weight times its standard
/// deviation there, beside the greatest.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra weights mastergoal:1 hand-level1
  palestra weights connect4 @cmaes-connect-7x6x4-1 --json

Exit codes: 0 done; 2 bad input.")]
pub(crate) struct WeightsArgs {
    /// The game, such as connect4
    pub(crate) game: String,
    /// A player whose evaluation is a weighted sum, or @NAME
    pub(crate) player: String,
    /// Random games whose positions are looked at
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) games: u64,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExportFormatArg {
    /// All candidates, one a line
    Csv,
    /// The whole run
    Json,
    /// All candidates, by columns (needs the cargo feature parquet)
    Parquet,
}
