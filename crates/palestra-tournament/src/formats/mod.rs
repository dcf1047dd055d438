//! The formats by name. A new one is a file here and a line in [`FORMATS`].

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
use crate::points::PointSystem;
use crate::starts::StartSchedule;
use palestra_core::Seed;

/// A format as people choose it.
#[derive(Debug)]
pub struct FormatInfo {
    /// Its name in plans.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Which of the [`FormatOptions`] it asks for: keys of a plan.
    pub keys: &'static [&'static str],
    /// Opens it.
    pub open: fn(FormatSetup) -> Box<dyn Format>,
}

/// Every format there is.
pub static FORMATS: &[FormatInfo] =
    &[adaptive::INFO, gauntlet::INFO, king::INFO, knockout::INFO, round_robin::INFO, swiss::INFO];

/// The format of that name.
#[must_use]
pub fn format_named(name: &str) -> Option<&'static FormatInfo> {
    FORMATS.iter().find(|format| format.name == name)
}

/// What the keys of a plan say about a format. Each format lists those that it asks for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FormatOptions {
    /// `rounds`: how many rounds.
    pub rounds: u32,
    /// `cycles`: how often everybody meets everybody.
    pub cycles: u32,
    /// `games`: pairs of games of two who meet.
    pub games: u32,
    /// `single`: single games instead of pairs.
    pub single: bool,
    /// `extra`: more pairs, one by one, while two are level; then the better seed goes on.
    pub extra: u32,
    /// `budget`: games in all.
    pub budget: Option<u64>,
    /// `minutes`: how long the event may take. Whoever drives it says when they are over.
    pub minutes: Option<f64>,
    /// `batch`: encounters that are asked for at a time.
    pub batch: u32,
    /// `sure`: the likelihood of superiority at which the order of two is settled.
    pub sure: f64,
}

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions {
            rounds: 5,
            cycles: 1,
            games: 1,
            single: false,
            extra: 2,
            budget: None,
            minutes: None,
            batch: 16,
            sure: 0.975,
        }
    }
}

/// What a format is opened with.
#[derive(Debug)]
pub struct FormatSetup {
    /// Who takes part, the best seed first.
    pub field: Vec<usize>,
    /// Those of them that everybody else is measured by.
    pub ladder: Vec<usize>,
    /// Where they meet.
    pub starts: StartSchedule,
    /// What a game is worth.
    pub points: PointSystem,
    /// The keys of the plan.
    pub options: FormatOptions,
    /// The stage of the event.
    pub stage: u32,
    /// Dice of the format's own.
    pub seed: Seed,
}

impl FormatSetup {
    /// Appends the encounters of two who meet in a round: one for each pair of games.
    fn meet(
        &mut self,
        players: [usize; 2],
        round: u32,
        walkover: bool,
        first_number: u64,
        out: &mut Vec<Pairing>,
    ) {
        for k in 0..self.options.games {
            // In single games sides alternate; the format says who begins.
            let players = if k % 2 == 1 && self.options.single { [players[1], players[0]] } else { players };
            self.meet_once(players, (round, k), walkover, first_number, out);
        }
    }

    /// Appends one encounter, on scene `k` of a round.
    fn meet_once(
        &mut self,
        players: [usize; 2],
        (round, k): (u32, u32),
        walkover: bool,
        first_number: u64,
        out: &mut Vec<Pairing>,
    ) {
        let single = self.options.single;
        // A pair has both orders in it. The same one always, whoever else takes part, finds games that are known.
        let [a, b] = players;
        let players = if single { players } else { [a.min(b), a.max(b)] };
        out.push(Pairing {
            players,
            scene: self.starts.start_point(round, k),
            stage: self.stage,
            round,
            number: first_number + out.len() as u64,
            single,
            walkover,
        });
    }

    /// Games of two who meet once.
    fn games_per_match(&self) -> u64 {
        u64::from(self.options.games) * if self.options.single { 1 } else { 2 }
    }
}

/// `1 cycle`, `2 cycles`.
fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
