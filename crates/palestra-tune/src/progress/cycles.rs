//! How much of what players do to each other is rock, paper, scissors.

use super::Duel;

/// The share of the results that no ranking explains: the norm of the cyclic part of the matrix of log-odds by the norm
/// of all of it (Balduzzi and others 2018); 0 where everything is a matter of strength. `duels[i][j]` is what player i
/// did to j; entries on the diagonal are not looked at.
pub fn cyclic_share(duels: &[Vec<Duel>]) -> f64 {
    let n = duels.len();
    let odds = |i: usize, j: usize| {
        if i == j {
            return 0.0;
        }
        // Half a game to each side, so that a clean sweep stays finite.
        let duel = &duels[i][j];
        let (won, lost) =
            (duel.wins as f64 + duel.draws as f64 / 2.0, duel.losses as f64 + duel.draws as f64 / 2.0);
        ((won + 0.5) / (lost + 0.5)).ln()
    };
    let strength: Vec<f64> = (0..n).map(|i| (0..n).map(|j| odds(i, j)).sum::<f64>() / n as f64).collect();
    let (mut cyclic, mut all) = (0.0, 0.0);
    for i in 0..n {
        for j in 0..n {
            if i != j {
                let rest = odds(i, j) - (strength[i] - strength[j]);
                cyclic += rest * rest;
                all += odds(i, j) * odds(i, j);
            }
        }
    }
    if all == 0.0 { 0.0 } else { (cyclic / all).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(wins: u64, losses: u64) -> Duel {
        Duel { wins, losses, ..Duel::default() }
    }

    #[test]
    fn rock_paper_scissors_is_all_cycle() {
        let beats = duel(10, 0);
        let loses = duel(0, 10);
        let none = Duel::default();
        let cycle = vec![vec![none, beats, loses], vec![loses, none, beats], vec![beats, loses, none]];
        assert!((cyclic_share(&cycle) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn odds_that_add_up_are_no_cycle() {
        // Log-odds of exactly 1 step and 2 steps: (a + 1/2) / (b + 1/2) = 3 and 9.
        let step = |n: u64| if n == 1 { duel(1, 0) } else { duel(4, 0) };
        let back = |n: u64| if n == 1 { duel(0, 1) } else { duel(0, 4) };
        let none = Duel::default();
        let line =
            vec![vec![none, step(1), step(2)], vec![back(1), none, step(1)], vec![back(2), back(1), none]];
        assert!(cyclic_share(&line) < 1e-12, "{}", cyclic_share(&line));
    }
}
