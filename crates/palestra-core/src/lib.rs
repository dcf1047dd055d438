//! The traits and basic types of Palestra. Games, searches and tools depend on this crate; it depends on none of them.
//!
//! A game implements [`Game`] (rules), [`Notation`] (moves and positions as text) and [`View`] (a board to draw);
//! [`Playable`] and [`Family`] give it a name and a list of evaluations. An evaluation is a [`FeatureSet`], weighted by
//! [`Linear`], or any other [`Evaluator`]. All randomness comes from a [`Seed`], and all invalid input is an
//! [`InputError`].
//!
//! [`conformance`] checks the invariants of these traits on random games. The only games in this crate are three small
//! ones for tests, in [`toys`].
//!
//! ```
//! use palestra_core::conformance::check_game;
//! use palestra_core::toys::Counter;
//! use palestra_core::{Game, Seed, Side, count_sequences, playout};
//!
//! // A heap of seven tokens: a turn takes one to three of them, and the side that takes the last token wins.
//! let game = Counter { tokens: 7 };
//! let mut at = game.start();
//! assert_eq!(game.to_move(&at), Side::First);
//! let mut moves = Vec::new();
//! game.moves(&at, &mut moves);
//! let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
//! assert_eq!(names, ["1", "2", "3"]);
//!
//! // Perft: the number of move sequences of one ply and of two.
//! assert_eq!(count_sequences(&game, &at, 2), [3, 9]);
//!
//! // A random game; the same seed gives the same game on every platform.
//! let (ending, plies) = playout(&game, &mut at, &mut Seed(1).rng(), &mut moves);
//! assert!(ending.winner.is_some() && (3..=7).contains(&plies));
//!
//! // The conformance kit checks the rules on twenty random games.
//! let counts = check_game(&game, 20, 7, Seed(1)).unwrap();
//! assert_eq!(counts.n_games, 20);
//! ```

pub mod conformance;
mod convention;
mod error;
mod evaluator;
mod exact;
mod family;
mod feature;
mod game;
mod linear;
mod memory_limit;
mod notation;
mod options;
mod perft;
mod playout;
mod policy;
mod progress;
mod seed;
pub mod toys;
mod view;
mod weights;

pub use convention::{Convention, SumPrecision, TerminalValue, TieRule, Viewpoint, WIN};
pub use error::{InputError, InputProblem, nearest_name};
pub use evaluator::{BoxedEvaluator, ChildBuffers, Evaluator, Noise};
pub use exact::{
    Child, ExactGraph, ExactRoot, ExactTree, ExactVisitor, OrderedMove, StateKey, StaticBounds, TreeRoot,
    TreeRules,
};
pub use family::{
    BoardPool, EvaluationInfo, EvaluationVisitor, Family, FamilyInfo, GameVisitor, NamedPlayer,
    ParametricEvaluator, Playable, named_players, whole_number,
};
pub use feature::{
    Feature, FeatureRow, FeatureSet, FeatureTable, LANES, Transition, extract_oriented_children,
};
pub use game::{Ending, Game, Side, Symmetry};
pub use linear::Linear;
pub use memory_limit::{MemoryLimit, size_in_words};
pub use notation::Notation;
pub use options::GameOptions;
pub use perft::{count_distinct, count_sequences};
pub use playout::playout;
pub use policy::{FirstPolicy, LastPolicy, Policy, RandomPolicy};
pub use progress::{CancelFlag, Progress, ProgressPhase};
pub use seed::{Rng, Seed};
pub use view::{
    BoardCell, BoardGrid, BoardKind, CellContent, MAX_FRAMES, PieceGlyph, Terrain, View, board_style,
    cell_svg,
};
pub use weights::{MAX_VALUE, format_weight, parse_weights, print_weights};
