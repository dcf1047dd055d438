//! Exact values of positions under perfect play of both sides.
//!
//! A `Solver` finds values of positions of one game. For games in which no position can recur, `Prover` decides whether
//! a value is at least a given number, on several threads, and keeps bounds in a `BoundsTable` that can be saved and
//! loaded; for the others, `GraphSolver` computes all values at once.

mod graph;
mod retrograde;
mod solver;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_graph;
mod tree;

pub use graph::{GraphSolver, WON};
pub use solver::{Solver, Unsolved, solver};
pub use table::{Bounds, BoundsTable};
pub use tree::Prover;
