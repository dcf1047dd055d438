//! How often players find the best move: a measure of strength without opponents, and without their luck.

use crate::build::build;
use crate::judge::{Deep, Exact, Judge};
use crate::matches::Watch;
use crate::player::Turn;
use crate::spec::{PlayerKind, PlayerSpec};
use crate::stats::{Outcomes, score_interval};
use palestra_core::{BadText, FamilyInfo, Playable, Rng, Seed, WIN};
use palestra_search::SearchSpec;
use palestra_search::exact::Course;
use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct AccuracyPlan {
    /// The players, as text.
    pub players: Vec<String>,
    /// Positions to ask them at.
    pub n_positions: u32,
    /// Positions and dice come from here.
    pub seed: Seed,
    /// Positions are left out that take the exact search more nodes than this.
    pub exact_nodes: u64,
    /// Nodes a move where values can not be exact.
    pub deep_nodes: u64,
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

/// A position with what its moves are worth.
struct Question<G: Playable> {
    at: G::Position,
    moves: Vec<G::Move>,
    values: Vec<f64>,
}

/// Attempts to find one more position before it is given up.
const ATTEMPTS: u64 = 300;

/// Room for what the exact search of one position knows.
const TABLE_BYTES: usize = 1 << 26;

/// Positions and players are shared among rayon's threads; the record does not depend on their number.
pub(crate) fn run<G: Playable>(
    game: &G,
    family: &'static FamilyInfo,
    plan: &AccuracyPlan,
    watch: &dyn Watch,
) -> Result<AccuracyRecord, BadText> {
    let parse = |text: &String| PlayerSpec::parse(text, game, family);
    let specs = plan.players.iter().map(parse).collect::<Result<Vec<PlayerSpec>, _>>()?;
    let own = PlayerSpec::parse(&game.opponent(), game, family)?;
    let examiner = Examiner { game, plan, walker: walker(&own), own, exact: Exact::is_possible(game) };
    let questions: Vec<Option<Question<G>>> = (0..u64::from(plan.n_positions))
        .into_par_iter()
        .map(|i| {
            let question = examiner.draw(plan.seed.child(i), watch);
            watch.advance(1);
            question
        })
        .collect();
    let complete = !watch.stop();
    let questions: Vec<Question<G>> = questions.into_iter().flatten().collect();
    let players = specs.iter().map(|spec| examiner.mark(spec, &questions)).collect();
    let positions = questions.len() as u64;
    Ok(AccuracyRecord { game: game.to_string(), exact: examiner.exact, positions, players, complete })
}

/// Looks one ply ahead with a player's evaluation: positions should look like somebody played there.
fn walker(own: &PlayerSpec) -> PlayerSpec {
    let kind = match &own.kind {
        PlayerKind::Search { evaluation, weights, .. } => PlayerKind::Search {
            search: SearchSpec::parse("greedy", "greedy").expect("a search everybody has"),
            evaluation: evaluation.clone(),
            weights: weights.clone(),
        },
        other => other.clone(),
    };
    PlayerSpec { name: None, kind }
}

struct Examiner<'a, G: Playable> {
    game: &'a G,
    plan: &'a AccuracyPlan,
    walker: PlayerSpec,
    own: PlayerSpec,
    exact: bool,
}

impl<G: Playable> Examiner<'_, G> {
    /// A position where moves differ in worth.
    fn draw(&self, seed: Seed, watch: &dyn Watch) -> Option<Question<G>> {
        (0..ATTEMPTS).find_map(|attempt| {
            if watch.stop() {
                return None;
            }
            let mut rng = seed.child(attempt).rng();
            let line = self.walk(&mut rng);
            let at = game_position(&line, &mut rng)?;
            let mut moves = Vec::new();
            self.game.moves(&at, &mut moves);
            if moves.len() < 2 {
                return None;
            }
            let values = self.judge(&at, moves.len())?;
            let differ = values.iter().any(|value| *value != values[0]);
            differ.then_some(Question { at, moves, values })
        })
    }

    /// A game in which one move of three is random and the others are the best at a glance.
    fn walk(&self, rng: &mut Rng) -> Vec<G::Position> {
        let mut player = build(self.game, &self.walker);
        let mut at = self.game.start();
        player.begin(self.game, &at);
        let mut line = Vec::new();
        let mut moves = Vec::new();
        loop {
            moves.clear();
            self.game.moves(&at, &mut moves);
            if moves.is_empty() {
                return line;
            }
            line.push(at.clone());
            let mv = if rng.random_range(0..3) == 0 {
                moves[rng.random_range(0..moves.len())]
            } else {
                player.choose(&Turn { game: self.game, at: &at, moves: &moves, seed: Seed(0) }).mv
            };
            player.observe(self.game, &at, mv);
            self.game.play(&mut at, mv);
        }
    }

    fn judge(&self, at: &G::Position, n_moves: usize) -> Option<Vec<f64>> {
        let course = Course::with_limit(self.plan.exact_nodes);
        if !self.exact {
            let mut deep = Deep::new(self.game, at, self.own.clone(), self.plan.deep_nodes);
            return (0..n_moves).map(|i| deep.move_value(i, &Course::default()).ok()).collect();
        }
        let mut exact = Exact::new(self.game, at, TABLE_BYTES, 1)?;
        if !exact.in_reach() {
            return None;
        }
        (0..n_moves).map(|i| exact.move_value(i, &course).ok()).collect()
    }

    fn mark(&self, spec: &PlayerSpec, questions: &[Question<G>]) -> PlayerAccuracy {
        let losses: Vec<(f64, f64)> = questions
            .par_iter()
            .enumerate()
            .map_init(
                || build(self.game, spec),
                |player, (i, question)| {
                    let Question { at, moves, values } = question;
                    player.begin(self.game, at);
                    let seed = self.plan.seed.child(i as u64).child(u64::MAX);
                    let mv = player.choose(&Turn { game: self.game, at, moves, seed }).mv;
                    let chosen = moves.iter().position(|other| *other == mv).map_or(f64::MIN, |i| values[i]);
                    (values.iter().copied().fold(f64::MIN, f64::max), chosen)
                },
            )
            .collect();
        grade(spec.to_string(), &losses)
    }
}

/// One of the positions of a line, all equally likely.
fn game_position<P: Clone>(line: &[P], rng: &mut Rng) -> Option<P> {
    if line.is_empty() { None } else { Some(line[rng.random_range(0..line.len())].clone()) }
}

/// 1 for a win, -1 for a loss, 0 for what is neither.
fn class(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// Best and chosen values of one player, summed up. Values of a search are compared as wins and losses only where it
/// saw the end of the game.
fn grade(player: String, values: &[(f64, f64)]) -> PlayerAccuracy {
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
