//! Arguments of the commands for events and external engines.

use super::args::PlanMemoryArgs;
use super::args_format::{FormatKeyArgs, format_help};
use super::args_programs::{ProgramArgs, SandboxArgs};
use palestra_web::Language;
use std::path::PathBuf;

/// Run a tournament of built-in players and external engines
///
/// A plan file or the options describe the event. Every game is stored as soon as it is over: the same command
/// continues an interrupted event, and after a player changes only its own games are played again.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra tournament cup.toml
  palestra tournament cup.toml --set seed=2 --set cycles=10
  palestra tournament connect4 grid-5 rival-4 random --opening-plies 4 --cycles 10
  palestra tournament connect4 --submissions submissions/ --staff regular=grid-5 --format swiss --rounds 7 --clock 1/move
  palestra tournament connect4 ana='cmd:python3 ana/bot.py' luis='cmd:./luis/bot' grid-5 --site public/ --csv marks.csv
  palestra tournament ladrillos:9 random first last --format adaptive --budget 5m

A clock is 60+0.5 (seconds per game + per move), 1/move, depth=6 or nodes=10000, or several with
commas; a move may come --margin-ms later. Engines use UGI unless another protocol is given:
cmd(protocol=gtp):./bot (docs/enter-your-program.md). All keys of a plan: docs/tournaments.md.
Exit codes: 0 done; 1 file or system error; 2 invalid input; 3 an engine failed the pre-flight check,
and the event was played without it; 4 finished with forfeits under --strict; 130 interrupted (the
same command continues).")]
pub(crate) struct TournamentArgs {
    /// Plan file (FILE.toml), or the game to play
    #[arg(value_name = "FILE.toml|GAME")]
    pub(crate) what: String,
    /// Players, each PLAYER or NAME=PLAYER; an engine is 'cmd:PROGRAM ARGUMENTS'
    #[arg(value_name = "[NAME=]PLAYER")]
    pub(crate) players: Vec<String>,
    /// Reference player: an opponent of a gauntlet and a threshold for marks; repeatable
    #[arg(long, value_name = "[NAME=]PLAYER")]
    pub(crate) staff: Vec<String>,
    /// Folder with one folder per submission (docs/course-tournament.md)
    #[arg(long, value_name = "DIR")]
    pub(crate) submissions: Option<PathBuf>,
    /// Names, groups and identifiers of the submissions: a CSV file with the columns folder, name, group, identifier
    #[arg(long, value_name = "FILE")]
    pub(crate) roster: Option<PathBuf>,
    /// Leave out submissions that cannot be started, and play with the others
    #[arg(long)]
    pub(crate) skip_invalid: bool,
    /// Name of the event in the store [default: the file's name, or format and game]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "NAME", help = format_help())]
    pub(crate) format: Option<String>,
    /// Random moves before the players take over, the same for all pairings [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) opening_plies: Option<u32>,
    /// Points for win/draw/loss: 1/0.5/0, 2/1/0, 3/1/0 or margin [default: 1/0.5/0]
    #[arg(long, value_name = "POINTS")]
    pub(crate) points: Option<String>,
    /// Override a key of the plan file, such as seed=2 or cycles=10; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Number of failures after which a player is disqualified [default: 3]
    #[arg(long, value_name = "N")]
    pub(crate) quarantine: Option<u32>,
    #[command(flatten)]
    pub(crate) format_keys: FormatKeyArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    /// Interpreter of Kaggle agents that name none of their own [default: python3]
    #[arg(long, value_name = "PATH")]
    pub(crate) kaggle_python: Option<String>,
    /// Number of games at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) concurrency: Option<u16>,
    /// Pin each game to a core of its own
    #[arg(long)]
    pub(crate) pin: bool,
    /// Skip the pre-flight check of engines
    #[arg(long)]
    pub(crate) no_preflight: bool,
    #[command(flatten)]
    pub(crate) memory: PlanMemoryArgs,
    /// Exit with code 4 if any game was forfeited
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the complete plan and the number of games, and stop
    #[arg(long)]
    pub(crate) print_plan: bool,
    /// Write one line of JSON per finished game to this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) stream: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) exports: ExportArgs,
}

/// Output files of an event.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct ExportArgs {
    /// Write the standings for a gradebook to this CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write grades and feedback for Moodle to this CSV file (players need identifiers: --roster)
    #[arg(long, value_name = "FILE")]
    pub(crate) moodle: Option<PathBuf>,
    /// Write grades for the gradebook of Canvas to this CSV file (players need identifiers: --roster)
    #[arg(long, value_name = "FILE")]
    pub(crate) canvas: Option<PathBuf>,
    /// Title of the assignment in Canvas [default: the name of the event]
    #[arg(long, value_name = "TITLE", requires = "canvas")]
    pub(crate) assignment: Option<String>,
    /// Write a text for each player to this folder, for that student alone: record, failures, standard error
    #[arg(long, value_name = "DIR")]
    pub(crate) private: Option<PathBuf>,
    /// Write all games in PGN style to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// Write all games to this file, one line of JSON each
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,
    /// Write the event as a static web site to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
    /// Language of the site: en or es
    #[arg(long, value_name = "CODE", default_value = "en", requires = "site")]
    pub(crate) language: Language,
}

/// Show or export an event: standings, crosstable, players, games
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra event cup
  palestra event cup --player ana
  palestra event cup --games
  palestra event cup --files ana appeal/
  palestra event cup --csv marks.csv --pgn games.txt --site public/

Exit codes: 0 done; 1 file or system error; 2 invalid input.")]
pub(crate) struct EventArgs {
    /// Name or number of the event (palestra runs lists them)
    pub(crate) event: String,
    /// Show one player: results by opponent and side, endings, failures
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// List the games with their numbers
    #[arg(long)]
    pub(crate) games: bool,
    /// Show the likelihood of superiority of each player over each other
    #[arg(long)]
    pub(crate) superiority: bool,
    /// Write the archived files of a player's program to this folder
    #[arg(long, value_names = ["PLAYER", "DIR"], num_args = 2)]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) exports: ExportArgs,
}

/// Check an external engine before a tournament
///
/// Checks the handshake, legal moves, time use, several games, how the engine stops, and how close it comes to
/// its limits.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra engine check connect4 cmd:'python3 bot.py'
  palestra engine check connect4 cmd:'python3 bot.py' --plan cup.toml
  palestra engine check ladrillos:9 'cmd(protocol=ladrillos):./jugador' --clock 10

Exit codes: 0 passed; 2 invalid input; 3 failed.")]
pub(crate) struct CheckPlayerArgs {
    /// Game: connect4, ladrillos:9, …
    pub(crate) game: String,
    /// Engine: cmd:PROGRAM ARGUMENTS
    pub(crate) player: String,
    /// Use the clock and the limits of this tournament plan
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) plan: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

/// Replay a game in which an engine failed
///
/// The engine is started as it was in the event and gets the same requests, each once the one before it
/// is answered; its output is printed.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra event cup --games
  palestra engine replay 117

Exit codes: 0 it failed in the same way; 1 it did not, or file error; 2 invalid input.")]
pub(crate) struct ReplayFailureArgs {
    /// Number of the game (palestra event NAME --games lists them)
    pub(crate) game: i64,
    /// Use the present files of the engine, where the archived ones differ
    #[arg(long)]
    pub(crate) current: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}
