//! Exact values: what a position is worth when both sides play perfectly.

mod course;
mod solver;
mod table;
#[cfg(test)]
mod tests;
mod tree;

pub use course::Course;
pub use solver::{Solver, Unsolved, solver};
pub use table::{Bounds, Known};
pub use tree::Prover;
