//! An event: how the store is told of it, who takes part, and what came of it.

mod entrants;
mod event_options;
pub mod evidence;
mod games;
mod gradebook;
mod lines;
pub mod moves;
mod pgn;
mod review;
mod rules;
mod stored;
#[cfg(test)]
mod tests;
pub mod text;

pub use entrants::{EventEntrants, listed_boards};
pub use event_options::{EventOptions, wants_programs};
pub use games::{fingerprint, record_of, side_of};
pub use gradebook::gradebook;
pub use lines::game_json;
pub use pgn::{game_text, result};
pub use review::EventReview;
pub use rules::{board_of, control_of, open_boards, terms_of};
pub use stored::{ProgramKeys, new_event, read_stored};

use palestra_store::Run;
use palestra_tournament::{
    Entrant, MarkThreshold, PlayerStanding, PointSystem, Standings, TieBreak, TournamentResults,
};
use std::collections::BTreeMap;

/// An event, as far as it has come.
#[derive(Clone, Copy, Debug)]
pub struct EventReport<'a> {
    /// What the store says of it: name, plan, seed, times.
    pub run: &'a Run,
    /// The format and the game in words.
    pub what: &'a str,
    /// Who takes part.
    pub entrants: &'a [Entrant],
    /// What was played.
    pub results: &'a TournamentResults,
    /// The tables of all stages, the final one last; never empty.
    pub stages: &'a [StageStandings],
    /// What a game is worth.
    pub points: &'a PointSystem,
    /// What decides where points are equal.
    pub tie_breaks: &'a [TieBreak],
    /// The thresholds of marks.
    pub marks: &'a [MarkThreshold],
    /// Whatever a reader has to know beside: programs that were not confined, players that did not pass their test.
    pub warnings: &'a [String],
}

/// A stage of an event and its table.
#[derive(Clone, Debug)]
pub struct StageStandings {
    /// What the plan calls it.
    pub name: String,
    /// The table.
    pub standings: Standings,
}

impl EventReport<'_> {
    /// The table that counts in the end.
    #[must_use]
    pub fn standings(&self) -> &Standings {
        &self.last().standings
    }

    /// The last stage that was begun.
    #[must_use]
    pub fn last(&self) -> &StageStandings {
        self.stages.last().expect("an event has at least one stage")
    }

    /// The name of a player in the event.
    #[must_use]
    pub fn name(&self, player: usize) -> &str {
        &self.entrants[player].name
    }

    /// What is not as it looks: the caller's warnings, circles, games that are no evidence.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let standings = self.standings();
        let found = standings.cycle_warning().into_iter().chain(standings.duplicates.sentence());
        self.warnings.iter().cloned().chain(found).collect()
    }

    /// What else a reader has to know about the table.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let warnings = self.warnings();
        self.standings().notes().into_iter().filter(|note| !warnings.contains(note)).collect()
    }

    /// The last stage that somebody was in, and its line there; an empty one for somebody who never was.
    #[must_use]
    pub fn last_standing(&self, player: usize) -> (&StageStandings, PlayerStanding) {
        let line =
            |stage: &StageStandings| stage.standings.rows.iter().find(|row| row.player == player).cloned();
        let found = self.stages.iter().rev().find_map(|stage| Some((stage, line(stage)?)));
        found.unwrap_or_else(|| (self.last(), PlayerStanding { player, ..PlayerStanding::default() }))
    }

    /// Those whom others are measured by: named by a threshold, else the players of the house.
    #[must_use]
    pub fn thresholds(&self) -> Vec<usize> {
        let of_name =
            |mark: &MarkThreshold| self.entrants.iter().position(|entrant| entrant.name == mark.above);
        let mut found: Vec<usize> = Vec::new();
        for player in self.marks.iter().filter_map(of_name) {
            if !found.contains(&player) {
                found.push(player);
            }
        }
        if self.marks.is_empty() {
            found = (0..self.entrants.len()).filter(|&player| self.entrants[player].staff).collect();
        }
        found
    }
}

/// Past so many players every comparison of two solves a large system, so pages do not compare all who met.
pub const MAX_PAIRWISE_PLAYERS: usize = 1000;

/// The likelihood that one is better than another, where there are not too many to look.
#[must_use]
pub fn likelihood_of_superiority(standings: &Standings, player: usize, rival: usize) -> Option<f64> {
    if standings.names.len() > MAX_PAIRWISE_PLAYERS { None } else { standings.superiority(player, rival) }
}

/// Sentences about neighbors where each solves a large system.
const FEW_SENTENCES: usize = 10;

/// What is known about the first neighbors of the table, and how many more there are.
#[must_use]
pub fn sentences(standings: &Standings, most: usize) -> (Vec<String>, usize) {
    let Some(ratings) = &standings.ratings else { return (Vec::new(), 0) };
    let ranked = standings.ranked();
    let most = if standings.names.len() > MAX_PAIRWISE_PLAYERS { most.min(FEW_SENTENCES) } else { most };
    let pairs = ranked.windows(2).take(most);
    let told: Vec<String> = pairs.map(|pair| ratings.sentence(pair[0], pair[1])).collect();
    let n_more = ranked.len().saturating_sub(1 + told.len());
    (told, n_more)
}

/// Points of all games, a draw being half, by the number of games; `None` without games.
#[must_use]
pub fn score_of(row: &PlayerStanding) -> Option<f64> {
    let count = row.count();
    let points = f64::from(count.wins) + 0.5 * f64::from(count.draws);
    (count.games() > 0).then(|| points / f64::from(count.games()))
}

/// How often somebody failed.
#[must_use]
pub fn n_forfeits(row: &PlayerStanding) -> u32 {
    row.forfeits.values().sum()
}

/// How somebody failed: `crash 2×, timeout 1×`.
#[must_use]
pub fn failures(row: &PlayerStanding) -> String {
    let kinds: Vec<String> = row.forfeits.iter().map(|(kind, n)| format!("{kind} {n}×")).collect();
    kinds.join(", ")
}

/// Reasons and how many games of the last stage ended so, the most frequent first.
#[must_use]
pub fn end_reasons(event: &EventReport<'_>) -> Vec<(String, u32)> {
    let stage = event.stages.len() as u32 - 1;
    let mut sums: BTreeMap<&str, u32> = BTreeMap::new();
    for game in event.results.counted_in(stage).flat_map(|meeting| meeting.played()) {
        *sums.entry(&game.record.reason).or_default() += 1;
    }
    let mut reasons: Vec<(String, u32)> =
        sums.into_iter().map(|(reason, n)| (reason.to_owned(), n)).collect();
    reasons.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    reasons
}
