//! A compact summary of an event's games, small enough to keep an event of a million games in memory.

use palestra_core::Side;
use palestra_review::event::{EventReport, EventReview};
use palestra_tournament::{Bye, TournamentResults};
use std::collections::BTreeMap;

/// An event with its standings and pairings, without its games.
#[derive(Debug)]
pub(crate) struct EventSummary {
    /// The event; its results are empty.
    pub(super) review: EventReview,
    /// Reasons why games of the last stage ended, with counts, the most frequent first.
    pub(super) reasons: Vec<(String, u32)>,
    /// Pairings and byes by stage and round.
    pub(super) rounds: BTreeMap<(u32, u32), RoundSummary>,
    /// Number of scheduled games that were played.
    pub(super) n_games: u64,
    /// Number of those that were forfeited.
    pub(super) n_forfeits: usize,
}

/// A round of a stage.
#[derive(Debug, Default)]
pub(super) struct RoundSummary {
    /// In the order of the schedule.
    pub(super) pairings: Vec<PairingSummary>,
    /// Players with a bye.
    pub(super) byes: Vec<u32>,
}

/// A pairing and its results.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairingSummary {
    /// The two players; the first of them has the first side in game 0.
    pub(super) players: [u32; 2],
    /// Results of both games.
    pub(super) results: [FirstPlayerResult; 2],
}

/// The result of a game, from the point of view of the pairing's first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstPlayerResult {
    /// It was not played, or the pairing has only one game.
    Unplayed,
    Won,
    Drawn,
    Lost,
}

impl EventSummary {
    /// Summarizes the games and drops them.
    pub(crate) fn new(mut review: EventReview, reasons: Vec<(String, u32)>) -> EventSummary {
        let n_forfeits = review.n_forfeits();
        let n_entrants = review.field.entrants.len();
        let results = std::mem::replace(&mut review.results, TournamentResults::new(n_entrants, None));
        let mut rounds: BTreeMap<(u32, u32), RoundSummary> = BTreeMap::new();
        let mut n_games = 0;
        for pair in results.pair_results() {
            let pairing = &pair.pairing;
            let mut outcomes = [FirstPlayerResult::Unplayed; 2];
            for game in pair.played() {
                n_games += 1;
                // Sides are swapped in game 1.
                let side_of_first = if game.game_index == 0 { Side::First } else { Side::Second };
                outcomes[game.game_index] = match game.record.winner {
                    None => FirstPlayerResult::Drawn,
                    Some(side) if side == side_of_first => FirstPlayerResult::Won,
                    Some(_) => FirstPlayerResult::Lost,
                };
            }
            let players = pairing.players.map(|player| player as u32);
            let round = rounds.entry((pairing.stage, pairing.round)).or_default();
            round.pairings.push(PairingSummary { players, results: outcomes });
        }
        for Bye { player, stage, round, .. } in results.given_byes().iter().copied() {
            rounds.entry((stage, round)).or_default().byes.push(player as u32);
        }
        rounds.values_mut().for_each(|round| round.pairings.shrink_to_fit());
        EventSummary { review, reasons, rounds, n_games, n_forfeits }
    }

    /// The report of the event; `None` where no stage has begun.
    pub(super) fn event(&self) -> Option<EventReport<'_>> {
        self.review.report()
    }
}
