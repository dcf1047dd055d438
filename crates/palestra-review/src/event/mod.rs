//! Events: their description for the store, their entrants and their results.

mod diagnosis;
mod entrants;
mod event_options;
pub mod evidence;
mod gradebook;
mod grades;
mod groups;
mod identical_play;
mod json;
mod lines;
pub mod moves;
mod pgn;
mod published;
mod review;
mod rules;
mod stored;
#[cfg(test)]
mod tests;
pub mod text;

pub use diagnosis::{CycleAnalysis, FullCrosstableAnalysis};
pub use entrants::{EventEntrants, listed_boards};
pub use event_options::{EventOptions, wants_programs};
pub use gradebook::gradebook;
pub use grades::{LearningPlatform, StudentGrade, grades, platform_file, without_identifier};
pub use groups::{GroupResult, groups, has_groups};
pub use identical_play::{IdenticalPlay, PlayComparison};
pub use json::event_json;
pub use lines::game_json;
pub use pgn::{game_text, result};
pub use published::{Audience, PUBLISHED_PROGRAM, published_game, published_record};
pub use review::EventReview;
pub use rules::{board_of, check_memory, control_of, open_boards, terms_of};
pub(crate) use stored::hex;
pub use stored::{ProgramKeys, StoredPlan, new_event, read_stored};

use palestra_store::Run;
use palestra_tournament::{
    Entrant, MarkThreshold, PlayerStanding, PointSystem, Standings, Student, TieBreak, TournamentResults,
};
use std::collections::BTreeMap;

/// An event with its results, finished or in progress.
#[derive(Clone, Copy, Debug)]
pub struct EventReport<'a> {
    /// The event in the store: name, plan, seed, times.
    pub run: &'a Run,
    /// A description of the format and the game.
    pub what: &'a str,
    /// The entrants.
    pub entrants: &'a [Entrant],
    /// The results of all pairings.
    pub results: &'a TournamentResults,
    /// The standings of all stages that have begun, the last one last; never empty.
    pub stages: &'a [StageStandings],
    /// The points for a game.
    pub points: &'a PointSystem,
    /// The tie-breaks, in order.
    pub tie_breaks: &'a [TieBreak],
    /// The thresholds of marks.
    pub marks: &'a [MarkThreshold],
    /// What was noted while it was played.
    pub noted: &'a EventNotes,
    /// Programs that play the same; empty for the public.
    pub play: &'a PlayComparison,
    /// Who reads the output.
    pub audience: Audience,
}

/// What is noted while an event is played, and stored with it.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct EventNotes {
    /// Warnings: programs that were not confined, players that failed their check.
    #[serde(rename = "notes")]
    pub warnings: Vec<String>,
    /// The players that were left out before the first game.
    pub left_out: Vec<LeftOutPlayer>,
}

/// A player that was left out of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct LeftOutPlayer {
    /// Its name, or that of its folder.
    pub player: String,
    /// Why it was left out.
    pub reason: String,
    /// Its group in the roster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// What a gradebook knows it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    /// The students of a team; empty for a player of one student.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub students: Vec<Student>,
}

/// A stage of an event and its standings.
#[derive(Clone, Debug)]
pub struct StageStandings {
    /// Its name in the plan.
    pub name: String,
    /// Its standings.
    pub standings: Standings,
}

impl EventReport<'_> {
    /// The standings of the last stage that has begun.
    #[must_use]
    pub fn standings(&self) -> &Standings {
        &self.last().standings
    }

    /// The last stage that has begun.
    #[must_use]
    pub fn last(&self) -> &StageStandings {
        self.stages.last().expect("an event has at least one stage")
    }

    /// The tie-breaks that tables show. Where points are margins, sums over the points of opponents say nothing.
    #[must_use]
    pub fn shown_tie_breaks(&self) -> &[TieBreak] {
        match self.points {
            PointSystem::Margin => &[],
            PointSystem::ByResult { .. } => self.tie_breaks,
        }
    }

    /// The name of a player in the event.
    #[must_use]
    pub fn name(&self, player: usize) -> &str {
        &self.entrants[player].name
    }

    /// All warnings: those that were noted, cycles of players that beat each other, and duplicate games.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let standings = self.standings();
        let of_standings = standings.cycle_warning().into_iter().chain(standings.duplicates.sentence());
        self.noted.warnings.iter().cloned().chain(of_standings).collect()
    }

    /// Notes on the standings that are not among the warnings.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let warnings = self.warnings();
        self.standings()
            .notes()
            .into_iter()
            .filter(|note| !warnings.contains(note))
            .chain(self.play.sentences())
            .collect()
    }

    /// The last stage that a player was in, with its row there; an empty row for a player that was in none.
    #[must_use]
    pub fn last_standing(&self, player: usize) -> (&StageStandings, PlayerStanding) {
        let row_in =
            |stage: &StageStandings| stage.standings.rows.iter().find(|row| row.player == player).cloned();
        let last = self.stages.iter().rev().find_map(|stage| Some((stage, row_in(stage)?)));
        last.unwrap_or_else(|| (self.last(), PlayerStanding { player, ..PlayerStanding::default() }))
    }

    /// The players that others are compared with: those named by thresholds of marks, or without marks the staff
    /// players.
    #[must_use]
    pub fn thresholds(&self) -> Vec<usize> {
        let of_name =
            |mark: &MarkThreshold| self.entrants.iter().position(|entrant| entrant.name == mark.above);
        let mut thresholds: Vec<usize> = Vec::new();
        for player in self.marks.iter().filter_map(of_name) {
            if !thresholds.contains(&player) {
                thresholds.push(player);
            }
        }
        if self.marks.is_empty() {
            thresholds = (0..self.entrants.len()).filter(|&player| self.entrants[player].staff).collect();
        }
        thresholds
    }
}

/// With more players than this, pages do not compare all pairs, since each comparison solves a large linear system.
pub const MAX_PAIRWISE_PLAYERS: usize = 1000;

/// The likelihood that `player` is better than `opponent`; `None` with more than [`MAX_PAIRWISE_PLAYERS`] players.
#[must_use]
pub fn likelihood_of_superiority(standings: &Standings, player: usize, opponent: usize) -> Option<f64> {
    if standings.names.len() > MAX_PAIRWISE_PLAYERS { None } else { standings.superiority(player, opponent) }
}

/// Maximum number of sentences with more than [`MAX_PAIRWISE_PLAYERS`] players.
const MAX_SENTENCES_OF_MANY: usize = 10;

/// Sentences that compare neighbors in the standings, from the top and at most `max`, and the number of further pairs.
#[must_use]
pub fn sentences(standings: &Standings, max: usize) -> (Vec<String>, usize) {
    let Some(ratings) = &standings.ratings else { return (Vec::new(), 0) };
    let ranked = standings.ranked();
    let is_large = standings.names.len() > MAX_PAIRWISE_PLAYERS;
    let max = if is_large { max.min(MAX_SENTENCES_OF_MANY) } else { max };
    let pairs = ranked.windows(2).take(max);
    let sentences: Vec<String> = pairs.map(|pair| ratings.sentence(pair[0], pair[1])).collect();
    let n_more = ranked.len().saturating_sub(1 + sentences.len());
    (sentences, n_more)
}

/// Share of wins plus half the share of draws; `None` without games.
#[must_use]
pub fn score_of(row: &PlayerStanding) -> Option<f64> {
    let count = row.count();
    let points = f64::from(count.wins) + 0.5 * f64::from(count.draws);
    (count.games() > 0).then(|| points / f64::from(count.games()))
}

/// Number of games that a player forfeited.
#[must_use]
pub fn n_forfeits(row: &PlayerStanding) -> u32 {
    row.forfeits.values().sum()
}

/// The forfeits of a player by kind: `crash 2×, time 1×`.
#[must_use]
pub fn failures(row: &PlayerStanding) -> String {
    let kinds: Vec<String> = row.forfeits.iter().map(|(kind, n)| format!("{kind} {n}×")).collect();
    kinds.join(", ")
}

/// The reasons for which games of the last stage ended, with their numbers, the most frequent first.
#[must_use]
pub fn end_reasons(event: &EventReport<'_>) -> Vec<(String, u32)> {
    let stage = event.stages.len() as u32 - 1;
    let mut sums: BTreeMap<&str, u32> = BTreeMap::new();
    for game in event.results.counted_in(stage).flat_map(|pair_result| pair_result.played()) {
        *sums.entry(&game.record.reason).or_default() += 1;
    }
    let mut reasons: Vec<(String, u32)> =
        sums.into_iter().map(|(reason, n)| (reason.to_owned(), n)).collect();
    reasons.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    reasons
}
