//! Alpha-rank (Omidshafiei and others 2019): the share of time that an evolving population consists of each player,
//! while better players replace worse ones.

/// Strength of selection.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SelectionIntensity {
    /// The limit of infinite strength: a better player always takes over, a worse one almost never, an equal one with
    /// probability ½.
    Limit,
    /// A finite strength of selection α, in a population of finite size.
    Finite {
        /// The strength of selection, per unit of log-odds.
        alpha: f64,
        /// The number of individuals.
        population: u32,
    },
}

/// In the limit, a worse player takes over with this probability; it makes the Markov chain connected.
const ALMOST_NEVER: f64 = 1e-9;

/// Minimum probability of taking over, so that products of probabilities do not underflow.
const MIN_FIXATION: f64 = 1e-90;

/// The share of time of each player of an antisymmetric table of log-odds.
///
/// Players with equal log-odds against all others count as one and divide its time, so that copies do not change the
/// shares of the others.
pub fn alpha_rank(odds: &[Vec<f64>], selection: SelectionIntensity) -> Vec<f64> {
    let n = odds.len();
    let largest = odds.iter().flatten().fold(0.0f64, |max, value| max.max(value.abs()));
    let equal = 1e-9 * largest;
    let is_copy = |i: usize, j: usize| (0..n).all(|k| (odds[i][k] - odds[j][k]).abs() <= equal);
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for i in 0..n {
        match kinds.iter_mut().find(|kind| is_copy(kind[0], i)) {
            Some(kind) => kind.push(i),
            None => kinds.push(vec![i]),
        }
    }
    let takes_over = |from: usize, to: usize| {
        let lead = odds[kinds[to][0]][kinds[from][0]];
        match selection {
            SelectionIntensity::Limit if lead > equal => 1.0 - ALMOST_NEVER,
            SelectionIntensity::Limit if lead < -equal => ALMOST_NEVER,
            SelectionIntensity::Limit => 0.5,
            SelectionIntensity::Finite { alpha, population } => {
                fixation(2.0 * alpha * lead, f64::from(population.max(2)))
            }
        }
    };
    let m = kinds.len();
    let chances: Vec<Vec<f64>> = (0..m)
        .map(|from| (0..m).map(|to| if from == to { 0.0 } else { takes_over(from, to) }).collect())
        .collect();
    let mut shares = vec![0.0; n];
    for (kind, time) in kinds.iter().zip(stationary(chances)) {
        kind.iter().for_each(|&player| shares[player] = time / kind.len() as f64);
    }
    shares
}

/// The probability that one mutant with lead x takes over a population of m: (1 − e^−x)/(1 − e^−mx).
fn fixation(lead: f64, population: f64) -> f64 {
    let chance = if lead.abs() < 1e-12 {
        1.0 / population
    } else if lead > 0.0 {
        (-lead).exp_m1() / (-population * lead).exp_m1()
    } else {
        ((population - 1.0) * lead).exp() * lead.exp_m1() / (population * lead).exp_m1()
    };
    if chance.is_finite() { chance.max(MIN_FIXATION) } else { MIN_FIXATION }
}

/// The stationary distribution of a chain with these chances to move, by the elimination of Grassmann, Taksar and
/// Heyman, which subtracts nothing and so keeps the smallest shares right.
fn stationary(mut chances: Vec<Vec<f64>>) -> Vec<f64> {
    let n = chances.len();
    for k in (1..n).rev() {
        let leaving: f64 = chances[k][..k].iter().sum();
        for i in 0..k {
            chances[i][k] /= leaving;
            for j in 0..k {
                if i != j {
                    chances[i][j] += chances[i][k] * chances[k][j];
                }
            }
        }
    }
    let mut shares = vec![1.0; n.min(1)];
    for k in 1..n {
        let share = (0..k).map(|i| shares[i] * chances[i][k]).sum();
        shares.push(share);
        // A share may be larger than the first by any factor: normalize to avoid overflow.
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(odds: &[Vec<f64>], selection: SelectionIntensity, expected: &[f64]) {
        let shares = alpha_rank(odds, selection);
        for (share, expected) in shares.iter().zip(expected) {
            assert!((share - expected).abs() < 1e-6, "{shares:?}");
        }
        assert_eq!(shares.len(), expected.len());
    }

    fn strong() -> SelectionIntensity {
        SelectionIntensity::Finite { alpha: 10.0, population: 50 }
    }

    #[test]
    fn known_games() {
        let rock = vec![vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]];
        let line = vec![vec![0.0, 1.0, 2.0], vec![-1.0, 0.0, 1.0], vec![-2.0, -1.0, 0.0]];
        for selection in
            [SelectionIntensity::Limit, strong(), SelectionIntensity::Finite { alpha: 1e6, population: 1000 }]
        {
            check(&rock, selection, &[1.0 / 3.0; 3]);
            check(&line, selection, &[1.0, 0.0, 0.0]);
            check(&[], selection, &[]);
            check(&[vec![0.0]], selection, &[1.0]);
            check(&[vec![0.0, 0.0], vec![0.0, 0.0]], selection, &[0.5, 0.5]);
        }
        // Without selection all players have the same share.
        check(&line, SelectionIntensity::Finite { alpha: 0.0, population: 50 }, &[1.0 / 3.0; 3]);
    }

    /// Two players at weak selection, by hand: shares in proportion to the probabilities of taking over.
    #[test]
    fn two_players_by_hand() {
        let (lead, population) = (0.2f64, 10.0);
        let up = (1.0 - (-lead).exp()) / (1.0 - (-population * lead).exp());
        let down = (1.0 - lead.exp()) / (1.0 - (population * lead).exp());
        let selection = SelectionIntensity::Finite { alpha: 0.1, population: 10 };
        check(&[vec![0.0, 1.0], vec![-1.0, 0.0]], selection, &[up / (up + down), down / (up + down)]);
    }

    #[test]
    fn copies_change_nothing() {
        // Rock twice, and a loser twice.
        let odds = |i: usize, j: usize| match (i, j) {
            (3, 3) => 0.0,
            (_, 3) => 1.0,
            (3, _) => -1.0,
            (i, j) => [0.0, -1.0, 1.0][(j + 3 - i) % 3],
        };
        let kinds = [0, 0, 1, 2, 3, 3];
        let table: Vec<Vec<f64>> =
            kinds.iter().map(|&i| kinds.iter().map(|&j| odds(i, j)).collect()).collect();
        for selection in [SelectionIntensity::Limit, strong()] {
            check(&table, selection, &[1.0 / 6.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn shares_are_finite() {
        use rand::RngExt as _;
        for case in 0..200 {
            let mut rng = palestra_core::Seed(9).child(case).rng();
            let n = rng.random_range(1..30usize);
            let mut odds = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in i + 1..n {
                    odds[i][j] = 20.0 * rng.random::<f64>() - 10.0;
                    odds[j][i] = -odds[i][j];
                }
            }
            for selection in [
                SelectionIntensity::Limit,
                strong(),
                SelectionIntensity::Finite { alpha: 1e9, population: 1_000_000 },
            ] {
                let shares = alpha_rank(&odds, selection);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{odds:?} {shares:?}");
                assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
            }
        }
    }
}
