//! One solver for any game that can be solved.

use super::{GraphSolver, Prover, SolverProgress};
use palestra_core::{ExactGraph, ExactRoot, ExactTree, ExactVisitor, Game, Playable};
use std::io;
use std::marker::PhantomData;

/// Finds exact values of positions, and remembers what it found for the next.
pub trait Solver<G: Game>: Send {
    /// Whether the value of a position is a matter of minutes rather than days.
    fn in_reach(&self, game: &G, at: &G::Position) -> bool;

    /// Whether the first value that it is asked for brings those of all other positions with it.
    fn solves_all_positions(&self) -> bool;

    /// The value of a position for the side to move; of an ended one, for the side that would move.
    fn value(&mut self, game: &G, at: &G::Position, course: &SolverProgress) -> Result<i32, Unsolved>;

    /// Whether the value is at least so much.
    fn reaches(
        &mut self,
        game: &G,
        at: &G::Position,
        value: i32,
        course: &SolverProgress,
    ) -> Result<bool, Unsolved>;

    /// What a move is worth to the side that makes it, when the position after it has this value; `again` where the
    /// same side moves there.
    fn backed_up(&self, value: i32, again: bool) -> i32;

    /// The other way round: a move is worth at least `value` exactly if the position after it reaches this with the
    /// same side to move, or does not with the other.
    fn needed(&self, value: i32, again: bool) -> i32;

    /// Writes down what it knows.
    fn save(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// Learns what another wrote down.
    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()>;
}

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolved {
    /// Somebody called it off.
    Stopped,
    /// The board is too large, or what must be kept in memory for it.
    TooLarge,
}

/// The solver of a game, with a table of at most so many bytes; `None` where there is none.
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

    fn value(&mut self, game: &G, at: &G::Position, course: &SolverProgress) -> Result<i32, Unsolved> {
        if game.ending(at).is_some() {
            return Ok(self.tree.ending_value(game, at));
        }
        match self.tree.root(game, at).ok_or(Unsolved::TooLarge)? {
            ExactRoot::Known(value) => Ok(value),
            ExactRoot::Tree(root) => self.prover.value(&root, course).ok_or(Unsolved::Stopped),
        }
    }

    fn reaches(
        &mut self,
        game: &G,
        at: &G::Position,
        value: i32,
        course: &SolverProgress,
    ) -> Result<bool, Unsolved> {
        if game.ending(at).is_some() {
            return Ok(self.tree.ending_value(game, at) >= value);
        }
        match self.tree.root(game, at).ok_or(Unsolved::TooLarge)? {
            ExactRoot::Known(known) => Ok(known >= value),
            ExactRoot::Tree(root) => self.prover.reaches(&root, value, course).ok_or(Unsolved::Stopped),
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
