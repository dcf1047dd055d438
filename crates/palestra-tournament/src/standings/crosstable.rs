//! The crosstable: results of each two entrants.

use super::{StandingsInput, WinDrawLoss};
use crate::evidence::duplicate_entry;
use crate::results::TournamentResults;
use palestra_core::Side;
use palestra_stats::{Outcomes, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The games of two entrants, seen from the first of them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HeadToHead {
    /// Results with the first side and with the second.
    pub by_side: [WinDrawLoss; 2],
    /// Points of the first and of the second entrant.
    pub points: [f64; 2],
    /// Number of pairs by the score of the first entrant: 0, ½, 1, 1½ and 2. Pairs that repeat another one are left
    /// out.
    pub pairs: [u64; 5],
    /// Number of games in pairs that repeat an earlier pair of the two move by move.
    pub repeats: u32,
}

impl HeadToHead {
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

    /// The same, seen from the other entrant.
    #[must_use]
    pub fn reversed(&self) -> HeadToHead {
        let swap =
            |count: WinDrawLoss| WinDrawLoss { wins: count.losses, draws: count.draws, losses: count.wins };
        let [first, second] = self.by_side;
        let mut pairs = self.pairs;
        pairs.reverse();
        HeadToHead {
            by_side: [swap(second), swap(first)],
            points: [self.points[1], self.points[0]],
            pairs,
            repeats: self.repeats,
        }
    }

    /// The results as evidence: pairs, or single games if there are no pairs.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        let WinDrawLoss { wins, draws, losses } = self.count();
        match self.pairs.iter().sum::<u64>() {
            0 => Outcomes::games(u64::from(wins), u64::from(draws), u64::from(losses)),
            _ => Outcomes::pairs(self.pairs),
        }
    }

    /// The verdict on the games of the two alone.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let WinDrawLoss { wins, draws, losses } = self.count();
        Verdict::of_pairs(self.pairs, u64::from(wins), u64::from(draws), u64::from(losses))
    }
}

/// The games of each two entrants that met, the smaller index first.
pub(super) fn build(
    results: &TournamentResults,
    scope: &StandingsInput<'_>,
    stochastic: &[bool],
) -> BTreeMap<[usize; 2], HeadToHead> {
    let mut table: BTreeMap<[usize; 2], HeadToHead> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for pair in results.counted_in(scope.stage) {
        let [a, b] = pair.pairing.players;
        let player = a.min(b);
        let entry = table.entry([player, a.max(b)]).or_default();
        let points = pair.points(scope.points);
        entry.points[usize::from(a != player)] += points[0];
        entry.points[usize::from(b != player)] += points[1];
        // The score of the pair in half points: 0 to 4.
        let mut half_points = 0;
        for game in pair.played() {
            let side = if game.seats[0] == player { Side::First } else { Side::Second };
            entry.by_side[side.index()].add(game.record, side);
            half_points += (2.0 * game.record.score(side)) as usize;
        }
        let unit = duplicate_entry(pair, stochastic);
        if !seen.insert((unit.players, unit.fingerprint)) && !unit.is_stochastic {
            entry.repeats += unit.games;
        } else if unit.games == 2 {
            entry.pairs[half_points] += 1;
        }
    }
    table
}
