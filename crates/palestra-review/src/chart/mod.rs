//! Charts: lines, curves, bars, heat maps and maps of regions. The drawing library is not visible outside this module.

mod bars;
mod cells;
mod curves;
mod lines;
mod primitives;
mod regions;

pub use bars::{BarChart, BarGroup};
pub use cells::{HeatMap, HeatMapCell, HeatMapRow};
pub use curves::{ChartCurve, CurveChart};
pub use lines::{AxisScale, ChartLine, LineChart};
pub use regions::RegionChart;

use crate::ReviewError;
use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::render::render::Scene;

/// A figure of a report.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of its files and of its anchor in the page.
    pub name: String,
    /// The caption, one or two sentences.
    pub caption: String,
    /// The chart.
    pub chart: Chart,
}

/// A chart of a report: its title and its size are known without drawing it.
#[derive(Clone, Debug)]
pub enum Chart {
    /// Lines over one pair of axes.
    Lines(LineChart),
    /// Horizontal bars.
    Bars(BarChart),
    /// Rows of colored cells.
    Cells(HeatMap),
}

impl Chart {
    /// The title, which is the text alternative for screen readers.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Chart::Lines(LineChart { title, .. })
            | Chart::Bars(BarChart { title, .. })
            | Chart::Cells(HeatMap { title, .. }) => title,
        }
    }

    /// Width and height of the drawing in points.
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        match self {
            Chart::Lines(lines) => lines.size(),
            Chart::Bars(bars) => bars.size(),
            Chart::Cells(cells) => cells.size(),
        }
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        match self {
            Chart::Lines(lines) => lines.draw(),
            Chart::Bars(bars) => bars.draw(),
            Chart::Cells(cells) => cells.draw(),
        }
    }
}

/// A drawn chart that can be written as SVG or PNG.
#[derive(Debug)]
pub struct Drawing {
    scene: Scene,
    /// The text alternative for screen readers.
    title: String,
}

/// Pixels per point.
const PNG_SCALE: f32 = 2.0;

impl Drawing {
    /// The text of an SVG file, which can also be put into a page: it has a `viewBox` and a text alternative.
    pub fn to_svg(&self) -> String {
        let svg = SvgBackend::new().render_scene(&self.scene);
        let (width, height) = (self.scene.width, self.scene.height);
        let Some((head, body)) = svg.strip_prefix("<svg ").and_then(|rest| rest.split_once('>')) else {
            return svg;
        };
        let title = escaped(&self.title);
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" {head}><title>{title}</title>{body}"
        )
    }

    /// The bytes of a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, ReviewError> {
        let png = PngBackend::new().with_scale(PNG_SCALE).render_scene(&self.scene);
        png.map_err(|reason| ReviewError::Failed(format!("cannot draw the chart: {reason}").into()))
    }
}

/// Text escaped for SVG.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Other control characters are not allowed in a page.
            control if control.is_control() && !"\n\r\t".contains(control) => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// The text, cut to `width` characters.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
    }
}

/// A number on an axis or in a cell: 0.25, 500, 20 k, 3 M.
fn short(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-4 {
        return format!("{value:.1e}");
    }
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];
    let (unit, name) = units.into_iter().find(|(unit, _)| value.abs() >= *unit).unwrap_or((1.0, ""));
    let digits = if unit == 1.0 { 4 } else { 2 };
    let text = format!("{:.digits$}", value / unit);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{}{name}", if text == "-0" { "0" } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that both files are complete and contain only finite numbers; returns the SVG.
    pub(super) fn check(drawing: &Drawing) -> String {
        let svg = drawing.to_svg();
        assert!(svg.starts_with("<svg viewBox=\"0 0 ") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("role=\"img\"") && svg.contains("<title>a &lt; b &amp; c</title>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(drawing.to_png().unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
        svg
    }

    /// Checks a drawing, and that its size was known before.
    pub(super) fn check_chart(chart: Chart) -> String {
        let drawing = chart.draw();
        assert_eq!(chart.size(), [drawing.scene.width, drawing.scene.height]);
        assert_eq!(chart.title(), drawing.title);
        check(&drawing)
    }

    #[test]
    fn numbers_are_short() {
        let cases =
            [(0.0, "0"), (-0.00000, "0"), (1.0, "1"), (0.25, "0.25"), (-0.05, "-0.05"), (1e-5, "1.0e-5")];
        let large = [(500.0, "500"), (1250.0, "1.25 k"), (2.5e4, "25 k"), (1e6, "1 M"), (1.5e9, "1.5 G")];
        for (value, text) in cases.into_iter().chain(large) {
            assert_eq!(short(value), text);
        }
        assert_eq!([cut("short", 5), cut("longer", 5)], ["short", "long…"]);
    }

    #[test]
    fn tags_are_escaped() {
        assert_eq!(
            escaped("<a href=\"x\">'&'\u{1b}\n"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;\u{fffd}\n"
        );
    }
}
