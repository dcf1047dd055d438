//! Arguments of `palestra certify`.

use std::path::PathBuf;

/// Prove the best score that any weights can reach
///
/// A grid of weights misses what lies between its points. This command covers all real weights: weights that choose the
/// same moves form a cone, which is split where they disagree and dropped when it can no longer reach the score in
/// question. That score starts at a win in every game and is lowered to the next possible total until weights are found
/// that reach it or no cone is left.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra certify studies/connect-c/certify-small.toml
  palestra certify studies/connect-c/grid.toml --nodes 5000000 --from grid-5 --json

The plan is one of palestra tune with the objective gauntlet: a greedy player over a weighted sum,
listed boards, no openings, deterministic opponents; its method and budget are ignored. Proofs hold in
exact arithmetic. How to read the output: docs/certificates.md.
Exit codes: 0 done; 1 file or system error; 2 invalid input; 130 interrupted (the proof so far is
printed).")]
pub(crate) struct CertifyArgs {
    /// Plan with the objective gauntlet
    #[arg(value_name = "FILE.toml")]
    pub(crate) plan: PathBuf,
    /// Limit on cones examined; each turn of a game counts as one
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// Player with good weights to start from; repeatable
    #[arg(long, value_name = "PLAYER")]
    pub(crate) from: Vec<String>,
}
