//! Who did what to whom.

use super::{StandingsInput, WinDrawLoss};
use crate::evidence::duplicate_entry;
use crate::results::TournamentResults;
use palestra_core::Side;
use palestra_stats::{Outcomes, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// What two did to each other, seen from the first of them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HeadToHead {
    /// Results with the first side and with the second.
    pub by_side: [WinDrawLoss; 2],
    /// Points of the first, and of the second.
    pub points: [f64; 2],
    /// Pairs of games by what the first scored: 0, ½, 1, 1½ and 2. Those that only repeat another one are left out.
    pub pairs: [u64; 5],
    /// Games that only repeat another one of the two, move by move.
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

    /// The same seen from the other.
    #[must_use]
    pub fn reversed(&self) -> HeadToHead {
        let turn =
            |count: WinDrawLoss| WinDrawLoss { wins: count.losses, draws: count.draws, losses: count.wins };
        let [first, second] = self.by_side;
        let mut pairs = self.pairs;
        pairs.reverse();
        HeadToHead {
            by_side: [turn(second), turn(first)],
            points: [self.points[1], self.points[0]],
            pairs,
            repeats: self.repeats,
        }
    }

    /// What counts as evidence: pairs, or games where there are no pairs.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        let WinDrawLoss { wins, draws, losses } = self.count();
        match self.pairs.iter().sum::<u64>() {
            0 => Outcomes::games(u64::from(wins), u64::from(draws), u64::from(losses)),
            _ => Outcomes::pairs(self.pairs),
        }
    }

    /// What the games of the two alone say.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let WinDrawLoss { wins, draws, losses } = self.count();
        Verdict::of_pairs(self.pairs, u64::from(wins), u64::from(draws), u64::from(losses))
    }
}

/// All who met, smaller number first.
pub(super) fn cross(
    results: &TournamentResults,
    scope: &StandingsInput<'_>,
    dice: &[bool],
) -> BTreeMap<[usize; 2], HeadToHead> {
    let mut table: BTreeMap<[usize; 2], HeadToHead> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for meeting in results.counted_in(scope.stage) {
        let [a, b] = meeting.pairing.players;
        let player = a.min(b);
        let crossing = table.entry([player, a.max(b)]).or_default();
        let points = meeting.points(scope.points);
        crossing.points[usize::from(a != player)] += points[0];
        crossing.points[usize::from(b != player)] += points[1];
        let mut halves = 0;
        for game in meeting.played() {
            let side = if game.seats[0] == player { Side::First } else { Side::Second };
            crossing.by_side[side.index()].add(game.record, side);
            halves += (2.0 * game.record.score(side)) as usize;
        }
        let unit = duplicate_entry(meeting, dice);
        if !seen.insert((unit.players, unit.fingerprint)) && !unit.is_stochastic {
            crossing.repeats += unit.games;
        } else if unit.games == 2 {
            crossing.pairs[halves] += 1;
        }
    }
    table
}
