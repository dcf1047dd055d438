//! Whether a line is the right picture: circles, Nash averaging and alpha-rank.

use palestra_stats::{SelectionIntensity, alpha_rank, cycles, cyclic_share, log_odds, nash_average};
use palestra_tournament::Standings;

/// Past so many players the programs behind it take longer than the event.
const MOST_PLAYERS: usize = 64;

/// What the table of all against all says beyond a ranking.
pub(super) struct CycleAnalysis {
    /// Whom it is about, the best first.
    pub(super) players: Vec<usize>,
    /// Each beats the next, and the last the first, surely.
    pub(super) cycles: Vec<[usize; 3]>,
    /// What needs games of everybody with everybody.
    pub(super) full_crosstable: Option<FullCrosstableAnalysis>,
}

/// What only a table without gaps can say; in the order of the players.
pub(super) struct FullCrosstableAnalysis {
    /// The share of the results that no ranking explains.
    pub(super) cyclic_share: f64,
    /// Shares of the mixture that nobody beats.
    pub(super) nash: Vec<f64>,
    /// Shares of time in long evolution.
    pub(super) alpha_rank: Vec<f64>,
}

impl CycleAnalysis {
    /// Looks at everybody who is ranked; `None` for fewer than three of them, and for too many.
    pub(super) fn of(standings: &Standings) -> Option<CycleAnalysis> {
        let players = standings.ranked();
        if !(3..=MOST_PLAYERS).contains(&players.len()) {
            return None;
        }
        let duels = standings.outcome_matrix(&players);
        let met = |i: usize, j: usize| i == j || standings.head_to_head(players[i], players[j]).is_some();
        let is_whole = (0..players.len()).all(|i| (0..players.len()).all(|j| met(i, j)));
        let whole = is_whole.then(|| {
            let odds = log_odds(&duels);
            FullCrosstableAnalysis {
                cyclic_share: cyclic_share(&duels),
                nash: nash_average(&odds).mixture,
                alpha_rank: alpha_rank(&odds, SelectionIntensity::Limit),
            }
        });
        let cycles = cycles(&duels).into_iter().map(|cycle| cycle.players.map(|i| players[i])).collect();
        Some(CycleAnalysis { cycles, full_crosstable: whole, players })
    }
}
