//! The result of a grid search: the best score, the players that reach it, and the best score with each value.

use crate::viewer::Language;
use palestra_core::print_weights;
use palestra_review::tuning::RunReport;
use palestra_review::{grouped, number};

/// Limit on the players that are listed.
const MAX_PLAYERS: usize = 20;

/// The result of a grid search.
pub(super) struct GridCard {
    pub(super) sentence: String,
    /// Weights of players with the highest score, and the number of further ones.
    pub(super) players: Vec<String>,
    pub(super) n_more: u64,
    /// Weight, value, and the best score of all players with it; `None` where none was rated.
    pub(super) rows: Vec<(String, String, Option<String>)>,
}

impl GridCard {
    /// `None` for a run of another method.
    pub(super) fn of(report: &RunReport, language: Language) -> Option<GridCard> {
        let grid = report.outcome.as_ref()?.grid.as_ref()?;
        let [maximum, minimum] = [grid.maximum, grid.minimum].map(number);
        let n = grouped(grid.count_at_maximum);
        let mut rows = Vec::new();
        for (i, (values, best)) in grid.values.iter().zip(&grid.best_by_value).enumerate() {
            let name = report.run.weights.get(i).cloned().unwrap_or_default();
            let score = |best: f64| best.is_finite().then(|| number(best));
            rows.extend(
                values.iter().zip(best).map(|(value, &best)| (name.clone(), number(*value), score(best))),
            );
        }
        let players: Vec<String> =
            grid.at_maximum.iter().take(MAX_PLAYERS).map(|weights| print_weights(weights)).collect();
        let mut sentence = language.pick(
            format!("The maximum is {maximum}, reached by {n} weight vectors; the minimum is {minimum}."),
            format!("El máximo es {maximum}, alcanzado por {n} vectores de pesos; el mínimo es {minimum}."),
        );
        if let Some(players) = grid.players_at_maximum.map(grouped) {
            sentence += &language.pick(
                format!(" Weights that differ only by a scale are one player: {players} different players reach it."),
                format!(
                    " Los pesos que solo difieren en la escala son un mismo jugador: lo alcanzan {players} jugadores \
                     distintos."
                ),
            );
        }
        Some(GridCard {
            sentence,
            n_more: grid.count_at_maximum.saturating_sub(players.len() as u64),
            players,
            rows,
        })
    }
}
