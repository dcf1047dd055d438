//! What a plan may name and this crate does not know.

use palestra_arena::Catalog;
use palestra_core::{InputError, Seed};

/// Knows games and players by name.
pub trait TournamentResolver {
    /// A game, canonically.
    fn game(&self, text: &str) -> Result<String, InputError>;

    /// Some games that a pool may give.
    fn samples(&self, pool: &str) -> Result<Vec<String>, InputError>;

    /// A player of ours on a game, canonically.
    fn player(&self, game: &str, text: &str) -> Result<String, InputError>;

    /// How many weights a player without weights takes.
    fn n_weights(&self, game: &str, template: &str) -> Result<usize, InputError>;
}

impl TournamentResolver for Catalog {
    fn game(&self, text: &str) -> Result<String, InputError> {
        Ok(self.open(text)?.name())
    }

    fn samples(&self, pool: &str) -> Result<Vec<String>, InputError> {
        let draw = self.pool(pool)?.draw;
        Ok((0..8).map(|i| draw(&mut Seed(0).child(i).rng())).collect())
    }

    fn player(&self, game: &str, text: &str) -> Result<String, InputError> {
        Ok(self.open(game)?.player(text)?.to_string())
    }

    fn n_weights(&self, game: &str, template: &str) -> Result<usize, InputError> {
        Ok(self.open(game)?.tunable_player(template)?.names.len())
    }
}
