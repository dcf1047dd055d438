//! The raw arguments, as typed.

use super::args_certify::CertifyArgs;
use super::args_engine::{JudgePlayerArgs, UgiArgs};
use super::args_event::{CheckPlayerArgs, EventArgs, ReplayFailureArgs, TournamentArgs};
use super::args_stats::{RatingsArgs, StatsArgs};
use super::args_study::StudyArgs;
use super::args_tune::{
    CompareMethodsArgs, MapArgs, MethodsArgs, ReportArgs, RunArgs, RunsArgs, SensitivityArgs, TuneArgs,
    WeightsArgs,
};
use super::args_web::ServeArgs;
use clap::{Parser, Subcommand, ValueEnum};

/// A training ground for board-game players: tune, prove, watch and play.
///
/// Without a command it tunes an evaluation of Connect 4, tests the champion and shows it, in half a minute.
#[derive(Parser, Debug)]
#[command(
    name = "palestra",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  palestra                                          tune, test and show a champion of Connect 4
  palestra tune connect4 --features lines --method cmaes --budget 100k
  palestra report cmaes-connect-7x6x4-1             the run as a page with figures
  palestra games connect                            rules, features and notation of a game
  palestra play connect4                            play against the computer in the terminal
  palestra match connect4 grid-5 rival-4 --games 200 --opening-plies 4
  palestra tournament connect4 grid-5 rival-4 'ana=cmd:python3 bot.py' --cycles 10 --opening-plies 4
  palestra explain connect4 4455 greedy/lines/1000,-500,80,-2,2,80
  palestra study run connect-c                      do a published study again, and compare
  palestra serve                                    watch, look inside and play in a browser

Exit codes: 0 done; 1 a file or the machine failed; 2 bad input, nothing was written; 130 interrupted;
others as the help of a command says."
)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: CommonArgs,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// What every command understands.
#[derive(clap::Args, Debug)]
pub(super) struct CommonArgs {
    /// Print JSON, one object a line, for scripts
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Where all dice come from: same seed, same result
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    pub(super) seed: u64,
    /// Threads to use; results do not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// The file that runs, games and champions are kept in
    #[arg(long, global = true, default_value = "palestra.db", value_name = "FILE")]
    pub(super) store: std::path::PathBuf,
    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(super) color: Color,
}

/// When to use color.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
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
    Stats(StatsArgs),
    Ratings(RatingsArgs),
    Ugi(UgiArgs),
    JudgePlayer(JudgePlayerArgs),
    Tournament(TournamentArgs),
    Event(EventArgs),
    CheckPlayer(CheckPlayerArgs),
    ReplayFailure(ReplayFailureArgs),
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
    Man(ManArgs),
}

/// Write manual pages: one for every command, or print that of palestra
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra man ~/.local/share/man/man1
  palestra man | man -l -

Exit codes: 0 done; 1 a file or the machine failed; 2 bad input.")]
pub(super) struct ManArgs {
    /// The folder to write palestra.1, palestra-tune.1, … to; it is made where it is missing
    #[arg(value_name = "DIR")]
    pub(super) folder: Option<std::path::PathBuf>,
}

/// List the games, or show one: rules, parameters, features, notation
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  palestra games\n  palestra games connect\n  palestra games connect:14x14x7"
)]
pub(super) struct GamesArgs {
    /// A family (connect) or a game (connect:7x6x4)
    pub(super) game: Option<String>,
}

/// List searches, evaluations and players with names
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra players\n  palestra players connect4 --json")]
pub(super) struct PlayersArgs {
    /// Only what can play this game
    pub(super) game: Option<String>,
}

/// A position: a setup or the game's start, and moves from there
#[derive(clap::Args, Debug, Default)]
pub(super) struct SetupArgs {
    /// Start from this position instead of the game's own (see `palestra games NAME`)
    #[arg(long, value_name = "SETUP")]
    pub(super) setup: Option<String>,
}

/// Play one game: two players, or you against one of them
///
/// A seat that is not given is yours. Type a move, or: undo, hint, moves, resign, quit, help.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra play connect4
  palestra play connect4 --first greedy/lines/1000,-500,80,-2,2,80 --second rival-4
  palestra play connect:9x8x5 --second human --first alphabeta:depth=5/threes/4,4,1,2
  palestra play connect4 --first random --second random --seed 7 --json

Exit codes: 0 the game ended or you left it; 2 bad input; 130 interrupted (the line to go on is printed).")]
pub(super) struct PlayArgs {
    /// The game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// Who opens: a player, or human
    #[arg(long, value_name = "PLAYER")]
    pub(super) first: Option<String>,
    /// Who answers: a player, or human
    #[arg(long, value_name = "PLAYER")]
    pub(super) second: Option<String>,
    /// Moves already played
    #[arg(long, default_value = "-", value_name = "LIST")]
    pub(super) moves: String,
    #[command(flatten)]
    pub(super) place: SetupArgs,
}

/// Play many games between two players and say who is better
///
/// Games come in pairs from the same opening with sides swapped. Results are the first player's.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra match connect4 grid-5 random --games 1000
  palestra match connect:14x14x7 grid-5 rival-4 --games 400 --opening-plies 4 --seed 3

Players without dice always repeat the same two games from the same start: give them --opening-plies.
Exit codes: 0 done; 2 bad input; 130 interrupted (what was played is printed, and the line for the rest).")]
pub(super) struct MatchArgs {
    /// The game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// The player whose results are given
    pub(super) a: String,
    /// The other one
    pub(super) b: String,
    /// Games to play
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) games: u64,
    /// Random moves before the players take over, the same for both games of a pair
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(super) opening_plies: u32,
    /// Leave out the first pairs: those an interrupted match already played
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(super) skip_pairs: u64,
    /// Moves already played
    #[arg(long, default_value = "-", value_name = "LIST")]
    pub(super) moves: String,
    #[command(flatten)]
    pub(super) place: SetupArgs,
}

/// Show a position: board, legal moves, features
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra show connect4 4455
  palestra show connect4 --setup '......./......./......./......./..1..../..21... 1'
  palestra show connect4 4455 --svg board.svg")]
pub(super) struct ShowArgs {
    /// The game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// The moves that led there; - for none
    pub(super) moves: Vec<String>,
    #[command(flatten)]
    pub(super) place: SetupArgs,
    /// Also draw the board into this SVG file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<std::path::PathBuf>,
}

/// Why did it play that? Every legal move with its features and what each adds
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "palestra explain [OPTIONS] GAME [MOVES] PLAYER",
    after_help = "Examples:
  palestra explain connect4 4455 greedy/lines/1000,-500,80,-2,2,80
  palestra explain connect4 - alphabeta:depth=4/threes/4,4,1,2 --json"
)]
pub(super) struct ExplainArgs {
    /// The game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// The moves that led there (- or nothing for none), then the player to explain
    #[arg(required = true, num_args = 1.., value_name = "MOVES PLAYER")]
    pub(super) words: Vec<String>,
    #[command(flatten)]
    pub(super) place: SetupArgs,
}

/// Count move sequences: the test of a move generator
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra perft connect4 8\n  palestra perft connect4 8 --distinct")]
pub(super) struct PerftArgs {
    /// The game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// How many moves deep
    #[arg(value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(super) depth: u32,
    /// Moves played before
    #[arg(long, default_value = "-", value_name = "LIST")]
    pub(super) moves: String,
    /// Count different positions as well (keeps them in memory)
    #[arg(long)]
    pub(super) distinct: bool,
    #[command(flatten)]
    pub(super) place: SetupArgs,
}

/// Random games: how many legal moves there are, how long games last, who wins
///
/// Every legal move is equally likely. Errors are standard errors, with games as the independent units.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra playouts connect4
  palestra playouts mastergoal:3,limit=40 --games 2000 --json

Exit codes: 0 done; 2 bad input.")]
pub(super) struct PlayoutsArgs {
    /// The game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// Games to play
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(super) games: u64,
    /// Moves played before
    #[arg(long, default_value = "-", value_name = "LIST")]
    pub(super) moves: String,
    #[command(flatten)]
    pub(super) place: SetupArgs,
}

/// The tree a search looks at: positions per level, fewest, most and mean children
///
/// Beside a single search that leaves something out stands the whole tree, where it is not too big.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra tree ladrillos:4 minimax/margin
  palestra tree ladrillos:4 alphabeta:cuts=shallow/root
  palestra tree connect4 minimax:depth=5/threes/4,4,1,2 alphabeta:depth=5/threes/4,4,1,2 --json
  palestra tree ladrillos:4 alphabeta/margin --png tree.png")]
pub(super) struct TreeArgs {
    /// The game: connect4, ladrillos:4, …
    pub(super) game: String,
    /// The players whose searches are counted
    #[arg(required = true, num_args = 1.., value_name = "PLAYER")]
    pub(super) players: Vec<String>,
    /// Moves already played
    #[arg(long, default_value = "-", value_name = "LIST")]
    pub(super) moves: String,
    #[command(flatten)]
    pub(super) place: SetupArgs,
    #[command(flatten)]
    pub(super) picture: ChartArgs,
}

/// Files for a chart
#[derive(clap::Args, Debug)]
pub(super) struct ChartArgs {
    /// Also draw a chart into this SVG file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<std::path::PathBuf>,
    /// Also draw a chart into this PNG file
    #[arg(long, value_name = "FILE")]
    pub(super) png: Option<std::path::PathBuf>,
}

/// What a position is worth when both sides play perfectly, and every move of it
///
/// Results are kept in the cache folder of the user, and so is the work of an interrupted solution: the same
/// command goes on from there. What a value means: palestra games NAME.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra solve connect4 44444
  palestra solve kalah:4x4 --json
  palestra solve ladrillos:6 --value --memory 2G
  palestra solve kalah:6x4 --memory 6G

PALESTRA_CACHE names another cache folder.
Exit codes: 0 solved; 1 a file or the machine failed; 2 bad input, an ended game, or a board too large; 130 interrupted (the line to go on is printed).")]
pub(super) struct SolveArgs {
    /// The game: connect4, kalah:4x4, …
    pub(super) game: String,
    /// The moves that led there; - for none
    pub(super) moves: Vec<String>,
    #[command(flatten)]
    pub(super) place: SetupArgs,
    #[command(flatten)]
    pub(super) memory: MemoryArgs,
    /// Only the value of the position, not of every move
    #[arg(long)]
    pub(super) value: bool,
    /// Neither read nor write the cache
    #[arg(long)]
    pub(super) no_cache: bool,
}

/// Room for what a solution knows of positions
#[derive(clap::Args, Debug)]
pub(super) struct MemoryArgs {
    /// Most memory for what is known of positions: 512M, 4G
    #[arg(long = "memory", default_value = "1G", value_name = "SIZE", value_parser = parse_bytes)]
    pub(super) bytes: usize,
}

impl MemoryArgs {
    /// Whether the machine would give so much. It is taken as it is used, so that this costs nothing.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let room = Vec::<u8>::new().try_reserve_exact(self.bytes);
        room.map_err(|_| anyhow::anyhow!("this machine has no {}M of memory; see --memory", self.bytes >> 20))
    }
}

/// Reads a size: a whole number, then M or G.
fn parse_bytes(text: &str) -> Result<usize, String> {
    let expected = || format!("\"{text}\" is not a size like 512M or 4G, from 1M to 1024G");
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

/// What every move of a position is worth, with the line it leads to, and what a player makes of it
///
/// Values are exact where the position can be solved, otherwise those of a deep search.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra analyze connect4 4455336
  palestra analyze connect4 44553366 --player grid-5
  palestra analyze ladrillos:9 d4h --nodes 200000 --json

Exit codes: 0 done; 1 a file or the machine failed; 2 bad input, or an ended game; 130 interrupted.")]
pub(super) struct AnalyzeArgs {
    /// The game: connect4, connect:9x8x5, …
    pub(super) game: String,
    /// The moves that led there; - for none
    pub(super) moves: Vec<String>,
    #[command(flatten)]
    pub(super) place: SetupArgs,
    #[command(flatten)]
    pub(super) memory: MemoryArgs,
    /// A player to compare: its choice, and what that loses
    #[arg(long, value_name = "PLAYER")]
    pub(super) player: Option<String>,
    /// Positions a move for the deep search, where the position cannot be solved
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) nodes: u64,
    /// Do not try to solve the position
    #[arg(long)]
    pub(super) deep: bool,
}

/// How often players find the best move: strength without an opponent's luck
///
/// The positions are drawn from the seed, the same for all players: games in which one move of three is random.
/// Moves are judged exactly where the game can be solved, otherwise by a deep search.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra accuracy connect4 grid-5 rival-4 alphabeta:depth=5/threes/4,4,1,2
  palestra accuracy kalah:6x4 greedy/margin random --positions 1000 --json
  palestra accuracy mancala habia-una-vez last --from-ply 20

Exit codes: 0 done; 2 bad input; 130 interrupted (what was measured is printed).")]
pub(super) struct AccuracyArgs {
    /// The game: connect4, kalah:6x4, …
    pub(super) game: String,
    /// The players to measure
    #[arg(required = true, num_args = 1.., value_name = "PLAYER")]
    pub(super) players: Vec<String>,
    /// Positions to ask them at
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) positions: u32,
    /// Leave out positions that take the exact search more nodes than this
    #[arg(long, default_value_t = 2_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) exact_nodes: u64,
    /// Nodes a move for the deep search, where the game cannot be solved
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(super) nodes: u64,
    /// Take positions from this ply on: the late ones of a game
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(super) from_ply: u32,
}

/// Measure how fast this build is on this machine, beside published figures
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  palestra bench\n  palestra bench playouts --repeat 5")]
pub(super) struct BenchArgs {
    /// The cases to run; all but the long ones (solve-…) by default
    pub(super) cases: Vec<String>,
    /// List the cases instead of running them
    #[arg(long)]
    pub(super) list: bool,
    /// Passes of each case; the fastest counts
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) repeat: u32,
}
