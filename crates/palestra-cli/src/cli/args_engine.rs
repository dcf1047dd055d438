//! The raw arguments of commands that talk to other programs, as typed.

/// Be a UGI engine: let other people's tools play against a player of ours
///
/// Reads commands from standard input and answers on standard output (docs/protocols.md).
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra ugi connect4 ab:time=500/threes/4,4,1,2
  printf 'position startpos moves 4 4\\ngo depth 6\\n' | palestra ugi connect4 ab/threes/4,4,1,2

Exit codes: 0 the other side said quit or said no more; 2 bad input.")]
pub(super) struct UgiArgs {
    /// The game: connect4, connect:9x8x5, …; the runner may choose another by the option UGI_Variant
    pub(super) game: String,
    /// The player that answers
    pub(super) player: String,
}

/// Be a player under a course's judge, in the judge's own protocol
///
/// The judge says which game, on standard input; moves go to standard output, one line each (docs/protocols.md).
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  judge 11 ./palestra judge-player ladrillos greedy/islands/187,163,221.12,211.2,202.62 -- ./rival
  palestra judge-player conecta-c grid-5
  palestra judge-player line:course.toml random

Exit codes: 0 the judge said goodbye or said no more; 2 bad input, the judge's included.")]
pub(super) struct JudgePlayerArgs {
    /// The judge's protocol: ladrillos, conecta-c, or line:FILE.toml
    pub(super) protocol: palestra_engine::ProtocolSpec,
    /// The player that answers
    pub(super) player: String,
}
