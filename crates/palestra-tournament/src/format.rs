//! The interface of tournament formats.

use crate::pairing::Pairings;
use crate::results::TournamentResults;
use serde::{Deserialize, Serialize};

/// Decides who meets next: round robin, Swiss, knockout. A format is a function of its plan and of the results so far,
/// so an interrupted event is resumed by running it from the beginning with the games that are in the store.
pub trait Format: Send {
    /// The next pairings; no pairings and no byes when the event is over. Called when all earlier pairings have been
    /// played or dropped. Pairings are numbered from [`TournamentResults::next_number`]. `go_on` is false when the time
    /// limit of the plan has passed; formats without a time limit ignore it.
    fn next(&mut self, so_far: &TournamentResults, go_on: bool) -> Pairings;

    /// Estimated number of games of the whole event, including those already played.
    fn estimate(&self, so_far: &TournamentResults) -> u64;

    /// The format in words: `round robin of 12 players, 2 cycles: 66 matches of 2 games per cycle`.
    fn describe(&self) -> String;

    /// The final places, for formats that do not rank by points: knockout, king of the hill. `None` where points
    /// decide.
    fn placing(&self, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        let _ = so_far;
        None
    }
}

/// The place of an entrant in a format that does not rank by points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placing {
    /// Index of the entrant.
    pub player: usize,
    /// The place, from 1; tied entrants share a place.
    pub place: u32,
}
