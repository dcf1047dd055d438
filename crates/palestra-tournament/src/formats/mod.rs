//! The formats by name. A new format is a file here and a line in [`FORMATS`].

mod adaptive;
mod gauntlet;
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
    /// What it does, in one phrase.
    pub about: &'static str,
    /// Plan keys that it reads: fields of [`FormatOptions`].
    pub keys: &'static [&'static str],
    /// Makes the format for a stage.
    pub open: fn(FormatSetup) -> Box<dyn Format>,
}

/// All formats, in alphabetical order.
pub static FORMATS: &[FormatInfo] =
    &[adaptive::INFO, gauntlet::INFO, king::INFO, knockout::INFO, round_robin::INFO, swiss::INFO];

/// The format with this name in plans.
#[must_use]
pub fn format_named(name: &str) -> Option<&'static FormatInfo> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The plan keys of all formats with their values. [`FormatInfo::keys`] lists those that a format reads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FormatOptions {
    /// `rounds`: number of rounds.
    pub rounds: u32,
    /// `cycles`: number of times that each two entrants meet.
    pub cycles: u32,
    /// `pairs`: pairs of games of a match; single games with `single`.
    pub pairs: u32,
    /// `single`: whether single games are played instead of pairs.
    pub single: bool,
    /// `extra`: maximum number of additional pairs of a tied match; after these the better seed advances.
    pub extra: u32,
    /// `budget`: maximum number of games of the stage.
    pub budget: Option<u64>,
    /// `minutes`: time limit. The driver tells the format when it has passed (`go_on` of [`Format::next`]).
    pub minutes: Option<f64>,
    /// `batch`: number of matches that are scheduled at a time.
    pub batch: u32,
    /// `sure`: likelihood of superiority at which the order of two neighbors is settled.
    pub sure: f64,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            rounds: 5,
            cycles: 1,
            pairs: 1,
            single: false,
            extra: 2,
            budget: None,
            minutes: None,
            batch: 16,
            sure: 0.975,
        }
    }
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
    /// Values of the plan keys.
    pub options: FormatOptions,
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
        for k in 0..self.options.pairs {
            // In single games sides alternate; the format decides who has the first side first.
            let players = if k % 2 == 1 && self.options.single { [players[1], players[0]] } else { players };
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
        let single = self.options.single;
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
        u64::from(self.options.pairs) * if self.options.single { 1 } else { 2 }
    }
}

/// `1 cycle`, `2 cycles`, `2 matches`.
fn count(n: u64, what: &str) -> String {
    let ending = if what.ends_with("ch") { "es" } else { "s" };
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}{ending}") }
}
