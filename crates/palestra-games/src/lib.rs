//! The games of Palestra: Connect-C, Kalah, Ladrillos, Mancala and Mastergoal.
//!
//! Each game is a folder with its rules, features, text and board grid, reference players, tests and recorded data; its
//! README explains the representation and the conventions of the studies behind it. A folder exports one
//! [`Family`](palestra_core::Family), which opens a game from its parameters, such as `7x6x4`.
//!
//! A board size is part of the game's type, so that small boards fit one machine word. That is why a family does not
//! return a game: it passes the game to a [`GameVisitor`](palestra_core::GameVisitor), which is generic over the type.
//!
//! ```
//! use palestra_core::{Ending, Family, GameVisitor, InputError, Playable, Side};
//! use palestra_games::connect::ConnectFamily;
//!
//! /// Replays a list of moves and returns the ending.
//! struct Replay<'a>(&'a str);
//!
//! impl GameVisitor for Replay<'_> {
//!     type Out = Result<Option<Ending>, InputError>;
//!
//!     fn visit<G: Playable>(self, game: G) -> Self::Out {
//!         let (at, moves) = game.play_list(&game.start(), self.0)?;
//!         print!("{}", game.grid(&at, moves.last().copied()).to_text(false));
//!         Ok(game.ending(&at))
//!     }
//! }
//!
//! let ending = ConnectFamily::open("7x6x4", Replay("1 2 1 2 1 2 1"))??;
//! assert_eq!(ending.and_then(|ending| ending.winner), Some(Side::First));
//! assert_eq!(ConnectFamily::open("7x6x4", Replay("4 4 3"))??, None);
//! assert!(ConnectFamily::open("7x6", Replay("-")).is_err());
//! # Ok::<(), InputError>(())
//! ```

mod bitboard;
#[cfg(test)]
mod checks;
pub mod connect;
pub mod kalah;
pub mod ladrillos;
pub mod mancala;
pub mod mastergoal;
