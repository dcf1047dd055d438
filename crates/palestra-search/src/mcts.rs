//! Monte-Carlo tree search: UCT (Kocsis and Szepesvári, 2006) with the tree kept from move to move.
//!
//! Each playout descends the tree by upper confidence bounds, adds the children of the leaf that it reaches, and
//! estimates the value of the leaf: by a random game, by a greedy game, or by the evaluation. The seed is the key of
//! the root position, so the same line of play gives the same search.

use crate::limit::{SearchBudget, SearchLimit, Stopwatch};
use crate::search::{ScoredMove, Search, SearchReport, SearchResult, best_index};
use crate::spec::{
    GivenParameters, MoveLimits, ParameterWriter, SearchCost, SearchInfo, SearchParameters, TIME, TO_THE_END,
    optional,
};
use palestra_core::{ChildBuffers, Ending, Evaluator, Game, InputError, Rng, Seed, Side};
use rand::RngExt;
use std::time::Duration;

/// How a leaf of the tree is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafPolicy {
    /// By the result of a game of random moves.
    Random,
    /// By the result of a game in which both sides play greedily, with a random move once in a while.
    Greedy,
    /// By its evaluation, mapped to the interval from 0 to 1 with a hyperbolic tangent.
    Value,
}

/// Options of a Monte-Carlo tree search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// Playouts or time per move.
    pub limit: SearchLimit,
    /// The exploration constant of UCT.
    pub c: f64,
    /// How leaves are valued.
    pub leaf: LeafPolicy,
    /// Maximum size of the tree; when it is full, playouts start from its leaves without adding nodes.
    pub tree_bytes: usize,
}

/// A playout of more plies than this counts as a draw.
const MAX_PLAYOUT_PLIES: u32 = 1000;
/// One in this number of moves of a greedy playout is random; otherwise all playouts from a leaf would be the same.
const RANDOM_MOVE_PERIOD: u32 = 8;

/// Visit counts up to this have their square roots in a lookup table.
const N_CACHED: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// Mean result of the side that moved here: 1 for a win, ½ for a draw; infinite before the first visit, so that
    /// unvisited children are selected first.
    mean: f64,
    visits: u32,
    /// Index of the first child; `n_children` is 0 until the node is expanded.
    first_child: u32,
    n_children: u16,
    /// The move that leads here; `None` at the root.
    mv: Option<M>,
}

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Node<M> {
        Node { mean: f64::INFINITY, visits: 0, first_child: 0, n_children: 0, mv }
    }

    #[inline(always)]
    fn children(&self) -> std::ops::Range<usize> {
        let begin = self.first_child as usize;
        begin..begin + usize::from(self.n_children)
    }

    /// Adds the result of a playout to the mean.
    #[inline(always)]
    fn visit(&mut self, result: f64) {
        self.visits += 1;
        self.mean =
            if self.visits == 1 { result } else { self.mean + (result - self.mean) / f64::from(self.visits) };
    }
}

/// Monte-Carlo tree search with UCT.
#[derive(Clone, Debug)]
pub struct Mcts<G: Game> {
    options: MctsOptions,
    /// The tree; the root is the first node.
    nodes: Vec<Node<G::Move>>,
    root: Option<G::Position>,
    /// Buffer for the part of the tree that is kept between moves.
    kept: Vec<Node<G::Move>>,
    /// √ln n and 1/√n by n.
    cached_roots: Vec<[f64; 2]>,
    /// Nodes of the current playout, from the root.
    path: Vec<usize>,
    /// The side that moved to each node of `path`.
    sides: Vec<Side>,
    moves: Vec<G::Move>,
    children: ChildBuffers,
    /// Sum and number of the absolute evaluations so far.
    scale: (f64, f64),
    scored: Vec<ScoredMove<G::Move>>,
    report: SearchReport<G::Move>,
}

impl<G: Game> Mcts<G> {
    /// A search without a tree yet.
    pub fn new(options: MctsOptions) -> Mcts<G> {
        Mcts {
            options,
            nodes: Vec::new(),
            root: None,
            kept: Vec::new(),
            cached_roots: (0..N_CACHED).map(|n| [root_of_log(n as u32), uncertainty(n as u32)]).collect(),
            path: Vec::new(),
            sides: Vec::new(),
            moves: Vec::new(),
            children: ChildBuffers::default(),
            scale: (0.0, 0.0),
            scored: Vec::new(),
            report: SearchReport::new(),
        }
    }

    /// Sets the number of playouts per move.
    #[cfg(test)]
    pub(crate) fn limit_to(&mut self, n_playouts: u64) {
        self.options.limit.nodes = Some(n_playouts);
    }

    /// Makes `at` the root, and keeps its subtree if the tree contains it.
    fn set_root(&mut self, game: &G, at: &G::Position) {
        let subtree = self.root.take().and_then(|root| self.find_below(game, &root, 0, at, 2));
        self.kept.clear();
        match subtree {
            Some(node) => self.keep(node),
            None => self.kept.push(Node::new(None)),
        }
        std::mem::swap(&mut self.nodes, &mut self.kept);
        self.root = Some(at.clone());
    }

    /// The node of position `target`, at most `plies` below `node`, whose position is `at`.
    fn find_below(
        &self,
        game: &G,
        at: &G::Position,
        node: usize,
        target: &G::Position,
        plies: u32,
    ) -> Option<usize> {
        if at == target {
            return Some(node);
        }
        if plies == 0 {
            return None;
        }
        self.nodes[node].children().find_map(|child| {
            let mut after = at.clone();
            game.play(&mut after, self.nodes[child].mv?);
            self.find_below(game, &after, child, target, plies - 1)
        })
    }

    /// Copies a node and its subtree to `kept`, level by level.
    fn keep(&mut self, node: usize) {
        self.kept.push(Node { mv: None, ..self.nodes[node] });
        let mut next = 0;
        while next < self.kept.len() {
            let children = self.kept[next].children();
            self.kept[next].first_child = self.kept.len() as u32;
            self.kept.extend_from_slice(&self.nodes[children]);
            next += 1;
        }
    }

    /// The child that a playout visits next: the first unvisited one, or the one with the largest confidence bound.
    #[inline(always)]
    fn select(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        let root = self.cached_roots.get(parent.visits as usize).map(|roots| roots[0]);
        let weight = self.options.c * root.unwrap_or_else(|| root_of_log(parent.visits));
        let children = parent.children();
        let mut best = (children.start, f64::NEG_INFINITY);
        for (i, child) in self.nodes[children.clone()].iter().enumerate() {
            let uncertainty = match self.cached_roots.get(child.visits as usize) {
                Some(roots) => roots[1],
                None => uncertainty(child.visits),
            };
            let bound = child.mean + weight * uncertainty;
            best = if bound > best.1 { (children.start + i, bound) } else { best };
        }
        best.0
    }

    /// One playout from the root.
    fn run_playout(&mut self, game: &G, evaluator: &dyn LeafEvaluator<G>, at: &G::Position, rng: &mut Rng) {
        let mut at = at.clone();
        let mut node = 0;
        self.path.clear();
        self.sides.clear();
        self.path.push(0);
        self.sides.push(game.to_move(&at));
        while self.nodes[node].n_children > 0 {
            let side = game.to_move(&at);
            node = self.select(node);
            let mv = self.nodes[node].mv.expect("a child has a move");
            game.play(&mut at, mv);
            self.path.push(node);
            self.sides.push(side);
        }
        let first = match game.ending(&at) {
            Some(ending) => first_side_result(&ending),
            None => {
                if self.nodes[node].visits > 0 {
                    self.expand(game, &at, node);
                }
                self.evaluate_leaf(game, evaluator, at, rng)
            }
        };
        for (&node, &side) in self.path.iter().zip(&self.sides) {
            self.nodes[node].visit(if side == Side::First { first } else { 1.0 - first });
        }
    }

    /// Adds the children of a node unless the tree is full; those of the root always.
    fn expand(&mut self, game: &G, at: &G::Position, node: usize) {
        // The buffer for the kept part needs the same memory again.
        let max_nodes = (self.options.tree_bytes / (2 * size_of::<Node<G::Move>>())).min(u32::MAX as usize);
        if node != 0 && self.nodes.len() >= max_nodes {
            return;
        }
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let n_nodes = self.nodes.len() + self.moves.len();
        if node != 0 && n_nodes > max_nodes {
            return;
        }
        if n_nodes > self.nodes.capacity() {
            let capacity = (2 * n_nodes).min(max_nodes.max(n_nodes));
            self.nodes.reserve_exact(capacity - self.nodes.len());
        }
        self.nodes[node].first_child = self.nodes.len() as u32;
        self.nodes[node].n_children = self.moves.len() as u16;
        self.nodes.extend(self.moves.iter().map(|&mv| Node::new(Some(mv))));
    }

    /// Estimated result of a leaf for the first side, from 0 to 1.
    fn evaluate_leaf(
        &mut self,
        game: &G,
        evaluator: &dyn LeafEvaluator<G>,
        mut at: G::Position,
        rng: &mut Rng,
    ) -> f64 {
        match self.options.leaf {
            LeafPolicy::Random => {
                for _ in 0..MAX_PLAYOUT_PLIES {
                    match game.random_move(&at, rng, &mut self.moves) {
                        Some(mv) => game.play(&mut at, mv),
                        None => return game.ending(&at).map_or(0.5, |ending| first_side_result(&ending)),
                    }
                }
                0.5
            }
            LeafPolicy::Greedy => evaluator.playout(game, at, rng, &mut self.moves, &mut self.children),
            LeafPolicy::Value => {
                let value = evaluator.value(game, &at);
                self.scale = (self.scale.0 + value.abs(), self.scale.1 + 1.0);
                let mean = (self.scale.0 / self.scale.1).max(f64::MIN_POSITIVE);
                0.5 + 0.5 * (value / mean).tanh()
            }
        }
    }

    /// The most visited child, the first of equals; `None` if no child was visited.
    fn most_visited(&self, node: usize) -> Option<usize> {
        let children = self.nodes[node].children();
        let most_visited = children.max_by_key(|&child| (self.nodes[child].visits, usize::MAX - child));
        most_visited.filter(|&child| self.nodes[child].visits > 0)
    }
}

/// √ln n, or 0 for n = 0.
fn root_of_log(n: u32) -> f64 {
    f64::from(n.max(1)).ln().sqrt()
}

/// Uncertainty of the mean of `n` visits: 1/√n.
#[inline]
fn uncertainty(n: u32) -> f64 {
    1.0 / f64::from(n.max(1)).sqrt()
}

/// The first side's result: 1 for a win, ½ for a draw, 0 for a loss.
#[inline]
fn first_side_result(ending: &Ending) -> f64 {
    (ending.value(1.0, Side::First) + 1.0) / 2.0
}

impl<G: Game> Mcts<G> {
    /// Chooses a move at `at`.
    fn search(
        &mut self,
        game: &G,
        evaluator: &dyn LeafEvaluator<G>,
        at: &G::Position,
    ) -> SearchResult<G::Move> {
        let stopwatch = Stopwatch::start();
        let mut budget = SearchBudget::start(&self.options.limit);
        let mut rng = Seed(game.key(at)).rng();
        self.set_root(game, at);
        if self.nodes[0].n_children == 0 {
            self.expand(game, at, 0);
        }
        let mut n_playouts = 0;
        while n_playouts == 0 || !budget.is_spent(n_playouts) {
            self.run_playout(game, evaluator, at, &mut rng);
            n_playouts += 1;
        }
        // The mean of a child is that of the side that moved there: the side to move at the root.
        self.scored.clear();
        for child in &self.nodes[self.nodes[0].children()] {
            if let (Some(mv), true) = (child.mv, child.visits > 0) {
                self.scored.push(ScoredMove { mv, value: 2.0 * child.mean - 1.0 });
            }
        }
        self.report.pv.clear();
        let mut node = 0;
        while let Some(child) = self.most_visited(node) {
            self.report.pv.extend(self.nodes[child].mv);
            node = child;
        }
        self.report.depth = self.report.pv.len() as u32;
        self.report.nodes_per_second = stopwatch.rate(n_playouts);
        let mv = self.report.pv[0];
        let value = self.scored.iter().find(|scored| scored.mv == mv).map_or(0.0, |scored| scored.value);
        SearchResult { mv, value, nodes: n_playouts, root_moves: u64::from(self.nodes[0].n_children) }
    }
}

/// The part of an evaluator that leaves need, as a trait object, so that the search is compiled once per game rather
/// than once per evaluator. Random playouts do not use it.
trait LeafEvaluator<G: Game> {
    /// The value for the first side.
    fn value(&self, game: &G, at: &G::Position) -> f64;

    /// Plays to the end, mostly greedily; returns the first side's result, from 0 to 1.
    fn playout(
        &self,
        game: &G,
        at: G::Position,
        rng: &mut Rng,
        moves: &mut Vec<G::Move>,
        children: &mut ChildBuffers,
    ) -> f64;
}

impl<G: Game, E: Evaluator<G>> LeafEvaluator<G> for E {
    fn value(&self, game: &G, at: &G::Position) -> f64 {
        Evaluator::value(self, game, at, &self.begin(game, at), Side::First)
    }

    fn playout(
        &self,
        game: &G,
        mut at: G::Position,
        rng: &mut Rng,
        moves: &mut Vec<G::Move>,
        children: &mut ChildBuffers,
    ) -> f64 {
        let mut accumulator = self.begin(game, &at);
        let ties = self.convention().ties;
        for _ in 0..MAX_PLAYOUT_PLIES {
            if let Some(ending) = game.ending(&at) {
                return first_side_result(&ending);
            }
            moves.clear();
            game.moves(&at, moves);
            let is_random = rng.random_range(0..RANDOM_MOVE_PERIOD) == 0;
            self.child_values(game, &at, &accumulator, game.to_move(&at), moves, children);
            let best = best_index(&children.values, ties);
            let mv = moves[if is_random { rng.random_range(0..moves.len()) } else { best }];
            self.advance(game, &mut accumulator, &at, mv);
            game.play(&mut at, mv);
        }
        0.5
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Mcts<G> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        _accumulator: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        self.search(game, evaluator, at)
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.scored.clone()
    }

    fn report(&self) -> Option<&SearchReport<G::Move>> {
        Some(&self.report)
    }
}

/// Parameters of [`Mcts`].
#[derive(Clone, PartialEq, Debug)]
pub struct MctsSpec {
    /// Exploration constant of UCT.
    pub c: f64,
    /// How leaves are valued.
    pub leaf: LeafPolicy,
    /// Megabytes for the tree.
    pub memory: u32,
    /// Playouts per move; `None` where only time limits the search.
    pub playouts: Option<u64>,
    /// Time limit per move.
    pub time: Option<Duration>,
}

impl Default for MctsSpec {
    fn default() -> MctsSpec {
        MctsSpec { c: 1.0, leaf: LeafPolicy::Random, memory: 256, playouts: None, time: None }
    }
}

/// Largest number of playouts per move.
const MAX_PLAYOUTS: u64 = 1_000_000_000;

/// Playouts per move where neither playouts nor time are given.
const DEFAULT_PLAYOUTS: u64 = 10_000;

impl MctsSpec {
    /// Limits per move.
    fn limit(&self) -> SearchLimit {
        let is_unlimited = self.playouts.is_none() && self.time.is_none();
        let nodes = if is_unlimited { Some(DEFAULT_PLAYOUTS) } else { self.playouts };
        SearchLimit { depth: TO_THE_END, nodes, time: self.time }
    }
}

const LEAVES: [(&str, LeafPolicy); 3] =
    [("random", LeafPolicy::Random), ("greedy", LeafPolicy::Greedy), ("value", LeafPolicy::Value)];

impl SearchParameters for MctsSpec {
    const INFO: SearchInfo = SearchInfo {
        name: "mcts",
        about: "Monte-Carlo tree search (UCT); the tree is kept from move to move, values are from -1 to 1",
        parameters: &[
            optional("c", "exploration constant of UCT, above 0, up to 100 (default 1)"),
            optional(
                "leaf",
                "how leaves are valued: random (a random game, default), greedy (a greedy game) or value (the evaluation)",
            ),
            optional("memory", "megabytes for the tree, 1 to 65536 (default 256); a full tree stops growing"),
            optional("playouts", "playouts per move (default 10000, if no time is given)"),
            TIME,
        ],
    };

    fn read(given: &GivenParameters<'_>) -> Result<MctsSpec, InputError> {
        let default = MctsSpec::default();
        Ok(MctsSpec {
            c: given.real("c", 100.0)?.unwrap_or(default.c),
            leaf: given.word("leaf", &LEAVES)?.unwrap_or(default.leaf),
            memory: given.whole("memory", 65_536)?.unwrap_or(default.memory),
            playouts: given.long("playouts", MAX_PLAYOUTS)?,
            time: given.time()?,
        })
    }

    fn write(&self, out: &mut ParameterWriter) {
        let default = MctsSpec::default();
        if self.c != default.c {
            out.add_real("c", self.c);
        }
        if self.leaf != default.leaf {
            out.add_given("leaf", LEAVES.iter().find(|(_, leaf)| *leaf == self.leaf).map(|(word, _)| word));
        }
        out.add_unless("memory", self.memory, default.memory);
        out.add_given("playouts", self.playouts);
        out.add_time(self.time);
    }

    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        let (c, leaf, tree_bytes) = (self.c, self.leaf, (self.memory as usize) << 20);
        Box::new(Mcts::new(MctsOptions { limit: self.limit(), c, leaf, tree_bytes }))
    }

    /// A playout is a game of about 60 positions.
    fn cost(&self, _n_moves: f64) -> SearchCost {
        let nodes = self.limit().nodes.map_or(f64::INFINITY, |playouts| 60.0 * playouts as f64);
        SearchCost { nodes, time: self.time, megabytes: self.memory, threads: 1 }
    }

    fn is_function_of_position(&self) -> bool {
        false
    }

    fn needs_evaluation(&self) -> bool {
        self.leaf != LeafPolicy::Random
    }

    fn limited(&self, limits: &MoveLimits) -> MctsSpec {
        let playouts = limits.nodes.filter(|playouts| *playouts <= MAX_PLAYOUTS).or(self.playouts);
        MctsSpec { playouts, time: limits.time.or(self.time), ..self.clone() }
    }
}
