//! The formats by name. A new format is a file here and a line in [`FORMATS`].

mod adaptive;
mod gauntlet;
mod keys;
mod king;
mod knockout;
mod matches;
mod round_robin;
mod stages;
mod swiss;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_play;
#[cfg(test)]
pub(crate) mod toy;

pub use keys::{FormatKey, FormatValues, KeyKind};
pub use stages::{StageSetup, Stages};
pub use swiss::pairing::pair_up;

use crate::format::Format;
use crate::pairing::Pairing;
use crate::starts::StartSchedule;
use palestra_arena::PointSystem;
use palestra_core::Seed;

/// An entry of the list of formats.
#[derive(Debug)]
pub struct FormatInfo {
    /// Its name in plans.
    pub name: &'static str,
    /// Its name in Spanish, for the page.
    pub spanish: &'static str,
    /// What it does, in one phrase.
    pub about: &'static str,
    /// Plan keys of its own.
    pub keys: &'static [FormatKey],
    /// Whether all others play against the staff players.
    pub has_ladder: bool,
    /// Checks the values of its keys for a number of players.
    pub check: fn(&FormatValues, usize) -> Result<(), UnfitKey>,
    /// Makes the format for a stage.
    pub open: fn(FormatSetup) -> Box<dyn Format>,
}

/// A key that is missing, or `format` where the format does not fit, and what is expected.
pub type UnfitKey = (&'static str, String);

/// All formats, in alphabetical order.
pub static FORMATS: &[FormatInfo] =
    &[adaptive::INFO, gauntlet::INFO, king::INFO, knockout::INFO, round_robin::INFO, swiss::INFO];

/// The format of plans that name none.
pub static DEFAULT_FORMAT: &FormatInfo = &round_robin::INFO;

/// The format with this name in plans.
#[must_use]
pub fn format_named(name: &str) -> Option<&'static FormatInfo> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The keys of all formats, each with the formats that have it.
pub fn all_keys() -> impl Iterator<Item = (&'static FormatKey, Vec<&'static FormatInfo>)> {
    let all = FORMATS.iter().enumerate().flat_map(|(i, format)| format.keys.iter().map(move |key| (i, key)));
    let has = |format: &&FormatInfo, key: &FormatKey| format.keys.iter().any(|other| other.name == key.name);
    let first = all.filter(move |(i, key)| !FORMATS[..*i].iter().any(|format| has(&format, key)));
    first.map(move |(_, key)| (key, FORMATS.iter().filter(|format| has(format, key)).collect()))
}

/// The input of a format for one stage.
#[derive(Debug)]
pub struct FormatSetup {
    /// Indices of the entrants that take part, the best seed first.
    pub field: Vec<usize>,
    /// Entrants of the field that all others play against in a gauntlet.
    pub ladder: Vec<usize>,
    /// Start points by round.
    pub starts: StartSchedule,
    /// Points of a game.
    pub points: PointSystem,
    /// Values of the keys of the format.
    pub values: FormatValues,
    /// Number of the stage in the event, from 0.
    pub stage: u32,
    /// Seed for random choices of the format.
    pub seed: Seed,
}

impl FormatSetup {
    /// Appends the pairings of a match in a round: one for each pair of games.
    fn meet(
        &mut self,
        players: [usize; 2],
        round: u32,
        walkover: bool,
        first_number: u64,
        out: &mut Vec<Pairing>,
    ) {
        for k in 0..self.values.pairs() {
            // In single games sides alternate; the format decides who has the first side first.
            let players =
                if k % 2 == 1 && self.values.is_single() { [players[1], players[0]] } else { players };
            self.meet_once(players, (round, k), walkover, first_number, out);
        }
    }

    /// Appends one pairing, on start point `k` of a round.
    fn meet_once(
        &mut self,
        players: [usize; 2],
        (round, k): (u32, u32),
        walkover: bool,
        first_number: u64,
        out: &mut Vec<Pairing>,
    ) {
        let single = self.values.is_single();
        // A pair contains both orders of sides. Sorting the two gives the same game keys in every field, so that games
        // in the store are found again.
        let [a, b] = players;
        let players = if single { players } else { [a.min(b), a.max(b)] };
        out.push(Pairing {
            players,
            start: self.starts.start_point(round, k),
            stage: self.stage,
            round,
            number: first_number + out.len() as u64,
            single,
            walkover,
        });
    }

    /// Number of games of one match.
    fn games_per_match(&self) -> u64 {
        u64::from(self.values.pairs()) * if self.values.is_single() { 1 } else { 2 }
    }
}

/// `1 cycle`, `2 cycles`, `2 matches`.
fn count(n: u64, what: &str) -> String {
    let ending = if what.ends_with("ch") { "es" } else { "s" };
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}{ending}") }
}
