//! Tie-breaks: what to go by when points are equal.

/// One game with its points, whatever a win is worth there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoredGame {
    /// The two players.
    pub players: [usize; 2],
    /// What each of them got.
    pub points: [f64; 2],
}

/// A player's points and tie-breaks.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TieBreakScores {
    /// Points of all games.
    pub points: f64,
    /// Buchholz: the points of all opponents, one for each game.
    pub buchholz: f64,
    /// Buchholz without the weakest opponent.
    pub buchholz_cut: f64,
    /// Sonneborn–Berger: the points of opponents beaten, and half those of opponents drawn with, one for each game.
    pub sonneborn_berger: f64,
}

/// Points and tie-breaks of players 0 to `n_players` − 1. Who got more points than the other won the game.
pub fn tie_break_scores(n_players: usize, games: &[ScoredGame]) -> Vec<TieBreakScores> {
    let mut found = vec![TieBreakScores::default(); n_players];
    for game in games {
        for (player, points) in game.players.into_iter().zip(game.points) {
            found[player].points += points;
        }
    }
    let points: Vec<f64> = found.iter().map(|ties| ties.points).collect();
    let mut opponents: Vec<Vec<usize>> = vec![Vec::new(); n_players];
    for game in games {
        let [a, b] = game.players;
        let won = share(game);
        for (player, rival, won) in [(a, b, won), (b, a, 1.0 - won)] {
            found[player].buchholz += points[rival];
            found[player].sonneborn_berger += won * points[rival];
            opponents[player].push(rival);
        }
    }
    for (ties, opponents) in found.iter_mut().zip(&opponents) {
        let weakest =
            opponents.iter().copied().min_by(|&i, &j| points[i].total_cmp(&points[j]).then(i.cmp(&j)));
        let left = opponents.iter().filter(|&&rival| Some(rival) != weakest);
        ties.buchholz_cut = left.map(|&rival| points[rival]).sum();
    }
    found
}

/// The points that each of these players took from the others of them, in the order given.
pub fn direct_encounter(among: &[usize], games: &[ScoredGame]) -> Vec<f64> {
    let mut found = vec![0.0; among.len()];
    for game in games {
        let places = game.players.map(|player| among.iter().position(|&member| member == player));
        if let [Some(one), Some(other)] = places {
            found[one] += game.points[0];
            found[other] += game.points[1];
        }
    }
    found
}

/// 1 if the first named won, ½ for a draw, 0 for a loss.
fn share(game: &ScoredGame) -> f64 {
    let [a, b] = game.points;
    if a > b {
        1.0
    } else if a < b {
        0.0
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(a: usize, b: usize, points: f64) -> ScoredGame {
        ScoredGame { players: [a, b], points: [points, 1.0 - points] }
    }

    /// A beats B, B beats C, C beats A, A draws with D, B beats D, C draws with D.
    fn round() -> [ScoredGame; 6] {
        [game(0, 1, 1.0), game(1, 2, 1.0), game(2, 0, 1.0), game(0, 3, 0.5), game(1, 3, 1.0), game(2, 3, 0.5)]
    }

    #[test]
    fn a_small_round_robin() {
        let found = tie_break_scores(4, &round());
        let column = |of: fn(&TieBreakScores) -> f64| found.iter().map(of).collect::<Vec<f64>>();
        assert_eq!(column(|ties| ties.points), [1.5, 2.0, 1.5, 1.0]);
        assert_eq!(column(|ties| ties.sonneborn_berger), [2.5, 2.5, 2.0, 1.5]);
        // Everybody met everybody: all points but one's own.
        assert_eq!(column(|ties| ties.buchholz), [4.5, 4.0, 4.5, 5.0]);
        assert_eq!(column(|ties| ties.buchholz_cut), [3.5, 3.0, 3.5, 3.5]);
        assert_eq!(direct_encounter(&[0, 2], &round()), [0.0, 1.0]);
        assert_eq!(direct_encounter(&[2, 0, 1], &round()), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn two_games_with_the_same_opponent_count_twice() {
        let found = tie_break_scores(3, &[game(0, 1, 1.0), game(1, 0, 0.5), game(0, 2, 0.0)]);
        assert_eq!(found[0].points, 1.5);
        assert_eq!(found[0].buchholz, 0.5 + 0.5 + 1.0);
        assert_eq!(found[0].buchholz_cut, 1.0, "the weakest opponent goes with all its games");
        assert_eq!(found[0].sonneborn_berger, 0.5 + 0.25);
    }

    #[test]
    fn points_may_be_anything() {
        // Margins: the winner takes the root of the difference, the loser gives it.
        let margin = |a, b, points| ScoredGame { players: [a, b], points: [points, -points] };
        let found = tie_break_scores(3, &[margin(0, 1, 2.5), margin(1, 2, 1.0), margin(2, 0, 0.0)]);
        assert_eq!(found.iter().map(|ties| ties.points).collect::<Vec<f64>>(), [2.5, -1.5, -1.0]);
        assert_eq!(found[0].sonneborn_berger, -1.5 - 0.5);
        assert_eq!(tie_break_scores(2, &[])[1], TieBreakScores::default());
    }
}
