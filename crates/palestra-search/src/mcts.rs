//! Monte-Carlo tree search: UCT (Kocsis and Szepesvári, 2006) with the tree kept from move to move.
//!
//! Each playout walks down the tree by upper confidence bounds, adds the children of the position it arrives at,
//! and asks how good that position is: by playing on at random, by playing on greedily, or by the evaluation. The
//! dice come from the position, so the same line of play meets the same search.

use crate::limit::{SearchBudget, SearchLimit, Stopwatch};
use crate::search::{ScoredMove, Search, SearchReport, SearchResult, best_index};
use palestra_core::{ChildBuffers, Ending, Evaluator, Game, Rng, Seed, Side};
use rand::RngExt;

/// How a position that the tree ends at is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafPolicy {
    /// By a game of random moves.
    Random,
    /// By a game in which both sides mostly play what their evaluation likes best.
    Greedy,
    /// By its evaluation, squashed between lost and won.
    Value,
}

/// How a search by playouts is set up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsOptions {
    /// Playouts a move, or time.
    pub limit: SearchLimit,
    /// How much uncertainty counts beside success: the constant of UCT.
    pub c: f64,
    /// How leaves are judged.
    pub leaf: LeafPolicy,
    /// What the tree may take; when it is full, playouts go on from where it ends.
    pub tree_bytes: usize,
}

/// A game that goes on longer than this is called a draw.
const LONGEST: u32 = 1000;
/// One move in so many of a greedy playout is random, or every one would be the same.
const STRAY: u32 = 8;

/// Roots are looked up as far as this.
const N_ROOTS: usize = 1024;

#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// Mean success of the side that moved here, a draw being one half; more than any where nobody has been.
    success: f64,
    visits: u32,
    /// Where its children begin, and how many there are; none yet where there are none.
    first_child: u32,
    n_children: u16,
    /// The move that leads here; none at the root.
    mv: Option<M>,
}

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Node<M> {
        Node { success: f64::INFINITY, visits: 0, first_child: 0, n_children: 0, mv }
    }

    #[inline(always)]
    fn children(&self) -> std::ops::Range<usize> {
        let begin = self.first_child as usize;
        begin..begin + usize::from(self.n_children)
    }

    /// Counts a visit that came to this much success.
    #[inline(always)]
    fn visit(&mut self, success: f64) {
        self.visits += 1;
        self.success = if self.visits == 1 {
            success
        } else {
            self.success + (success - self.success) / f64::from(self.visits)
        };
    }
}

/// Looks where it pays.
#[derive(Clone, Debug)]
pub struct Mcts<G: Game> {
    setup: MctsOptions,
    /// The tree; the root is the first node.
    nodes: Vec<Node<G::Move>>,
    root: Option<G::Position>,
    /// Room for the part of the tree that is kept.
    kept: Vec<Node<G::Move>>,
    /// √ln n and 1/√n of the first whole numbers.
    roots: Vec<[f64; 2]>,
    path: Vec<usize>,
    movers: Vec<Side>,
    moves: Vec<G::Move>,
    children: ChildBuffers,
    /// How large evaluations are, so far.
    scale: (f64, f64),
    rated: Vec<ScoredMove<G::Move>>,
    report: SearchReport<G::Move>,
}

impl<G: Game> Mcts<G> {
    /// A search by playouts.
    pub fn new(setup: MctsOptions) -> Mcts<G> {
        Mcts {
            setup,
            nodes: Vec::new(),
            root: None,
            kept: Vec::new(),
            roots: (0..N_ROOTS).map(|n| [root_of_log(n as u32), doubt(n as u32)]).collect(),
            path: Vec::new(),
            movers: Vec::new(),
            moves: Vec::new(),
            children: ChildBuffers::default(),
            scale: (0.0, 0.0),
            rated: Vec::new(),
            report: SearchReport::new(),
        }
    }

    /// Makes so many playouts a move from now on.
    #[cfg(test)]
    pub(crate) fn limit_to(&mut self, n_playouts: u64) {
        self.setup.limit.nodes = Some(n_playouts);
    }

    /// Makes `at` the root, with whatever the tree already knows of it.
    fn plant(&mut self, game: &G, at: &G::Position) {
        let known = self.root.take().and_then(|root| self.find_below(game, &root, 0, at, 2));
        self.kept.clear();
        match known {
            Some(node) => self.keep(node),
            None => self.kept.push(Node::new(None)),
        }
        std::mem::swap(&mut self.nodes, &mut self.kept);
        self.root = Some(at.clone());
    }

    /// The node of a position, a few plies below another.
    fn find_below(
        &self,
        game: &G,
        at: &G::Position,
        node: usize,
        wanted: &G::Position,
        plies: u32,
    ) -> Option<usize> {
        if at == wanted {
            return Some(node);
        }
        if plies == 0 {
            return None;
        }
        self.nodes[node].children().find_map(|child| {
            let mut after = at.clone();
            game.play(&mut after, self.nodes[child].mv?);
            self.find_below(game, &after, child, wanted, plies - 1)
        })
    }

    /// Copies a node and all below it to the kept part, level by level.
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

    /// The child that a playout visits next: the first that nobody has visited, or the one that promises most.
    #[inline(always)]
    fn select(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        let root = self.roots.get(parent.visits as usize).map(|roots| roots[0]);
        let weight = self.setup.c * root.unwrap_or_else(|| root_of_log(parent.visits));
        let children = parent.children();
        let mut best = (children.start, f64::NEG_INFINITY);
        for (i, child) in self.nodes[children.clone()].iter().enumerate() {
            let doubt = match self.roots.get(child.visits as usize) {
                Some(roots) => roots[1],
                None => doubt(child.visits),
            };
            let bound = child.success + weight * doubt;
            best = if bound > best.1 { (children.start + i, bound) } else { best };
        }
        best.0
    }

    /// One playout from the root.
    fn play(&mut self, game: &G, evaluator: &dyn LeafEvaluator<G>, at: &G::Position, rng: &mut Rng) {
        let mut at = at.clone();
        let mut node = 0;
        self.path.clear();
        self.movers.clear();
        self.path.push(0);
        self.movers.push(game.to_move(&at));
        while self.nodes[node].n_children > 0 {
            let side = game.to_move(&at);
            node = self.select(node);
            let mv = self.nodes[node].mv.expect("a child has a move");
            game.play(&mut at, mv);
            self.path.push(node);
            self.movers.push(side);
        }
        let first = match game.ending(&at) {
            Some(ending) => share(&ending),
            None => {
                if self.nodes[node].visits > 0 {
                    self.grow(game, &at, node);
                }
                self.judge(game, evaluator, at, rng)
            }
        };
        for (&node, &mover) in self.path.iter().zip(&self.movers) {
            self.nodes[node].visit(if mover == Side::First { first } else { 1.0 - first });
        }
    }

    /// Adds the children of a node, while there is room; those of the root in any case.
    fn grow(&mut self, game: &G, at: &G::Position, node: usize) {
        // The part that is kept at the next move needs as much again.
        let most = (self.setup.tree_bytes / (2 * size_of::<Node<G::Move>>())).min(u32::MAX as usize);
        if node != 0 && self.nodes.len() >= most {
            return;
        }
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let n_nodes = self.nodes.len() + self.moves.len();
        if node != 0 && n_nodes > most {
            return;
        }
        if n_nodes > self.nodes.capacity() {
            let wanted = (2 * n_nodes).min(most.max(n_nodes));
            self.nodes.reserve_exact(wanted - self.nodes.len());
        }
        self.nodes[node].first_child = self.nodes.len() as u32;
        self.nodes[node].n_children = self.moves.len() as u16;
        self.nodes.extend(self.moves.iter().map(|&mv| Node::new(Some(mv))));
    }

    /// How good a position is for the first side, from 0 to 1.
    fn judge(
        &mut self,
        game: &G,
        evaluator: &dyn LeafEvaluator<G>,
        mut at: G::Position,
        rng: &mut Rng,
    ) -> f64 {
        match self.setup.leaf {
            LeafPolicy::Random => {
                for _ in 0..LONGEST {
                    match game.random_move(&at, rng, &mut self.moves) {
                        Some(mv) => game.play(&mut at, mv),
                        None => return game.ending(&at).map_or(0.5, |ending| share(&ending)),
                    }
                }
                0.5
            }
            LeafPolicy::Greedy => evaluator.playout(game, at, rng, &mut self.moves, &mut self.children),
            LeafPolicy::Value => {
                let value = evaluator.value(game, &at);
                self.scale = (self.scale.0 + value.abs(), self.scale.1 + 1.0);
                let usual = (self.scale.0 / self.scale.1).max(f64::MIN_POSITIVE);
                0.5 + 0.5 * (value / usual).tanh()
            }
        }
    }

    /// The most visited child, the first of equals, if any was visited.
    fn favorite(&self, node: usize) -> Option<usize> {
        let children = self.nodes[node].children();
        let favorite = children.max_by_key(|&child| (self.nodes[child].visits, usize::MAX - child));
        favorite.filter(|&child| self.nodes[child].visits > 0)
    }
}

/// √ln n, 0 where that is no number.
fn root_of_log(n: u32) -> f64 {
    f64::from(n.max(1)).ln().sqrt()
}

/// How uncertain the mean of so many visits is: 1/√n.
#[inline]
fn doubt(n: u32) -> f64 {
    1.0 / f64::from(n.max(1)).sqrt()
}

/// The first side's success: 1 for a win, 0 for a loss.
#[inline]
fn share(ending: &Ending) -> f64 {
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
        let mut budget = SearchBudget::start(&self.setup.limit);
        let mut rng = Seed(game.key(at)).rng();
        self.plant(game, at);
        if self.nodes[0].n_children == 0 {
            self.grow(game, at, 0);
        }
        let mut n_playouts = 0;
        while n_playouts == 0 || !budget.is_spent(n_playouts) {
            self.play(game, evaluator, at, &mut rng);
            n_playouts += 1;
        }
        // A child's success is that of the side that moved there: the one who asks.
        self.rated.clear();
        for child in &self.nodes[self.nodes[0].children()] {
            if let (Some(mv), true) = (child.mv, child.visits > 0) {
                self.rated.push(ScoredMove { mv, value: 2.0 * child.success - 1.0 });
            }
        }
        self.report.pv.clear();
        let mut node = 0;
        while let Some(child) = self.favorite(node) {
            self.report.pv.extend(self.nodes[child].mv);
            node = child;
        }
        self.report.depth = self.report.pv.len() as u32;
        self.report.nodes_per_second = stopwatch.rate(n_playouts);
        let mv = self.report.pv[0];
        let value = self.rated.iter().find(|rated| rated.mv == mv).map_or(0.0, |rated| rated.value);
        SearchResult { mv, value, nodes: n_playouts, root_moves: u64::from(self.nodes[0].n_children) }
    }
}

/// All that a leaf asks of an evaluator: behind a pointer, so that the search is compiled once a game rather than
/// once an evaluator. A playout of random moves never asks.
trait LeafEvaluator<G: Game> {
    /// The value for the first side.
    fn value(&self, game: &G, at: &G::Position) -> f64;

    /// Plays on to the end, mostly what the evaluator likes best; the first side's success, from 0 to 1.
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
        let mut memo = self.begin(game, &at);
        let ties = self.convention().ties;
        for _ in 0..LONGEST {
            if let Some(ending) = game.ending(&at) {
                return share(&ending);
            }
            moves.clear();
            game.moves(&at, moves);
            let stray = rng.random_range(0..STRAY) == 0;
            self.child_values(game, &at, &memo, game.to_move(&at), moves, children);
            let best = best_index(&children.values, ties);
            let mv = moves[if stray { rng.random_range(0..moves.len()) } else { best }];
            self.advance(game, &mut memo, &at, mv);
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
        _memo: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        self.search(game, evaluator, at)
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.rated.clone()
    }

    fn report(&self) -> Option<&SearchReport<G::Move>> {
        Some(&self.report)
    }
}
