//! Who meets whom, and where.

use crate::key::GameKey;
use palestra_arena::StartPoint;
use serde::{Deserialize, Serialize};

/// Two entrants on one scene: a pair of games with sides swapped, or a single game where a format asks for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The entrants. `players[0]` has the first side in game 0, `players[1]` in game 1.
    pub players: [usize; 2],
    /// Where they meet.
    pub scene: StartPoint,
    /// The stage of the event, from 0.
    pub stage: u32,
    /// The round or cycle of that stage, from 0.
    pub round: u32,
    /// Its place in the schedule of the event, from 0: the order in which results are folded.
    pub number: u64,
    /// Whether only game 0 is played.
    pub single: bool,
    /// Whether somebody whose rival is quarantined gets a bye for this encounter. So it is where everybody meets somebody
    /// else; where all meet all, everybody loses the same encounter and nothing is given.
    pub walkover: bool,
}

impl Pairing {
    /// How many games it has.
    #[must_use]
    pub fn n_games(&self) -> usize {
        if self.single { 1 } else { 2 }
    }

    /// The entrants of game 0 or 1: who has the first side, and who the second.
    #[must_use]
    pub fn seats(&self, half: usize) -> [usize; 2] {
        let [a, b] = self.players;
        if half == 0 { [a, b] } else { [b, a] }
    }
}

/// Somebody who meets nobody in a round. It is worth a won encounter; 0 where margins are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bye {
    /// Who.
    pub player: usize,
    /// The stage of the event.
    pub stage: u32,
    /// The round of that stage.
    pub round: u32,
    /// How many games it stands for.
    pub n_games: u32,
}

/// What a format asks for next. Encounters are played in any order and counted in this one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairings {
    /// Who meets whom; none when the format is through.
    pub pairings: Vec<Pairing>,
    /// Who has to sit out.
    pub byes: Vec<Bye>,
}

/// One game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// The encounter it belongs to.
    pub pairing: Pairing,
    /// Which game of the encounter: 0, or 1 with sides swapped. The dice are `encounter.scene.dice(half)`.
    pub game_index: usize,
    /// What it is looked up by.
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
