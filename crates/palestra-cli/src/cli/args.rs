//! Command-line arguments as clap parses them; nothing is resolved or checked against the games yet.

use super::args_certify::CertifyArgs;
use super::args_engine::EngineArgs;
use super::args_event::{EventArgs, TournamentArgs};
use super::args_programs::ProgramArgs;
use super::args_stats::{RatingsArgs, StatsArgs};
use super::args_store::StoreArgs;
use super::args_study::StudyArgs;
use super::args_submissions::CheckSubmissionsArgs;
use super::args_tune::{
    CompareMethodsArgs, MapArgs, MethodsArgs, ReportArgs, RunArgs, RunsArgs, SensitivityArgs, TuneArgs,
    WeightsArgs,
};
use super::args_web::ServeArgs;
use crate::games;
use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};
use palestra_arena::{AnyGame, Session};
use palestra_core::MemoryLimit;
use palestra_review::memory_limit;

/// Tune, test, watch and play board-game players
///
/// Without a command, an evaluation of the first game is tuned and the champion tested and printed; this takes about
/// half a minute.
#[derive(Parser, Debug)]
#[command(
    name = "palestra",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  palestra                                          tune and test a player of the first game
  palestra tune connect4 --features lines --method cmaes --budget 100k
  palestra report cmaes-connect-7x6x4-1             write a run's report with figures
  palestra games connect                            show rules, features and notation of a game
  palestra play connect4                            play against the computer in the terminal
  palestra match connect4 grid-5 rival-4 --games 200 --opening-plies 4
  palestra tournament connect4 grid-5 rival-4 'ana=cmd:python3 bot.py' --cycles 10 --opening-plies 4
  palestra explain connect4 4455 greedy/lines/1000,-500,80,-2,2,80
  palestra study run connect-c                      reproduce a published study
  palestra serve                                    watch runs and events, and play, in a browser

palestra COMMAND --help shows the options and examples of a command.
Exit codes: 0 done; 1 file or system error; 2 invalid input, nothing was written; 130 interrupted;
other codes are listed in the command's help."
)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: CommonArgs,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// Heading of [`CommonArgs`] in the help. clap prints custom headings after `Options`, so these come last.
pub(super) const COMMON_OPTIONS: &str = "Common options";

/// Options of every command.
///
/// The heading is set on each argument: `next_help_heading` on the struct would also apply to arguments after it.
#[derive(clap::Args, Debug)]
pub(super) struct CommonArgs {
    /// Print one JSON object per line
    #[arg(long, global = true, help_heading = COMMON_OPTIONS)]
    pub(super) json: bool,
    /// Random seed; the same seed gives the same result
    #[arg(long, global = true, default_value_t = 1, value_name = "N", help_heading = COMMON_OPTIONS)]
    pub(super) seed: u64,
    /// Number of threads; results do not depend on it [default: all cores]
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=1024),
        help_heading = COMMON_OPTIONS
    )]
    pub(super) threads: Option<u16>,
    /// Stop, as on Ctrl-C, when standard input ends: for a parent process that may die
    #[arg(long, global = true, hide = true)]
    pub(super) tied: bool,
    /// Database file of runs, events and champions
    #[arg(
        long,
        global = true,
        default_value = "palestra.db",
        value_name = "FILE",
        help_heading = COMMON_OPTIONS
    )]
    pub(super) store: std::path::PathBuf,
    /// When to use color
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t = Color::Auto,
        value_name = "WHEN",
        help_heading = COMMON_OPTIONS
    )]
    pub(super) color: Color,
}

/// When to use color.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Color {
    /// On a terminal, unless the environment variable NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    Games(GamesArgs),
    Players(PlayersArgs),
    Play(PlayArgs),
    Match(MatchArgs),
    Show(ShowArgs),
    Explain(ExplainArgs),
    Perft(PerftArgs),
    Playouts(PlayoutsArgs),
    Tree(TreeArgs),
    Solve(SolveArgs),
    Analyze(AnalyzeArgs),
    Accuracy(AccuracyArgs),
    Tune(TuneArgs),
    CompareMethods(CompareMethodsArgs),
    Methods(MethodsArgs),
    Runs(RunsArgs),
    Run(RunArgs),
    Report(ReportArgs),
    Map(MapArgs),
    Certify(CertifyArgs),
    Sensitivity(SensitivityArgs),
    Weights(WeightsArgs),
    Store(StoreArgs),
    Stats(StatsArgs),
    Ratings(RatingsArgs),
    Tournament(Box<TournamentArgs>),
    Event(EventArgs),
    Engine(EngineArgs),
    CheckSubmissions(CheckSubmissionsArgs),
    Study(StudyArgs),
    Serve(ServeArgs),
    Bench(BenchArgs),
    /// Print shell completions
    ///
    /// For bash: palestra completions bash > ~/.local/share/bash-completion/completions/palestra
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    NewGame(NewGameArgs),
    Man(ManArgs),
}

/// Create a game in a crate of its own, as a template
///
/// The crate NAME has a small playable game that passes the conformance kit; replace its rules, texts and features.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra new-game nim --crate --source ../palestra
  cd nim && cargo test && cargo run --release -- play nim

How to go on: docs/your-own-game.md. Inside the source tree: cargo xtask new-game NAME.
Exit codes: 0 done; 1 file or system error; 2 invalid input, nothing was written.")]
pub(super) struct NewGameArgs {
    /// Name of the game and of its folder: lower-case letters and digits
    pub(super) name: String,
    /// Create a crate of its own
    #[arg(long = "crate")]
    pub(super) is_crate: bool,
    /// Palestra's source tree or git repository [default: the source tree around the current folder]
    #[arg(long, value_name = "FOLDER|URL")]
    pub(super) source: Option<String>,
}

/// Write manual pages for all commands
///
/// Without DIR, the page of palestra itself goes to standard output.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra man ~/.local/share/man/man1
  palestra man | man -l -

Exit codes: 0 done; 1 file or system error; 2 invalid input.")]
pub(super) struct ManArgs {
    /// Folder for palestra.1, palestra-tune.1, …; created if missing
    #[arg(value_name = "DIR")]
    pub(super) folder: Option<std::path::PathBuf>,
}

/// List the games, or show the rules and features of one
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  palestra games\n  palestra games connect\n  palestra games connect:14x14x7"
)]
pub(super) struct GamesArgs {
    /// Family (connect) or game (connect:7x6x4)
    pub(super) game: Option<String>,
}

/// List searches, evaluations and named players
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra players\n  palestra players connect4 --json")]
pub(super) struct PlayersArgs {
    /// Only those that can play this game
    pub(super) game: Option<String>,
}

/// A game and where to start in it
#[derive(clap::Args, Debug)]
pub(super) struct StartArgs {
    /// Game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// Moves to play first; - for none
    #[arg(long, default_value = "-", value_name = "LIST", display_order = 100)]
    pub(super) moves: String,
    /// Start position instead of the game's own (syntax: palestra games NAME)
    #[arg(long, value_name = "SETUP", display_order = 101)]
    pub(super) setup: Option<String>,
}

/// A position of a game
#[derive(clap::Args, Debug)]
pub(super) struct PositionArgs {
    /// Game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// Moves that lead to the position; - for none
    pub(super) moves: Vec<String>,
    /// Start position instead of the game's own (syntax: palestra games NAME)
    #[arg(long, value_name = "SETUP")]
    pub(super) setup: Option<String>,
}

/// Opens a game, and a session at the position after `moves` from a setup or the game's own start.
pub(super) fn open_position(
    game: &str,
    setup: Option<&str>,
    moves: &str,
) -> Result<(Box<dyn AnyGame>, Box<dyn Session>)> {
    let game = games().open(game)?;
    let session = game.session(setup, moves)?;
    Ok((game, session))
}

impl StartArgs {
    /// Opens the game, and a session at its start.
    pub(super) fn open(&self) -> Result<(Box<dyn AnyGame>, Box<dyn Session>)> {
        open_position(&self.game, self.setup.as_deref(), &self.moves)
    }
}

impl PositionArgs {
    /// Opens the game, and a session at the position.
    pub(super) fn open(&self) -> Result<(Box<dyn AnyGame>, Box<dyn Session>)> {
        open_position(&self.game, self.setup.as_deref(), &self.moves.join(" "))
    }
}

/// `--setup` for a command line that continues a game, after a blank; empty for the game's own start.
pub(super) fn setup_option(setup: Option<&str>) -> String {
    setup.map_or(String::new(), |setup| format!(" --setup '{setup}'"))
}

/// Play a game in the terminal
///
/// A side without a player is yours. Type a move, or: undo, hint, moves, resign, quit, help. Players are built in, or
/// external engines: cmd:PROGRAM ARGUMENTS.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra play connect4
  palestra play connect4 --first greedy/lines/1000,-500,80,-2,2,80 --second rival-4
  palestra play connect:9x8x5 --second human --first alphabeta:depth=5/threes/4,4,1,2
  palestra play connect4 --first random --second random --seed 7 --json
  palestra play connect4 --second 'cmd:python3 bot.py' --clock 60+0.5

Exit codes: 0 the game ended or you quit; 2 invalid input; 130 interrupted (the command to continue
is printed).")]
pub(super) struct PlayArgs {
    #[command(flatten)]
    pub(super) start: StartArgs,
    /// Player of the first side, or human
    #[arg(long, value_name = "PLAYER")]
    pub(super) first: Option<String>,
    /// Player of the second side, or human
    #[arg(long, value_name = "PLAYER")]
    pub(super) second: Option<String>,
    #[command(flatten)]
    pub(super) programs: ProgramArgs,
}

/// Play many games between two players and compare them
///
/// Games come in pairs: the same opening, sides swapped. Results are those of player A. Players are built in, or
/// external engines: cmd:PROGRAM ARGUMENTS.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra match connect4 grid-5 random --games 1000
  palestra match connect:14x14x7 grid-5 rival-4 --games 400 --opening-plies 4 --seed 3
  palestra match connect4 'cmd:python3 bot.py' grid-5 --games 40 --opening-plies 4 --clock 0.1/move

Two deterministic players repeat the same two games from the same start: use --opening-plies.
Exit codes: 0 done; 2 invalid input; 3 an engine failed the pre-flight check; 130 interrupted (the
games so far and the command for the rest are printed).")]
pub(super) struct MatchArgs {
    #[command(flatten)]
    pub(super) start: StartArgs,
    /// Player whose results are reported
    pub(super) a: String,
    /// Opponent
    pub(super) b: String,
    /// Number of games
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) games: u64,
    /// Random moves before the players take over; both games of a pair have the same
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(super) opening_plies: u32,
    /// Pairs to skip: those that an interrupted match has played
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(super) skip_pairs: u64,
    /// Number of games at a time [default: --threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: Option<u16>,
    /// Skip the pre-flight check of engines
    #[arg(long)]
    pub(super) no_preflight: bool,
    #[command(flatten)]
    pub(super) programs: ProgramArgs,
}

/// Show a position: board, legal moves and features
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra show connect4 4455
  palestra show connect4 --setup '......./......./......./......./..1..../..21... 1'
  palestra show connect4 4455 --svg board.svg")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    pub(super) position: PositionArgs,
    /// Also draw the board to this SVG file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<std::path::PathBuf>,
}

/// Explain a player's choice: each move's features and value
///
/// An external engine (cmd:PROGRAM ARGUMENTS) shows only its move, and its value if it reports one; the values of the
/// moves beside them are exact where the position can be solved, otherwise those of a deep search, or of --values.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "palestra explain [OPTIONS] GAME [MOVES] PLAYER",
    after_help = "Examples:
  palestra explain connect4 4455 greedy/lines/1000,-500,80,-2,2,80
  palestra explain connect4 - alphabeta:depth=4/threes/4,4,1,2 --json
  palestra explain connect4 4455 'cmd:python3 bot.py' --values grid-5

Exit codes: 0 done; 1 file or system error; 2 invalid input; 3 an engine failed; 130 interrupted."
)]
pub(super) struct ExplainArgs {
    /// Game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// Moves that lead to the position (- or nothing for none), then the player
    #[arg(required = true, num_args = 1.., value_name = "MOVES PLAYER")]
    pub(super) moves_and_player: Vec<String>,
    /// Start position instead of the game's own (syntax: palestra games NAME)
    #[arg(long, value_name = "SETUP")]
    pub(super) setup: Option<String>,
    /// Built-in player whose values of the moves are shown beside the move of an engine
    #[arg(long, value_name = "PLAYER")]
    pub(super) values: Option<String>,
    #[command(flatten)]
    pub(super) programs: ProgramArgs,
}

/// Count move sequences, to test a move generator
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra perft connect4 8\n  palestra perft connect4 8 --distinct")]
pub(super) struct PerftArgs {
    #[command(flatten)]
    pub(super) start: StartArgs,
    /// Depth in moves
    #[arg(value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(super) depth: u32,
    /// Also count distinct positions (kept in memory)
    #[arg(long)]
    pub(super) distinct: bool,
}

/// Play random games and count moves, plies and results
///
/// Every legal move is equally likely. Errors are standard errors, with games as the independent units.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra playouts connect4
  palestra playouts mastergoal:3,limit=40 --games 2000 --json

Exit codes: 0 done; 2 invalid input.")]
pub(super) struct PlayoutsArgs {
    #[command(flatten)]
    pub(super) start: StartArgs,
    /// Number of games
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(super) games: u64,
}

/// Count the nodes of search trees: positions and children by level
///
/// A single search that prunes is compared with the full tree, unless the full tree is too large.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra tree ladrillos:4 minimax/margin
  palestra tree ladrillos:4 alphabeta:cuts=shallow/root
  palestra tree connect4 minimax:depth=5/threes/4,4,1,2 alphabeta:depth=5/threes/4,4,1,2 --json
  palestra tree ladrillos:4 alphabeta/margin --png tree.png")]
pub(super) struct TreeArgs {
    #[command(flatten)]
    pub(super) start: StartArgs,
    /// Players whose searches are counted
    #[arg(required = true, num_args = 1.., value_name = "PLAYER")]
    pub(super) players: Vec<String>,
    #[command(flatten)]
    pub(super) chart: ChartArgs,
}

/// Output files of a chart
#[derive(clap::Args, Debug)]
pub(super) struct ChartArgs {
    /// Also draw a chart to this SVG file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<std::path::PathBuf>,
    /// Also draw a chart to this PNG file
    #[arg(long, value_name = "FILE")]
    pub(super) png: Option<std::path::PathBuf>,
}

/// Solve a position: its value and the value of every move
///
/// Results are kept in the user's cache folder, as is the work of an interrupted solution: the same command continues
/// it. palestra games NAME says what the values mean.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra solve connect4 44444
  palestra solve kalah:4x4 --json
  palestra solve ladrillos:6 --value --memory 2G
  palestra solve kalah:6x4 --memory 6G

The environment variable PALESTRA_CACHE names another cache folder.
Exit codes: 0 solved; 1 file or system error; 2 invalid input, an ended game, or a board too large;
130 interrupted (the command to continue is printed).")]
pub(super) struct SolveArgs {
    #[command(flatten)]
    pub(super) position: PositionArgs,
    #[command(flatten)]
    pub(super) memory: MemoryArgs,
    /// Solve for the position's value only, not every move's
    #[arg(long)]
    pub(super) value: bool,
    /// Do not use the cache
    #[arg(long)]
    pub(super) no_cache: bool,
}

/// Memory limit of a solver
#[derive(clap::Args, Debug)]
pub(super) struct MemoryArgs {
    /// Memory limit of the transposition table: 512M, 4G
    #[arg(long = "memory", default_value = "1G", value_name = "SIZE", value_parser = parse_bytes)]
    pub(super) bytes: usize,
}

impl MemoryArgs {
    /// Whether the system would reserve this much. The reservation is freed at once and touches no page, so that
    /// it costs nothing.
    pub(super) fn check(&self) -> Result<()> {
        let reserved = Vec::<u8>::new().try_reserve_exact(self.bytes);
        reserved.map_err(|_| anyhow::anyhow!("cannot reserve {}M of memory; see --memory", self.bytes >> 20))
    }
}

/// Memory limit of a plan
#[derive(clap::Args, Debug)]
pub(crate) struct PlanMemoryArgs {
    /// Refuse plans that need more memory than this: 512M, 4G [default: half of the machine's]
    #[arg(long = "memory", value_name = "SIZE", value_parser = parse_bytes)]
    bytes: Option<usize>,
}

impl PlanMemoryArgs {
    /// The limit.
    pub(crate) fn limit(&self) -> MemoryLimit {
        memory_limit(self.bytes)
    }
}

/// Parses a size in bytes: a whole number, then M or G (powers of 1024).
fn parse_bytes(text: &str) -> Result<usize, String> {
    // clap puts the option and the offending text before it.
    let expected = || "expected a size from 1M to 1024G, such as 512M or 4G".to_owned();
    let split = text.len().checked_sub(1).filter(|&i| text.is_char_boundary(i)).ok_or_else(expected)?;
    let (number, unit) = text.split_at(split);
    let shift = match unit {
        "M" | "m" => 20,
        "G" | "g" => 30,
        _ => return Err(expected()),
    };
    let number: usize = number.parse().map_err(|_| expected())?;
    let bytes = number.checked_mul(1 << shift).filter(|bytes| (1 << 20..=1 << 40).contains(bytes));
    bytes.ok_or_else(expected)
}

/// Rate every move of a position, exactly or by deep search
///
/// Values are exact where the position can be solved, otherwise those of a deep search. Each move comes with its
/// principal variation.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra analyze connect4 4455336
  palestra analyze connect4 44553366 --player grid-5
  palestra analyze ladrillos:9 d4h --nodes 200000 --json

Exit codes: 0 done; 1 file or system error; 2 invalid input, or an ended game; 130 interrupted.")]
pub(super) struct AnalyzeArgs {
    #[command(flatten)]
    pub(super) position: PositionArgs,
    #[command(flatten)]
    pub(super) memory: MemoryArgs,
    /// Player to compare: its move, and how much worse that is than the best
    #[arg(long, value_name = "PLAYER")]
    pub(super) player: Option<String>,
    /// Nodes per move of the deep search, where the position cannot be solved
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) nodes: u64,
    /// Use the deep search without trying to solve the position
    #[arg(long)]
    pub(super) deep: bool,
}

/// Measure how often players find the best move
///
/// All players get the same positions. The seed draws them from games in which one move of three is random. Moves are
/// rated exactly where the game can be solved, otherwise by a deep search. Players are built in, or external engines
/// (cmd:PROGRAM ARGUMENTS), which get the moves from the start to each position.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra accuracy connect4 grid-5 rival-4 alphabeta:depth=5/threes/4,4,1,2
  palestra accuracy kalah:6x4 greedy/margin random --positions 1000 --json
  palestra accuracy mancala habia-una-vez last --from-ply 20
  palestra accuracy connect4 'cmd:python3 bot.py' grid-5 --from-ply 16 --clock 0.1/move

Exit codes: 0 done; 2 invalid input; 3 an engine failed the pre-flight check; 130 interrupted (the
results so far are printed).")]
pub(super) struct AccuracyArgs {
    /// Game: connect4, kalah:6x4, …
    pub(super) game: String,
    /// Players to measure
    #[arg(required = true, num_args = 1.., value_name = "PLAYER")]
    pub(super) players: Vec<String>,
    /// Number of positions
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) positions: u32,
    /// Node limit of the exact search; positions that need more are left out
    #[arg(long, default_value_t = 2_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) exact_nodes: u64,
    /// Nodes per move of the deep search, where the game cannot be solved
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) nodes: u64,
    /// Only positions from this ply on
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(super) from_ply: u32,
    /// Skip the pre-flight check of engines
    #[arg(long)]
    pub(super) no_preflight: bool,
    #[command(flatten)]
    pub(super) programs: ProgramArgs,
}

/// Measure the speed of this build and compare published figures
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra bench\n  palestra bench playouts --repeat 5")]
pub(super) struct BenchArgs {
    /// Cases to run [default: all but the long ones, solve-…]
    pub(super) cases: Vec<String>,
    /// List the cases instead of running them
    #[arg(long)]
    pub(super) list: bool,
    /// Passes of each case; the fastest counts
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) repeat: u32,
}
