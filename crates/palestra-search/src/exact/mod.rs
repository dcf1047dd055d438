//! Exact values: what a position is worth when both sides play perfectly.
//!
//! A `Solver` finds values of positions of one game. For games whose positions never return, `Prover` asks whether a
//! value is at least a given number, on several threads, and keeps bounds in a `BoundsTable` that can be saved and
//! loaded; for the others, `GraphSolver` computes all values at once. `SolverProgress` shows the work to others and
//! lets them cancel it.

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
