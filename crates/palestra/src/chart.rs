//! Charts of lines. The drawing is a library's; nobody outside this file sees which.

use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{LegendPosition, LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use std::sync::Arc;

/// Lines over one pair of axes.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    /// What it shows.
    pub(crate) title: String,
    /// What is counted from left to right; whole numbers.
    pub(crate) across: String,
    /// What is counted upward.
    pub(crate) up: String,
    /// How it is counted upward.
    pub(crate) scale: Scale,
    /// The lines.
    pub(crate) lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Its name in the legend.
    pub(crate) label: String,
    /// Where it goes, from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// How an axis counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    /// In equal steps.
    Linear,
    /// In powers of ten; only what is above 0 can be shown.
    Logarithmic,
}

/// In points; the legend comes on top of the height.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEGEND_LINE: f64 = 18.0;

/// Letters that fit a line of the legend, and the title.
const LEGEND_WIDTH: usize = 84;
const TITLE_WIDTH: usize = 60;

/// Pixels to a point.
const PNG_SCALE: f32 = 2.0;

/// Colors that people who see fewer of them can tell apart as well.
const COLORS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333"];

/// With the colors, shapes tell 7 lines apart in print without color.
const MARKERS: [MarkerShape; 4] =
    [MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Diamond];

impl Chart {
    /// As text of an SVG file.
    pub(crate) fn to_svg(&self) -> String {
        SvgBackend::new().render_scene(&self.scene())
    }

    /// As bytes of a PNG file.
    pub(crate) fn to_png(&self) -> anyhow::Result<Vec<u8>> {
        let png = PngBackend::new().with_scale(PNG_SCALE).render_scene(&self.scene());
        png.map_err(|reason| anyhow::anyhow!("cannot draw the chart: {reason}"))
    }

    fn scene(&self) -> Scene {
        let mut plots = Vec::new();
        let mut is_empty = true;
        for (i, line) in self.lines.iter().enumerate() {
            let (color, marker) = (COLORS[i % COLORS.len()], MARKERS[i % MARKERS.len()]);
            let is_shown = |&&(_, y): &&(f64, f64)| self.scale == Scale::Linear || y > 0.0;
            let points: Vec<(f64, f64)> = line.points.iter().filter(is_shown).copied().collect();
            is_empty &= points.is_empty();
            let dots = ScatterPlot::new().with_data(points.iter().copied()).with_color(color);
            plots.push(Plot::Scatter(dots.with_marker(marker).with_size(4.0)));
            let drawn = LinePlot::new().with_data(points).with_color(color).with_stroke_width(2.0);
            plots.push(Plot::Line(drawn.with_legend(cut(&line.label, LEGEND_WIDTH))));
        }
        // Around nothing there are no axes to be found.
        let layout =
            if is_empty { Layout::new((0.0, 1.0), (1.0, 10.0)) } else { Layout::auto_from_plots(&plots) };
        let layout = layout
            .with_width(WIDTH)
            .with_height(HEIGHT + LEGEND_LINE * self.lines.len() as f64)
            .with_title(cut(&self.title, TITLE_WIDTH))
            .with_x_label(&*self.across)
            .with_y_label(&*self.up)
            .with_x_tick_step(self.step())
            .with_x_tick_format(TickFormat::Integer)
            .with_y_tick_format(TickFormat::Custom(Arc::new(short)))
            .with_legend_box(false)
            .with_legend_position(LegendPosition::OutsideBottomLeft);
        let layout = if self.scale == Scale::Logarithmic { layout.with_log_y() } else { layout };
        render_multiple(plots, layout)
    }

    /// Between two numbers on the axis from left to right: 1, 2, 5, 10, …, so that there are at most 20.
    fn step(&self) -> f64 {
        let ends = self.lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let length = ends.fold(0.0, f64::max);
        let steps = (0..15).flat_map(|zeros| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(zeros)));
        steps.into_iter().find(|step| length / step <= 20.0).unwrap_or(length)
    }
}

/// The text, or as much of it as there is room for.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
    }
}

/// A number on an axis: 500, 20 k, 3 M.
fn short(value: f64) -> String {
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];
    let (unit, name) = units.into_iter().find(|(unit, _)| value.abs() >= *unit).unwrap_or((1.0, ""));
    let text = format!("{:.1}", value / unit);
    format!("{}{name}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(scale: Scale, lines: Vec<Line>) -> Chart {
        Chart { title: "a < b & c".into(), across: "level".into(), up: "positions".into(), scale, lines }
    }

    fn line(label: &str, points: &[(f64, f64)]) -> Line {
        Line { label: label.to_owned(), points: points.to_vec() }
    }

    #[test]
    fn any_lines_can_be_drawn() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            for lines in [
                vec![],
                vec![line("none", &[])],
                vec![line("one", &[(0.0, 1.0)])],
                vec![line("nothing", &[(0.0, 0.0)])],
                vec![line("a", &[(0.0, 1.0), (1.0, 1e15)]), line("b", &[(0.0, 0.0), (200.0, 3.0)])],
                (0..20).map(|i| line(&format!("<{i}>"), &[(0.0, 1.0), (1.0, f64::from(i))])).collect(),
            ] {
                let chart = chart(scale, lines);
                let svg = chart.to_svg();
                assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
                assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"));
                assert!(chart.to_png().unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
            }
        }
    }

    #[test]
    fn axes_have_short_numbers() {
        let cases = [(0.0, "0"), (1.0, "1"), (500.0, "500"), (2.5e4, "25 k"), (1e6, "1 M"), (1.5e9, "1.5 G")];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        assert_eq!([cut("short", 5), cut("longer", 5)], ["short", "long…"]);
        for (length, step) in [(0.0, 1.0), (8.0, 1.0), (20.0, 1.0), (21.0, 2.0), (150.0, 10.0)] {
            assert_eq!(chart(Scale::Linear, vec![line("a", &[(length, 1.0)])]).step(), step);
        }
    }
}
