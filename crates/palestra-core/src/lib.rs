//! The contracts everything else stands on: what a game is, what an evaluation may look at, how positions
//! are written and drawn, where randomness comes from, and the conformance kit every game must pass.
//!
//! This crate knows no concrete game except three toys used by tests.
//!
//! ```
//! use palestra_core::{Game, Seed, toys::Counter};
//!
//! // A counter of seven tokens: take one to three, whoever takes the last one wins.
//! let game = Counter { tokens: 7 };
//! let mut at = game.start();
//! let mut rng = Seed(1).rng();
//! let mut moves = Vec::new();
//! while let Some(mv) = game.random_move(&at, &mut rng, &mut moves) {
//!     game.play(&mut at, mv);
//! }
//! assert!(game.ending(&at).is_some());
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
mod notation;
mod options;
mod perft;
mod playout;
mod policy;
mod seed;
pub mod toys;
mod view;
mod weights;

pub use convention::{Convention, SumPrecision, TerminalValue, TieRule, Viewpoint, WIN};
pub use error::{InputError, nearest_name};
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
    Feature, FeatureSet, FeatureTable, LANES, MAX_FEATURES, Transition, extract_oriented_children,
};
pub use game::{Ending, Game, Side, Symmetry};
pub use linear::Linear;
pub use notation::Notation;
pub use options::GameOptions;
pub use perft::{count_distinct, count_sequences};
pub use playout::playout;
pub use policy::{FirstPolicy, LastPolicy, Policy, RandomPolicy};
pub use seed::{Rng, Seed};
pub use view::{
    BoardCell, BoardGrid, BoardKind, CellContent, MAX_FRAMES, Terrain, View, board_style, cell_svg,
};
pub use weights::{MAX_VALUE, format_weight, parse_weights, print_weights};
