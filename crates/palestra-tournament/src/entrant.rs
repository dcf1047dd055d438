//! Who takes part.

use serde::{Deserialize, Serialize};

/// Someone who takes part in an event. Everything else calls it by its place in the list of entrants.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Entrant {
    /// What people call it; no two entrants share a name.
    pub name: String,
    /// The player, canonically: a player string of ours, or `cmd:` and a command.
    pub player: String,
    /// A hash of everything that makes it play as it does: its text, and the files of a program.
    pub key: [u8; 32],
    /// Whether it decides by chance. Of those who do not, a game played again is no new evidence.
    pub dice: bool,
    /// A rating that is known beforehand and kept.
    pub anchor: Option<f64>,
    /// A rating to seed it by, where the order of the list does not.
    pub rating: Option<f64>,
    /// Whether it belongs to the house: the ladder that others are measured by.
    pub staff: bool,
    /// The part of the field it belongs to: a class, or the event it comes from.
    pub group: Option<String>,
}
