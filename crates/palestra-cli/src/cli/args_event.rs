//! The raw arguments of the commands around events and outside programs, as typed.

use std::path::PathBuf;

/// Run a tournament: rank players of ours and programs in any language, and say how surely
///
/// The event stands in a file, or is put together from the options. Every game is kept in the store as soon as it is
/// over; the same command goes on where an interrupted one stopped, and a player that is handed in again replays only
/// its own games.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra tournament cup.toml
  palestra tournament cup.toml --set seed=2 --set cycles=10
  palestra tournament connect4 grid-5 rival-4 random --opening-plies 4 --cycles 10
  palestra tournament connect4 --submissions handed-in/ --staff regular=grid-5 --format swiss --rounds 7 --clock 1/move
  palestra tournament connect4 ana='cmd:python3 ana/bot.py' luis='cmd:./luis/bot' grid-5 --site public/ --csv marks.csv
  palestra tournament ladrillos:9 random first last --format adaptive --budget 5m

A clock is 60+0.5 (seconds a game + a move), 1/move, depth=6 or nodes=10000, or several with commas; an answer may come
--margin-ms later. Programs speak UGI unless they say otherwise: cmd(protocol=gtp):./bot (docs/enter-your-program.md).
All keys of a plan: docs/tournaments.md.
Exit codes: 0 done; 1 a file or the machine failed; 2 bad input; 3 a player failed its pre-flight, and the
event was played without it; 4 finished with forfeits under --strict; 130 interrupted (the same command goes on).")]
pub(crate) struct TournamentArgs {
    /// A plan (FILE.toml), or a game to play
    #[arg(value_name = "FILE.toml|GAME")]
    pub(crate) what: String,
    /// The players, each PLAYER or NAME=PLAYER; a program is 'cmd:PROGRAM ARGUMENTS'
    #[arg(value_name = "[NAME=]PLAYER")]
    pub(crate) players: Vec<String>,
    /// Players of the house, who are the ladder of a gauntlet and the thresholds of marks
    #[arg(long, value_name = "[NAME=]PLAYER")]
    pub(crate) staff: Vec<String>,
    /// A folder with one folder for every submission (docs/course-tournament.md)
    #[arg(long, value_name = "DIR")]
    pub(crate) submissions: Option<PathBuf>,
    /// What the event is called in the store [default: the file's name, or format and game]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// round-robin, swiss, gauntlet, king-of-the-hill, knockout or adaptive
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,
    /// Rounds of a Swiss [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u32>,
    /// How often everybody meets everybody, each time from another opening
    #[arg(long, value_name = "N")]
    pub(crate) cycles: Option<u32>,
    /// What an adaptive event may use: games (2000) or time (30m)
    #[arg(long, value_name = "BUDGET")]
    pub(crate) budget: Option<String>,
    /// Random moves before the players take over, the same for all pairings [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) opening_plies: Option<u32>,
    /// What a game is worth: 1/0.5/0, 2/1/0, 3/1/0 or margin [default: 1/0.5/0]
    #[arg(long, value_name = "POINTS")]
    pub(crate) points: Option<String>,
    /// Beside a file: another value for one of its keys, such as seed=2 or cycles=10; give it several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// The clock of programs [default: 1/move]
    #[arg(long, value_name = "CLOCK")]
    pub(crate) clock: Option<String>,
    /// How much later than its clock an answer may come [default: 200]
    #[arg(long, value_name = "N")]
    pub(crate) margin_ms: Option<u32>,
    /// Failures after which a player is out of the event [default: 3]
    #[arg(long, value_name = "N")]
    pub(crate) quarantine: Option<u32>,
    #[command(flatten)]
    pub(crate) room: SandboxArgs,
    /// Games at a time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) concurrency: Option<u16>,
    /// Give each game a core of its own
    #[arg(long)]
    pub(crate) pin: bool,
    /// Do not try every program before the event
    #[arg(long)]
    pub(crate) no_preflight: bool,
    /// End with code 4 if any game was forfeited
    #[arg(long)]
    pub(crate) strict: bool,
    /// Only show the plan in full and the number of games
    #[arg(long)]
    pub(crate) print_plan: bool,
    /// Write a line of JSON for every finished game into this file (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) stream: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) exports: ExportArgs,
}

/// What else is written of an event.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct ExportArgs {
    /// Write the table for a gradebook into this CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write every game as text into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// Write every game as a line of JSON into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,
    /// Write the whole event as a web site into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
}

/// How programs are held.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct SandboxArgs {
    /// Start programs without confinement: only where you trust them
    #[arg(long)]
    pub(crate) unconfined: bool,
    /// Memory of a program, in megabytes [default: 1024]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    pub(crate) memory_mb: Option<u32>,
    /// Seconds a program may take to start [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=600))]
    pub(crate) startup: Option<u32>,
}

/// Look at an event in the store: table, crosstable, one player, games; write it for others
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra event cup
  palestra event cup --player ana
  palestra event cup --games
  palestra event cup --csv marks.csv --pgn games.txt --site public/

Exit codes: 0 done; 1 a file or the machine failed; 2 bad input.")]
pub(crate) struct EventArgs {
    /// The event, by name or number (palestra runs lists them)
    pub(crate) event: String,
    /// Everything about one player: record by opponent and side, how its games ended
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// List the games with their numbers
    #[arg(long)]
    pub(crate) games: bool,
    /// How likely each player is better than each other
    #[arg(long)]
    pub(crate) superiority: bool,
    #[command(flatten)]
    pub(crate) exports: ExportArgs,
}

/// Try a program before it is handed in: handshake, legal moves, time, several games, how it stops
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra check-player connect4 cmd:'python3 bot.py'
  palestra check-player ladrillos:9 'cmd(protocol=ladrillos):./jugador' --clock 10

Exit codes: 0 it is fit to play; 2 bad input; 3 it is not.")]
pub(crate) struct CheckPlayerArgs {
    /// The game: connect4, ladrillos:9, …
    pub(crate) game: String,
    /// The program: cmd:PROGRAM ARGUMENTS
    pub(crate) player: String,
    /// The clock it has to keep
    #[arg(long, value_name = "CLOCK", default_value = "1/move")]
    pub(crate) clock: String,
    #[command(flatten)]
    pub(crate) room: SandboxArgs,
}

/// Play a game of an event again in which a program failed, and see whether it fails again
///
/// The program is started as it was in the event and hears the same lines; whatever it says is shown.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra event cup --games
  palestra replay-failure 117

Exit codes: 0 it failed in the same way; 1 it did something else, or a file failed; 2 bad input.")]
pub(crate) struct ReplayFailureArgs {
    /// The number of the game, as the event shows it
    pub(crate) game: i64,
    #[command(flatten)]
    pub(crate) room: SandboxArgs,
}
