//! The one place where names of games become types. A new game adds a line.

use palestra_arena::{Catalog, Entry};

/// Every game there is.
pub static GAMES: Catalog = Catalog::new(&[
    Entry::of::<palestra_games::connect::ConnectFamily>(),
    Entry::of::<palestra_games::ladrillos::LadrillosFamily>(),
    Entry::of::<palestra_games::mastergoal::MastergoalFamily>(),
    Entry::of::<palestra_games::mancala::MancalaFamily>(),
    Entry::of::<palestra_games::kalah::KalahFamily>(),
]);
