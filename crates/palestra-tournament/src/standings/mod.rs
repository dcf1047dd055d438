//! Standings: ranks, tie-breaks, ratings and the crosstable, as a fold of the results.

mod crosstable;
mod marks;
mod notes;
mod ranking;
#[cfg(test)]
mod tests;

pub use crosstable::HeadToHead;
pub use marks::{EarnedMark, MarkThreshold};
pub use ranking::{Ranking, RankingCriteria, TieBreak};

use crate::entrant::Entrant;
use crate::evidence::RatingData;
use crate::format::Placing;
use crate::results::TournamentResults;
use palestra_arena::{GameRecord, LateMoves, PointSystem};
use palestra_core::Side;
use palestra_stats::{Duplicates, Outcomes, Ratings, superiority_by_ratings};
use std::collections::BTreeMap;

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl WinDrawLoss {
    /// Adds a game, seen from a side.
    pub fn add(&mut self, record: &GameRecord, side: Side) {
        match record.winner {
            None => self.draws += 1,
            Some(winner) if winner == side => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }

    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// One row of the standings.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayerStanding {
    /// Index of the entrant.
    pub player: usize,
    /// The rank from 1; tied entrants share a rank. `None` for an entrant that is not ranked.
    pub rank: Option<u32>,
    /// Points, including byes.
    pub points: f64,
    /// Results with the first side and with the second.
    pub by_side: [WinDrawLoss; 2],
    /// Number of rounds without an opponent.
    pub byes: u32,
    /// Sonneborn-Berger score: points of the opponents it beat, and half the points of those it drew with.
    pub sonneborn_berger: f64,
    /// Buchholz score: points of all its opponents.
    pub buchholz: f64,
    /// Results of its games by the reason why they ended.
    pub endings: BTreeMap<String, WinDrawLoss>,
    /// Number of games it forfeited, by kind of failure. Includes those of a quarantined entrant, which do not count
    /// otherwise.
    pub forfeits: BTreeMap<String, u32>,
    /// Number of the pairing whose forfeit quarantined it.
    pub quarantined_at: Option<u64>,
    /// Thinking time in games that count, in milliseconds.
    pub milliseconds: u64,
    /// Late moves in all its games, also in those that do not count.
    pub late: LateMoves,
}

impl PlayerStanding {
    /// Results with both sides.
    #[must_use]
    pub fn count(&self) -> WinDrawLoss {
        let [first, second] = self.by_side;
        WinDrawLoss {
            wins: first.wins + second.wins,
            draws: first.draws + second.draws,
            losses: first.losses + second.losses,
        }
    }
}

/// The input of standings.
#[derive(Clone, Copy)]
pub struct StandingsInput<'a> {
    /// All entrants of the event.
    pub entrants: &'a [Entrant],
    /// Indices of the entrants that are ranked.
    pub field: &'a [usize],
    /// The stage that is ranked. Ratings use the games of all stages.
    pub stage: u32,
    /// Points of a game.
    pub points: &'a PointSystem,
    /// Tie-breaks for equal points, in order.
    pub tie_breaks: &'a [TieBreak],
    /// The places that the format decided, if it does not rank by points.
    pub placing: Option<&'a [Placing]>,
    /// Whether to compute ratings: it takes longer than all the rest, half a minute with thousands of entrants.
    pub rate: bool,
}

/// The standings of a stage.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The rows, the best entrant first, those without a rank last.
    pub rows: Vec<PlayerStanding>,
    /// Names of all entrants, by index.
    pub names: Vec<String>,
    /// Joint ratings of all entrants, if [`StandingsInput::rate`] was set.
    pub ratings: Option<Ratings>,
    /// Repeated games of the stage, which ratings leave out.
    pub duplicates: Duplicates,
    /// Results of the first side in all games of the stage.
    pub first_side: WinDrawLoss,
    /// By the two entrants, the smaller index first.
    crosstable: BTreeMap<[usize; 2], HeadToHead>,
}

impl Standings {
    /// Ranks the field of a stage.
    #[must_use]
    pub fn of(results: &TournamentResults, scope: &StandingsInput<'_>) -> Standings {
        let names: Vec<String> = scope.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let stochastic: Vec<bool> = scope.entrants.iter().map(|entrant| entrant.is_stochastic).collect();
        let anchors = scope.entrants.iter().enumerate().filter_map(|(i, entrant)| Some((i, entrant.anchor?)));
        // Rows and anchors are indices of `entrants`, so rating cannot fail.
        let rate = || RatingData::of(results, None, &stochastic).rate(&names, anchors.collect(), true).ok();
        let ratings = if scope.rate { rate() } else { None };
        let rated: Option<Vec<Option<f64>>> = ratings.as_ref().map(|ratings| {
            ratings.players().iter().map(|rated| Some(rated.rating).filter(|_| rated.games > 0.0)).collect()
        });
        let ranking = Ranking::of(
            results,
            &RankingCriteria {
                field: scope.field,
                stage: scope.stage,
                points: scope.points,
                tie_breaks: scope.tie_breaks,
                placing: scope.placing,
                ratings: rated.as_deref(),
            },
        );
        let rows = fold(results, scope, &ranking);
        let crosstable = crosstable::build(results, scope, &stochastic);
        let mut first_side = WinDrawLoss::default();
        for game in results.counted_in(scope.stage).flat_map(|pair| pair.played()) {
            first_side.add(game.record, Side::First);
        }
        // Entrants of the ladder come last.
        let others =
            results.players_in(scope.stage).into_iter().filter(|player| !scope.field.contains(player));
        let shown = ranking.order.iter().copied().chain(others);
        Standings {
            rows: shown.map(|player| rows[player].clone()).collect(),
            names,
            ratings,
            duplicates: RatingData::of(results, Some(scope.stage), &stochastic).duplicates,
            first_side,
            crosstable,
        }
    }

    /// The games of two entrants, seen from the first; `None` if they have not met.
    #[must_use]
    pub fn head_to_head(&self, player: usize, opponent: usize) -> Option<HeadToHead> {
        let entry = self.crosstable.get(&[player.min(opponent), player.max(opponent)])?;
        Some(if player < opponent { *entry } else { entry.reversed() })
    }

    /// The games of each two entrants that met, the smaller index first.
    pub fn head_to_heads(&self) -> impl Iterator<Item = ([usize; 2], &HeadToHead)> {
        self.crosstable.iter().map(|(players, entry)| (*players, entry))
    }

    /// Likelihood that an entrant is better than another, by joint ratings; `None` without ratings, or if no results
    /// connect the two.
    #[must_use]
    pub fn superiority(&self, player: usize, opponent: usize) -> Option<f64> {
        Some(self.ratings.as_ref()?.difference(player, opponent)?.los)
    }

    /// [`Self::superiority`] for each two of some entrants: the row over the column.
    #[must_use]
    pub fn superiorities(&self, among: &[usize]) -> Vec<Vec<Option<f64>>> {
        match &self.ratings {
            Some(ratings) => superiority_by_ratings(ratings, among),
            None => vec![vec![None; among.len()]; among.len()],
        }
    }

    /// The games of each two of some entrants as evidence: for cycles, Nash averages and alpha-rank.
    #[must_use]
    pub fn outcome_matrix(&self, among: &[usize]) -> Vec<Vec<Outcomes>> {
        let outcomes = |player: usize, opponent: usize| match self.head_to_head(player, opponent) {
            Some(entry) => entry.outcomes(),
            None => Outcomes::games(0, 0, 0),
        };
        among
            .iter()
            .map(|&player| among.iter().map(|&opponent| outcomes(player, opponent)).collect())
            .collect()
    }

    /// The ranked entrants, the best first.
    #[must_use]
    pub fn ranked(&self) -> Vec<usize> {
        self.rows.iter().filter(|row| row.rank.is_some()).map(|row| row.player).collect()
    }
}

/// The rows of all entrants, by index.
fn fold(results: &TournamentResults, scope: &StandingsInput<'_>, ranking: &Ranking) -> Vec<PlayerStanding> {
    let row = |player: usize| PlayerStanding {
        player,
        rank: ranking.ranks[player],
        points: ranking.points[player],
        sonneborn_berger: ranking.sonneborn_berger[player],
        buchholz: ranking.buchholz[player],
        quarantined_at: results.quarantined_at(player),
        ..PlayerStanding::default()
    };
    let mut rows: Vec<PlayerStanding> = (0..results.n_entrants()).map(row).collect();
    for pair in results.pair_results().iter().filter(|pair| pair.pairing.stage == scope.stage) {
        let counts = results.counts(pair);
        for game in pair.played() {
            for side in Side::BOTH {
                let row = &mut rows[game.seats[side.index()]];
                row.late += game.record.late[side.index()];
                if let Some(forfeit) = game.record.forfeit.as_ref().filter(|forfeit| forfeit.culprit == side)
                {
                    *row.forfeits.entry(forfeit.kind.clone()).or_default() += 1;
                }
                if counts {
                    row.by_side[side.index()].add(game.record, side);
                    row.endings.entry(game.record.reason.clone()).or_default().add(game.record, side);
                    row.milliseconds += game.record.milliseconds[side.index()];
                }
            }
        }
    }
    for bye in results.byes().filter(|bye| bye.stage == scope.stage) {
        rows[bye.player].byes += 1;
    }
    rows
}
