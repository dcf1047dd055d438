//! What the pages of an event need of its games, in little space: an event of a million games stays in memory.

use palestra_core::Side;
use palestra_review::event::{EventReport, EventReview};
use palestra_tournament::{Bye, TournamentResults};
use std::collections::BTreeMap;

/// An event without its games.
#[derive(Debug)]
pub(super) struct EventSummary {
    /// The event; its results are empty.
    pub(super) review: EventReview,
    /// How games of the last stage ended, the most frequent first.
    pub(super) reasons: Vec<(String, u32)>,
    /// Who met whom, by stage and round.
    pub(super) rounds: BTreeMap<(u32, u32), RoundSummary>,
    /// Games of the schedule that were played.
    pub(super) n_games: u64,
    /// Those of them that were forfeited.
    pub(super) n_forfeits: usize,
}

/// A round of a stage.
#[derive(Debug, Default)]
pub(super) struct RoundSummary {
    /// In the order of the schedule.
    pub(super) pairings: Vec<PairingSummary>,
    /// Who sat out.
    pub(super) byes: Vec<u32>,
}

/// An encounter.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairingSummary {
    /// Who met; the first of them began game 0.
    pub(super) players: [u32; 2],
    /// How both games ended.
    pub(super) results: [FirstPlayerResult; 2],
}

/// How a game of an encounter ended, seen from the first player of the encounter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstPlayerResult {
    /// It was not played, or is no part of the encounter.
    Unplayed,
    Won,
    Drawn,
    Lost,
}

impl EventSummary {
    /// The same event; what its games take is given back.
    pub(super) fn new(mut review: EventReview, reasons: Vec<(String, u32)>) -> EventSummary {
        let n_forfeits = review.n_forfeits();
        let n_entrants = review.field.entrants.len();
        let results = std::mem::replace(&mut review.results, TournamentResults::new(n_entrants, None));
        let mut rounds: BTreeMap<(u32, u32), RoundSummary> = BTreeMap::new();
        let mut n_games = 0;
        for meeting in results.pair_results() {
            let encounter = &meeting.pairing;
            let mut ended = [FirstPlayerResult::Unplayed; 2];
            for game in meeting.played() {
                n_games += 1;
                // Sides are swapped in game 1.
                let ours = if game.game_index == 0 { Side::First } else { Side::Second };
                ended[game.game_index] = match game.record.winner {
                    None => FirstPlayerResult::Drawn,
                    Some(side) if side == ours => FirstPlayerResult::Won,
                    Some(_) => FirstPlayerResult::Lost,
                };
            }
            let players = encounter.players.map(|player| player as u32);
            let round = rounds.entry((encounter.stage, encounter.round)).or_default();
            round.pairings.push(PairingSummary { players, results: ended });
        }
        for Bye { player, stage, round, .. } in results.given_byes().iter().copied() {
            rounds.entry((stage, round)).or_default().byes.push(player as u32);
        }
        rounds.values_mut().for_each(|round| round.pairings.shrink_to_fit());
        EventSummary { review, reasons, rounds, n_games, n_forfeits }
    }

    /// The event; `None` where no stage has begun.
    pub(super) fn event(&self) -> Option<EventReport<'_>> {
        self.review.report()
    }
}
