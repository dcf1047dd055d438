//! How often players find the best move: a measure of strength that does not depend on opponents.

use crate::matches::ProgressMonitor;
use crate::spec::PlayerSpec;
use crate::stats::{Outcomes, score_interval};
use crate::test_suite::{ErasedTestSuite, TestSuite, TestSuitePlan};
use palestra_core::{FamilyInfo, InputError, Playable, WIN};
use serde::Serialize;

/// Players and test suite of an accuracy measurement.
#[derive(Clone, Debug)]
pub struct AccuracyPlan {
    /// The players, as text.
    pub players: Vec<String>,
    /// The positions to test them on.
    pub test_suite: TestSuitePlan,
}

/// Result of an accuracy measurement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AccuracyRecord {
    /// Canonical game string.
    pub game: String,
    /// Whether the move values are exact.
    pub exact: bool,
    /// Number of positions.
    pub positions: u64,
    /// Results of the players, in the order of the plan.
    pub players: Vec<PlayerAccuracy>,
    /// Whether the measurement was not stopped.
    pub complete: bool,
}

/// One player's results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerAccuracy {
    /// Canonical player string.
    pub player: String,
    /// Positions in which the player chose a best move.
    pub optimal: u64,
    /// Share of these positions, from 0 to 1.
    pub share: f64,
    /// Lower end of its 95 % interval.
    pub share_low: f64,
    /// Upper end of its 95 % interval.
    pub share_high: f64,
    /// Mean value lost against the best move, in the unit of the values; won and lost games are left out.
    pub mean_regret: f64,
    /// Number of moves that turned a win into a draw or loss, or a draw into a loss.
    pub blunders: u64,
    /// Share of these moves, from 0 to 1.
    pub blunder_rate: f64,
}

/// Measures all players on rayon's threads; the record does not depend on the number of threads.
pub(crate) fn run<G: Playable>(
    game: &G,
    family: &'static FamilyInfo,
    plan: &AccuracyPlan,
    monitor: &dyn ProgressMonitor,
) -> Result<AccuracyRecord, InputError> {
    let parse = |text: &String| PlayerSpec::parse(text, game, family);
    let specs = plan.players.iter().map(parse).collect::<Result<Vec<PlayerSpec>, _>>()?;
    let suite = ErasedTestSuite::draw(game, family, &plan.test_suite, monitor)?;
    let complete = !monitor.should_stop();
    let players = specs.iter().map(|spec| grade(spec.to_string(), &suite.answers(spec))).collect();
    let positions = suite.n_positions() as u64;
    Ok(AccuracyRecord { game: game.to_string(), exact: suite.is_exact(), positions, players, complete })
}

/// 1 for a positive value, -1 for a negative one, 0 for 0.
fn class(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// Sums up the best and chosen values of one player. A search's value counts as a win or loss only where the search
/// reached the end of the game (`WIN`); exact values never reach `WIN`, and their sign decides.
pub(crate) fn grade(player: String, values: &[(f64, f64)]) -> PlayerAccuracy {
    let seen = |value: f64| value.abs() >= WIN;
    let any_seen = values.iter().any(|&(best, chosen)| seen(best) || seen(chosen));
    let outcome = |value: f64| if any_seen && !seen(value) { 0 } else { class(value) };
    let n = values.len() as u64;
    let optimal = values.iter().filter(|(best, chosen)| chosen == best).count() as u64;
    let is_blunder = |&&(best, chosen): &&(f64, f64)| outcome(chosen) < outcome(best);
    let blunders = values.iter().filter(is_blunder).count() as u64;
    let regrets = values.iter().filter(|&&(best, chosen)| !seen(best) && !seen(chosen));
    let regrets: Vec<f64> = regrets.map(|(best, chosen)| best - chosen).collect();
    let share = |count: u64| if n == 0 { 0.0 } else { count as f64 / n as f64 };
    let interval = score_interval(&Outcomes::games(optimal, 0, n - optimal));
    PlayerAccuracy {
        player,
        optimal,
        share: share(optimal),
        share_low: interval.low,
        share_high: interval.high,
        mean_regret: if regrets.is_empty() {
            0.0
        } else {
            regrets.iter().sum::<f64>() / regrets.len() as f64
        },
        blunders,
        blunder_rate: share(blunders),
    }
}
