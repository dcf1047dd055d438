//! Curves with bands, over a logarithmic axis.

use super::lines::{COLORS, HEIGHT, LEGEND_LINE, LEGEND_WIDTH, MARKERS, TITLE_WIDTH, WIDTH};
use super::{Drawing, cut, short};
use kuva::plot::{LegendPosition, LinePlot, ScatterPlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use std::sync::Arc;

/// Curves over one pair of axes; the x axis is logarithmic.
#[derive(Clone, Debug)]
pub struct CurveChart {
    /// Title of the chart.
    pub title: String,
    /// Label of the x axis; its values must be above 0.
    pub across: String,
    /// Label of the y axis.
    pub up: String,
    /// The curves.
    pub curves: Vec<ChartCurve>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct ChartCurve {
    /// Its name in the legend.
    pub label: String,
    /// Its points in ascending order of x: x, and the lower end of the band, the middle and the upper end.
    pub points: Vec<(f64, [f64; 3])>,
}

impl CurveChart {
    /// Draws the chart.
    pub fn draw(&self) -> Drawing {
        let mut plots = Vec::new();
        for (i, curve) in self.curves.iter().enumerate() {
            let (color, marker) = (COLORS[i % COLORS.len()], MARKERS[i % MARKERS.len()]);
            let middle = || curve.points.iter().map(|(x, [_, middle, _])| (*x, *middle));
            let end = |k: usize| curve.points.iter().map(move |(_, ends)| ends[k]);
            let dots = ScatterPlot::new().with_data(middle()).with_color(color);
            plots.push(Plot::Scatter(dots.with_marker(marker).with_size(4.0)));
            let line = LinePlot::new().with_data(middle()).with_color(color).with_stroke_width(2.0);
            let line = line.with_band(end(0), end(2)).with_legend(cut(&curve.label, LEGEND_WIDTH));
            plots.push(Plot::Line(line));
        }
        // The ranges of the axes cannot be found without points.
        let is_empty = self.curves.iter().all(|curve| curve.points.is_empty());
        let layout =
            if is_empty { Layout::new((1.0, 10.0), (0.0, 1.0)) } else { Layout::auto_from_plots(&plots) };
        let layout = layout
            .with_log_x()
            .with_width(WIDTH)
            .with_height(HEIGHT + LEGEND_LINE * self.curves.len() as f64)
            .with_title(cut(&self.title, TITLE_WIDTH))
            .with_x_label(&*self.across)
            .with_y_label(&*self.up)
            // Without a blank, the last label fits next to the edge.
            .with_x_tick_format(TickFormat::Custom(Arc::new(|value| short(value).replace(' ', ""))))
            .with_y_tick_format(TickFormat::Custom(Arc::new(short)))
            .with_legend_box(false)
            .with_legend_position(LegendPosition::OutsideBottomLeft);
        Drawing { scene: render_multiple(plots, layout), title: self.title.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_curves_can_be_drawn() {
        let curve = |label: &str, points: &[(f64, [f64; 3])]| ChartCurve {
            label: label.to_owned(),
            points: points.to_vec(),
        };
        for curves in [
            vec![],
            vec![curve("none", &[])],
            vec![curve("one", &[(1000.0, [1.0, 2.0, 3.0])])],
            vec![curve("flat", &[(1.0, [0.0; 3]), (10.0, [0.0; 3])])],
            vec![
                curve("<a>", &[(1e3, [-90.0, -20.0, 4.0]), (1e5, [10.0, 80.0, 95.0])]),
                curve("b", &[(1e3, [-10.0, -10.0, -10.0]), (3e3, [5.0, 6.0, 7.0])]),
            ],
        ] {
            let title = "a < b & c".to_owned();
            let curves = CurveChart { title, across: "games".into(), up: "Elo".into(), curves };
            let svg = curves.draw().to_svg();
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
            assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"));
            assert!(curves.draw().to_png().unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
        }
    }
}
