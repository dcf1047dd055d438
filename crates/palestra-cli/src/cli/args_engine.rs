//! Arguments of `palestra engine`: external engines, and players that run for another program.

use super::args_event::{CheckPlayerArgs, ReplayFailureArgs};

/// Check an external engine, replay its failures, or run a player as one
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra engine check connect4 cmd:'python3 bot.py'
  palestra engine replay 117
  palestra engine serve connect4 grid-5
  palestra engine judge conecta-c grid-5")]
pub(super) struct EngineArgs {
    #[command(subcommand)]
    pub(super) command: EngineCommand,
}

#[derive(clap::Subcommand, Debug)]
pub(super) enum EngineCommand {
    Check(CheckPlayerArgs),
    Replay(ReplayFailureArgs),
    Serve(UgiArgs),
    Judge(JudgePlayerArgs),
}

/// Run a player as a UGI engine
///
/// Reads commands from standard input and answers on standard output (docs/protocols.md).
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra engine serve connect4 pvs:time=500/threes/4,4,1,2
  printf 'position startpos moves 4 4\\ngo depth 6\\n' | palestra engine serve connect4 pvs/threes/4,4,1,2

Exit codes: 0 the other side sent quit or closed the connection; 2 invalid input.")]
pub(super) struct UgiArgs {
    /// Game: connect4, connect:9x8x5, …; the other side may select another with the option UGI_Variant
    pub(super) game: String,
    /// Player that chooses the moves
    pub(super) player: String,
}

/// Run a player under a course's judge program
///
/// The judge selects the game on standard input; moves go to standard output, one per line (docs/protocols.md).
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  judge 11 ./palestra engine judge ladrillos greedy/islands/187,163,221.12,211.2,202.62 -- ./rival
  palestra engine judge conecta-c grid-5
  palestra engine judge line:course.toml random

Exit codes: 0 the judge ended the game or closed the connection; 2 invalid input, from the judge too.")]
pub(super) struct JudgePlayerArgs {
    #[arg(help = format!("Protocol of the judge: {}", super::judge_player::judge_protocols()))]
    pub(super) protocol: palestra_engine::ProtocolSpec,
    /// Player that chooses the moves
    pub(super) player: String,
}
