//! Analysis of results that no ranking explains: cycles, Nash averaging and alpha-rank.

use palestra_stats::{SelectionIntensity, alpha_rank, cycles, cyclic_share, log_odds, nash_average};
use palestra_tournament::Standings;

/// Most players of the analysis; for more it takes longer than the event.
const MAX_PLAYERS: usize = 64;

/// What the crosstable shows beyond a ranking.
#[derive(Clone, Debug)]
pub struct CycleAnalysis {
    /// The ranked players, the best first.
    pub players: Vec<usize>,
    /// Cycles of three: each player beats the next, and the last the first, significantly.
    pub cycles: Vec<[usize; 3]>,
    /// Analysis that needs games of every pair; `None` where some are missing.
    pub full_crosstable: Option<FullCrosstableAnalysis>,
}

/// Analysis of a crosstable without gaps; shares are in the order of the players.
#[derive(Clone, Debug)]
pub struct FullCrosstableAnalysis {
    /// Share of the results that no ranking explains, from 0 to 1.
    pub cyclic_share: f64,
    /// Shares of the Nash equilibrium mixture, which no player beats.
    pub nash: Vec<f64>,
    /// Shares of time in a long evolution.
    pub alpha_rank: Vec<f64>,
}

impl CycleAnalysis {
    /// Analyzes the ranked players; `None` for fewer than three or more than 64.
    #[must_use]
    pub fn of(standings: &Standings) -> Option<CycleAnalysis> {
        let players = standings.ranked();
        if !(3..=MAX_PLAYERS).contains(&players.len()) {
            return None;
        }
        let outcomes = standings.outcome_matrix(&players);
        let met = |i: usize, j: usize| i == j || standings.head_to_head(players[i], players[j]).is_some();
        let is_full = (0..players.len()).all(|i| (0..players.len()).all(|j| met(i, j)));
        let full_crosstable = is_full.then(|| {
            let odds = log_odds(&outcomes);
            FullCrosstableAnalysis {
                cyclic_share: cyclic_share(&outcomes),
                nash: nash_average(&odds).mixture,
                alpha_rank: alpha_rank(&odds, SelectionIntensity::Limit),
            }
        });
        let cycles = cycles(&outcomes).into_iter().map(|cycle| cycle.players.map(|i| players[i])).collect();
        Some(CycleAnalysis { cycles, full_crosstable, players })
    }
}
