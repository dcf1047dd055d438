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
    BootstrapInterval, Glicko, NashAverage, Outcomes, RatingOptions, Ratings, ResultRow, SelectionIntensity,
    alpha_rank, bootstrap_duels, bootstrap_games, cycle_warning, log_odds, nash_average, rate,
    superiority_by_ratings,
};
use serde_json::{Value, json};

/// Tables of everybody against everybody are made for at most so many players.
const LARGEST_TABLE: usize = 200;

/// How much Glicko-2 lets the volatility change in one period.
const TAU: f64 = 0.5;

/// All that was asked for.
struct RatingReport {
    ratings: Ratings,
    again: Option<Vec<BootstrapInterval>>,
    nash: Option<NashSummary>,
    glicko: Option<Vec<Glicko>>,
    warning: Option<String>,
}

/// Who is strong where no rating can order the players.
struct NashSummary {
    nash: NashAverage,
    alpha_rank: Vec<f64>,
    /// How much the shares of the Nash mixture vary.
    again: Option<Vec<BootstrapInterval>>,
}

pub(super) fn run(args: &RatingsArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let results = file::read(&args.file)?;
    let anchors = parse_anchors(&args.anchors, &results.names)?;
    let options = RatingOptions { anchors, advantage: !args.no_advantage, intervals: true };
    let n = results.names.len();
    if args.nash && n > LARGEST_TABLE {
        let expected = format!("a file of at most {LARGEST_TABLE} players with --nash");
        return Err(InputError::new("players", n.to_string(), expected).into());
    }
    let seed = Seed(common.seed);
    let again = |n_times| bootstrap_games(&results.names, &results.rows, &options, n_times, seed);
    let duels = if n <= LARGEST_TABLE { duels(&results) } else { Vec::new() };
    let found = RatingReport {
        ratings: rate(&results.names, &results.rows, &options)?,
        again: args.bootstrap.map(again).transpose()?,
        nash: args.nash.then(|| diagnose(&duels, args.bootstrap, seed)),
        glicko: args.glicko.then(|| glicko(n, &results.rows)),
        warning: cycle_warning(&results.names, &duels),
    };
    if output.json { output.json(&to_json(&found)) } else { print::print(&found, output) }
}

fn parse_anchors(words: &[String], names: &[String]) -> Result<Vec<(usize, f64)>, InputError> {
    let mut anchors: Vec<(usize, f64)> = Vec::new();
    for word in words {
        let bad = || InputError::new("--anchor", word, "a name and a rating: NAME=1500");
        let (name, rating) = word.rsplit_once('=').ok_or_else(bad)?;
        let unknown = || {
            InputError::unknown("--anchor", name, "a player of the file", names.iter().map(String::as_str))
        };
        let player = names.iter().position(|known| known == name).ok_or_else(unknown)?;
        let rating: f64 = rating.trim().parse().map_err(|_| bad())?;
        if anchors.iter().any(|&(known, _)| known == player) {
            return Err(InputError::new("--anchor", word, "a player that has no anchor yet"));
        }
        anchors.push((player, rating));
    }
    Ok(anchors)
}

/// What everybody did to everybody, sides put together.
fn duels(results: &ResultsFile) -> Vec<Vec<Outcomes>> {
    let n = results.names.len();
    let mut sums = vec![vec![[0u64; 3]; n]; n];
    for row in &results.rows {
        let counts = [row.wins, row.draws, row.losses].map(|count| count as u64);
        let (i, j) = (row.first, row.second);
        for place in 0..3 {
            sums[i][j][place] += counts[place];
            sums[j][i][2 - place] += counts[place];
        }
    }
    let outcomes = |[wins, draws, losses]: [u64; 3]| Outcomes::games(wins, draws, losses);
    sums.into_iter().map(|row| row.into_iter().map(outcomes).collect()).collect()
}

fn diagnose(duels: &[Vec<Outcomes>], bootstrap: Option<u32>, seed: Seed) -> NashSummary {
    let odds = log_odds(duels);
    let again =
        |n_times| bootstrap_duels(duels, n_times, seed, |duels| nash_average(&log_odds(duels)).mixture);
    NashSummary {
        nash: nash_average(&odds),
        alpha_rank: alpha_rank(&odds, SelectionIntensity::Limit),
        again: bootstrap.map(again),
    }
}

/// Newcomers after one period with all results.
fn glicko(n: usize, rows: &[ResultRow]) -> Vec<Glicko> {
    let mut results = vec![Vec::new(); n];
    for row in rows {
        let (games, points) = (row.wins + row.draws + row.losses, row.wins + 0.5 * row.draws);
        results[row.first].push((Glicko::default(), games, points));
        results[row.second].push((Glicko::default(), games, games - points));
    }
    results.iter().map(|results| Glicko::default().after(results, TAU)).collect()
}

fn to_json(found: &RatingReport) -> Value {
    let ratings = &found.ratings;
    let order = ratings.order();
    let players: Vec<Value> = order.iter().map(|&i| player_to_json(found, i)).collect();
    let los = (order.len() <= LARGEST_TABLE).then(|| superiority_by_ratings(ratings, &order));
    json!({
        "ratings": players,
        // What the fit assumed, where it could not be found.
        "advantage": ratings.advantage().map_or(0.0, |advantage| advantage.elo),
        "advantage_error": ratings.advantage().map(|advantage| advantage.error),
        "groups": ratings.n_groups(), "los": los, "warning": found.warning, "notes": ratings.notes(),
        "sentences": print::sentences(ratings),
    })
}

fn player_to_json(found: &RatingReport, i: usize) -> Value {
    let rated = found.ratings.players()[i];
    let mut value = json!({
        "player": found.ratings.names()[i], "rating": rated.rating, "error": rated.error,
        "low": rated.low, "high": rated.high, "games": rated.games, "score": rated.score,
        "group": rated.group, "prior": rated.prior,
    });
    if let Some(spread) = found.again.as_ref().map(|again| again[i]) {
        value["bootstrap"] = json!({ "low": spread.low, "high": spread.high, "error": spread.error });
    }
    if let Some(diagnosis) = &found.nash {
        value["nash"] = json!(diagnosis.nash.mixture[i]);
        value["nash_skill"] = json!(print::elo(diagnosis.nash.skill[i]));
        value["alpha_rank"] = json!(diagnosis.alpha_rank[i]);
        if let Some(spread) = diagnosis.again.as_ref().map(|again| again[i]) {
            value["nash_low"] = json!(spread.low);
            value["nash_high"] = json!(spread.high);
        }
    }
    if let Some(glicko) = found.glicko.as_ref().map(|glicko| glicko[i]) {
        value["glicko"] = json!({
            "rating": glicko.rating, "deviation": glicko.deviation, "volatility": glicko.volatility,
        });
    }
    value
}
