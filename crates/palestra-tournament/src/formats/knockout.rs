//! Knockout: who loses is out, except for a match for the third place.

use super::matches::MatchScores;
use super::{FormatInfo, FormatSetup, count};
use crate::format::{Format, Placing};
use crate::pairing::{Pairing, Pairings};
use crate::results::TournamentResults;

/// Knockout, for the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "knockout",
    about: "a bracket by seeds: who loses is out; level matches get more pairs, then the better seed goes on",
    keys: &["games", "extra"],
    open: |setup| Box::new(Knockout { setup }),
};

struct Knockout {
    setup: FormatSetup,
}

/// How far it has come. Seeds are places in the field; an empty place is a bye.
struct Bracket {
    /// The places of every round so far, two neighbors being a match. The last round has one place: the winner.
    rounds: Vec<Vec<Option<usize>>>,
    /// Who lost the semifinals; who won their match.
    third: [Option<usize>; 2],
    third_winner: Option<usize>,
    /// Matches to be played now: seeds, round, encounters so far.
    open: Vec<([usize; 2], u32, u32)>,
}

/// How a match stands.
enum MatchState {
    Decided { winner: Option<usize>, loser: Option<usize> },
    Open { n_encounters: u32 },
}

impl Knockout {
    fn n_rounds(&self) -> u32 {
        self.setup.field.len().next_power_of_two().trailing_zeros()
    }

    /// Plays through the bracket as far as results go. Those who are quarantined were never there.
    fn bracket(&self, so_far: &TournamentResults) -> Bracket {
        let field = &self.setup.field;
        let matches = MatchScores::of(so_far, self.setup.stage, &self.setup.points);
        let is_there = |seed: &usize| field.get(*seed).is_some_and(|&player| !so_far.is_quarantined(player));
        let start = seeding(self.n_rounds()).into_iter().map(|seed| Some(seed).filter(is_there)).collect();
        let mut bracket =
            Bracket { rounds: vec![start], third: [None; 2], third_winner: None, open: Vec::new() };
        for round in 0..self.n_rounds() {
            let mut next = Vec::new();
            let mut losers = Vec::new();
            for pair in bracket.rounds[round as usize].clone().chunks(2) {
                match self.outcome(round, [pair[0], pair[1]], &matches) {
                    MatchState::Decided { winner, loser } => {
                        next.push(winner);
                        losers.push(loser);
                    }
                    MatchState::Open { n_encounters } => {
                        if let [Some(a), Some(b)] = *pair {
                            bracket.open.push(([a, b], round, n_encounters));
                        }
                    }
                }
            }
            if let [a, b] = losers[..]
                && bracket.rounds[round as usize].len() == 4
            {
                bracket.third = [a, b];
                // Played beside the final.
                match self.outcome(round + 1, [a, b], &matches) {
                    MatchState::Decided { winner, .. } => bracket.third_winner = winner,
                    MatchState::Open { n_encounters } => {
                        if let (Some(a), Some(b)) = (a, b) {
                            bracket.open.push(([a, b], round + 1, n_encounters));
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

    fn outcome(&self, round: u32, pair: [Option<usize>; 2], matches: &MatchScores) -> MatchState {
        let [Some(a), Some(b)] = pair else {
            return MatchState::Decided { winner: pair[0].or(pair[1]), loser: None };
        };
        let players = [self.setup.field[a], self.setup.field[b]];
        let n_encounters = matches.n_pairings(round, players);
        let lead = matches.lead(round, players).unwrap_or(0.0);
        let rules = &self.setup.options;
        if n_encounters < rules.games || (lead == 0.0 && n_encounters < rules.games + rules.extra) {
            return MatchState::Open { n_encounters };
        }
        let a_wins = if lead == 0.0 { a < b } else { lead > 0.0 };
        let (winner, loser) = if a_wins { (a, b) } else { (b, a) };
        MatchState::Decided { winner: Some(winner), loser: Some(loser) }
    }
}

impl Format for Knockout {
    fn next(&mut self, so_far: &TournamentResults, _go_on: bool) -> Pairings {
        let first_number = so_far.next_number();
        let mut encounters: Vec<Pairing> = Vec::new();
        for (seeds, round, n_encounters) in self.bracket(so_far).open {
            let players = seeds.map(|seed| self.setup.field[seed]);
            let until = self.setup.options.games.max(n_encounters + 1);
            for k in n_encounters..until {
                self.setup.meet_once(players, (round, k), false, first_number, &mut encounters);
            }
        }
        Pairings { pairings: encounters, byes: Vec::new() }
    }

    fn estimate(&self, so_far: &TournamentResults) -> u64 {
        let n = self.setup.field.len() as u64;
        let n_matches = n.saturating_sub(1) + u64::from(n > 3);
        let planned = n_matches * self.setup.games_per_match();
        let played = so_far.pair_results().iter().filter(|meeting| meeting.pairing.stage == self.setup.stage);
        planned.max(played.map(|meeting| meeting.pairing.n_games() as u64).sum())
    }

    fn describe(&self) -> String {
        let rounds = count(u64::from(self.n_rounds()), "round");
        let each = count(self.setup.games_per_match(), "game");
        format!("knockout of {} players, {rounds}, {each} a match", self.setup.field.len())
    }

    /// The winner, the other finalist, the third and the fourth; then those who lost in the same round together.
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
        // From the last round back: whoever got that far and not farther.
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
        // Those who are quarantined come last.
        place(&(0..field.len()).collect::<Vec<_>>());
        Some(placings)
    }
}

/// The seeds of a bracket in order: the best meet as late as they can, 1 and 2 in the final.
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
    fn the_best_meet_late() {
        assert_eq!(seeding(0), [0]);
        assert_eq!(seeding(3), [0, 7, 3, 4, 1, 6, 2, 5]);
    }
}
