//! The common interface of all solvers.

use super::{GraphSolver, Prover};
use palestra_core::{ExactGraph, ExactRoot, ExactTree, ExactVisitor, Game, Playable, Progress};
use std::io;
use std::marker::PhantomData;

/// Finds exact values of positions; what it learns speeds up later calls.
pub trait Solver<G: Game>: Send {
    /// Whether solving a position takes minutes rather than days.
    fn in_reach(&self, game: &G, at: &G::Position) -> bool;

    /// Whether the first value computes those of all other positions as well.
    fn solves_all_positions(&self) -> bool;

    /// The value of a position for the side to move; of an ended position, for the side that would move.
    fn value(&mut self, game: &G, at: &G::Position, progress: &Progress) -> Result<i32, Unsolved>;

    /// Whether the value of `at` is at least `value`.
    fn reaches(
        &mut self,
        game: &G,
        at: &G::Position,
        value: i32,
        progress: &Progress,
    ) -> Result<bool, Unsolved>;

    /// The value of a move for the side that plays it, from the value of the position after it; `again` if the same
    /// side moves again.
    fn backed_up(&self, value: i32, again: bool) -> i32;

    /// The inverse: the value of a move is at least `value` exactly if the position after it reaches the returned value
    /// (`again`), or does not reach it (not `again`).
    fn needed(&self, value: i32, again: bool) -> i32;

    /// Writes its table.
    fn save(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// Reads a table that another solver of the same game wrote.
    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()>;
}

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// The search was cancelled or reached its node limit.
    Stopped,
    /// The board does not fit the solver's state, or its table does not fit the memory.
    TooLarge,
}

/// The solver of a game, with a table of at most `bytes` bytes; `None` for games without a solver.
pub fn solver<G: Playable>(game: &G, bytes: usize, n_threads: usize) -> Option<Box<dyn Solver<G>>> {
    game.exact(SolverBuilder { bytes, n_threads })
}

struct SolverBuilder {
    bytes: usize,
    n_threads: usize,
}

impl<G: Game> ExactVisitor<G> for SolverBuilder {
    type Out = Box<dyn Solver<G>>;

    fn tree<X: ExactTree<G>>(self, tree: X) -> Self::Out {
        let prover = Prover::new(self.bytes, self.n_threads);
        Box::new(TreeSolver { tree, prover, game: PhantomData })
    }

    fn graph<X: ExactGraph<G>>(self, graph: X) -> Self::Out {
        Box::new(GraphSolver::new(graph, self.bytes, self.n_threads))
    }
}

struct TreeSolver<G, X> {
    tree: X,
    prover: Prover,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, X: ExactTree<G>> Solver<G> for TreeSolver<G, X> {
    fn in_reach(&self, game: &G, at: &G::Position) -> bool {
        self.tree.in_reach(game, at)
    }

    fn solves_all_positions(&self) -> bool {
        false
    }

    fn value(&mut self, game: &G, at: &G::Position, progress: &Progress) -> Result<i32, Unsolved> {
        if game.ending(at).is_some() {
            return Ok(self.tree.ending_value(game, at));
        }
        match self.tree.root(game, at).ok_or(Unsolved::TooLarge)? {
            ExactRoot::Known(value) => Ok(value),
            ExactRoot::Tree(root) => self.prover.value(&root, progress).ok_or(Unsolved::Stopped),
        }
    }

    fn reaches(
        &mut self,
        game: &G,
        at: &G::Position,
        value: i32,
        progress: &Progress,
    ) -> Result<bool, Unsolved> {
        if game.ending(at).is_some() {
            return Ok(self.tree.ending_value(game, at) >= value);
        }
        match self.tree.root(game, at).ok_or(Unsolved::TooLarge)? {
            ExactRoot::Known(known) => Ok(known >= value),
            ExactRoot::Tree(root) => self.prover.reaches(&root, value, progress).ok_or(Unsolved::Stopped),
        }
    }

    fn backed_up(&self, value: i32, again: bool) -> i32 {
        if again { value } else { -value }
    }

    fn needed(&self, value: i32, again: bool) -> i32 {
        if again { value } else { 1 - value }
    }

    fn save(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.prover.table.save(out)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        self.prover.table.load(from)
    }
}
