//! What a plan may name and this crate does not know.

use palestra_arena::Catalog;
use palestra_core::{BadText, Seed};

/// Knows games and players by name.
pub trait Shelf {
    /// A game, canonically.
    fn game(&self, text: &str) -> Result<String, BadText>;

    /// Some games that a pool may give.
    fn samples(&self, pool: &str) -> Result<Vec<String>, BadText>;

    /// A player of ours on a game, canonically.
    fn player(&self, game: &str, text: &str) -> Result<String, BadText>;

    /// How many weights a player without weights takes.
    fn n_weights(&self, game: &str, template: &str) -> Result<usize, BadText>;
}

impl Shelf for Catalog {
    fn game(&self, text: &str) -> Result<String, BadText> {
        Ok(self.open(text)?.name())
    }

    fn samples(&self, pool: &str) -> Result<Vec<String>, BadText> {
        let draw = self.pool(pool)?.draw;
        Ok((0..8).map(|i| draw(&mut Seed(0).child(i).rng())).collect())
    }

    fn player(&self, game: &str, text: &str) -> Result<String, BadText> {
        Ok(self.open(game)?.player(text)?.to_string())
    }

    fn n_weights(&self, game: &str, template: &str) -> Result<usize, BadText> {
        Ok(self.open(game)?.formula(template)?.names.len())
    }
}
