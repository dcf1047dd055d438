//! `palestra ratings`.

mod file;
mod print;

use super::args::CommonArgs;
use super::args_stats::RatingsArgs;
use super::output::Output;
use anyhow::Result;
use file::ResultsFile;
use palestra_core::{InputError, Seed};
use palestra_stats::{
    BootstrapInterval, Glicko, NashAverage, Outcomes, PlayerRating, RatingOptions, Ratings, ResultRow,
    SelectionIntensity, alpha_rank, bootstrap_games, bootstrap_head_to_head, cycle_warning, log_odds,
    nash_average, rate, superiority_by_ratings,
};
use serde::Serialize;

/// Most players of a table with one row and column per player.
const MAX_TABLE: usize = 200;

/// System constant of Glicko-2, which limits the change of the volatility in a period; Glickman suggests 0.3 to 1.2.
const TAU: f64 = 0.5;

/// The ratings, and the optional analyses.
struct RatingReport {
    ratings: Ratings,
    /// Intervals of the ratings.
    bootstrap: Option<Vec<BootstrapInterval>>,
    nash: Option<NashSummary>,
    glicko: Option<Vec<Glicko>>,
    warning: Option<String>,
}

/// Strength where players beat each other in a cycle, so that no rating orders them.
struct NashSummary {
    nash: NashAverage,
    alpha_rank: Vec<f64>,
    /// Intervals of the shares in the Nash mixture.
    bootstrap: Option<Vec<BootstrapInterval>>,
}

pub(super) fn run(args: &RatingsArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let results = file::read(&args.file)?;
    let anchors = parse_anchors(&args.anchors, &results.names)?;
    let options = RatingOptions { anchors, advantage: !args.no_advantage, intervals: true };
    let n = results.names.len();
    if args.nash && n > MAX_TABLE {
        let reason = format!("the file has {n} players, and the limit is {MAX_TABLE}");
        return Err(InputError::not_allowed("--nash", reason).into());
    }
    let seed = Seed(common.seed);
    let resample = |n_samples| bootstrap_games(&results.names, &results.rows, &options, n_samples, seed);
    let scores = if n <= MAX_TABLE { pairwise_scores(&results) } else { Vec::new() };
    let report = RatingReport {
        ratings: rate(&results.names, &results.rows, &options)?,
        bootstrap: args.bootstrap.map(resample).transpose()?,
        nash: args.nash.then(|| diagnose(&scores, args.bootstrap, seed)),
        glicko: args.glicko.then(|| glicko(n, &results.rows)),
        warning: cycle_warning(&results.names, &scores),
    };
    if output.json { output.json(&report.record()) } else { print::print(&report, output) }
}

fn parse_anchors(options: &[String], names: &[String]) -> Result<Vec<(usize, f64)>, InputError> {
    let mut anchors: Vec<(usize, f64)> = Vec::new();
    for option in options {
        let bad = || InputError::new("--anchor", option, "NAME=RATING, such as A=1500");
        let (name, rating) = option.rsplit_once('=').ok_or_else(bad)?;
        let unknown = || {
            InputError::unknown("--anchor", name, "a player of the file", names.iter().map(String::as_str))
        };
        let player = names.iter().position(|known| known == name).ok_or_else(unknown)?;
        let rating: f64 = rating.trim().parse().map_err(|_| bad())?;
        if anchors.iter().any(|&(known, _)| known == player) {
            return Err(InputError::new("--anchor", option, "a player without another anchor"));
        }
        anchors.push((player, rating));
    }
    Ok(anchors)
}

/// Results of every player against every other, with both sides.
fn pairwise_scores(results: &ResultsFile) -> Vec<Vec<Outcomes>> {
    let n = results.names.len();
    let mut sums = vec![vec![[0u64; 3]; n]; n];
    for row in &results.rows {
        let counts = [row.wins, row.draws, row.losses].map(|count| count as u64);
        let (i, j) = (row.first, row.second);
        for k in 0..3 {
            sums[i][j][k] += counts[k];
            sums[j][i][2 - k] += counts[k];
        }
    }
    let outcomes = |[wins, draws, losses]: [u64; 3]| Outcomes::games(wins, draws, losses);
    sums.into_iter().map(|row| row.into_iter().map(outcomes).collect()).collect()
}

fn diagnose(scores: &[Vec<Outcomes>], n_samples: Option<u32>, seed: Seed) -> NashSummary {
    let odds = log_odds(scores);
    let mixture = |scores: &[Vec<Outcomes>]| nash_average(&log_odds(scores)).mixture;
    let resample = |n_samples| bootstrap_head_to_head(scores, n_samples, seed, mixture);
    NashSummary {
        nash: nash_average(&odds),
        alpha_rank: alpha_rank(&odds, SelectionIntensity::Limit),
        bootstrap: n_samples.map(resample),
    }
}

/// New players after one period with all results.
fn glicko(n: usize, rows: &[ResultRow]) -> Vec<Glicko> {
    let mut results = vec![Vec::new(); n];
    for row in rows {
        let (games, points) = (row.wins + row.draws + row.losses, row.wins + 0.5 * row.draws);
        results[row.first].push((Glicko::default(), games, points));
        results[row.second].push((Glicko::default(), games, games - points));
    }
    results.iter().map(|results| Glicko::default().after(results, TAU)).collect()
}

/// The ratings as JSON.
#[derive(Serialize)]
struct RatingsRecord<'a> {
    /// By descending rating.
    ratings: Vec<PlayerRecord<'a>>,
    /// 0, as the fit assumed, where it could not be estimated.
    advantage: f64,
    advantage_error: Option<f64>,
    groups: usize,
    los: Option<Vec<Vec<Option<f64>>>>,
    warning: Option<&'a str>,
    notes: &'a [String],
    sentences: Vec<String>,
}

/// A player with the analyses that were asked for.
#[derive(Serialize)]
struct PlayerRecord<'a> {
    player: &'a str,
    #[serde(flatten)]
    rating: PlayerRating,
    #[serde(skip_serializing_if = "Option::is_none")]
    bootstrap: Option<BootstrapInterval>,
    #[serde(flatten)]
    nash: Option<NashRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    glicko: Option<Glicko>,
}

#[derive(Serialize)]
struct NashRecord {
    nash: f64,
    nash_skill: f64,
    alpha_rank: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nash_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nash_high: Option<f64>,
}

impl RatingReport {
    fn record(&self) -> RatingsRecord<'_> {
        let ratings = &self.ratings;
        let order = ratings.order();
        RatingsRecord {
            ratings: order.iter().map(|&i| self.player(i)).collect(),
            advantage: ratings.advantage().map_or(0.0, |advantage| advantage.elo),
            advantage_error: ratings.advantage().map(|advantage| advantage.error),
            groups: ratings.n_groups(),
            los: (order.len() <= MAX_TABLE).then(|| superiority_by_ratings(ratings, &order)),
            warning: self.warning.as_deref(),
            notes: ratings.notes(),
            sentences: print::sentences(ratings),
        }
    }

    fn player(&self, i: usize) -> PlayerRecord<'_> {
        let nash = |summary: &NashSummary| {
            let spread = summary.bootstrap.as_ref().map(|intervals| intervals[i]);
            NashRecord {
                nash: summary.nash.mixture[i],
                nash_skill: print::elo(summary.nash.skill[i]),
                alpha_rank: summary.alpha_rank[i],
                nash_low: spread.map(|spread| spread.low),
                nash_high: spread.map(|spread| spread.high),
            }
        };
        PlayerRecord {
            player: &self.ratings.names()[i],
            rating: self.ratings.players()[i],
            bootstrap: self.bootstrap.as_ref().map(|intervals| intervals[i]),
            nash: self.nash.as_ref().map(nash),
            glicko: self.glicko.as_ref().map(|glicko| glicko[i]),
        }
    }
}
