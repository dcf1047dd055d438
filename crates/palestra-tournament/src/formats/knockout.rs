//! Knockout: the loser of a match is out, except for a match for third place.

use super::keys::{FormatKey, KeyKind, PAIRS};
use super::matches::MatchScores;
use super::{FormatInfo, FormatSetup, count};
use crate::format::{Format, Placing};
use crate::pairing::{Pairing, Pairings};
use crate::results::TournamentResults;

/// Entry of the knockout in the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "knockout",
    spanish: "eliminación directa",
    about: "a bracket by seeds: the loser is out; tied matches get more pairs, then the better seed advances",
    keys: &[PAIRS, EXTRA],
    has_ladder: false,
    check: |_, _| Ok(()),
    open: |setup| Box::new(Knockout { setup }),
};

const EXTRA: FormatKey = FormatKey {
    name: "extra",
    label: ["Additional pairs", "Pares adicionales"],
    about: "most additional pairs of a tied match; after these the better seed advances",
    kind: KeyKind::Whole,
    bounds: [0.0, 10_000.0],
    default: Some(2.0),
};

struct Knockout {
    setup: FormatSetup,
}

/// The bracket so far. Seeds are indices in the field; an empty place is a bye.
struct Bracket {
    /// The places of every round so far; two neighbors are a match. The last round has one place: the winner.
    rounds: Vec<Vec<Option<usize>>>,
    /// The losers of the semifinals.
    third: [Option<usize>; 2],
    /// The winner of the match for third place.
    third_winner: Option<usize>,
    /// Undecided matches: seeds, round, number of pairings so far.
    open: Vec<([usize; 2], u32, u32)>,
}

/// The state of a match.
enum MatchState {
    Decided { winner: Option<usize>, loser: Option<usize> },
    Open { n_pairings: u32 },
}

impl Knockout {
    fn n_rounds(&self) -> u32 {
        self.setup.field.len().next_power_of_two().trailing_zeros()
    }

    /// Fills the bracket as far as results go. Quarantined entrants are treated as byes.
    fn bracket(&self, so_far: &TournamentResults) -> Bracket {
        let field = &self.setup.field;
        let matches = MatchScores::of(so_far, self.setup.stage, &self.setup.points);
        let competes = |seed: &usize| field.get(*seed).is_some_and(|&player| !so_far.is_quarantined(player));
        let start = seeding(self.n_rounds()).into_iter().map(|seed| Some(seed).filter(competes)).collect();
        let mut bracket =
            Bracket { rounds: vec![start], third: [None; 2], third_winner: None, open: Vec::new() };
        for round in 0..self.n_rounds() {
            let mut next = Vec::new();
            let mut losers = Vec::new();
            for pair in bracket.rounds[round as usize].clone().chunks(2) {
                match self.match_state(round, [pair[0], pair[1]], &matches) {
                    MatchState::Decided { winner, loser } => {
                        next.push(winner);
                        losers.push(loser);
                    }
                    MatchState::Open { n_pairings } => {
                        if let [Some(a), Some(b)] = *pair {
                            bracket.open.push(([a, b], round, n_pairings));
                        }
                    }
                }
            }
            if let [a, b] = losers[..]
                && bracket.rounds[round as usize].len() == 4
            {
                bracket.third = [a, b];
                // Played in the same round as the final.
                match self.match_state(round + 1, [a, b], &matches) {
                    MatchState::Decided { winner, .. } => bracket.third_winner = winner,
                    MatchState::Open { n_pairings } => {
                        if let (Some(a), Some(b)) = (a, b) {
                            bracket.open.push(([a, b], round + 1, n_pairings));
                        }
                    }
                }
            }
            if bracket.open.iter().any(|(_, open, _)| *open == round) {
                break;
            }
            bracket.rounds.push(next);
        }
        bracket
    }

    fn match_state(&self, round: u32, pair: [Option<usize>; 2], matches: &MatchScores) -> MatchState {
        let [Some(a), Some(b)] = pair else {
            return MatchState::Decided { winner: pair[0].or(pair[1]), loser: None };
        };
        let players = [self.setup.field[a], self.setup.field[b]];
        let n_pairings = matches.n_pairings(round, players);
        let lead = matches.lead(round, players).unwrap_or(0.0);
        let values = &self.setup.values;
        let pairs = values.pairs();
        if n_pairings < pairs || (lead == 0.0 && n_pairings < pairs + values.whole(&EXTRA)) {
            return MatchState::Open { n_pairings };
        }
        let a_wins = if lead == 0.0 { a < b } else { lead > 0.0 };
        let (winner, loser) = if a_wins { (a, b) } else { (b, a) };
        MatchState::Decided { winner: Some(winner), loser: Some(loser) }
    }
}

impl Format for Knockout {
    fn next(&mut self, so_far: &TournamentResults, _go_on: bool) -> Pairings {
        let first_number = so_far.next_number();
        let mut pairings: Vec<Pairing> = Vec::new();
        for (seeds, round, n_pairings) in self.bracket(so_far).open {
            let players = seeds.map(|seed| self.setup.field[seed]);
            let until = self.setup.values.pairs().max(n_pairings + 1);
            for k in n_pairings..until {
                self.setup.meet_once(players, (round, k), false, first_number, &mut pairings);
            }
        }
        Pairings { pairings, byes: Vec::new() }
    }

    fn estimate(&self, so_far: &TournamentResults) -> u64 {
        let n = self.setup.field.len() as u64;
        let n_matches = n.saturating_sub(1) + u64::from(n > 3);
        let planned = n_matches * self.setup.games_per_match();
        let played = so_far.pair_results().iter().filter(|pair| pair.pairing.stage == self.setup.stage);
        planned.max(played.map(|pair| pair.pairing.n_games() as u64).sum())
    }

    fn describe(&self) -> String {
        let rounds = count(u64::from(self.n_rounds()), "round");
        let each = count(self.setup.games_per_match(), "game");
        format!("knockout of {} players, {rounds}, {each} a match", self.setup.field.len())
    }

    /// The winner, the other finalist, the third and the fourth; entrants that lost in the same earlier round share a
    /// place.
    fn placing(&self, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        let bracket = self.bracket(so_far);
        let mut placings: Vec<Placing> = Vec::new();
        let field = &self.setup.field;
        let mut place = |seeds: &[usize]| {
            let placed: Vec<usize> = placings.iter().map(|placing| placing.player).collect();
            let new = seeds.iter().map(|&seed| field[seed]).filter(|player| !placed.contains(player));
            let place = placings.len() as u32 + 1;
            placings.extend(new.map(|player| Placing { player, place }).collect::<Vec<_>>());
        };
        // From the last round back: the entrants that reached this round and no later one.
        for (round, places) in bracket.rounds.iter().enumerate().rev() {
            let seeds: Vec<usize> = places.iter().flatten().copied().collect();
            if round + 2 == bracket.rounds.len().max(2) && bracket.rounds.len() as u32 > self.n_rounds() {
                place(&seeds);
                if let Some(winner) = bracket.third_winner {
                    place(&[winner]);
                    let loser = bracket.third.iter().flatten().find(|seed| **seed != winner);
                    loser.into_iter().for_each(|&seed| place(&[seed]));
                }
            } else {
                place(&seeds);
            }
        }
        // Quarantined entrants come last.
        place(&(0..field.len()).collect::<Vec<_>>());
        Some(placings)
    }
}

/// The seeds of a bracket in order, from 0: the best seeds meet as late as possible, 0 and 1 in the final.
fn seeding(n_rounds: u32) -> Vec<usize> {
    let mut seeds = vec![0];
    for _ in 0..n_rounds {
        let n = 2 * seeds.len();
        seeds = seeds.into_iter().flat_map(|seed| [seed, n - 1 - seed]).collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::seeding;

    #[test]
    fn the_best_seeds_meet_late() {
        assert_eq!(seeding(0), [0]);
        assert_eq!(seeding(3), [0, 7, 3, 4, 1, 6, 2, 5]);
    }
}
