//! Round robin: each two entrants meet in every cycle.

use super::keys::{CYCLES, PAIRS, SINGLE};
use super::{FormatInfo, FormatSetup, count};
use crate::format::Format;
use crate::pairing::Pairings;
use crate::results::TournamentResults;

/// Entry of the round robin in the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "round-robin",
    spanish: "todos contra todos",
    about: "each two entrants meet once per cycle; every cycle has its own start points",
    keys: &[CYCLES, PAIRS, SINGLE],
    has_ladder: false,
    check: |values, n_players| {
        let n_pairings = n_players * n_players.saturating_sub(1) / 2 * values.pairs() as usize;
        let expected = || {
            format!(
                "a format with at most {MAX_PAIRINGS} pairings; a round robin of {n_players} players has {n_pairings}"
            )
        };
        if n_pairings > MAX_PAIRINGS { Err(("format", expected())) } else { Ok(()) }
    },
    open: |setup| Box::new(RoundRobin { setup, cycle: 0 }),
};

/// Maximum number of pairings of one cycle; more is taken for a mistake in the plan.
const MAX_PAIRINGS: usize = 20_000_000;

struct RoundRobin {
    setup: FormatSetup,
    cycle: u32,
}

impl Format for RoundRobin {
    fn next(&mut self, so_far: &TournamentResults, _go_on: bool) -> Pairings {
        let mut pairings = Vec::new();
        if self.cycle < self.setup.values.whole(&CYCLES) {
            let first_number = so_far.next_number();
            for [a, b] in circle(self.setup.field.len()) {
                let mut players = [self.setup.field[a], self.setup.field[b]];
                // In single games every cycle swaps the sides of the cycle before.
                if self.cycle % 2 == 1 {
                    players.reverse();
                }
                self.setup.meet(players, self.cycle, false, first_number, &mut pairings);
            }
            self.cycle += 1;
        }
        Pairings { pairings, byes: Vec::new() }
    }

    fn estimate(&self, _so_far: &TournamentResults) -> u64 {
        let n = self.setup.field.len() as u64;
        n * n.saturating_sub(1) / 2
            * u64::from(self.setup.values.whole(&CYCLES))
            * self.setup.games_per_match()
    }

    fn describe(&self) -> String {
        let n = self.setup.field.len() as u64;
        let cycles = count(u64::from(self.setup.values.whole(&CYCLES)), "cycle");
        let each = count(self.setup.games_per_match(), "game");
        format!(
            "round robin of {n} players, {cycles}: {} of {each} per cycle",
            count(n * n.saturating_sub(1) / 2, "match")
        )
    }
}

/// All pairs of `n` players, round by round, by the circle method: one player stays in place, the others rotate by one
/// place per round. The first of a pair has the first side in single games; for every player the numbers of games with
/// the first and with the second side differ by at most one.
fn circle(n: usize) -> Vec<[usize; 2]> {
    // An empty place makes the number even; the player paired with it sits out.
    let places = n + n % 2;
    let mut pairs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
    let rotating = places.saturating_sub(1);
    for round in 0..rotating {
        for i in 0..places / 2 {
            // Place `i` of the circle meets the place opposite. The last place does not rotate.
            let a = (round + i) % rotating;
            let b = if i == 0 { rotating } else { (round + rotating - i) % rotating };
            if a >= n || b >= n {
                continue;
            }
            // Sides alternate around the circle; for the fixed player they alternate by rounds.
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
    fn each_two_players_meet_once_and_sides_are_balanced() {
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
            // No player plays twice in a round.
            for round in pairs.chunks((n / 2).max(1)) {
                let mut busy: Vec<usize> = round.iter().flatten().copied().collect();
                busy.sort_unstable();
                busy.dedup();
                assert_eq!(busy.len(), 2 * round.len(), "{n} players");
            }
        }
    }
}
