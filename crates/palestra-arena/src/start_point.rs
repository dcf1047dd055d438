//! Start points of pairs of games, and results of games.

use crate::opening::draw_opening;
use palestra_core::{Game, Seed, Side};
use serde::{Deserialize, Serialize};

/// Board, random opening and seed that a pair of games starts from; players compared with each other get the same
/// start points.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct StartPoint {
    /// Canonical game string.
    pub game: String,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// Seed of the opening and of both games.
    pub seed: u64,
}

impl StartPoint {
    /// The position at which the players take over, and the moves that led there.
    pub(crate) fn opening<G: Game>(&self, game: &G, start: &G::Position) -> (G::Position, Vec<G::Move>) {
        draw_opening(game, start, self.opening_plies, Seed(self.seed).child(2))
    }

    /// Seed of the game in which player `first` (0 or 1) has the first side.
    pub fn game_seed(&self, first: usize) -> Seed {
        Seed(self.seed).child(first as u64)
    }
}

/// Result of one game for one of its players.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameResult {
    /// 2 won, 1 drawn, 0 lost.
    pub points: u8,
    /// Margin points of an event, in the game's unit; negative for a loss, 0 for a draw.
    pub margin: f64,
    /// Number of plies, without the opening.
    pub plies: u32,
}

/// The side of player 0 in the game in which player `first` has the first side.
pub(crate) fn side_of_player_0(first: usize) -> Side {
    if first == 0 { Side::First } else { Side::Second }
}
