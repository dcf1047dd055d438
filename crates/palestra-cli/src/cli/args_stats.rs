//! The raw arguments of the calculators, as typed.

use std::path::PathBuf;

/// What results say about two players: score, Elo with its interval, likelihood of superiority, a sequential test
///
/// All results are those of one player, the subject. Pairs are two games from the same opening with sides swapped,
/// counted by the subject's points: 0, ½, 1, 1½, 2. Where there are pairs, errors come from them.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra stats 20 10 10
  palestra stats 5 1 2 --sprt logistic,0,100
  palestra stats --pairs 10,20,40,25,15 --sprt normalized,0,20,0.05,0.05
  palestra stats 60 0 40 --player grid-5 --rival rival-4 --json
  palestra stats --values 0.53,0.49,0.56,0.52,0.55 --against 0.5

What each number means: docs/statistics.md.
Exit codes: 0 done; 2 bad input.")]
pub(crate) struct StatsArgs {
    /// Games that the subject won, drew and lost
    #[arg(value_name = "W D L", num_args = 0..=3)]
    pub(crate) counts: Vec<u64>,
    /// Pairs by points of the subject: LL,LD,WL+DD,WD,WW
    #[arg(long, value_name = "A,B,C,D,E")]
    pub(crate) pairs: Option<String>,
    /// A sequential test: logistic, normalized or bayesian, two Elo differences, and the two risks [default: 0.05]
    #[arg(long, value_name = "MODEL,E0,E1[,ALPHA,BETA]")]
    pub(crate) sprt: Option<String>,
    /// Instead of games: numbers that repeat one measurement, such as scores with several seeds; their mean with its
    /// 95 % interval by Student's t
    #[arg(long, value_name = "X,Y,…", allow_hyphen_values = true, conflicts_with_all = ["counts", "pairs", "sprt"])]
    pub(crate) values: Option<String>,
    /// Other numbers, whose mean is taken from that of the values
    #[arg(long, value_name = "X,Y,…", allow_hyphen_values = true, requires = "values")]
    pub(crate) than: Option<String>,
    /// What the mean or the difference is tested against
    #[arg(long, default_value_t = 0.0, value_name = "X", allow_hyphen_values = true, requires = "values")]
    pub(crate) against: f64,
    /// The subject's name
    #[arg(long, default_value = "A", value_name = "NAME")]
    pub(crate) player: String,
    /// The rival's name
    #[arg(long, default_value = "B", value_name = "NAME")]
    pub(crate) rival: String,
}

/// Ratings of many players from all their results at once, with errors
///
/// The file has a header line and the columns first, second, wins, draws and losses: results of the player who had the
/// first side. Where two players changed sides the advantage of the first side is found as well.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  palestra ratings results.csv
  palestra ratings results.csv --anchor regular=1500 --json
  palestra ratings results.csv --bootstrap 1000 --seed 7
  palestra ratings results.csv --nash --glicko

A file:
  first,second,wins,draws,losses
  A,B,18,9,3
  \"B, revised\",A,3,9,18

What each number means: docs/statistics.md.
Exit codes: 0 done; 1 the file cannot be read; 2 bad input.")]
pub(crate) struct RatingsArgs {
    /// The results
    #[arg(value_name = "FILE.csv")]
    pub(crate) file: PathBuf,
    /// A player whose rating is known; give it several times
    #[arg(long = "anchor", value_name = "NAME=RATING")]
    pub(crate) anchors: Vec<String>,
    /// Do not look for an advantage of the first side
    #[arg(long)]
    pub(crate) no_advantage: bool,
    /// Errors also by playing the event again so many times with the results it had
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) bootstrap: Option<u32>,
    /// Also Nash averaging and alpha-rank: who is strong where no rating can order the players
    #[arg(long)]
    pub(crate) nash: bool,
    /// Also Glicko-2, all results as one period
    #[arg(long)]
    pub(crate) glicko: bool,
}
