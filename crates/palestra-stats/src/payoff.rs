//! The table of log-odds between all players, and the part of it that is cyclic (rock, paper, scissors).

use crate::formatting::{SURE, list, percent};
use crate::{Outcomes, likelihood_of_superiority};

/// The natural log-odds of every player against every other: antisymmetric, with zeros on the diagonal and for players
/// that never met. `duels[i][j]` are the head-to-head results of i against j; only entries above the diagonal are used.
///
/// Half a point is added to each side, so that the log-odds stay finite where one side won all games.
pub fn log_odds(head_to_heads: &[Vec<Outcomes>]) -> Vec<Vec<f64>> {
    let n = head_to_heads.len();
    let mut odds = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            let head_to_head = &head_to_heads[i][j];
            let games = head_to_head.size() * f64::from(head_to_head.games_per_unit());
            let won = head_to_head.mean() * games;
            odds[i][j] = ((won + 0.5) / (games - won + 0.5)).ln();
            odds[j][i] = -odds[i][j];
        }
    }
    odds
}

/// The share of the results that no ranking explains, from 0 to 1: the norm of the cyclic part of the table of
/// log-odds, divided by the norm of the table (Balduzzi and others 2018).
pub fn cyclic_share(head_to_heads: &[Vec<Outcomes>]) -> f64 {
    let odds = log_odds(head_to_heads);
    let n = odds.len();
    let strength: Vec<f64> = odds.iter().map(|row| row.iter().sum::<f64>() / n as f64).collect();
    let (mut cyclic, mut all) = (0.0, 0.0);
    for i in 0..n {
        for j in 0..n {
            let rest = odds[i][j] - (strength[i] - strength[j]);
            cyclic += rest * rest;
            all += odds[i][j] * odds[i][j];
        }
    }
    if all == 0.0 { 0.0 } else { (cyclic / all).sqrt() }
}

/// Three players, each of which beats the next, and the last the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cycle {
    /// The players, starting with the smallest index; each beats the next one.
    pub players: [usize; 3],
    /// The smallest of the three likelihoods of superiority.
    pub los: f64,
}

/// All cycles of three players in which each likelihood of superiority is at least 0.975, the most certain first.
pub fn cycles(head_to_heads: &[Vec<Outcomes>]) -> Vec<Cycle> {
    let n = head_to_heads.len();
    let mut los = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            los[i][j] = likelihood_of_superiority(&head_to_heads[i][j]);
            los[j][i] = 1.0 - los[i][j];
        }
    }
    let mut found = Vec::new();
    for i in 0..n {
        for j in (i + 1..n).filter(|&j| los[i][j] >= SURE || los[j][i] >= SURE) {
            for k in j + 1..n {
                // Both directions.
                for players in [[i, j, k], [i, k, j]] {
                    let [a, b, c] = players;
                    let weakest = los[a][b].min(los[b][c]).min(los[c][a]);
                    if weakest >= SURE {
                        found.push(Cycle { players, los: weakest });
                    }
                }
            }
        }
    }
    found.sort_by(|one, other| other.los.total_cmp(&one.los));
    found
}

/// A warning for readers, if there are cycles: ratings order players, and no order fits a cycle.
pub fn cycle_warning(names: &[String], head_to_heads: &[Vec<Outcomes>]) -> Option<String> {
    let found = cycles(head_to_heads);
    let first = found.first()?;
    let [a, b, c] = first.players.map(|player| names[player].as_str());
    let more = match found.len() - 1 {
        0 => String::new(),
        1 => "; and one more cycle".to_owned(),
        n => format!("; and {n} more cycles"),
    };
    Some(format!(
        "{} beat each other in a cycle ({a} beats {b}, {b} beats {c}, {c} beats {a}; the least certain with \
         a likelihood of superiority of {}): no rating can order them; cyclic share of all results {:.2}{more}",
        list(&[a, b, c], 3),
        percent(first.los),
        cyclic_share(head_to_heads)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table<const N: usize>(of: impl Fn(usize, usize) -> Outcomes) -> Vec<Vec<Outcomes>> {
        (0..N).map(|i| (0..N).map(|j| of(i, j)).collect()).collect()
    }

    /// Player i beats the next one, and loses to the one before.
    fn cycle(wins: u64) -> Vec<Vec<Outcomes>> {
        table::<3>(|i, j| match (j + 3 - i) % 3 {
            1 => Outcomes::games(wins, 0, 0),
            2 => Outcomes::games(0, 0, wins),
            _ => Outcomes::games(0, 0, 0),
        })
    }

    #[test]
    fn rock_paper_scissors_is_entirely_cyclic() {
        assert!((cyclic_share(&cycle(10)) - 1.0).abs() < 1e-12);
        let found = cycles(&cycle(10));
        assert_eq!((found.len(), found[0].players), (1, [0, 1, 2]));
        let names = ["Rock", "Scissors", "Paper"].map(str::to_owned);
        let warning = cycle_warning(&names, &cycle(10)).unwrap();
        assert!(
            warning.starts_with("Rock, Scissors and Paper beat each other in a cycle (Rock beats"),
            "{warning}"
        );
        assert!(warning.ends_with("cyclic share of all results 1.00"), "{warning}");
        // The reverse direction is found as well; three games are not enough.
        let reversed: Vec<Vec<Outcomes>> = cycle(10)
            .iter()
            .map(|row| row.iter().map(|head_to_head| head_to_head.reversed()).collect())
            .collect();
        assert_eq!(cycles(&reversed)[0].players, [0, 2, 1]);
        assert_eq!((cycles(&cycle(3)), cycle_warning(&names, &cycle(3))), (Vec::new(), None));
    }

    #[test]
    fn additive_odds_are_not_cyclic() {
        // Log-odds of exactly 1 step and 2 steps: (a + 1/2) / (b + 1/2) = 3 and 9.
        let line = table::<3>(|i, j| match j as i64 - i as i64 {
            1 => Outcomes::games(1, 0, 0),
            2 => Outcomes::games(4, 0, 0),
            _ => Outcomes::games(0, 0, 0),
        });
        assert!(cyclic_share(&line) < 1e-12, "{}", cyclic_share(&line));
        assert_eq!(cycles(&line), Vec::new());
        assert_eq!(cyclic_share(&[]), 0.0);
    }

    #[test]
    fn pairs_count_as_two_games() {
        let games = Outcomes::games(6, 2, 2);
        let pairs = Outcomes::pairs([1, 0, 1, 0, 3]);
        let odds = |head_to_head: Outcomes| {
            log_odds(&[vec![head_to_head, head_to_head], vec![head_to_head, head_to_head]])[0][1]
        };
        assert!((odds(games) - odds(pairs)).abs() < 1e-12);
        assert_eq!(odds(Outcomes::games(0, 0, 0)), 0.0);
        assert!((odds(Outcomes::games(10, 0, 0)) - 21f64.ln()).abs() < 1e-12);
    }
}
