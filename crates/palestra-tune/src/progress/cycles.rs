//! How cyclic the results of several players are: A beats B, B beats C, C beats A.

use super::PairedScore;
use palestra_arena::stats::{self, Outcomes};

/// The share of the results that no ranking explains, from 0 (strength explains all) to 1: see [`stats::cyclic_share`].
/// `scores[i][j]` is the score of player i against player j; only entries above the diagonal are read.
pub fn cyclic_share(scores: &[Vec<PairedScore>]) -> f64 {
    let games = |score: &PairedScore| Outcomes::games(score.wins, score.draws, score.losses);
    let table: Vec<Vec<Outcomes>> = scores.iter().map(|row| row.iter().map(games).collect()).collect();
    stats::cyclic_share(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u64, losses: u64) -> PairedScore {
        PairedScore { wins, losses, ..PairedScore::default() }
    }

    #[test]
    fn scores_are_those_of_the_row() {
        let none = PairedScore::default();
        let cycle = |back: PairedScore| {
            vec![vec![none, score(10, 0), back], vec![none, none, score(10, 0)], vec![none; 3]]
        };
        assert!((cyclic_share(&cycle(score(0, 10))) - 1.0).abs() < 1e-12);
        assert!(cyclic_share(&cycle(score(10, 0))) < 0.6, "three players in a strict order");
    }

    #[test]
    fn additive_log_odds_are_not_cyclic() {
        // Log-odds of exactly 1 step and 2 steps: (a + 1/2) / (b + 1/2) = 3 and 9.
        let none = PairedScore::default();
        let ranking =
            vec![vec![none, score(1, 0), score(4, 0)], vec![none, none, score(1, 0)], vec![none; 3]];
        assert!(cyclic_share(&ranking) < 1e-12, "{}", cyclic_share(&ranking));
    }
}
