//! The arguments of `palestra certify`.

use std::path::PathBuf;

/// Prove how much any real weights can score against fixed rivals, and find weights that score much
///
/// A grid leaves out what lies between its points. This takes all real weights at once: those that choose alike are a
/// cone, which parts where they disagree and is left alone when it can no longer score what is asked for. It asks who
/// wins every game, then for the next lower total that is still possible, and so on, until somebody is found or the
/// parts run out.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra certify studies/connect-c/certify.toml
  palestra certify studies/connect-c/grid.toml --nodes 5000000 --from grid-5 --json

The plan is one of palestra tune with the objective gauntlet: a greedy player over a weighted sum, listed boards, no
openings, rivals without dice; its method and budget do not count. What is proved holds in exact arithmetic.
How to read it: docs/certificates.md.
Exit codes: 0 done; 1 a file or the machine failed; 2 bad input; 130 interrupted (what is proved so far is printed).")]
pub(crate) struct CertifyArgs {
    /// A plan with a gauntlet
    #[arg(value_name = "FILE.toml")]
    pub(crate) plan: PathBuf,
    /// Parts of weight space to look at; each turn of a game counts once
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) nodes: u64,
    /// A player that is known to be good, to begin with; give it several times
    #[arg(long, value_name = "PLAYER")]
    pub(crate) from: Vec<String>,
}
