//! The tree that a search visits, level by level, as tabulated in the studies.

use crate::spec::{DICE, NOISE, PlayerKind, PlayerSpec};
use palestra_core::{
    BoxedEvaluator, EvaluationVisitor, Evaluator, FeatureSet, Game, InputError, Linear, Noise,
    ParametricEvaluator, Playable, Seed,
};
use palestra_search::{LevelCount, LevelCounter, SearchSpec};
use serde::Serialize;

/// The tree of one search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchTree {
    /// Canonical player string.
    pub player: String,
    /// All levels, the root first.
    pub levels: Vec<TreeLevel>,
    /// Positions visited, the root included.
    pub total: u64,
    /// The chosen move.
    pub chosen: String,
    /// Value of the chosen move, for the side that plays it.
    pub value: f64,
    /// Whether the search visits every position to its depth.
    #[serde(skip)]
    pub is_full: bool,
}

/// One level of a tree.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TreeLevel {
    /// Plies below the root.
    pub level: usize,
    /// Positions visited.
    pub nodes: u64,
    /// Fewest children visited below one of them.
    pub min: u64,
    /// Most children visited below one of them.
    pub max: u64,
    /// Mean number of children visited per position.
    pub mean: f64,
}

fn level_rows(levels: &[LevelCount]) -> Vec<TreeLevel> {
    let row = |(level, count): (usize, &LevelCount)| TreeLevel {
        level,
        nodes: count.nodes,
        min: count.min,
        max: count.max,
        mean: count.mean(),
    };
    levels.iter().enumerate().map(row).collect()
}

/// The tree that a player's search visits from `at`, which has not ended.
pub(crate) fn tree<G: Playable>(
    game: &G,
    at: &G::Position,
    spec: &PlayerSpec,
) -> Result<SearchTree, InputError> {
    let at = &*game.unclocked(at);
    let grown = match &spec.kind {
        PlayerKind::Policy(_) | PlayerKind::Perfect { .. } => None,
        PlayerKind::Search { search, evaluation, .. } if evaluation == NOISE.0 => {
            grow(game, at, search, &BoxedEvaluator::new(Noise { seed: Seed(0) }))
        }
        PlayerKind::Search { search, evaluation, .. } if evaluation == DICE.0 => {
            grow(game, at, search, &BoxedEvaluator::stochastic(Seed(0)))
        }
        PlayerKind::Search { search, evaluation, weights } => {
            game.evaluation(evaluation, GrowTree { game, at, search, weights }).flatten()
        }
    };
    let GrownTree { levels, chosen, value } = grown.ok_or_else(|| {
        InputError::new(
            "player",
            spec.to_string(),
            "a search that visits a tree: minimax, alphabeta or adaptive",
        )
    })?;
    let total = levels.iter().map(|level| level.nodes).sum();
    let is_full = matches!(&spec.kind, PlayerKind::Search { search: SearchSpec::Minimax(_), .. });
    Ok(SearchTree { player: spec.to_string(), levels, total, chosen, value, is_full })
}

struct GrownTree {
    levels: Vec<TreeLevel>,
    chosen: String,
    value: f64,
}

fn grow<G: Game, E: Evaluator<G>>(
    game: &G,
    at: &G::Position,
    search: &SearchSpec,
    evaluator: &E,
) -> Option<GrownTree> {
    let mut search = search.open::<G, E>();
    search.count_levels();
    let result = search.find(game, evaluator, at, &evaluator.begin(game, at));
    let levels = level_rows(search.levels());
    (!levels.is_empty()).then(|| GrownTree { levels, chosen: result.mv.to_string(), value: result.value })
}

struct GrowTree<'a, G: Game> {
    game: &'a G,
    at: &'a G::Position,
    search: &'a SearchSpec,
    weights: &'a [f64],
}

impl<G: Game> EvaluationVisitor<G> for GrowTree<'_, G> {
    type Out = Option<GrownTree>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        grow(self.game, self.at, self.search, &Linear::new(set, self.weights))
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> Self::Out {
        let evaluator = template.build(self.weights).expect("the spec was parsed with these weights");
        grow(self.game, self.at, self.search, &evaluator)
    }
}

/// The whole tree to a depth, which minimax visits; `None` where it has more than `max_positions` positions.
pub(crate) fn whole_tree<G: Game>(
    game: &G,
    at: &G::Position,
    depth: u32,
    max_positions: u64,
) -> Option<Vec<TreeLevel>> {
    let mut levels = LevelCounter::counting();
    let mut left = max_positions;
    let at = game.unclocked(at);
    count(game, &at, (0, depth), &mut Vec::new(), &mut levels, &mut left)?;
    Some(level_rows(levels.levels()))
}

fn count<G: Game>(
    game: &G,
    at: &G::Position,
    (level, depth): (u32, u32),
    moves: &mut Vec<G::Move>,
    levels: &mut LevelCounter,
    left: &mut u64,
) -> Option<()> {
    *left = left.checked_sub(1)?;
    let from = moves.len();
    if level < depth {
        game.moves(at, moves);
    }
    for i in from..moves.len() {
        let mut after = at.clone();
        game.play(&mut after, moves[i]);
        count(game, &after, (level + 1, depth), moves, levels, left)?;
    }
    levels.visit(level, (moves.len() - from) as u64);
    moves.truncate(from);
    Some(())
}
