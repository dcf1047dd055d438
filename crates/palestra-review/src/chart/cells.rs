//! Heat maps: rows of cells, each colored by its score, with the score as text.

use super::primitives::{BLACK, ColorRamp, WHITE, rect, shade, sheet, text};
use super::{Drawing, cut, short};
use kuva::render::color::Color;
use kuva::render::render::TextAnchor;

/// Rows of cells with one color scale. Rows may have different lengths.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// Title of the chart.
    pub title: String,
    /// Meaning of the scores.
    pub legend: String,
    /// The rows, from top to bottom.
    pub rows: Vec<HeatMapRow>,
}

/// One row of a heat map.
#[derive(Clone, Debug)]
pub struct HeatMapRow {
    /// Its name.
    pub label: String,
    /// Its cells, from left to right.
    pub cells: Vec<HeatMapCell>,
}

/// One cell of a heat map.
#[derive(Clone, Debug)]
pub struct HeatMapCell {
    /// Its name.
    pub label: String,
    /// Its score; one that is not finite is unknown.
    pub score: f64,
}

// Sizes in points.
const MIN_CELL_WIDTH: f64 = 46.0;
const MAX_CELL_WIDTH: f64 = 84.0;
const ROW_HEIGHT: f64 = 46.0;
const TOP: f64 = 48.0;
const CHAR_WIDTH: f64 = 7.5;
const MARGIN: f64 = 16.0;
const MIN_WIDTH: f64 = 720.0;

/// Maximum length of a row's name, in characters.
const LABEL_WIDTH: usize = 28;

impl HeatMap {
    /// Width and height in points.
    pub(super) fn size(&self) -> [f64; 2] {
        let (left, width) = self.columns();
        let n_columns = self.n_columns() as f64;
        [(left + width * n_columns + MARGIN).max(MIN_WIDTH), self.bottom() + 56.0]
    }

    fn n_columns(&self) -> usize {
        self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0).max(1)
    }

    /// The left end of the cells, and the width of one.
    fn columns(&self) -> (f64, f64) {
        let label_chars =
            self.rows.iter().map(|row| cut(&row.label, LABEL_WIDTH).chars().count()).max().unwrap_or(0);
        let left = MARGIN + CHAR_WIDTH * label_chars as f64 + 10.0;
        let width = (MIN_WIDTH - left - MARGIN) / self.n_columns() as f64;
        (left, width.clamp(MIN_CELL_WIDTH, MAX_CELL_WIDTH))
    }

    /// The lower end of the cells.
    fn bottom(&self) -> f64 {
        TOP + ROW_HEIGHT * self.rows.len() as f64
    }

    /// Draws the heat map.
    pub fn draw(&self) -> Drawing {
        let ((left, width), bottom) = (self.columns(), self.bottom());
        let mut scene = sheet(self.size());
        let ramp = self.ramp();
        let title_at = (scene.width / 2.0, 28.0);
        text(&mut scene, title_at, self.title.clone(), (16, TextAnchor::Middle), BLACK);
        for (i, row) in self.rows.iter().enumerate() {
            let y = TOP + ROW_HEIGHT * i as f64;
            let label = cut(&row.label, LABEL_WIDTH);
            text(&mut scene, (left - 8.0, y + 27.0), label, (13, TextAnchor::End), BLACK);
            for (j, cell) in row.cells.iter().enumerate() {
                let (x, middle) = (left + width * j as f64, left + width * (j as f64 + 0.5));
                let (fill, ink) = color(&ramp, cell.score);
                rect(&mut scene, (x, y), (width - 1.5, ROW_HEIGHT - 1.5), fill);
                text(
                    &mut scene,
                    (middle, y + 15.0),
                    cell.label.clone(),
                    (10, TextAnchor::Middle),
                    ink.clone(),
                );
                let score = if cell.score.is_finite() { short(cell.score) } else { "–".to_owned() };
                text(&mut scene, (middle, y + 34.0), score, (15, TextAnchor::Middle), ink);
            }
        }
        ramp.draw(&mut scene, (left, bottom + 18.0), &self.legend);
        Drawing { scene, title: self.title.clone() }
    }

    /// The color scale of all scores.
    fn ramp(&self) -> ColorRamp {
        ColorRamp::over(self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.score))
    }
}

/// The color of a score, and a text color with enough contrast.
fn color(ramp: &ColorRamp, score: f64) -> (Color, Color) {
    if !score.is_finite() {
        return (Color::Rgb(221, 221, 221), BLACK);
    }
    let share = ramp.share(score);
    (shade(share), if share >= 0.45 { BLACK } else { WHITE })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Chart;
    use crate::chart::tests::check_chart;

    fn cells(rows: &[&[f64]]) -> HeatMap {
        let cell = |score: &f64| HeatMapCell { label: "<v>".into(), score: *score };
        let row =
            |scores: &&[f64]| HeatMapRow { label: "R&D".into(), cells: scores.iter().map(cell).collect() };
        HeatMap { title: "a < b & c".into(), legend: "best".into(), rows: rows.iter().map(row).collect() }
    }

    #[test]
    fn any_cells_can_be_drawn() {
        let wide = [1.0; 60];
        let cases: [&[&[f64]]; 6] = [
            &[],
            &[&[]],
            &[&[5.0]],
            &[&[-3.0, 48.0], &[0.5, 7.0, 1234.0]],
            &[&[f64::NEG_INFINITY, f64::NAN]],
            &[&wide],
        ];
        for rows in cases {
            let svg = check_chart(Chart::Cells(cells(rows)));
            let n_cells: usize = rows.iter().map(|row| row.len()).sum();
            assert_eq!(svg.matches(">&lt;v&gt;</text>").count(), n_cells);
        }
    }

    #[test]
    fn scores_are_written_and_colors_are_ordered() {
        let cells = cells(&[&[-3.0, 48.0]]);
        let svg = check_chart(Chart::Cells(cells.clone()));
        assert!(svg.contains(">-3</text>") && svg.contains(">48</text>") && svg.contains(">R&amp;D</text>"));
        let brightness = |score: f64| match color(&cells.ramp(), score).0 {
            Color::Rgb(r, g, b) => u32::from(r) + u32::from(g) + u32::from(b),
            other => panic!("{other:?}"),
        };
        assert!(brightness(-3.0) < brightness(20.0) && brightness(20.0) < brightness(48.0));
        let ink = |score: f64| color(&cells.ramp(), score).1;
        let same = |a: &Color, b: &Color| format!("{a:?}") == format!("{b:?}");
        assert!(same(&ink(-3.0), &WHITE) && same(&ink(48.0), &BLACK));
    }
}
