//! Searches: ways to choose a move with the help of an evaluation.
//!
//! Each is generic over game and evaluator, so nothing inside a search is called through a pointer; a player
//! holds its search as a box and pays one such call a move.
//!
//! ```
//! use palestra_core::{Game, toys::{LeafValue, Tree}};
//! use palestra_search::{AlphaBeta, Cuts, Search};
//!
//! // First to move: the left branch is worth 3, the right one 2.
//! let game = Tree::parse("[[3 5] [2 9]]");
//! let mut search = AlphaBeta::new(2, Cuts::Deep, None);
//! let found = search.find(&game, &LeafValue, &game.start(), &());
//! assert_eq!((found.mv.to_string().as_str(), found.value), ("1", 3.0));
//! ```

mod adaptive;
mod alphabeta;
mod count;
mod deepening;
pub mod exact;
mod greedy;
mod limit;
mod mcts;
mod minimax;
mod registry;
mod search;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_games;

pub use adaptive::{Adaptive, BeamShape, WidthRule};
pub use alphabeta::{AlphaBeta, Cuts};
pub use count::{LevelCount, LevelCounter};
pub use deepening::IterativeDeepening;
pub use greedy::Greedy;
pub use limit::{SearchLimit, Stopwatch, TimeSource, has_clock, set_clock};
pub use mcts::{LeafPolicy, Mcts, MctsOptions};
pub use minimax::Minimax;
pub use registry::{ParameterInfo, SEARCHES, SearchInfo, SearchSpec};
pub use search::{ScoredMove, Search, SearchReport, SearchResult};
pub use table::{Bound, Table, TableEntry};
