//! How much of what players do to each other is rock, paper, scissors.

use super::PairedScore;
use palestra_arena::stats::{self, Outcomes};

/// The share of the results that no ranking explains, 0 where everything is a matter of strength: see
/// [`stats::cyclic_share`]. `duels[i][j]` is what player i did to j, looked at above the diagonal.
pub fn cyclic_share(duels: &[Vec<PairedScore>]) -> f64 {
    let games = |duel: &PairedScore| Outcomes::games(duel.wins, duel.draws, duel.losses);
    let table: Vec<Vec<Outcomes>> = duels.iter().map(|row| row.iter().map(games).collect()).collect();
    stats::cyclic_share(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(wins: u64, losses: u64) -> PairedScore {
        PairedScore { wins, losses, ..PairedScore::default() }
    }

    #[test]
    fn duels_are_seen_from_their_row() {
        let none = PairedScore::default();
        let circle = |back: PairedScore| {
            vec![vec![none, duel(10, 0), back], vec![none, none, duel(10, 0)], vec![none; 3]]
        };
        assert!((cyclic_share(&circle(duel(0, 10))) - 1.0).abs() < 1e-12);
        assert!(cyclic_share(&circle(duel(10, 0))) < 0.6, "a clean order is mostly order");
    }

    #[test]
    fn odds_that_add_up_are_no_cycle() {
        // Log-odds of exactly 1 step and 2 steps: (a + 1/2) / (b + 1/2) = 3 and 9.
        let none = PairedScore::default();
        let line = vec![vec![none, duel(1, 0), duel(4, 0)], vec![none, none, duel(1, 0)], vec![none; 3]];
        assert!(cyclic_share(&line) < 1e-12, "{}", cyclic_share(&line));
    }
}
