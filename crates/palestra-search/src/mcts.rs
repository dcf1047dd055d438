//! Monte-Carlo tree search: UCT (Kocsis and Szepesvári, 2006) with the tree kept from move to move.
//!
//! Each playout walks down the tree by upper confidence bounds, adds the children of the position it arrives at,
//! and asks how good that position is: by playing on at random, by playing on greedily, or by the evaluation. The
//! dice come from the position, so the same line of play meets the same search.

use crate::limit::{Budget, Limit};
use crate::search::{Found, Rated, Report, Search};
use palestra_core::{Children, Evaluator, Game, Rng, Seed, Side};
use rand::RngExt;

/// How a position that the tree ends at is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// By a game of random moves.
    Random,
    /// By a game in which both sides mostly play what their evaluation likes best.
    Greedy,
    /// By its evaluation, squashed between lost and won.
    Value,
}

/// How a search by playouts is set up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Playouts {
    /// Playouts a move, or time.
    pub limit: Limit,
    /// How much uncertainty counts beside success: the constant of UCT.
    pub c: f64,
    /// How leaves are judged.
    pub leaf: Leaf,
}

/// A game that goes on longer than this is called a draw.
const LONGEST: u32 = 1000;
/// One move in so many of a greedy playout is random, or every one would be the same.
const STRAY: u32 = 8;

#[derive(Clone, Debug)]
struct Node<M> {
    /// The move that leads here; none at the root.
    mv: Option<M>,
    /// Where its children stand; none yet where there are none.
    children: std::ops::Range<u32>,
    visits: u32,
    /// Success of the side that moved here, a draw being one half.
    success: f64,
}

/// Looks where it pays.
#[derive(Clone, Debug)]
pub struct Mcts<G: Game> {
    setup: Playouts,
    /// The tree; the root is the first node.
    nodes: Vec<Node<G::Move>>,
    root: Option<G::Position>,
    /// Room for the part of the tree that is kept.
    kept: Vec<Node<G::Move>>,
    path: Vec<u32>,
    movers: Vec<Side>,
    moves: Vec<G::Move>,
    children: Children,
    /// How large evaluations are, so far.
    scale: (f64, f64),
    rated: Vec<Rated<G::Move>>,
    report: Report<G::Move>,
}

impl<G: Game> Mcts<G> {
    /// A search by playouts.
    pub fn new(setup: Playouts) -> Mcts<G> {
        Mcts {
            setup,
            nodes: Vec::new(),
            root: None,
            kept: Vec::new(),
            path: Vec::new(),
            movers: Vec::new(),
            moves: Vec::new(),
            children: Children::default(),
            scale: (0.0, 0.0),
            rated: Vec::new(),
            report: Report { depth: 0, line: Vec::new() },
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
            None => self.kept.push(Node { mv: None, children: 0..0, visits: 0, success: 0.0 }),
        }
        std::mem::swap(&mut self.nodes, &mut self.kept);
        self.root = Some(at.clone());
    }

    /// The node of a position, a few plies below another.
    fn find_below(
        &self,
        game: &G,
        at: &G::Position,
        node: u32,
        wanted: &G::Position,
        plies: u32,
    ) -> Option<u32> {
        if at == wanted {
            return Some(node);
        }
        if plies == 0 {
            return None;
        }
        self.nodes[node as usize].children.clone().find_map(|child| {
            let mut after = at.clone();
            game.play(&mut after, self.nodes[child as usize].mv?);
            self.find_below(game, &after, child, wanted, plies - 1)
        })
    }

    /// Copies a node and all below it to the kept part, level by level.
    fn keep(&mut self, node: u32) {
        self.kept.push(Node { mv: None, ..self.nodes[node as usize].clone() });
        let mut next = 0;
        while next < self.kept.len() {
            let children = self.kept[next].children.clone();
            let begin = self.kept.len() as u32;
            for child in children.clone() {
                self.kept.push(self.nodes[child as usize].clone());
            }
            self.kept[next].children = begin..begin + children.len() as u32;
            next += 1;
        }
    }

    /// The child that a playout visits next.
    #[inline]
    fn select(&self, node: u32) -> u32 {
        let parent = &self.nodes[node as usize];
        let log = f64::from(parent.visits.max(1)).ln();
        let mut best = (parent.children.start, f64::NEG_INFINITY);
        for child in parent.children.clone() {
            let Node { visits, success, .. } = self.nodes[child as usize];
            if visits == 0 {
                return child;
            }
            let n = f64::from(visits);
            let bound = success / n + self.setup.c * (log / n).sqrt();
            if bound > best.1 {
                best = (child, bound);
            }
        }
        best.0
    }

    /// One playout from the root.
    fn play<E: Evaluator<G>>(&mut self, game: &G, evaluator: &E, at: &G::Position, rng: &mut Rng) {
        let mut at = at.clone();
        let mut node = 0;
        self.path.clear();
        self.movers.clear();
        self.path.push(0);
        self.movers.push(game.to_move(&at));
        while !self.nodes[node as usize].children.is_empty() {
            let side = game.to_move(&at);
            node = self.select(node);
            let mv = self.nodes[node as usize].mv.expect("a child has a move");
            game.play(&mut at, mv);
            self.path.push(node);
            self.movers.push(side);
        }
        let first = match game.ending(&at) {
            Some(ending) => (ending.worth(1.0, Side::First) + 1.0) / 2.0,
            None => {
                if self.nodes[node as usize].visits > 0 || node == 0 {
                    self.grow(game, &at, node);
                }
                self.judge(game, evaluator, at, rng)
            }
        };
        for (&node, &mover) in self.path.iter().zip(&self.movers) {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.success += if mover == Side::First { first } else { 1.0 - first };
        }
    }

    /// Adds the children of a node.
    fn grow(&mut self, game: &G, at: &G::Position, node: u32) {
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let begin = self.nodes.len() as u32;
        self.nodes.extend(self.moves.iter().map(|&mv| Node {
            mv: Some(mv),
            children: 0..0,
            visits: 0,
            success: 0.0,
        }));
        self.nodes[node as usize].children = begin..self.nodes.len() as u32;
    }

    /// How good a position is for the first side, from 0 to 1.
    fn judge<E: Evaluator<G>>(&mut self, game: &G, evaluator: &E, mut at: G::Position, rng: &mut Rng) -> f64 {
        match self.setup.leaf {
            Leaf::Random => self.play_on(game, &mut at, rng, |_, _, _| None),
            Leaf::Greedy => {
                let mut memo = evaluator.begin(game, &at);
                let mut children = std::mem::take(&mut self.children);
                let result = self.play_on(game, &mut at, rng, |at, moves, rng| {
                    let stray = rng.random_range(0..STRAY) == 0;
                    evaluator.child_values(game, at, &memo, game.to_move(at), moves, &mut children);
                    let best = crate::search::best_index(&children.values, evaluator.convention().ties);
                    let mv = moves[if stray { rng.random_range(0..moves.len()) } else { best }];
                    evaluator.advance(game, &mut memo, at, mv);
                    Some(mv)
                });
                self.children = children;
                result
            }
            Leaf::Value => {
                let value = evaluator.value(game, &at, &evaluator.begin(game, &at), Side::First);
                self.scale = (self.scale.0 + value.abs(), self.scale.1 + 1.0);
                let usual = (self.scale.0 / self.scale.1).max(f64::MIN_POSITIVE);
                0.5 + 0.5 * (value / usual).tanh()
            }
        }
    }

    /// Plays to the end by a rule, or at random where it has nothing to say.
    fn play_on(
        &mut self,
        game: &G,
        at: &mut G::Position,
        rng: &mut Rng,
        mut rule: impl FnMut(&G::Position, &[G::Move], &mut Rng) -> Option<G::Move>,
    ) -> f64 {
        for _ in 0..LONGEST {
            if let Some(ending) = game.ending(at) {
                return (ending.worth(1.0, Side::First) + 1.0) / 2.0;
            }
            let mv = if self.setup.leaf == Leaf::Random {
                game.random_move(at, rng, &mut self.moves)
            } else {
                self.moves.clear();
                game.moves(at, &mut self.moves);
                rule(at, &self.moves, rng)
            };
            let Some(mv) = mv else { break };
            game.play(at, mv);
        }
        0.5
    }

    /// The most visited child, the first of equals.
    fn favorite(&self, node: u32) -> Option<u32> {
        let children = self.nodes[node as usize].children.clone();
        children.max_by_key(|&child| (self.nodes[child as usize].visits, u32::MAX - child))
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Mcts<G> {
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, _memo: &E::Memo) -> Found<G::Move> {
        let mut budget = Budget::start(&self.setup.limit);
        let mut rng = Seed(game.key(at)).rng();
        self.plant(game, at);
        if self.nodes[0].children.is_empty() {
            self.grow(game, at, 0);
        }
        let mut n_playouts = 0;
        while n_playouts == 0 || !budget.is_spent(n_playouts) {
            self.play(game, evaluator, at, &mut rng);
            n_playouts += 1;
        }
        // A child's success is that of the side that moved there: the one who asks.
        self.rated.clear();
        for child in self.nodes[0].children.clone() {
            let Node { mv, visits, success, .. } = &self.nodes[child as usize];
            if let (Some(mv), true) = (*mv, *visits > 0) {
                self.rated.push(Rated { mv, value: 2.0 * success / f64::from(*visits) - 1.0 });
            }
        }
        self.report.line.clear();
        let mut node = 0;
        while let Some(child) = self.favorite(node).filter(|&child| self.nodes[child as usize].visits > 0) {
            self.report.line.extend(self.nodes[child as usize].mv);
            node = child;
        }
        self.report.depth = self.report.line.len() as u32;
        let mv = self.report.line[0];
        let value = self.rated.iter().find(|rated| rated.mv == mv).map_or(0.0, |rated| rated.value);
        let root_moves = self.nodes[0].children.len() as u64;
        Found { mv, value, nodes: n_playouts, root_moves }
    }

    fn rated(&self) -> Vec<Rated<G::Move>> {
        self.rated.clone()
    }

    fn report(&self) -> Option<&Report<G::Move>> {
        Some(&self.report)
    }
}
