//! Arguments of the statistics commands.

use std::path::PathBuf;

/// Compute score, Elo, likelihood of superiority and SPRT
///
/// All results are those of one player, the subject. A pair is two games from the same opening with sides swapped,
/// counted by the subject's points: 0, ½, 1, 1½, 2. Where pairs are given, errors are computed from them.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra stats 20 10 10
  palestra stats 5 1 2 --sprt logistic,0,100
  palestra stats --pairs 10,20,40,25,15 --sprt normalized,0,20,0.05,0.05
  palestra stats 60 0 40 --player grid-5 --opponent rival-4 --json
  palestra stats --values 0.53,0.49,0.56,0.52,0.55 --against 0.5

What each number means: docs/statistics.md.
Exit codes: 0 done; 2 invalid input.")]
pub(crate) struct StatsArgs {
    /// Number of games won, drawn and lost by the subject
    #[arg(value_name = "W D L", num_args = 0..=3)]
    pub(crate) counts: Vec<u64>,
    /// Number of pairs by the subject's points: LL,LD,WL+DD,WD,WW
    #[arg(long, value_name = "A,B,C,D,E")]
    pub(crate) pairs: Option<String>,
    /// Sequential test: logistic, normalized or bayesian, two Elo differences, two error rates [default: 0.05]
    #[arg(long, value_name = "MODEL,E0,E1[,ALPHA,BETA]")]
    pub(crate) sprt: Option<String>,
    /// Repeated measurements instead of games, such as scores of several seeds; reports the mean and its 95 %
    /// interval (Student's t)
    #[arg(long, value_name = "X,Y,…", allow_hyphen_values = true, conflicts_with_all = ["counts", "pairs", "sprt"])]
    pub(crate) values: Option<String>,
    /// Other measurements; reports the difference of the means (Welch)
    #[arg(long, value_name = "X,Y,…", allow_hyphen_values = true, requires = "values")]
    pub(crate) than: Option<String>,
    /// Hypothetical mean or difference to test against
    #[arg(long, default_value_t = 0.0, value_name = "X", allow_hyphen_values = true, requires = "values")]
    pub(crate) against: f64,
    /// Name of the subject
    #[arg(long, default_value = "A", value_name = "NAME")]
    pub(crate) player: String,
    /// Name of the opponent
    #[arg(long, default_value = "B", value_name = "NAME")]
    pub(crate) opponent: String,
}

/// Rate many players from a file of results
///
/// The file has a header line and the columns first, second, wins, draws and losses: results of the player on the first
/// side. Where players swapped sides, the advantage of the first side is estimated too.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra ratings results.csv
  palestra ratings results.csv --anchor regular=1500 --json
  palestra ratings results.csv --bootstrap 1000 --seed 7
  palestra ratings results.csv --nash --glicko

Example of a file:
  first,second,wins,draws,losses
  A,B,18,9,3
  \"B, revised\",A,3,9,18

What each number means: docs/statistics.md.
Exit codes: 0 done; 1 the file cannot be read; 2 invalid input.")]
pub(crate) struct RatingsArgs {
    /// File of results
    #[arg(value_name = "FILE.csv")]
    pub(crate) file: PathBuf,
    /// Player with a known rating; repeatable
    #[arg(long = "anchor", value_name = "NAME=RATING")]
    pub(crate) anchors: Vec<String>,
    /// Do not estimate an advantage of the first side
    #[arg(long)]
    pub(crate) no_advantage: bool,
    /// Also estimate errors from this many bootstrap samples
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) bootstrap: Option<u32>,
    /// Also compute Nash averaging and alpha-rank, for players that beat each other in a cycle
    #[arg(long)]
    pub(crate) nash: bool,
    /// Also compute Glicko-2 ratings, with all results in one period
    #[arg(long)]
    pub(crate) glicko: bool,
}
