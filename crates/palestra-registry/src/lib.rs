//! The list of all games: the only place where names of games become types. A new game adds a line to [`GAMES`].
//!
//! It is a separate crate, because here the compiler instantiates every search for every board and evaluation. That
//! takes long, and must be repeated only when games, searches or the arena change.
//!
//! ```
//! use palestra_core::{Seed, Side};
//! use palestra_registry::GAMES;
//!
//! assert!(GAMES.families().any(|family| family.name == "kalah"));
//! let game = GAMES.open("connect4")?;
//! assert_eq!(game.name(), "connect:7x6x4");
//!
//! // The first side has three stones in a row, open at both ends: any search of one ply wins.
//! let mut session = game.session(None, "415161")?;
//! assert_eq!(session.legal().len(), 7);
//! let answer = session.ask(&game.player("minimax:depth=1/noise")?, Seed(1))?;
//! session.play(&answer.mv)?;
//! assert_eq!(session.ending().and_then(|ending| ending.winner), Some(Side::First));
//!
//! // An unknown name is an error that suggests the nearest one.
//! let error = GAMES.open("conect4").err().map(|error| error.to_string()).unwrap_or_default();
//! assert!(error.ends_with("did you mean \"connect4\"?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use palestra_arena::{Catalog, CatalogEntry};

/// All games.
pub static GAMES: Catalog = Catalog::new(&[
    CatalogEntry::of::<palestra_games::connect::ConnectFamily>(),
    CatalogEntry::of::<palestra_games::ladrillos::LadrillosFamily>(),
    CatalogEntry::of::<palestra_games::mastergoal::MastergoalFamily>(),
    CatalogEntry::of::<palestra_games::mancala::MancalaFamily>(),
    CatalogEntry::of::<palestra_games::kalah::KalahFamily>(),
]);
