//! What results say: who is where, and how sure that is. A fold of records, and nothing else.

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
use crate::points::PointSystem;
use crate::record::GameRecord;
use crate::results::TournamentResults;
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
    /// Adds a game.
    pub fn add(&mut self, record: &GameRecord, side: Side) {
        match record.winner {
            None => self.draws += 1,
            Some(winner) if winner == side => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// One line of the table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayerStanding {
    /// Who.
    pub player: usize,
    /// The rank from 1, the same for those who are level; `None` for those who are not ranked.
    pub rank: Option<u32>,
    /// Points, byes included.
    pub points: f64,
    /// Results with the first side and with the second.
    pub by_side: [WinDrawLoss; 2],
    /// Rounds without a rival.
    pub byes: u32,
    /// Points of the rivals beaten, and half of those drawn with.
    pub sonneborn_berger: f64,
    /// Points of all rivals.
    pub buchholz: f64,
    /// How its games ended: the reason, and the results of games that ended so.
    pub endings: BTreeMap<String, WinDrawLoss>,
    /// Its own failures, by kind; also those of somebody who is quarantined, whose games do not count.
    pub forfeits: BTreeMap<String, u32>,
    /// The encounter in which it failed once too often.
    pub quarantined_at: Option<u64>,
    /// Milliseconds that it used in games that count.
    pub milliseconds: u64,
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

/// What standings are made of.
#[derive(Clone, Copy)]
pub struct StandingsInput<'a> {
    /// Everybody.
    pub entrants: &'a [Entrant],
    /// Who is ranked.
    pub field: &'a [usize],
    /// The stage that is ranked. Ratings take the games of all stages.
    pub stage: u32,
    /// What a game is worth.
    pub points: &'a PointSystem,
    /// What decides where points are equal, in order.
    pub tie_breaks: &'a [TieBreak],
    /// What the format says, where it does not go by points.
    pub placing: Option<&'a [Placing]>,
    /// Whether to rate: it takes longer than all the rest, half a minute with thousands of entrants.
    pub rate: bool,
}

/// The standings of a stage.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The table, the best first; those without a rank last.
    pub rows: Vec<PlayerStanding>,
    /// Everybody's names.
    pub names: Vec<String>,
    /// Joint ratings of all entrants, where they were asked for.
    pub ratings: Option<Ratings>,
    /// How much of what was played in the stage is new; ratings leave the rest out.
    pub duplicates: Duplicates,
    /// Games with the first side, by result of that side.
    pub first_side: WinDrawLoss,
    crosstable: BTreeMap<[usize; 2], HeadToHead>,
}

impl Standings {
    /// The standings.
    #[must_use]
    pub fn of(results: &TournamentResults, scope: &StandingsInput<'_>) -> Standings {
        let names: Vec<String> = scope.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let dice: Vec<bool> = scope.entrants.iter().map(|entrant| entrant.dice).collect();
        let anchors = scope.entrants.iter().enumerate().filter_map(|(i, entrant)| Some((i, entrant.anchor?)));
        // Rows and anchors come from lists of ours: there is nothing in them to complain about.
        let rate = || RatingData::of(results, None, &dice).rate(&names, anchors.collect(), true).ok();
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
        let lines = fold(results, scope, &ranking);
        let crosstable = crosstable::cross(results, scope, &dice);
        let mut first_side = WinDrawLoss::default();
        for game in results.counted_in(scope.stage).flat_map(|meeting| meeting.played()) {
            first_side.add(game.record, Side::First);
        }
        // Those who only took part so that others could be measured come last.
        let others =
            results.players_in(scope.stage).into_iter().filter(|player| !scope.field.contains(player));
        let shown = ranking.order.iter().copied().chain(others);
        Standings {
            rows: shown.map(|player| lines[player].clone()).collect(),
            names,
            ratings,
            duplicates: RatingData::of(results, Some(scope.stage), &dice).duplicates,
            first_side,
            crosstable,
        }
    }

    /// What two did to each other, seen from the first of them.
    #[must_use]
    pub fn head_to_head(&self, player: usize, rival: usize) -> Option<HeadToHead> {
        let found = self.crosstable.get(&[player.min(rival), player.max(rival)])?;
        Some(if player < rival { *found } else { found.reversed() })
    }

    /// Everything two did to each other, for all who met: smaller number first.
    pub fn head_to_heads(&self) -> impl Iterator<Item = ([usize; 2], &HeadToHead)> {
        self.crosstable.iter().map(|(players, crossing)| (*players, crossing))
    }

    /// The likelihood that one is better than another, by joint ratings; `None` without them, or where nothing connects the two.
    #[must_use]
    pub fn superiority(&self, player: usize, rival: usize) -> Option<f64> {
        Some(self.ratings.as_ref()?.difference(player, rival)?.los)
    }

    /// The same for every two of some players, row above column.
    #[must_use]
    pub fn superiorities(&self, among: &[usize]) -> Vec<Vec<Option<f64>>> {
        match &self.ratings {
            Some(ratings) => superiority_by_ratings(ratings, among),
            None => vec![vec![None; among.len()]; among.len()],
        }
    }

    /// What every two of some players did to each other, as evidence: for cycles, Nash averages and alpha-rank.
    #[must_use]
    pub fn outcome_matrix(&self, among: &[usize]) -> Vec<Vec<Outcomes>> {
        let duel = |player: usize, rival: usize| match self.head_to_head(player, rival) {
            Some(crossing) => crossing.outcomes(),
            None => Outcomes::games(0, 0, 0),
        };
        among.iter().map(|&player| among.iter().map(|&rival| duel(player, rival)).collect()).collect()
    }

    /// Those who are ranked, the best first.
    #[must_use]
    pub fn ranked(&self) -> Vec<usize> {
        self.rows.iter().filter(|row| row.rank.is_some()).map(|row| row.player).collect()
    }
}

/// Everybody's line, by entrant.
fn fold(results: &TournamentResults, scope: &StandingsInput<'_>, ranking: &Ranking) -> Vec<PlayerStanding> {
    let line = |player: usize| PlayerStanding {
        player,
        rank: ranking.ranks[player],
        points: ranking.points[player],
        sonneborn_berger: ranking.sonneborn_berger[player],
        buchholz: ranking.buchholz[player],
        quarantined_at: results.quarantined_at(player),
        ..PlayerStanding::default()
    };
    let mut lines: Vec<PlayerStanding> = (0..results.n_entrants()).map(line).collect();
    for meeting in results.pair_results().iter().filter(|meeting| meeting.pairing.stage == scope.stage) {
        let counts = results.counts(meeting);
        for game in meeting.played() {
            for side in Side::BOTH {
                let line = &mut lines[game.seats[side.index()]];
                if let Some(forfeit) = game.record.forfeit.as_ref().filter(|forfeit| forfeit.culprit == side)
                {
                    *line.forfeits.entry(forfeit.kind.clone()).or_default() += 1;
                }
                if counts {
                    line.by_side[side.index()].add(game.record, side);
                    line.endings.entry(game.record.reason.clone()).or_default().add(game.record, side);
                    line.milliseconds += game.record.milliseconds[side.index()];
                }
            }
        }
    }
    for bye in results.byes().filter(|bye| bye.stage == scope.stage) {
        lines[bye.player].byes += 1;
    }
    lines
}
