//! How an event decides who meets whom.

use crate::pairing::Pairings;
use crate::results::TournamentResults;
use serde::{Deserialize, Serialize};

/// A way to run an event: round robin, Swiss, knockout. It is a function of its plan and of the results so far, so an
/// interrupted event goes on by asking again from the beginning, with the games that are known already.
pub trait Format: Send {
    /// Who meets next; no encounters and no byes when the event is over. Called when everything asked for before has
    /// been played or dropped. Encounters are numbered from the number of meetings so far. `go_on` says whether there is
    /// still time, where that is limited; a format without a budget does not care.
    fn next(&mut self, so_far: &TournamentResults, go_on: bool) -> Pairings;

    /// About how many games the whole event has, those already played included.
    fn estimate(&self, so_far: &TournamentResults) -> u64;

    /// The format in words: `round robin of 12 players, 2 cycles: 132 encounters`.
    fn describe(&self) -> String;

    /// The order in which a format that has its own says its players ended: a knockout, a king's hill. `None` where points
    /// decide.
    fn placing(&self, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        let _ = so_far;
        None
    }
}

/// Where somebody ended in a format that does not go by points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placing {
    /// Who.
    pub player: usize,
    /// The place, from 1; equal ones share it.
    pub place: u32,
}
