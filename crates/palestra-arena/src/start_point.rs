//! Start points of pairs of games, and results of games.

use crate::opening::draw_opening;
use crate::player::MoveChoice;
use crate::referee::{GameStart, ask_once};
use crate::seat::{ExternalPlayer, PlayError};
use crate::session::start_of;
use palestra_core::{Game, InputError, Playable, Seed, Side};
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

    /// Number of random moves, and the seed of the opening and of both games.
    pub(crate) fn opening_seed(&self) -> (u32, Seed) {
        (self.opening_plies, Seed(self.seed))
    }

    /// Seed of the game in which player `first` (0 or 1) has the first side.
    pub fn game_seed(&self, first: usize) -> Seed {
        Seed(self.seed).child(first as u64)
    }
}

/// The position that a command starts from.
#[derive(Clone)]
pub(crate) struct FixedStart<G: Playable> {
    /// The position before the given moves.
    pub(crate) start: G::Position,
    /// Whether that is not the game's own start.
    pub(crate) is_setup: bool,
    /// The given moves.
    pub(crate) moves: Vec<G::Move>,
    /// The position after them.
    pub(crate) at: G::Position,
}

impl<G: Playable> FixedStart<G> {
    /// Reads a setup, if there is one, and the moves of a list.
    pub(crate) fn read(game: &G, setup: Option<&str>, moves: &str) -> Result<FixedStart<G>, InputError> {
        let start = start_of(game, setup)?;
        let (at, moves) = game.play_list(&start, moves)?;
        Ok(FixedStart { start, is_setup: setup.is_some(), moves, at })
    }

    /// The game's own start.
    pub(crate) fn of_game(game: &G) -> FixedStart<G> {
        FixedStart { start: game.start(), is_setup: false, moves: Vec::new(), at: game.start() }
    }

    /// The move of an external program here; `None` if it resigns.
    pub(crate) fn ask(
        &self,
        game: &G,
        player: &dyn ExternalPlayer,
    ) -> Result<Option<MoveChoice<G::Move>>, PlayError> {
        let FixedStart { start, is_setup, moves, at } = self;
        let openings = [&moves[..], &[]];
        let seed = Seed(0);
        let start = GameStart { game, start, is_setup: *is_setup, openings, at, seed, first_ply: 0 };
        ask_once(&start, player.seat()?.as_mut(), player.control())
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
