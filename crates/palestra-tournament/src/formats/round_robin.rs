//! Everybody meets everybody.

use super::{FormatInfo, FormatSetup, count};
use crate::format::Format;
use crate::pairing::Pairings;
use crate::results::TournamentResults;

/// Round robin, for the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "round-robin",
    about: "everybody meets everybody, in as many cycles as wanted, each on its own scenes",
    keys: &["cycles", "games", "single"],
    open: |setup| Box::new(RoundRobin { setup, cycle: 0 }),
};

struct RoundRobin {
    setup: FormatSetup,
    cycle: u32,
}

impl Format for RoundRobin {
    fn next(&mut self, so_far: &TournamentResults, _go_on: bool) -> Pairings {
        let mut encounters = Vec::new();
        if self.cycle < self.setup.options.cycles {
            let first_number = so_far.next_number();
            for [a, b] in circle(self.setup.field.len()) {
                let mut players = [self.setup.field[a], self.setup.field[b]];
                // In single games the sides of a cycle are those of the one before, swapped.
                if self.cycle % 2 == 1 {
                    players.reverse();
                }
                self.setup.meet(players, self.cycle, false, first_number, &mut encounters);
            }
            self.cycle += 1;
        }
        Pairings { pairings: encounters, byes: Vec::new() }
    }

    fn estimate(&self, _so_far: &TournamentResults) -> u64 {
        let n = self.setup.field.len() as u64;
        n * n.saturating_sub(1) / 2 * u64::from(self.setup.options.cycles) * self.setup.games_per_match()
    }

    fn describe(&self) -> String {
        let n = self.setup.field.len() as u64;
        let cycles = count(u64::from(self.setup.options.cycles), "cycle");
        let each = count(self.setup.games_per_match(), "game");
        format!(
            "round robin of {n} players, {cycles}: {} of {each} a cycle",
            count(n * n.saturating_sub(1) / 2, "meeting")
        )
    }
}

/// All pairs of `n` players, round by round, in the order of the circle method: one player stays, the others move on by a
/// place. The first of a pair has the first side in single games; nobody has it more than one time oftener than the
/// second.
fn circle(n: usize) -> Vec<[usize; 2]> {
    // An empty place makes the number even; who meets it sits out.
    let places = n + n % 2;
    let mut pairs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
    let turning = places.saturating_sub(1);
    for round in 0..turning {
        for i in 0..places / 2 {
            // Place `i` of the circle meets the one across. The last place does not turn.
            let a = (round + i) % turning;
            let b = if i == 0 { turning } else { (round + turning - i) % turning };
            if a >= n || b >= n {
                continue;
            }
            // Around the circle sides alternate; the one who stays alternates by rounds.
            let swap = if i == 0 { round % 2 == 1 } else { i % 2 == 1 };
            pairs.push(if swap { [b, a] } else { [a, b] });
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_once_and_sides_are_even() {
        for n in 0..=25 {
            let pairs = circle(n);
            let mut sorted: Vec<[usize; 2]> = pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
            sorted.sort_unstable();
            let all: Vec<[usize; 2]> = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).collect();
            assert_eq!(sorted, all, "{n} players");
            for player in 0..n {
                let n_first = pairs.iter().filter(|pair| pair[0] == player).count() as i64;
                let n_second = pairs.iter().filter(|pair| pair[1] == player).count() as i64;
                assert!((n_first - n_second).abs() <= 1, "{player} of {n}: {n_first} and {n_second}");
            }
            // Nobody plays twice in a round.
            for round in pairs.chunks((n / 2).max(1)) {
                let mut busy: Vec<usize> = round.iter().flatten().copied().collect();
                busy.sort_unstable();
                busy.dedup();
                assert_eq!(busy.len(), 2 * round.len(), "{n} players");
            }
        }
    }
}
