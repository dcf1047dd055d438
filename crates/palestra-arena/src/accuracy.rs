//! How often players find the best move: a measure of strength that does not depend on opponents.

use crate::matches::MatchError;
use crate::seat::MatchPlayer;
use crate::stats::{Outcomes, score_interval};
use crate::test_suite::{ErasedTestSuite, ProgramAnswer, TestSuite, TestSuitePlan};
use palestra_core::{FamilyInfo, Playable, Progress, WIN};
use serde::Serialize;
use std::collections::BTreeMap;

/// Players and test suite of an accuracy measurement.
#[derive(Clone, Debug)]
pub struct AccuracyPlan {
    /// The players.
    pub players: Vec<MatchPlayer>,
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
    /// Seed of the positions.
    pub seed: u64,
    /// `false` with external programs, whose moves may differ the next time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeatable: Option<bool>,
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
    /// Positions in which a program had no move, by the kind of failure; they count as positions without a best move.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<String, u64>,
}

/// Measures all players on rayon's threads; the record does not depend on the number of threads.
pub(crate) fn run<G: Playable>(
    game: &G,
    family: &'static FamilyInfo,
    plan: &AccuracyPlan,
    progress: &Progress,
) -> Result<AccuracyRecord, MatchError> {
    let suite = ErasedTestSuite::draw(game, family, &plan.test_suite, progress)?;
    let mut players = Vec::new();
    for player in &plan.players {
        let answers = match player {
            MatchPlayer::Builtin(spec) => {
                suite.answers(spec, progress).into_iter().map(|(best, chosen)| (best, Ok(chosen))).collect()
            }
            MatchPlayer::External(program) => suite.answers_of_program(program.as_ref(), progress)?,
        };
        players.push(grade(player.to_string(), &answers));
    }
    let (positions, complete) = (suite.n_positions() as u64, !progress.is_stopped());
    let has_programs = plan.players.iter().any(|player| matches!(player, MatchPlayer::External(_)));
    let (game, exact, seed) = (game.to_string(), suite.is_exact(), plan.test_suite.seed);
    let repeatable = has_programs.then_some(false);
    Ok(AccuracyRecord { game, exact, positions, players, complete, seed, repeatable })
}

/// 1 for a positive value, -1 for a negative one, 0 for 0.
fn class(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// Sums up the best and chosen values of one player. A search's value counts as a win or loss only where the search
/// reached the end of the game (`WIN`); exact values never reach `WIN`, and their sign decides.
pub(crate) fn grade(player: String, answers: &[ProgramAnswer]) -> PlayerAccuracy {
    let n = answers.len() as u64;
    let mut failures = BTreeMap::new();
    answers.iter().filter_map(|(_, chosen)| chosen.as_ref().err()).for_each(|kind| {
        *failures.entry(kind.clone()).or_default() += 1;
    });
    let chosen = |(best, chosen): &ProgramAnswer| Some((*best, *chosen.as_ref().ok()?));
    let values: Vec<(f64, f64)> = answers.iter().filter_map(chosen).collect();
    let seen = |value: f64| value.abs() >= WIN;
    let any_seen = values.iter().any(|&(best, chosen)| seen(best) || seen(chosen));
    let outcome = |value: f64| if any_seen && !seen(value) { 0 } else { class(value) };
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
        failures,
    }
}
