//! Exact values: what a position is worth when both sides play perfectly.

mod graph;
mod progress;
mod retrograde;
mod solver;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_graph;
mod tree;

pub use graph::{GraphSolver, WON};
pub use progress::SolverProgress;
pub use solver::{Solver, Unsolved, solver};
pub use table::{Bounds, BoundsTable};
pub use tree::Prover;
