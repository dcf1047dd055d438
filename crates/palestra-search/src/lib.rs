//! Searches: algorithms that choose a move by looking ahead and evaluating positions.
//!
//! [`Greedy`], [`Minimax`], [`AlphaBeta`], [`IterativeDeepening`], [`Adaptive`] and [`Mcts`] implement [`Search`] for
//! every game and evaluator. They are generic over both, so nothing inside a search is called through a pointer; a
//! player holds its search as a box, which costs one indirect call per move. [`SearchSpec`] reads a search from text,
//! such as `alphabeta:depth=6`, and [`SEARCHES`] lists them with their parameters.
//!
//! The module [`exact`] solves positions of games that implement [`palestra_core::Playable::exact`].
//!
//! ```
//! use palestra_core::toys::{LeafValue, Tree};
//! use palestra_core::{Game, InputError};
//! use palestra_search::{AlphaBeta, Cuts, RootWindow, Search, SearchSpec};
//!
//! // The first side is to move: the left branch has the value 3, the right one 2.
//! let game = Tree::parse("[[3 5] [2 9]]");
//! let mut search = AlphaBeta::new(2, Cuts::Deep, RootWindow::Narrowed, None);
//! let result = search.find(&game, &LeafValue, &game.start(), &());
//! assert_eq!((result.mv.to_string().as_str(), result.value), ("1", 3.0));
//! // Of the right branch only its first reply is searched: it is worse than the left one already.
//! assert_eq!((result.root_moves, result.nodes), (2, 3));
//!
//! // The same search by its name, as in a player string.
//! let spec = SearchSpec::parse("alphabeta:depth=2", "alphabeta:depth=2")?;
//! let mut search = spec.open::<Tree, LeafValue>();
//! assert_eq!(search.find(&game, &LeafValue, &game.start(), &()), result);
//! search.score_every_move();
//! search.find(&game, &LeafValue, &game.start(), &());
//! let values: Vec<f64> = search.scored_moves().iter().map(|scored| scored.value).collect();
//! assert_eq!(values, [3.0, 2.0]);
//! # Ok::<(), InputError>(())
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
mod search;
mod spec;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_games;

pub use adaptive::{Adaptive, AdaptiveSpec, BeamShape, BeamSpec, WidthRule};
pub use alphabeta::{AlphaBeta, AlphaBetaSpec, Cuts, RootWindow};
pub use count::{LevelCount, LevelCounter};
pub use deepening::{IterativeDeepening, PvsSpec};
pub use greedy::{Greedy, GreedySpec};
pub use limit::{SearchLimit, Stopwatch, TimeSource, cancel_flag, has_clock, set_cancel_flag, set_clock};
pub use mcts::{LeafPolicy, Mcts, MctsOptions, MctsSpec};
pub use minimax::{Minimax, MinimaxSpec};
pub use search::{ScoredMove, Search, SearchReport, SearchResult};
pub use spec::{
    GivenParameters, MoveLimits, ParameterInfo, ParameterWriter, SearchCost, SearchInfo, SearchParameters,
    key_spelling, search_named,
};
pub use table::{Bound, Table, TableEntry};

// A new search is a file, its `mod` line above and a line here.
spec::searches! {
    /// One ply, the best evaluation.
    Greedy(GreedySpec),
    /// Every position to a fixed depth.
    Minimax(MinimaxSpec),
    /// Plain alpha-beta to a fixed depth.
    AlphaBeta(AlphaBetaSpec),
    /// Principal variation search with a transposition table.
    Pvs(PvsSpec),
    /// The Ladrillos study's search.
    Adaptive(AdaptiveSpec),
    /// Alpha-beta over a fixed number of children.
    Beam(BeamSpec),
    /// Monte-Carlo tree search.
    Mcts(MctsSpec),
}
