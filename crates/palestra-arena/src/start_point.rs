//! Where a pair of games is played, and with which dice.

use crate::opening::draw_opening;
use palestra_core::{Game, Seed, Side};
use serde::{Deserialize, Serialize};

/// One board, one opening and the dice of both games: the same for everyone who meets there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct StartPoint {
    /// The game, canonically.
    pub game: String,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// The opening and all dice come from here.
    pub seed: u64,
}

impl StartPoint {
    /// The position the players take over at, and the moves that led there.
    pub(crate) fn opening<G: Game>(&self, game: &G, start: &G::Position) -> (G::Position, Vec<G::Move>) {
        draw_opening(game, start, self.opening_plies, Seed(self.seed).child(2))
    }

    /// The dice of the game in which this player (0 or 1) has the first side.
    pub fn game_seed(&self, first: usize) -> Seed {
        Seed(self.seed).child(first as u64)
    }
}

/// How one game went for one of its players.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameResult {
    /// 2 won, 1 drawn, 0 lost.
    pub points: u8,
    /// What an event gives for it: the game's margin, negative where it was lost.
    pub margin: f64,
    /// Plies, those of the opening left out.
    pub plies: u32,
}

/// The side of player 0 in the game that player `first` opens.
pub(crate) fn side_of_player_0(first: usize) -> Side {
    if first == 0 { Side::First } else { Side::Second }
}
