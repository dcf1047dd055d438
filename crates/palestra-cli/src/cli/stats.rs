//! `palestra stats`.

mod sample;

use super::args_stats::StatsArgs;
use super::output::{Align, Output, grouped, table};
use anyhow::Result;
use palestra_core::InputError;
use palestra_stats::{LosConvention, Outcomes, Sprt, SprtDecision, SprtModel, Verdict};
use serde::Serialize;

/// Results of the subject, from the arguments.
struct ResultCounts {
    /// Wins, draws and losses; computed from the pairs where only these were given.
    games: [u64; 3],
    pairs: Option<[u64; 5]>,
}

/// The statistics as JSON.
#[derive(Serialize)]
struct StatsRecord<'a> {
    player: &'a str,
    opponent: &'a str,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    pairs: Option<[u64; 5]>,
    games: u64,
    score: f64,
    #[serde(flatten)]
    verdict: Verdict,
    los_decisive: f64,
    los_exact: f64,
    llr: Option<f64>,
    bounds: Option<(f64, f64)>,
    decision: Option<&'static str>,
    sentence: String,
}

pub(super) fn run(args: &StatsArgs, output: &mut Output) -> Result<()> {
    if let Some(values) = &args.values {
        return sample::run(values, args, output);
    }
    let results = read(args)?;
    let sprt = args.sprt.as_deref().map(parse_sprt).transpose()?;
    let [wins, draws, losses] = results.games;
    let (verdict, units) = match results.pairs {
        Some(pairs) => (Verdict::of_pairs(pairs, wins, draws, losses), Outcomes::pairs(pairs)),
        None => (Verdict::of_games(wins, draws, losses), Outcomes::games(wins, draws, losses)),
    };
    let llr = sprt.map(|sprt| match results.pairs {
        Some(pairs) => sprt.llr_pairs(pairs),
        None => sprt.llr_games([losses, draws, wins]),
    });
    let test = sprt.zip(llr);
    if output.json {
        let counts = (args.counts.len() == 3).then_some(results.games);
        let key = |i: usize| counts.map(|counts| counts[i]);
        return output.json(&StatsRecord {
            player: &args.player,
            opponent: &args.opponent,
            wins: key(0),
            draws: key(1),
            losses: key(2),
            pairs: results.pairs,
            games: wins.saturating_add(draws).saturating_add(losses),
            score: verdict.score,
            verdict,
            los_decisive: LosConvention::Decisive.of(&units),
            los_exact: LosConvention::Exact.of(&units),
            llr,
            bounds: sprt.map(|sprt| sprt.bounds()),
            decision: test.map(|(sprt, llr)| decision(&sprt, llr)),
            sentence: verdict.sentence(&args.player, &args.opponent),
        });
    }
    print(args, &results, &verdict, &units, test, output)
}

fn read(args: &StatsArgs) -> Result<ResultCounts, InputError> {
    let pairs = args.pairs.as_deref().map(parse_pairs).transpose()?;
    match (args.counts.as_slice(), pairs) {
        (&[wins, draws, losses], None) => Ok(ResultCounts { games: [wins, draws, losses], pairs: None }),
        (&[wins, draws, losses], Some(pairs)) => {
            let n_games = [wins, draws, losses].iter().map(|&count| u128::from(count)).sum::<u128>();
            let in_pairs = 2 * pairs.iter().map(|&count| u128::from(count)).sum::<u128>();
            if in_pairs > n_games {
                let found = args.pairs.clone().unwrap_or_default();
                let expected = format!("at most {} pairs, as there are {n_games} games", n_games / 2);
                return Err(InputError::new("--pairs", found, expected));
            }
            Ok(ResultCounts { games: [wins, draws, losses], pairs: Some(pairs) })
        }
        (&[], Some(pairs)) => {
            // The middle count does not distinguish two draws from a win and a loss; it is taken as the latter. Score
            // and errors are the same either way.
            let [lost, worse, even, better, won] = pairs;
            let add =
                |twice: u64, once: u64| twice.saturating_mul(2).saturating_add(once).saturating_add(even);
            Ok(ResultCounts {
                games: [add(won, better), worse.saturating_add(better), add(lost, worse)],
                pairs: Some(pairs),
            })
        }
        (found, _) => {
            let found: Vec<String> = found.iter().map(u64::to_string).collect();
            Err(InputError::new(
                "results",
                found.join(" "),
                "three numbers (games won, drawn and lost) or --pairs",
            ))
        }
    }
}

fn parse_pairs(text: &str) -> Result<[u64; 5], InputError> {
    let expected = "five numbers of pairs (LL,LD,WL+DD,WD,WW)";
    let counts: Option<Vec<u64>> = text.split(',').map(|count| count.trim().parse().ok()).collect();
    counts.and_then(|counts| counts.try_into().ok()).ok_or_else(|| InputError::new("--pairs", text, expected))
}

fn parse_sprt(text: &str) -> Result<Sprt, InputError> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let number = |i: usize| {
        parts[i].parse::<f64>().map_err(|_| InputError::new(format!("--sprt {text}"), parts[i], "a number"))
    };
    let risk = |i: usize| if parts.len() == 5 { number(i) } else { Ok(0.05) };
    if !matches!(parts.len(), 3 | 5) {
        return Err(InputError::new("--sprt", text, "MODEL,E0,E1 or MODEL,E0,E1,ALPHA,BETA"));
    }
    Sprt::new(parts[0].parse::<SprtModel>()?, number(1)?, number(2)?, risk(3)?, risk(4)?)
}

/// Decision of a sequential test: the accepted hypothesis, or `continue`.
fn decision(sprt: &Sprt, llr: f64) -> &'static str {
    match sprt.decide(llr) {
        Some(SprtDecision::AcceptElo0) => "H0",
        Some(SprtDecision::AcceptElo1) => "H1",
        None => "continue",
    }
}

fn print(
    args: &StatsArgs,
    results: &ResultCounts,
    verdict: &Verdict,
    units: &Outcomes,
    test: Option<(Sprt, f64)>,
    output: &mut Output,
) -> Result<()> {
    let (player, opponent) = (&args.player, &args.opponent);
    let [wins, draws, losses] = results.games;
    let total = grouped(wins.saturating_add(draws).saturating_add(losses));
    if args.counts.is_empty() {
        output.line(format_args!("{player} against {opponent}: {total} games in pairs"))?;
    } else {
        let [wins, draws, losses] = results.games.map(grouped);
        output.line(format_args!(
            "{player} against {opponent}: {total} games, {wins} won, {draws} drawn, {losses} lost"
        ))?;
    }
    if let Some(pairs) = results.pairs {
        output.line(format_args!(
            "pairs by points of {player}, 0 ½ 1 1½ 2: {}",
            pairs.map(grouped).join(" ")
        ))?;
    }
    output.line("")?;
    let with_error = |value: Option<f64>, error: Option<f64>| match (value, error) {
        (Some(value), Some(error)) => format!("{value:+.4} ± {error:.4}"),
        (Some(value), None) => format!("{value:+.4}, error unknown"),
        (None, _) => "unknown".to_owned(),
    };
    let los = |convention: LosConvention| format!("{:.4} %", 100.0 * convention.of(units));
    let mut rows = vec![
        [format!("score of {player}"), format!("{:.4} %", 100.0 * verdict.score), String::new()],
        ["Elo".into(), verdict.difference(), "with its 95 % profile-likelihood interval".into()],
        ["Elo ± error".into(), with_error(verdict.elo, verdict.elo_error), "95 %, as in fastchess".into()],
        ["normalized Elo".into(), with_error(verdict.nelo, verdict.nelo_error), "95 %".into()],
        [format!("LOS of {player}"), los(LosConvention::Score), "by score and its error".into()],
        [String::new(), los(LosConvention::Decisive), "by wins minus losses".into()],
        [String::new(), los(LosConvention::Exact), "exact, on decisive results".into()],
    ];
    if let Some((sprt, llr)) = test {
        let (low, high) = sprt.bounds();
        let advice = match decision(&sprt, llr) {
            "H0" => format!("stop: accept the smaller difference, {} Elo", sprt.elo0()),
            "H1" => format!("stop: accept the larger difference, {} Elo", sprt.elo1()),
            _ => "continue: not decided yet".to_owned(),
        };
        rows.push([format!("LLR ({})", sprt.model()), format!("{llr:.4} [{low:.4}, {high:.4}]"), advice]);
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(Vec::from).collect();
    output.line(table(&rows, &[Align::Left; 3]))?;
    output.line(verdict.sentence(player, opponent))
}
