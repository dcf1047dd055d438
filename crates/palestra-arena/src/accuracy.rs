//! How often players find the best move: a measure of strength without opponents, and without their luck.

use crate::matches::ProgressMonitor;
use crate::spec::PlayerSpec;
use crate::stats::{Outcomes, score_interval};
use crate::test_suite::{ErasedTestSuite, TestSuite, TestSuitePlan};
use palestra_core::{FamilyInfo, InputError, Playable, WIN};
use serde::Serialize;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct AccuracyPlan {
    /// The players, as text.
    pub players: Vec<String>,
    /// The positions to ask them at.
    pub test_suite: TestSuitePlan,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AccuracyRecord {
    /// The game, canonically.
    pub game: String,
    /// Whether moves were judged exactly.
    pub exact: bool,
    /// Positions the players were asked at.
    pub positions: u64,
    /// Each player's results, in the order asked for.
    pub players: Vec<PlayerAccuracy>,
    /// Whether all positions were looked at.
    pub complete: bool,
}

/// One player's results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerAccuracy {
    /// The player, canonically.
    pub player: String,
    /// Best moves found.
    pub optimal: u64,
    /// Their share, with a 95 % interval.
    pub share: f64,
    /// Its lower end.
    pub share_low: f64,
    /// Its upper end.
    pub share_high: f64,
    /// What a move loses against the best one, on average, in the unit of the values.
    pub mean_regret: f64,
    /// Moves that turned a win into less, or a draw into a loss.
    pub blunders: u64,
    /// Their share.
    pub blunder_rate: f64,
}

/// Positions and players are shared among rayon's threads; the record does not depend on their number.
pub(crate) fn run<G: Playable>(
    game: &G,
    family: &'static FamilyInfo,
    plan: &AccuracyPlan,
    watch: &dyn ProgressMonitor,
) -> Result<AccuracyRecord, InputError> {
    let parse = |text: &String| PlayerSpec::parse(text, game, family);
    let specs = plan.players.iter().map(parse).collect::<Result<Vec<PlayerSpec>, _>>()?;
    let exam = ErasedTestSuite::draw(game, family, &plan.test_suite, watch)?;
    let complete = !watch.should_stop();
    let players = specs.iter().map(|spec| grade(spec.to_string(), &exam.answers(spec))).collect();
    let positions = exam.n_positions() as u64;
    Ok(AccuracyRecord { game: game.to_string(), exact: exam.is_exact(), positions, players, complete })
}

/// 1 for a win, -1 for a loss, 0 for what is neither.
fn class(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// Best and chosen values of one player, summed up. Values of a search are compared as wins and losses only where it
/// saw the end of the game.
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
