//! How much can any real weights score? A proof by branch and bound over cones of weights.
//!
//! A grid, however fine, leaves out what lies between its points. Here all real weights take part: those that have
//! chosen alike so far are one cone, which parts where they disagree, and is left alone as soon as its players can no
//! longer score what is asked for. First it is asked who wins every game, then who scores the next lower total that
//! anybody could still reach, and so on: what nobody reaches is proved, and the first total that somebody reaches is the
//! maximum.

mod cone;
mod games;
mod search;
#[cfg(test)]
mod tests;

use crate::{Objective, TuningBoards, TuningPlan, TuningPoints};
use games::{CertificationRules, GameTree, GameTreeNode, played};
use palestra_arena::{AnyGame, Catalog, can_meet_cohort};
use palestra_core::{InputError, Seed, Side, print_weights};
use rand::RngExt;
use search::{ConeSearchControl, search};
use std::collections::BTreeMap;

/// More weights than this have too many combinations of signs.
pub const MAX_WEIGHTS: usize = 10;

/// What is proved, and what was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Certificate {
    /// The player whose weights are any, without them.
    pub player: String,
    /// The names of its weights.
    pub names: Vec<&'static str>,
    /// Games that every score counts.
    pub n_games: usize,
    /// What winning all of them would score.
    pub highest: f64,
    /// No real weights score more than this.
    pub bound: f64,
    /// The highest score that was found, in real games.
    pub best: f64,
    /// The weights that score it.
    pub weights: Vec<f64>,
    /// One line for each total that was asked for, from the highest down.
    pub levels: Vec<ScoreLevel>,
    /// Different places that were seen in all games.
    pub n_positions: usize,
    /// Whether somebody stopped it.
    pub is_stopped: bool,
}

impl Certificate {
    /// Whether the best that was found is the best that there is.
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

/// One total that was asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreLevel {
    /// The total.
    pub score: f64,
    /// Parts of weight space that were looked at, once for every turn.
    pub nodes: u64,
    /// Parts that are left.
    pub n_left: usize,
    /// What came of it.
    pub answer: Reachability,
}

/// Whether a total can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reachability {
    /// By no real weights.
    Unreachable,
    /// By some.
    Reachable,
    /// That is open.
    Open,
}

/// How long to try, and where to begin.
pub struct CertifyOptions<'a> {
    /// Parts to look at in all, once for every turn.
    pub nodes: u64,
    /// Weights that are known to be good.
    pub starts: Vec<Vec<f64>>,
    /// Is told how many parts were looked at, and says whether to stop.
    pub stop: &'a dyn Fn(u64) -> bool,
}

/// Finds out how much any real weights score in the games of a plan: a gauntlet of rivals without dice, from the start
/// of each board, both sides. What is proved holds in exact arithmetic.
pub fn certify(
    plan: &TuningPlan,
    catalog: &'static Catalog,
    effort: &CertifyOptions<'_>,
) -> Result<Certificate, InputError> {
    let CertifiedGames { boards, rivals, worth } = what_is_played(plan)?;
    let games = boards.iter().map(|board| catalog.open(board)).collect::<Result<Vec<_>, _>>()?;
    for (game, rival) in games.iter().flat_map(|game| rivals.iter().map(move |rival| (game, rival))) {
        let spec = game.player(rival)?;
        if !can_meet_cohort(&spec) || game.is_stochastic(&spec) {
            let expected = "a player without dice whose move depends on the position alone";
            return Err(InputError::new("rival", rival, expected));
        }
    }
    let n_weights = plan.tunable_player.names.len();
    let player_with = |weights: &[f64]| format!("{}/{}", plan.player, print_weights(weights));
    let ones = player_with(&vec![1.0; n_weights]);
    let rules = CertificationRules {
        points: worth,
        last_of_ties: last_of_ties(&*games[0], &player_with(&vec![0.0; n_weights]))?,
        seed: Seed(1),
    };
    let mut trees: Vec<GameTree<'_>> = Vec::new();
    for game in &games {
        sums_tell_all(&**game, &ones)?;
        for rival in rivals {
            trees.extend(Side::BOTH.map(|side| GameTree::new(&**game, rival, side, &ones, &rules)));
        }
    }
    let most = worth.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let highest = most * trees.len() as f64;
    let mut best = Incumbent { score: f64::NEG_INFINITY, weights: vec![0.0; n_weights] };
    // The origin is a player too, and lies in no cone.
    let at_origin = best.try_out(&mut trees, vec![0.0; n_weights])?;
    let starts = starts(plan, rivals, &games, effort)?;
    order(&mut trees, &starts, (most, Seed(plan.seed)), &mut best)?;
    let (mut levels, mut nodes, mut bound, mut is_stopped) = (Vec::new(), 0, highest, false);
    while bound > best.score {
        let before = nodes;
        let mut promising = |trees: &mut [GameTree<'_>], weights| best.try_out(trees, weights).map(drop);
        let mut stop = |more: u64| {
            is_stopped |= (effort.stop)(before + more);
            is_stopped
        };
        let mut watcher =
            ConeSearchControl { nodes: effort.nodes - before, stop: &mut stop, promising: &mut promising };
        let found = search(&mut trees, n_weights, most, bound, &mut watcher)?;
        nodes += found.nodes;
        let answer = match (&found.weights, found.n_left) {
            (Some(_), _) => Reachability::Reachable,
            (None, 0) => Reachability::Unreachable,
            (None, _) => Reachability::Open,
        };
        levels.push(ScoreLevel { score: bound, nodes: found.nodes, n_left: found.n_left, answer });
        match found.weights {
            Some(weights) => drop(best.try_out(&mut trees, weights)?),
            None if answer == Reachability::Unreachable => bound = found.below.max(at_origin),
            None => {}
        }
        if answer != Reachability::Unreachable {
            break;
        }
    }
    let score = played(&games, rivals, &player_with(&best.weights), worth)?;
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
        is_stopped,
    })
}

/// What everybody plays.
struct CertifiedGames<'a> {
    boards: &'a [String],
    rivals: &'a [String],
    /// What a won, a drawn and a lost game are worth.
    worth: [f64; 3],
}

/// What is played, if it is a plan that can be certified.
fn what_is_played(plan: &TuningPlan) -> Result<CertifiedGames<'_>, InputError> {
    let bad = |place: &str, found: &str, expected: &str| Err(InputError::new(place, found, expected));
    let TuningBoards::Listed(boards) = &plan.boards else {
        return bad("pool", "a pool", "listed boards: game or games, so that everybody plays the same games");
    };
    let Objective::Gauntlet { rivals } = &plan.objective else {
        return bad("objective", plan.objective.name(), "a gauntlet: fixed rivals");
    };
    let TuningPoints::Table { win, draw, loss } = plan.points else {
        return bad("points", "margin", "points for a win, a draw and a loss: 1/0/-1");
    };
    if plan.opening_plies > 0 || plan.pairs > 1 {
        return bad(
            "openings",
            &plan.opening_plies.to_string(),
            "games from the start, once from each side: openings = 0, pairs = 1",
        );
    }
    let formula = &plan.tunable_player;
    if !plan.player.starts_with("greedy") || !formula.linear || !formula.scale_free {
        return bad(
            "player",
            &plan.player,
            "greedy over a weighted sum in which only the direction of the weights counts",
        );
    }
    if formula.names.len() > MAX_WEIGHTS {
        return bad("player", &plan.player, &format!("at most {MAX_WEIGHTS} weights"));
    }
    Ok(CertifiedGames { boards, rivals, worth: [win, draw, loss] })
}

/// Whether the last of level moves is played: a player without preferences shows it.
fn last_of_ties(game: &dyn AnyGame, zeros: &str) -> Result<bool, InputError> {
    let session = game.session(None, "-")?;
    let explained = session.explain(zeros, Seed(1))?;
    let first = explained.moves.first().map(|reason| &reason.mv);
    Ok(explained.chosen.as_ref() != first)
}

/// Ended games must be worth what their features say, not what a convention does.
fn sums_tell_all(game: &dyn AnyGame, ones: &str) -> Result<(), InputError> {
    let mut session = game.session(None, "-")?;
    while session.ending().is_none() {
        let explained = session.explain(ones, Seed(1))?;
        for reason in &explained.moves {
            let sum: f64 = reason.contributions.iter().sum();
            let is_whole = reason.contributions.iter().all(|by| by.fract() == 0.0 && by.abs() < 1e6);
            if reason.value != Some(sum) || !is_whole {
                let expected = "an evaluation that is the sum of its features even where the game is over";
                return Err(InputError::new("player", ones, expected));
            }
        }
        let Some(mv) = explained.chosen else { break };
        session.play(&mv)?;
    }
    Ok(())
}

/// Weights to begin with: those that are given, the plan's own, and the rivals' where they weigh the same features.
fn starts(
    plan: &TuningPlan,
    rivals: &[String],
    games: &[Box<dyn AnyGame>],
    effort: &CertifyOptions<'_>,
) -> Result<Vec<Vec<f64>>, InputError> {
    let n_weights = plan.tunable_player.names.len();
    let mut starts: Vec<Vec<f64>> = effort.starts.iter().chain(&plan.start).cloned().collect();
    for rival in rivals {
        let spec = games[0].player(rival)?;
        if let Some(weights) = spec.weights().filter(|weights| weights.len() == n_weights) {
            starts.push(weights.to_vec());
        }
    }
    Ok(starts)
}

/// The best player so far.
struct Incumbent {
    score: f64,
    weights: Vec<f64>,
}

impl Incumbent {
    fn try_out(&mut self, trees: &mut [GameTree<'_>], weights: Vec<f64>) -> Result<f64, InputError> {
        let mut score = 0.0;
        for tree in trees {
            score += tree.points_of(&weights)?;
        }
        if score > self.score {
            *self = Incumbent { score, weights };
        }
        Ok(score)
    }
}

/// Puts those games first that cost good players most, for the length of games on their board: they rule out most.
/// A bad order makes the search many times longer.
fn order(
    trees: &mut Vec<GameTree<'_>>,
    starts: &[Vec<f64>],
    (most, seed): (f64, Seed),
    best: &mut Incumbent,
) -> Result<(), InputError> {
    /// So many of the best starts are looked at, each with so many neighbors, of all of whom so many count.
    const GOOD: usize = 2;
    const NEIGHBORS: usize = 24;
    const COUNTED: usize = 16;
    let mut good: Vec<(f64, &Vec<f64>)> = Vec::new();
    for weights in starts {
        good.push((best.try_out(trees, weights.clone())?, weights));
    }
    good.sort_by(|a, b| b.0.total_cmp(&a.0));
    good.truncate(GOOD);
    let mut rng = seed.child(u64::MAX).rng();
    let mut results: Vec<(f64, Vec<f64>)> = Vec::new();
    for (_, weights) in good.iter().flat_map(|one| std::iter::repeat_n(one, NEIGHBORS)) {
        let neighbor: Vec<f64> = weights.iter().map(|weight| weight * rng.random_range(0.0..2.0)).collect();
        let costs = trees.iter_mut().map(|tree| Ok(most - tree.points_of(&neighbor)?));
        let costs = costs.collect::<Result<Vec<f64>, InputError>>()?;
        results.push((costs.iter().sum(), costs));
        best.try_out(trees, neighbor)?;
    }
    results.sort_by(|a, b| a.0.total_cmp(&b.0));
    results.truncate(COUNTED);
    // Turns and games on each board.
    let mut lengths: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for tree in &mut *trees {
        let length = length(tree, &best.weights)?;
        let of_board = lengths.entry(tree.board()).or_default();
        *of_board = (of_board.0 + length, of_board.1 + 1);
    }
    let mut keyed: Vec<(f64, GameTree<'_>)> = Vec::new();
    for (i, tree) in trees.drain(..).enumerate() {
        let cost: f64 = results.iter().map(|(_, costs)| costs[i]).sum();
        let (n_turns, n_games) = lengths[&tree.board()];
        // A game that costs nobody anything is still better early on a small board.
        keyed.push(((cost + 0.01) * f64::from(n_games) / f64::from(n_turns), tree));
    }
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
    trees.extend(keyed.into_iter().map(|(_, tree)| tree));
    Ok(())
}

/// Turns of a player in a game.
fn length(tree: &mut GameTree<'_>, weights: &[f64]) -> Result<u32, InputError> {
    let (mut place, mut n) = (0, 1);
    while let GameTreeNode::Turn(choices) = tree.at(place)? {
        place = games::preferred(choices, weights).to;
        n += 1;
    }
    Ok(n)
}
