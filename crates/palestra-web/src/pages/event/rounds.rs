//! The pairings of a round.

use super::address::EventUrls;
use super::query::EventQuery;
use super::summary::{EventSummary, FirstPlayerResult, PairingSummary};
use crate::http_error::HttpError;
use crate::viewer::Language;

/// Limit on the pairings and byes of a round that are listed on the page of the event.
pub(super) const MAX_PAIRINGS: usize = 200;

/// A round, with links to the others.
pub(super) struct Rounds {
    /// The stage and the round that are shown, from 1; both 0 before the first pairings.
    pub(super) stage: u32,
    pub(super) round: u32,
    /// Names of all stages, where there are several.
    pub(super) stages: Vec<String>,
    /// Number of rounds of this stage.
    pub(super) n_rounds: u32,
    /// URLs of the previous and the next round, and of the games of this one.
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    pub(super) games: String,
    pub(super) pairings: Vec<PairingRow>,
    pub(super) n_more: usize,
    /// Names and URLs of the players with a bye.
    pub(super) byes: Vec<(String, String)>,
}

/// A pairing with its result.
pub(super) struct PairingRow {
    pub(super) names: [String; 2],
    pub(super) links: [String; 2],
    pub(super) score: String,
    /// The result in words, for screen readers.
    pub(super) label: String,
    pub(super) games: String,
}

impl Rounds {
    /// The round of the query, or the last one.
    pub(super) fn of(
        summary: &EventSummary,
        query: &EventQuery,
        at: &EventUrls,
        language: Language,
        limit: usize,
    ) -> Result<Rounds, HttpError> {
        let entrants = &summary.review.field.entrants;
        let plan = &summary.review.plan;
        let last = summary.rounds.keys().next_back();
        let stage = match (query.stage, last) {
            (Some(stage), _) => stage.checked_sub(1).ok_or_else(HttpError::not_found)?,
            // Without a stage in the query: the last stage.
            (None, Some((stage, _))) => *stage,
            (None, None) => 0,
        };
        let of_stage = || summary.rounds.range((stage, 0)..=(stage, u32::MAX)).map(|((_, round), _)| *round);
        let round = match query.round {
            Some(round) => Some(round.checked_sub(1).ok_or_else(HttpError::not_found)?),
            None => of_stage().next_back(),
        };
        let shown = round.and_then(|round| summary.rounds.get(&(stage, round)));
        if shown.is_none() && (query.round.is_some() || query.stage.is_some()) {
            return Err(HttpError::not_found());
        }
        let round = round.unwrap_or(0);
        let link = |round: Option<u32>| {
            let round = round.filter(|round| summary.rounds.contains_key(&(stage, *round)))?;
            Some(at.page(&format!("?stage={}&round={}#rounds", stage + 1, round + 1)))
        };
        let name = |player: u32| entrants[player as usize].name.clone();
        let row = |pairing: &PairingSummary| row(pairing, pairing.players.map(name), round, at, language);
        let byes = shown.into_iter().flat_map(|shown| &shown.byes);
        let pairings = shown.map_or(&[][..], |shown| &shown.pairings);
        Ok(Rounds {
            stage: shown.map_or(0, |_| stage + 1),
            round: shown.map_or(0, |_| round + 1),
            stages: if plan.stages.len() > 1 {
                plan.stages.iter().map(|stage| stage.name.clone()).collect()
            } else {
                Vec::new()
            },
            n_rounds: of_stage().next_back().map_or(0, |round| round + 1),
            before: link(round.checked_sub(1)),
            after: link(round.checked_add(1)),
            games: at.page(&format!("/games?round={}", round + 1)),
            pairings: pairings.iter().take(limit).map(row).collect(),
            n_more: pairings.len().saturating_sub(limit),
            byes: byes.take(limit).map(|&player| (name(player), at.player(&name(player)))).collect(),
        })
    }
}

fn row(
    pairing: &PairingSummary,
    names: [String; 2],
    round: u32,
    at: &EventUrls,
    language: Language,
) -> PairingRow {
    let count = |counted| pairing.results.iter().filter(|result| **result == counted).count();
    let [wins, draws, losses] =
        [FirstPlayerResult::Won, FirstPlayerResult::Drawn, FirstPlayerResult::Lost].map(count);
    let n_games = wins + draws + losses;
    let halves = |wins: usize| match ((2 * wins + draws) / 2, draws % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    };
    let [one, other] = &names;
    PairingRow {
        links: [at.player(one), at.player(other)],
        score: if n_games == 0 {
            "–".to_owned()
        } else {
            format!("{} – {}", halves(wins), halves(losses))
        },
        label: match language {
            Language::English => {
                format!("games of {one} and {other}: won {wins}, drawn {draws}, lost {losses}")
            }
            Language::Spanish => {
                format!("partidas de {one} y {other}: ganadas {wins}, empatadas {draws}, perdidas {losses}")
            }
        },
        games: at.games_in([one, other], round),
        names,
    }
}
