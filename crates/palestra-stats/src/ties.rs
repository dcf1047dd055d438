//! Tie-breaks for players with equal points.

/// One game with the points of both players, on any scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoredGame {
    /// The two players.
    pub players: [usize; 2],
    /// Points of each player.
    pub points: [f64; 2],
}

/// A player's points and tie-breaks.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TieBreakScores {
    /// Sum of the points of all games.
    pub points: f64,
    /// Buchholz: sum of the opponents' points, once for each game.
    pub buchholz: f64,
    /// Buchholz without the opponent with the fewest points.
    pub buchholz_cut: f64,
    /// Sonneborn–Berger: sum of the points of beaten opponents and half the points of drawn ones, once for each game.
    pub sonneborn_berger: f64,
}

/// Points and tie-breaks of players 0 to `n_players` − 1. The player with more points than the other won the game.
pub fn tie_break_scores(n_players: usize, games: &[ScoredGame]) -> Vec<TieBreakScores> {
    let mut scores = vec![TieBreakScores::default(); n_players];
    for game in games {
        for (player, points) in game.players.into_iter().zip(game.points) {
            scores[player].points += points;
        }
    }
    let points: Vec<f64> = scores.iter().map(|ties| ties.points).collect();
    let mut opponents: Vec<Vec<usize>> = vec![Vec::new(); n_players];
    for game in games {
        let [a, b] = game.players;
        let score = score(game);
        for (player, opponent, score) in [(a, b, score), (b, a, 1.0 - score)] {
            scores[player].buchholz += points[opponent];
            scores[player].sonneborn_berger += score * points[opponent];
            opponents[player].push(opponent);
        }
    }
    for (ties, opponents) in scores.iter_mut().zip(&opponents) {
        let weakest =
            opponents.iter().copied().min_by(|&i, &j| points[i].total_cmp(&points[j]).then(i.cmp(&j)));
        let counted = opponents.iter().filter(|&&opponent| Some(opponent) != weakest);
        ties.buchholz_cut = counted.map(|&opponent| points[opponent]).sum();
    }
    scores
}

/// Points of each of the players `among` in the games between them, in the order given.
pub fn direct_encounter(among: &[usize], games: &[ScoredGame]) -> Vec<f64> {
    let mut points = vec![0.0; among.len()];
    for game in games {
        let indices = game.players.map(|player| among.iter().position(|&member| member == player));
        if let [Some(first), Some(second)] = indices {
            points[first] += game.points[0];
            points[second] += game.points[1];
        }
    }
    points
}

/// Score of the first player: 1 for a win, ½ for a draw, 0 for a loss.
fn score(game: &ScoredGame) -> f64 {
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
        let scores = tie_break_scores(4, &round());
        let column = |of: fn(&TieBreakScores) -> f64| scores.iter().map(of).collect::<Vec<f64>>();
        assert_eq!(column(|ties| ties.points), [1.5, 2.0, 1.5, 1.0]);
        assert_eq!(column(|ties| ties.sonneborn_berger), [2.5, 2.5, 2.0, 1.5]);
        // All played all: the sum of all points minus the player's own.
        assert_eq!(column(|ties| ties.buchholz), [4.5, 4.0, 4.5, 5.0]);
        assert_eq!(column(|ties| ties.buchholz_cut), [3.5, 3.0, 3.5, 3.5]);
        assert_eq!(direct_encounter(&[0, 2], &round()), [0.0, 1.0]);
        assert_eq!(direct_encounter(&[2, 0, 1], &round()), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn two_games_with_the_same_opponent_count_twice() {
        let scores = tie_break_scores(3, &[game(0, 1, 1.0), game(1, 0, 0.5), game(0, 2, 0.0)]);
        assert_eq!(scores[0].points, 1.5);
        assert_eq!(scores[0].buchholz, 0.5 + 0.5 + 1.0);
        assert_eq!(scores[0].buchholz_cut, 1.0, "all games with the weakest opponent are left out");
        assert_eq!(scores[0].sonneborn_berger, 0.5 + 0.25);
    }

    #[test]
    fn points_on_another_scale() {
        // Margins: the loser gets the negative of the winner's points.
        let margin = |a, b, points| ScoredGame { players: [a, b], points: [points, -points] };
        let scores = tie_break_scores(3, &[margin(0, 1, 2.5), margin(1, 2, 1.0), margin(2, 0, 0.0)]);
        assert_eq!(scores.iter().map(|ties| ties.points).collect::<Vec<f64>>(), [2.5, -1.5, -1.0]);
        assert_eq!(scores[0].sonneborn_berger, -1.5 - 0.5);
        assert_eq!(tie_break_scores(2, &[])[1], TieBreakScores::default());
    }
}
