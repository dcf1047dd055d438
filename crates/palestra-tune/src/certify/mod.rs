//! The highest score of any real weights, with a proof by branch and bound over cones of weights.
//!
//! A grid, however fine, leaves out the weights between its points. This search covers all real weights: the weights
//! that have chosen the same moves so far form a cone, which is divided where their choices differ, and discarded as
//! soon as it can no longer reach the target score. The first target is a win in every game, the next one the highest
//! total that the discarded cones could still reach, and so on. A target that no cone reaches is proved unreachable;
//! the first target that some weights reach is the maximum.

mod cone;
mod divide;
mod games;
mod linear;
mod search;
#[cfg(test)]
mod tests;

use crate::{Objective, PointSystem, TuningBoards, TuningPlan};
use games::{CertificationRules, GameTree, played};
use linear::check_linear;
use palestra_arena::{AnyGame, Catalog, PlayerKind, can_meet_cohort};
use palestra_core::{InputError, Progress, Seed, Side, SumPrecision, print_weights};
use rand::RngExt;
use search::{ConeSearchControl, search};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of weights: the search starts with one cone for each combination of signs.
pub const MAX_WEIGHTS: usize = 10;

/// An upper bound on the score, and the best weights found.
#[derive(Clone, PartialEq, Debug)]
pub struct Certificate {
    /// The player without weights.
    pub player: String,
    /// The names of its weights.
    pub names: Vec<&'static str>,
    /// Number of games that a score counts.
    pub n_games: usize,
    /// Score of a win in every game.
    pub highest: f64,
    /// No real weights score more than this.
    pub bound: f64,
    /// The highest score found, confirmed by playing the games.
    pub best: f64,
    /// The weights that score it.
    pub weights: Vec<f64>,
    /// One entry for each target score, from the highest down.
    pub levels: Vec<ScoreLevel>,
    /// Number of different positions that were visited in all games.
    pub n_positions: usize,
    /// Number of weight vectors that played the games.
    pub n_tried: u64,
    /// Number of different players that they are: those with the same moves in all games are one.
    pub n_players: u64,
    /// Number of these players that have the best score.
    pub n_best: u64,
    /// Whether the caller stopped the search.
    pub is_stopped: bool,
}

impl Certificate {
    /// Whether the best score found is proved to be the maximum.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.best >= self.bound
    }

    /// The player with the best weights.
    #[must_use]
    pub fn best_player(&self) -> String {
        format!("{}/{}", self.player, print_weights(&self.weights))
    }
}

/// The search for one target score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreLevel {
    /// The target score.
    pub score: f64,
    /// Number of cones that were visited; a cone counts once for every turn of its games.
    pub nodes: u64,
    /// Number of cones that were not visited.
    pub n_left: usize,
    /// Whether the target can be reached.
    pub answer: Reachability,
}

/// Whether a target score can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reachability {
    /// No real weights reach it.
    Unreachable,
    /// Some weights reach it.
    Reachable,
    /// The search ended before it was decided.
    Open,
}

/// Node limit, start weights and progress.
pub struct CertifyOptions<'a> {
    /// Largest number of cones to visit in all; a cone counts once for every turn.
    pub nodes: u64,
    /// Weights that are known to score well.
    pub starts: Vec<Vec<f64>>,
    /// Counts the cones visited, and may cancel the search.
    pub progress: &'a Progress,
}

/// Bounds the score of any real weights in the games of a plan: a gauntlet of deterministic opponents, from the start
/// of each board, on both sides. The bound holds in exact arithmetic.
pub fn certify(
    plan: &TuningPlan,
    catalog: &'static Catalog,
    options: &CertifyOptions<'_>,
) -> Result<Certificate, InputError> {
    let CertifiedGames { boards, opponents, points } = certified_games(plan)?;
    let games = boards.iter().map(|board| catalog.open(board)).collect::<Result<Vec<_>, _>>()?;
    for (game, opponent) in games.iter().flat_map(|game| opponents.iter().map(move |name| (game, name))) {
        let spec = game.player(opponent)?;
        if !can_meet_cohort(&spec) || game.is_stochastic(&spec) {
            let expected = "a deterministic player whose move depends on the position alone";
            return Err(InputError::new("opponent", opponent, expected));
        }
    }
    let n_weights = plan.tunable_player.names.len();
    let player_with = |weights: &[f64]| format!("{}/{}", plan.player, print_weights(weights));
    let unit_player = player_with(&vec![1.0; n_weights]);
    let rules = CertificationRules {
        points,
        last_of_ties: last_of_ties(&*games[0], &player_with(&vec![0.0; n_weights]))?,
        seed: Seed(1),
    };
    let mut trees: Vec<GameTree<'_>> = Vec::new();
    for game in &games {
        check_linear(&**game, &plan.player, n_weights)?;
        for (opponent, side) in opponents.iter().flat_map(|opponent| Side::BOTH.map(|side| (opponent, side)))
        {
            trees.push(GameTree::new(trees.len(), &**game, (opponent, side), &unit_player, &rules)?);
        }
    }
    let max_points = points.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let highest = max_points * trees.len() as f64;
    let mut best = Incumbent::new(n_weights);
    // The origin is a player too, and lies in none of the cones.
    let at_origin = best.try_out(&mut trees, vec![0.0; n_weights])?;
    let starts = starts(plan, opponents, &games, options)?;
    order(&mut trees, &starts, (max_points, Seed(plan.seed)), &mut best, options.progress)?;
    let (mut levels, mut nodes, mut bound, mut is_stopped) = (Vec::new(), 0, highest, false);
    while bound > best.score {
        let near = best.weights.clone();
        let mut try_out = |trees: &mut [GameTree<'_>], weights| best.try_out(trees, weights);
        let (progress, before, nodes_left) = (options.progress, nodes, options.nodes - nodes);
        let mut control = ConeSearchControl { nodes: nodes_left, before, progress, try_out: &mut try_out };
        let result = search(&mut trees, &near, (max_points, bound), &mut control)?;
        nodes += result.nodes;
        let answer = match (result.is_reached, result.n_left) {
            (true, _) => Reachability::Reachable,
            (false, 0) => Reachability::Unreachable,
            (false, _) => Reachability::Open,
        };
        is_stopped = answer == Reachability::Open && progress.is_stopped();
        levels.push(ScoreLevel { score: bound, nodes: result.nodes, n_left: result.n_left, answer });
        if answer != Reachability::Unreachable {
            break;
        }
        bound = result.below.max(at_origin);
    }
    let score = played(&games, opponents, &player_with(&best.weights), points)?;
    Ok(Certificate {
        player: plan.player.clone(),
        names: plan.tunable_player.names.clone(),
        n_games: trees.len(),
        highest,
        bound: bound.max(score),
        best: score,
        weights: best.weights,
        levels,
        n_positions: trees.iter().map(GameTree::n_positions).sum(),
        n_tried: best.n_tried,
        n_players: best.players.len() as u64,
        n_best: best.n_best,
        is_stopped,
    })
}

/// The games that a certificate is about.
struct CertifiedGames<'a> {
    boards: &'a [String],
    opponents: &'a [String],
    /// Points for a win, a draw and a loss.
    points: [f64; 3],
}

/// The games of a plan; an error if it cannot be certified.
fn certified_games(plan: &TuningPlan) -> Result<CertifiedGames<'_>, InputError> {
    let bad = |key: &str, found: &str, expected: &str| Err(InputError::new(key, found, expected));
    let TuningBoards::Listed(boards) = &plan.boards else {
        let reason = "a certificate needs fixed boards, so that all weights play the same games";
        return Err(InputError::not_allowed("pool", reason));
    };
    let Objective::Gauntlet { opponents } = &plan.objective else {
        return bad("objective", plan.objective.name(), "gauntlet: a certificate needs fixed opponents");
    };
    let PointSystem::ByResult { win, draw, loss } = plan.points else {
        return bad("points", "margin", "points for a win, a draw and a loss, such as 1/0.5/0");
    };
    if plan.opening_plies > 0 {
        let expected = "0: a certificate is about games from the start of each board";
        return bad("opening_plies", &plan.opening_plies.to_string(), expected);
    }
    if plan.pairs > 1 {
        return bad("pairs", &plan.pairs.to_string(), "1: games from the start of a board do not differ");
    }
    let tunable = &plan.tunable_player;
    let is_greedy = matches!(&tunable.spec.kind, PlayerKind::Search { search, .. } if search.is_greedy());
    if !is_greedy || tunable.sum.is_none() {
        return bad("player", &plan.player, "a player that is greedy over a weighted sum");
    }
    let rounding = match tunable.sum {
        Some(SumPrecision::Double) | None => None,
        Some(SumPrecision::Single(_)) => Some("rounds every sum to a 32-bit float"),
        Some(SumPrecision::Whole) => Some("cuts every sum to a whole number"),
    };
    if let Some(rounding) = rounding {
        let expected =
            format!("an evaluation without rounding: this one {rounding}, and a proof is about exact sums");
        return bad("player", &plan.player, &expected);
    }
    if !tunable.scale_free {
        return bad(
            "player",
            &plan.player,
            "a player that is greedy over a weighted sum in which only the direction of the weights matters",
        );
    }
    if tunable.names.len() > MAX_WEIGHTS {
        return bad("player", &plan.player, &format!("a player with at most {MAX_WEIGHTS} weights"));
    }
    Ok(CertifiedGames { boards, opponents, points: [win, draw, loss] })
}

/// Whether the player chooses the last of equally good moves, and not the first: seen from a player with weights 0.
fn last_of_ties(game: &dyn AnyGame, zeros: &str) -> Result<bool, InputError> {
    let session = game.session(None, "-")?;
    let explained = session.explain(&game.player(zeros)?, Seed(1));
    let first = explained.moves.first().map(|reason| &reason.mv);
    Ok(explained.chosen.as_ref() != first)
}

/// Start weights: those of the options, that of the plan, and those of opponents with as many weights.
fn starts(
    plan: &TuningPlan,
    opponents: &[String],
    games: &[Box<dyn AnyGame>],
    options: &CertifyOptions<'_>,
) -> Result<Vec<Vec<f64>>, InputError> {
    let n_weights = plan.tunable_player.names.len();
    let mut starts: Vec<Vec<f64>> = options.starts.iter().chain(&plan.start).cloned().collect();
    for opponent in opponents {
        let spec = games[0].player(opponent)?;
        if let Some(weights) = spec.weights().filter(|weights| weights.len() == n_weights) {
            starts.push(weights.to_vec());
        }
    }
    Ok(starts)
}

/// The best weights so far, and the players that were tried.
struct Incumbent {
    score: f64,
    weights: Vec<f64>,
    /// Number of weight vectors tried.
    n_tried: u64,
    /// The players that they stand for, by the ends of their games.
    players: BTreeSet<Vec<usize>>,
    /// Number of these players that have the best score.
    n_best: u64,
}

impl Incumbent {
    fn new(n_weights: usize) -> Incumbent {
        let weights = vec![0.0; n_weights];
        Incumbent { score: f64::NEG_INFINITY, weights, n_tried: 0, players: BTreeSet::new(), n_best: 0 }
    }

    fn try_out(&mut self, trees: &mut [GameTree<'_>], weights: Vec<f64>) -> Result<f64, InputError> {
        let (mut score, mut ends) = (0.0, Vec::with_capacity(trees.len()));
        for tree in trees {
            let played = tree.play(&weights)?;
            score += played.points;
            ends.push((tree.number, played.end));
        }
        // The games may be in another order than before.
        ends.sort_unstable();
        self.n_tried += 1;
        let is_new = self.players.insert(ends.into_iter().map(|(_, end)| end).collect());
        if score > self.score {
            (self.score, self.weights, self.n_best) = (score, weights, 0);
        }
        if is_new && score == self.score {
            self.n_best += 1;
        }
        Ok(score)
    }
}

/// Sorts the games by the points that good weights lose in them, divided by the length of games on their board: the
/// first games then discard most cones. A bad order makes the search many times longer.
fn order(
    trees: &mut Vec<GameTree<'_>>,
    starts: &[Vec<f64>],
    (max_points, seed): (f64, Seed),
    best: &mut Incumbent,
    progress: &Progress,
) -> Result<(), InputError> {
    /// Number of best start weights that are used.
    const GOOD: usize = 2;
    /// Number of random neighbors of each of them.
    const NEIGHBORS: usize = 24;
    /// Number of best neighbors whose losses count.
    const COUNTED: usize = 16;
    let mut good: Vec<(f64, &Vec<f64>)> = Vec::new();
    // Any order will do for a search that is canceled.
    for weights in starts.iter().take_while(|_| !progress.is_stopped()) {
        good.push((best.try_out(trees, weights.clone())?, weights));
    }
    good.sort_by(|a, b| b.0.total_cmp(&a.0));
    good.truncate(GOOD);
    let mut rng = seed.child(u64::MAX).rng();
    let mut results: Vec<(f64, Vec<f64>)> = Vec::new();
    let neighbors = good.iter().flat_map(|one| std::iter::repeat_n(one, NEIGHBORS));
    for (_, weights) in neighbors.take_while(|_| !progress.is_stopped()) {
        let neighbor: Vec<f64> = weights.iter().map(|weight| weight * rng.random_range(0.0..2.0)).collect();
        let costs = trees.iter_mut().map(|tree| Ok(max_points - tree.play(&neighbor)?.points));
        let costs = costs.collect::<Result<Vec<f64>, InputError>>()?;
        results.push((costs.iter().sum(), costs));
        best.try_out(trees, neighbor)?;
    }
    results.sort_by(|a, b| a.0.total_cmp(&b.0));
    results.truncate(COUNTED);
    // Number of turns and of games on each board.
    let mut turns_by_board: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for tree in &mut *trees {
        let n_turns = tree.play(&best.weights)?.n_turns + 1;
        let of_board = turns_by_board.entry(tree.board()).or_default();
        *of_board = (of_board.0 + n_turns, of_board.1 + 1);
    }
    let mut keyed: Vec<(f64, GameTree<'_>)> = Vec::new();
    for (i, tree) in trees.drain(..).enumerate() {
        let cost: f64 = results.iter().map(|(_, costs)| costs[i]).sum();
        let (n_turns, n_games) = turns_by_board[&tree.board()];
        // 0.01 so that among games in which no points are lost, short ones come first.
        keyed.push(((cost + 0.01) * f64::from(n_games) / f64::from(n_turns), tree));
    }
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
    trees.extend(keyed.into_iter().map(|(_, tree)| tree));
    Ok(())
}
