//! Likelihood of superiority for every pair of many players.

use crate::{LosConvention, Outcomes, Ratings};

/// The likelihood that the player of the row is better than the player of the column, from their ratings; `None` on the
/// diagonal and where no games connect the two. Rows and columns are the players `among`.
pub fn superiority_by_ratings(ratings: &Ratings, among: &[usize]) -> Vec<Vec<Option<f64>>> {
    let los = |i: usize, j: usize| ratings.difference(i, j).map(|difference| difference.los);
    let mut table = vec![vec![None; among.len()]; among.len()];
    for (row, &i) in among.iter().enumerate() {
        for (column, &j) in among.iter().enumerate().skip(row + 1) {
            table[row][column] = los(i, j);
            table[column][row] = table[row][column].map(|los| 1.0 - los);
        }
    }
    table
}

/// The same from the head-to-head games of the two players alone; `None` where there are none. Only entries of `duels`
/// above the diagonal are used.
pub fn superiority_by_head_to_head(
    head_to_heads: &[Vec<Outcomes>],
    convention: LosConvention,
) -> Vec<Vec<Option<f64>>> {
    let n = head_to_heads.len();
    let mut table = vec![vec![None; n]; n];
    for i in 0..n {
        for j in (i + 1..n).filter(|&j| head_to_heads[i][j].total() > 0) {
            let los = convention.of(&head_to_heads[i][j]);
            table[i][j] = Some(los);
            table[j][i] = Some(1.0 - los);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RatingOptions, ResultRow, rate};

    #[test]
    fn ratings_use_games_with_others() {
        let row = |first, second, wins, losses| ResultRow { first, second, wins, draws: 0.0, losses };
        let names = ["A", "B", "C", "D"].map(str::to_owned);
        // A and C never met, but both met B; D has no games.
        let rows = [row(0, 1, 30.0, 10.0), row(1, 2, 30.0, 10.0)];
        let ratings = rate(&names, &rows, &RatingOptions::default()).unwrap();
        let table = superiority_by_ratings(&ratings, &[2, 0, 3]);
        assert!(table[1][0].unwrap() > 0.999 && table[0][1].unwrap() < 0.001);
        assert_eq!((table[0][0], table[0][2], table[2][1]), (None, None, None));
        // The root of two binomials' variances, by hand: z = 2 ln 3 / √(2/7.5).
        assert!((table[1][0].unwrap() - 0.9999895).abs() < 1e-6, "{:?}", table[1][0]);
    }

    #[test]
    fn head_to_head_games_alone() {
        let none = Outcomes::games(0, 0, 0);
        let head_to_heads = vec![vec![none, Outcomes::games(10, 0, 0), none], vec![none; 3], vec![none; 3]];
        let table = superiority_by_head_to_head(&head_to_heads, LosConvention::Decisive);
        assert!((table[0][1].unwrap() - 0.999217).abs() < 5e-7);
        assert!((table[1][0].unwrap() - 0.000783).abs() < 5e-7);
        assert_eq!((table[0][2], table[1][2], table[1][1]), (None, None, None));
    }
}
