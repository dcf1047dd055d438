//! Resolves names of games and players in plans, which this crate does not know.

use palestra_arena::Catalog;
use palestra_core::InputError;

/// Resolves names of games and players.
pub trait TournamentResolver {
    /// The canonical name of a game.
    fn game(&self, text: &str) -> Result<String, InputError>;

    /// A sample of the games of a pool: plans are checked on these boards before the event draws its own.
    fn samples(&self, pool: &str) -> Result<Vec<String>, InputError>;

    /// The canonical string of a built-in player of a game.
    fn player(&self, game: &str, text: &str) -> Result<String, InputError>;

    /// Number of weights that a player template takes.
    fn n_weights(&self, game: &str, template: &str) -> Result<usize, InputError>;
}

impl TournamentResolver for Catalog {
    fn game(&self, text: &str) -> Result<String, InputError> {
        Ok(self.open(text)?.name())
    }

    fn samples(&self, pool: &str) -> Result<Vec<String>, InputError> {
        Ok(self.pool(pool)?.samples())
    }

    fn player(&self, game: &str, text: &str) -> Result<String, InputError> {
        Ok(self.open(game)?.player(text)?.to_string())
    }

    fn n_weights(&self, game: &str, template: &str) -> Result<usize, InputError> {
        Ok(self.open(game)?.tunable_player(template)?.names.len())
    }
}
