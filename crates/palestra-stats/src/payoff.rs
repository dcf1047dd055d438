//! What players do to each other, as a table of log-odds, and how much of it is rock, paper, scissors.

use crate::formatting::{SURE, list, percent};
use crate::{Outcomes, likelihood_of_superiority};

/// The natural log-odds of every player against every other: antisymmetric, with zeros on the diagonal and for players
/// who never met. Only entries of `duels` above the diagonal are looked at: `duels[i][j]` is what i did to j.
///
/// Half a game goes to each side, so that a clean sweep stays finite.
pub fn log_odds(duels: &[Vec<Outcomes>]) -> Vec<Vec<f64>> {
    let n = duels.len();
    let mut odds = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            let duel = &duels[i][j];
            let games = duel.size() * f64::from(duel.games_per_unit());
            let won = duel.mean() * games;
            odds[i][j] = ((won + 0.5) / (games - won + 0.5)).ln();
            odds[j][i] = -odds[i][j];
        }
    }
    odds
}

/// The share of the results that no ranking explains: the norm of the cyclic part of the table of log-odds by the norm
/// of all of it (Balduzzi and others 2018); 0 where everything is a matter of strength.
pub fn cyclic_share(duels: &[Vec<Outcomes>]) -> f64 {
    let odds = log_odds(duels);
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

/// Three players of whom each beats the next and the last beats the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cycle {
    /// The players, from the lowest number on: each beats the next one.
    pub players: [usize; 3],
    /// The smallest of the three likelihoods of superiority.
    pub los: f64,
}

/// All cycles of three in which each likelihood of superiority is at least 0.975, the surest first.
pub fn cycles(duels: &[Vec<Outcomes>]) -> Vec<Cycle> {
    let n = duels.len();
    let mut sure = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            sure[i][j] = likelihood_of_superiority(&duels[i][j]);
            sure[j][i] = 1.0 - sure[i][j];
        }
    }
    let mut found = Vec::new();
    for i in 0..n {
        for j in (i + 1..n).filter(|&j| sure[i][j] >= SURE || sure[j][i] >= SURE) {
            for k in j + 1..n {
                // Both ways around.
                for players in [[i, j, k], [i, k, j]] {
                    let [a, b, c] = players;
                    let los = sure[a][b].min(sure[b][c]).min(sure[c][a]);
                    if los >= SURE {
                        found.push(Cycle { players, los });
                    }
                }
            }
        }
    }
    found.sort_by(|one, other| other.los.total_cmp(&one.los));
    found
}

/// A warning in words, where there is something to warn of: ratings put players in a line, and these are not in one.
pub fn cycle_warning(names: &[String], duels: &[Vec<Outcomes>]) -> Option<String> {
    let found = cycles(duels);
    let first = found.first()?;
    let [a, b, c] = first.players.map(|player| names[player].as_str());
    let more = match found.len() - 1 {
        0 => String::new(),
        1 => "; and one more cycle".to_owned(),
        n => format!("; and {n} more cycles"),
    };
    Some(format!(
        "{} beat each other in a circle ({a} beats {b}, {b} beats {c}, {c} beats {a}; the least sure with a \
         likelihood of superiority of {}): no rating can order them; cyclic share of all results {:.2}{more}",
        list(&[a, b, c], 3),
        percent(first.los),
        cyclic_share(duels)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table<const N: usize>(of: impl Fn(usize, usize) -> Outcomes) -> Vec<Vec<Outcomes>> {
        (0..N).map(|i| (0..N).map(|j| of(i, j)).collect()).collect()
    }

    /// i beats the next one, and loses to the one before.
    fn circle(wins: u64) -> Vec<Vec<Outcomes>> {
        table::<3>(|i, j| match (j + 3 - i) % 3 {
            1 => Outcomes::games(wins, 0, 0),
            2 => Outcomes::games(0, 0, wins),
            _ => Outcomes::games(0, 0, 0),
        })
    }

    #[test]
    fn rock_paper_scissors_is_all_cycle() {
        assert!((cyclic_share(&circle(10)) - 1.0).abs() < 1e-12);
        let found = cycles(&circle(10));
        assert_eq!((found.len(), found[0].players), (1, [0, 1, 2]));
        let names = ["Rock", "Scissors", "Paper"].map(str::to_owned);
        let said = cycle_warning(&names, &circle(10)).unwrap();
        assert!(
            said.starts_with("Rock, Scissors and Paper beat each other in a circle (Rock beats"),
            "{said}"
        );
        assert!(said.ends_with("cyclic share of all results 1.00"), "{said}");
        // The other way around it is found as well, and three games are not enough to be sure.
        let turned: Vec<Vec<Outcomes>> =
            circle(10).iter().map(|row| row.iter().map(|duel| duel.reversed()).collect()).collect();
        assert_eq!(cycles(&turned)[0].players, [0, 2, 1]);
        assert_eq!((cycles(&circle(3)), cycle_warning(&names, &circle(3))), (Vec::new(), None));
    }

    #[test]
    fn odds_that_add_up_are_no_cycle() {
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
        let odds = |duel: Outcomes| log_odds(&[vec![duel, duel], vec![duel, duel]])[0][1];
        assert!((odds(games) - odds(pairs)).abs() < 1e-12);
        assert_eq!(odds(Outcomes::games(0, 0, 0)), 0.0);
        assert!((odds(Outcomes::games(10, 0, 0)) - 21f64.ln()).abs() < 1e-12);
    }
}
