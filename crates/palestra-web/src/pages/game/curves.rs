//! Evaluations over the game as curves, from the first side's point of view.

use super::head::is_program;
use super::labels;
use super::replay::Replay;
use super::subject::ShownGame;
use crate::viewer::Language;
use palestra_arena::{AnyGame, GameEvidence, PlayerSpec};
use palestra_core::Side;
use std::fmt::Write;

/// Size of the picture and its padding.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 200.0;
const PAD: f64 = 10.0;
/// Larger values mean a decided game; they do not stretch the scale.
const DECIDED: f64 = 1e100;

/// The values of one player at every position.
pub(super) struct EvaluationCurve {
    pub(super) label: String,
    pub(super) class: &'static str,
    /// By ply.
    pub(super) values: Vec<Option<f64>>,
    /// The value at the edge of the picture.
    pub(super) scale: f64,
}

/// The players whose evaluations are drawn: those of both sides, and the game's own opponent where a side has none.
/// The number of each is the index of its side, or 2.
pub(super) fn players(game: &dyn AnyGame, subject: &ShownGame) -> Vec<(usize, PlayerSpec)> {
    let own = |side: usize| {
        let player = subject.player(side).filter(|player| !is_program(player))?;
        Some((side, game.player(player).ok()?))
    };
    let mut players: Vec<(usize, PlayerSpec)> = [0, 1].into_iter().filter_map(own).collect();
    if players.len() < 2 {
        players.push((2, game.opponent()));
    }
    players
}

/// The curves: for each side the values that it reported, else its evaluation; then the game's own opponent.
pub(super) fn curves(
    language: Language,
    replay: &Replay,
    evidence: &GameEvidence,
    players: &[(usize, PlayerSpec)],
) -> Vec<EvaluationCurve> {
    let mut curves: Vec<EvaluationCurve> = Vec::new();
    let mut add = |class: &'static str, label: String, values: Vec<Option<f64>>| {
        // The opponent may be one of the players: the curves would be equal.
        let is_known = class == "opponent" && curves.iter().any(|known| known.values == values);
        if values.iter().any(Option::is_some) && !is_known {
            let scale = scale(replay, &values);
            curves.push(EvaluationCurve { label, class, values, scale });
        }
    };
    for side in Side::BOTH {
        let (class, name) = (labels::side_code(side), labels::side(language, side));
        let reported = reported(replay, evidence, side);
        if reported.iter().any(Option::is_some) {
            add(class, format!("{name}: {}", language.pick("reported", "según informó")), reported);
        } else if let Some(i) = players.iter().position(|(of, _)| *of == side.index()) {
            let label = format!("{name}: {}", language.pick("its evaluation", "su evaluación"));
            add(class, label, replay.values[i].clone());
        }
    }
    if let Some(i) = players.iter().position(|(of, _)| *of == 2) {
        let label = language.pick("the game's own opponent", "el rival propio del juego");
        add("opponent", label.to_owned(), replay.values[i].clone());
    }
    curves
}

/// The values that a side reported for its moves, with the sign of the first side.
fn reported(replay: &Replay, evidence: &GameEvidence, side: Side) -> Vec<Option<f64>> {
    let mut values = vec![None; replay.positions.len()];
    for (turn, value) in evidence.values.iter().enumerate() {
        let i = replay.n_opening + turn;
        if i < replay.n_plies() && replay.side_of_move(i) == side {
            values[i + 1] = value.map(|value| if side == Side::First { value } else { -value });
        }
    }
    values
}

/// The largest absolute value at a position that is not over; 1 where there is none.
fn scale(replay: &Replay, values: &[Option<f64>]) -> f64 {
    let open = values.iter().zip(&replay.positions).filter(|(_, position)| position.ending.is_none());
    let sizes = open.filter_map(|(value, _)| value.map(f64::abs)).filter(|size| *size < DECIDED);
    match sizes.fold(0.0, f64::max) {
        0.0 => 1.0,
        scale => scale,
    }
}

/// The x coordinate of a ply.
pub(super) fn x(ply: usize, n_plies: usize) -> f64 {
    PAD + (WIDTH - 2.0 * PAD) * ply as f64 / n_plies.max(1) as f64
}

/// The curves as SVG without inline styles, with a mark at the current ply.
pub(super) fn picture(language: Language, curves: &[EvaluationCurve], replay: &Replay, ply: usize) -> String {
    let n_plies = replay.n_plies();
    let title = language.pick(
        "Evaluation over time, from the first side's point of view: above the line the first side is ahead. The table below has the numbers.",
        "Evaluación a lo largo de la partida, desde el punto de vista del primero: por encima de la línea va ganando el primero. La tabla de abajo tiene los números.",
    );
    let mut svg = format!(
        "<svg id=\"evaluation\" class=\"evaluation\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\" \
         data-left=\"{PAD}\" data-width=\"{}\">",
        WIDTH - 2.0 * PAD
    );
    if replay.n_opening > 0 {
        let width = x(replay.n_opening, n_plies) - PAD;
        let _ = write!(
            svg,
            "<rect class=\"opening\" x=\"{PAD}\" y=\"0\" width=\"{width:.1}\" height=\"{HEIGHT}\"/>"
        );
    }
    let middle = HEIGHT / 2.0;
    let _ = write!(
        svg,
        "<line class=\"zero\" x1=\"{PAD}\" y1=\"{middle}\" x2=\"{:.1}\" y2=\"{middle}\"/>",
        WIDTH - PAD
    );
    let now = x(ply, n_plies);
    let _ = write!(
        svg,
        "<line id=\"now\" class=\"now\" x1=\"{now:.1}\" y1=\"0\" x2=\"{now:.1}\" y2=\"{HEIGHT}\"/>"
    );
    for curve in curves {
        let mut points = String::new();
        for (ply, value) in curve.values.iter().enumerate() {
            if let Some(value) = value {
                let y = middle - (middle - PAD) * (value / curve.scale).clamp(-1.0, 1.0);
                let _ = write!(points, "{:.1},{y:.1} ", x(ply, n_plies));
            }
        }
        let _ = write!(svg, "<polyline class=\"curve {}\" points=\"{}\"/>", curve.class, points.trim_end());
    }
    svg.push_str("</svg>");
    svg
}
