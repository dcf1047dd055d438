//! The games of Palestra: one folder each, with rules, features, view, reference players, tests and data.
//!
//! ```
//! use palestra_core::{InputError, Family, GameVisitor, Playable};
//! use palestra_games::connect::ConnectFamily;
//!
//! struct CountMoves;
//! impl GameVisitor for CountMoves {
//!     type Out = usize;
//!     fn visit<G: Playable>(self, game: G) -> usize {
//!         let mut moves = Vec::new();
//!         game.moves(&game.start(), &mut moves);
//!         moves.len()
//!     }
//! }
//!
//! assert_eq!(ConnectFamily::open("7x6x4", CountMoves)?, 7);
//! # Ok::<(), InputError>(())
//! ```

pub mod connect;
pub mod kalah;
pub mod ladrillos;
pub mod mancala;
pub mod mastergoal;
