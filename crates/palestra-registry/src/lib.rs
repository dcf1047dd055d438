//! The one place where names of games become types. A new game adds a line.
//!
//! A crate of its own, because here the compiler makes a copy of every search for every board and evaluation: that takes
//! long, and needs to be done again only when games, searches or the arena change.
//!
//! ```
//! let game = palestra_registry::GAMES.open("connect4")?;
//! assert_eq!(game.session(None, "4455")?.legal().len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use palestra_arena::{Catalog, CatalogEntry};

/// Every game there is.
pub static GAMES: Catalog = Catalog::new(&[
    CatalogEntry::of::<palestra_games::connect::ConnectFamily>(),
    CatalogEntry::of::<palestra_games::ladrillos::LadrillosFamily>(),
    CatalogEntry::of::<palestra_games::mastergoal::MastergoalFamily>(),
    CatalogEntry::of::<palestra_games::mancala::MancalaFamily>(),
    CatalogEntry::of::<palestra_games::kalah::KalahFamily>(),
]);
