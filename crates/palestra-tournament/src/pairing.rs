//! Pairings and the games that they consist of.

use crate::key::GameKey;
use palestra_arena::StartPoint;
use serde::{Deserialize, Serialize};

/// Two entrants and their start point: a pair of games with sides swapped, or a single game in some formats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The entrants. `players[0]` has the first side in game 0, `players[1]` in game 1.
    pub players: [usize; 2],
    /// The start point of its games.
    #[serde(alias = "scene")]
    pub start: StartPoint,
    /// The stage of the event, from 0.
    pub stage: u32,
    /// The round or cycle of that stage, from 0.
    pub round: u32,
    /// Its number in the schedule of the event, from 0: results are folded in this order.
    pub number: u64,
    /// Whether only game 0 is played.
    pub single: bool,
    /// Whether an entrant gets a bye if its opponent is quarantined. True in formats in which each entrant meets only
    /// some of the others. In a round robin all entrants lose the pairing with the quarantined one alike, so no bye is
    /// given.
    pub walkover: bool,
}

impl Pairing {
    /// Number of games: 1 or 2.
    #[must_use]
    pub fn n_games(&self) -> usize {
        if self.single { 1 } else { 2 }
    }

    /// The entrants of game 0 or 1: the first side, then the second.
    #[must_use]
    pub fn seats(&self, game_index: usize) -> [usize; 2] {
        let [a, b] = self.players;
        if game_index == 0 { [a, b] } else { [b, a] }
    }
}

/// A round without an opponent. It counts as won games, or as 0 points where margins are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bye {
    /// Index of the entrant.
    pub player: usize,
    /// The stage of the event, from 0.
    pub stage: u32,
    /// The round of that stage, from 0.
    pub round: u32,
    /// Number of games that it stands for.
    pub n_games: u32,
}

/// The next pairings of a format. They are played in any order and counted in this one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairings {
    /// The pairings; empty when the format has finished.
    pub pairings: Vec<Pairing>,
    /// Entrants without an opponent.
    pub byes: Vec<Bye>,
}

/// A game of a pairing, to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// The pairing that it belongs to.
    pub pairing: Pairing,
    /// Which game of the pairing: 0, or 1 with sides swapped. Its seed is `pairing.start.game_seed(game_index)`.
    pub game_index: usize,
    /// The key by which it is looked up in a [`GameStore`](crate::GameStore).
    pub key: GameKey,
}

impl ScheduledGame {
    /// The entrant with the first side.
    #[must_use]
    pub fn first(&self) -> usize {
        self.pairing.seats(self.game_index)[0]
    }

    /// The entrant with the second side.
    #[must_use]
    pub fn second(&self) -> usize {
        self.pairing.seats(self.game_index)[1]
    }
}
