//! Line charts.

use super::{Drawing, cut, short};
use kuva::plot::scatter::MarkerShape;
use kuva::plot::{LegendPosition, LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use std::sync::Arc;

/// Lines over one pair of axes.
#[derive(Clone, Debug)]
pub struct LineChart {
    /// Title of the chart.
    pub title: String,
    /// Label of the x axis.
    pub across: String,
    /// Label of the y axis.
    pub up: String,
    /// Scale of the y axis.
    pub scale: AxisScale,
    /// The lines.
    pub lines: Vec<ChartLine>,
}

/// One line.
#[derive(Clone, Debug)]
pub struct ChartLine {
    /// Its name in the legend.
    pub label: String,
    /// Its points, in ascending order of x.
    pub points: Vec<(f64, f64)>,
}

/// Scale of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic; points that are not above 0 are left out.
    Logarithmic,
}

// Sizes in points; the height does not include the legend.
pub(super) const WIDTH: f64 = 720.0;
pub(super) const HEIGHT: f64 = 400.0;
pub(super) const LEGEND_LINE: f64 = 18.0;

/// Maximum length of a line of the legend, in characters.
pub(super) const LEGEND_WIDTH: usize = 84;
/// Maximum length of the title, in characters.
pub(super) const TITLE_WIDTH: usize = 60;

/// The colors of Okabe and Ito, which color-blind readers can distinguish, with a dark gray.
pub(super) const COLORS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333"];

/// Shapes of the markers, which help to distinguish the lines without color.
pub(super) const MARKERS: [MarkerShape; 4] =
    [MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Diamond];

/// Maximum number of points of a drawn line; longer lines are thinned.
const MAX_POINTS: usize = 1200;

/// Maximum number of markers on a line.
const MAX_MARKERS: usize = 24;

impl LineChart {
    /// Width and height in points.
    pub(super) fn size(&self) -> [f64; 2] {
        [WIDTH, HEIGHT + LEGEND_LINE * self.lines.len() as f64]
    }

    /// Draws the chart.
    pub fn draw(&self) -> Drawing {
        let mut plots = Vec::new();
        let mut is_empty = true;
        for (i, line) in self.lines.iter().enumerate() {
            let (color, marker) = (COLORS[i % COLORS.len()], MARKERS[i % MARKERS.len()]);
            let is_shown = |&&(x, y): &&(f64, f64)| {
                x.is_finite() && y.is_finite() && (self.scale == AxisScale::Linear || y > 0.0)
            };
            let points: Vec<(f64, f64)> = line.points.iter().filter(is_shown).copied().collect();
            is_empty &= points.is_empty();
            let marked = points.iter().copied().step_by(points.len().div_ceil(MAX_MARKERS).max(1));
            let dots = ScatterPlot::new().with_data(marked).with_color(color);
            plots.push(Plot::Scatter(dots.with_marker(marker).with_size(4.0)));
            let drawn = LinePlot::new().with_data(thinned(&points)).with_color(color).with_stroke_width(2.0);
            plots.push(Plot::Line(drawn.with_legend(cut(&line.label, LEGEND_WIDTH))));
        }
        // The ranges of the axes cannot be found without points.
        let layout =
            if is_empty { Layout::new((0.0, 1.0), (1.0, 10.0)) } else { Layout::auto_from_plots(&plots) };
        let layout = layout
            .with_width(self.size()[0])
            .with_height(self.size()[1])
            .with_title(cut(&self.title, TITLE_WIDTH))
            .with_x_label(&*self.across)
            .with_y_label(&*self.up)
            .with_x_tick_step(self.step())
            .with_x_tick_format(self.ticks())
            .with_y_tick_format(TickFormat::Custom(Arc::new(short)))
            .with_legend_box(false)
            .with_legend_position(LegendPosition::OutsideBottomLeft);
        let layout = if self.scale == AxisScale::Logarithmic { layout.with_log_y() } else { layout };
        Drawing { scene: render_multiple(plots, layout), title: self.title.clone() }
    }

    /// Whether all x values are whole numbers.
    fn is_whole(&self) -> bool {
        self.lines.iter().flat_map(|line| &line.points).all(|point| point.0.fract() == 0.0)
    }

    fn ticks(&self) -> TickFormat {
        if self.is_whole() { TickFormat::Integer } else { TickFormat::Custom(Arc::new(short)) }
    }

    /// Step between two ticks of the x axis: 1, 2, 5, 10, …, so that their labels do not touch.
    fn step(&self) -> f64 {
        let ends = self.lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let (low, high) = ends.fold((f64::INFINITY, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
        let length = (high - low).max(0.0);
        let max_ticks = if high < 1000.0 { 20.0 } else { 10.0 };
        // Where all x values are whole numbers, ticks are too.
        let smallest = if self.is_whole() { 0 } else { -3 };
        let steps = (smallest..15).flat_map(|zeros| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(zeros)));
        steps.into_iter().find(|step| length / step <= max_ticks).unwrap_or(length)
    }
}

/// A line with more than [`MAX_POINTS`] points through fewer of them: the first, the lowest and the highest of each
/// stretch, and the last point.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= MAX_POINTS {
        return points.to_vec();
    }
    let mut kept = Vec::new();
    for stretch in points.chunks(points.len().div_ceil(MAX_POINTS / 3)) {
        let (mut low, mut high) = (0, 0);
        for (i, point) in stretch.iter().enumerate() {
            low = if point.1 < stretch[low].1 { i } else { low };
            high = if point.1 > stretch[high].1 { i } else { high };
        }
        let mut chosen = vec![0, low, high];
        chosen.sort_unstable();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|i| stretch[i]));
    }
    kept.extend(points.last());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Chart;
    use crate::chart::tests::check_chart;

    fn chart(scale: AxisScale, lines: Vec<ChartLine>) -> LineChart {
        LineChart { title: "a < b & c".into(), across: "level".into(), up: "positions".into(), scale, lines }
    }

    fn line(label: &str, points: &[(f64, f64)]) -> ChartLine {
        ChartLine { label: label.to_owned(), points: points.to_vec() }
    }

    #[test]
    fn any_lines_can_be_drawn() {
        for scale in [AxisScale::Linear, AxisScale::Logarithmic] {
            for lines in [
                vec![],
                vec![line("none", &[])],
                vec![line("one", &[(0.0, 1.0)])],
                vec![line("nothing", &[(0.0, 0.0)])],
                vec![line("unknown", &[(0.0, f64::NAN), (1.0, f64::INFINITY), (2.0, 1.0)])],
                vec![line("a", &[(0.0, 1.0), (1.0, 1e15)]), line("b", &[(0.0, 0.0), (200.0, 3.0)])],
                (0..20).map(|i| line(&format!("<{i}>"), &[(0.0, 1.0), (1.0, f64::from(i))])).collect(),
            ] {
                check_chart(Chart::Lines(chart(scale, lines)));
            }
        }
    }

    #[test]
    fn long_lines_keep_their_peaks() {
        let points: Vec<(f64, f64)> =
            (0..50_000).map(|i| (f64::from(i), f64::from(i * 7919 % 1000))).collect();
        let thin = thinned(&points);
        assert!(thin.len() <= MAX_POINTS + 1 && thin.is_sorted_by(|a, b| a.0 <= b.0));
        let ends = |points: &[(f64, f64)]| {
            points.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p.1), high.max(p.1)))
        };
        assert_eq!(ends(&thin), ends(&points));
        assert_eq!((thin.first(), thin.last()), (points.first(), points.last()));
        assert_eq!(thinned(&points[..100]), points[..100]);
    }

    #[test]
    fn ticks_do_not_touch() {
        for (length, step) in
            [(0.0, 1.0), (8.0, 1.0), (20.0, 1.0), (21.0, 2.0), (150.0, 10.0), (4334.0, 500.0)]
        {
            let lines = vec![line("a", &[(0.0, 1.0), (length, 1.0)])];
            assert_eq!(chart(AxisScale::Linear, lines).step(), step);
        }
        assert_eq!(chart(AxisScale::Linear, vec![line("parts", &[(0.1, 1.0), (2.0, 2.0)])]).step(), 0.1);
        assert_eq!(chart(AxisScale::Linear, vec![line("late", &[(900.0, 1.0), (910.0, 2.0)])]).step(), 1.0);
    }
}
