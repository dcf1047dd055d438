//! Entrants of an event.

use serde::{Deserialize, Serialize};

/// A player entered in an event. Pairings and results refer to it by its index in the list of entrants.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Entrant {
    /// Display name, unique in the event.
    pub name: String,
    /// The player in canonical form: the string of a built-in player, or `cmd:` and a command.
    pub player: String,
    /// A hash of everything that determines its play: the player string, and the files of a program.
    pub key: [u8; 32],
    /// Whether the player is stochastic. Repeated games between deterministic players are no new evidence.
    #[serde(alias = "dice")]
    pub is_stochastic: bool,
    /// A fixed Elo rating that anchors the ratings of the others.
    pub anchor: Option<f64>,
    /// An Elo rating for seeding, used by [`SeedingOrder::Rating`](crate::SeedingOrder::Rating).
    pub rating: Option<f64>,
    /// Whether it is a reference player of the organizer: in a gauntlet, the ladder that all others play against.
    pub staff: bool,
    /// Group that stages can select: a class, or the event it comes from.
    pub group: Option<String>,
    /// What a gradebook knows it by, such as a student number.
    #[serde(default)]
    pub identifier: Option<String>,
    /// The students of a team that handed in one program; empty for a player of one student.
    #[serde(default)]
    pub students: Vec<Student>,
}

/// A student of a team.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Student {
    /// Display name.
    pub name: String,
    /// What a gradebook knows the student by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
}
