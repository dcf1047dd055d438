//! Horizontal bars: one group for each item, one bar for each series.

use super::lines::{COLORS, LEGEND_WIDTH};
use super::primitives::{BLACK, rect, sheet, text};
use super::{Drawing, cut, short};
use kuva::render::color::Color;
use kuva::render::render::TextAnchor;

/// Bars on one scale; values may be negative.
#[derive(Clone, Debug)]
pub struct BarChart {
    /// Title of the chart.
    pub title: String,
    /// Meaning of the values.
    pub legend: String,
    /// Names of the series.
    pub series: Vec<String>,
    /// The groups, from top to bottom.
    pub bars: Vec<BarGroup>,
}

/// The bars of one item.
#[derive(Clone, Debug)]
pub struct BarGroup {
    /// Name of the item.
    pub label: String,
    /// A value for each series; one that is not finite is unknown.
    pub values: Vec<f64>,
}

// Sizes in points.
const WIDTH: f64 = 720.0;
const BAR_HEIGHT: f64 = 14.0;
const GAP: f64 = 10.0;
const TOP: f64 = 48.0;
const CHAR_WIDTH: f64 = 7.0;
const MARGIN: f64 = 16.0;
/// Space for the number at the end of a bar.
const NUMBER_WIDTH: f64 = 56.0;
/// Maximum length of a label, in characters.
const LABEL_WIDTH: usize = 30;

impl BarChart {
    /// Width and height in points.
    pub(super) fn size(&self) -> [f64; 2] {
        let legend_lines = self.series.iter().filter(|name| !name.is_empty()).count();
        [WIDTH, self.bottom() + 34.0 + 18.0 * legend_lines as f64]
    }

    /// Height of the bars of one item.
    fn group_height(&self) -> f64 {
        BAR_HEIGHT * self.series.len().max(1) as f64 + GAP
    }

    /// The lower end of the bars.
    fn bottom(&self) -> f64 {
        TOP + self.group_height() * self.bars.len() as f64
    }

    /// Draws the chart.
    pub fn draw(&self) -> Drawing {
        let label_chars =
            self.bars.iter().map(|bar| cut(&bar.label, LABEL_WIDTH).chars().count()).max().unwrap_or(0);
        let left = MARGIN + CHAR_WIDTH * label_chars as f64 + 10.0;
        let (group_height, bottom) = (self.group_height(), self.bottom());
        let mut scene = sheet(self.size());
        text(&mut scene, (WIDTH / 2.0, 28.0), cut(&self.title, 64), (16, TextAnchor::Middle), BLACK);
        let known =
            || self.bars.iter().flat_map(|bar| &bar.values).copied().filter(|value| value.is_finite());
        let (low, high) = (known().fold(0.0, f64::min), known().fold(0.0, f64::max));
        // Numbers are at the outer ends of their bars, so negative bars need space on the left.
        let bar_space = WIDTH - left - MARGIN - NUMBER_WIDTH - if low < 0.0 { NUMBER_WIDTH } else { 0.0 };
        let unit = bar_space / (high - low).max(f64::MIN_POSITIVE);
        let zero = left + if low < 0.0 { NUMBER_WIDTH - low * unit } else { 0.0 };
        for (i, bar) in self.bars.iter().enumerate() {
            let y = TOP + group_height * i as f64;
            let middle = y + (group_height - GAP) / 2.0 + 4.5;
            text(
                &mut scene,
                (left - 8.0, middle),
                cut(&bar.label, LABEL_WIDTH),
                (12, TextAnchor::End),
                BLACK,
            );
            for (j, value) in bar.values.iter().enumerate() {
                let y = y + BAR_HEIGHT * j as f64;
                let (length, shown) = match value.is_finite() {
                    true => (value * unit, short(*value)),
                    false => (0.0, "–".to_owned()),
                };
                rect(&mut scene, (zero + length.min(0.0), y), (length.abs(), BAR_HEIGHT - 2.0), color(j));
                let (x, anchor) = match length < 0.0 {
                    true => (zero + length - 4.0, TextAnchor::End),
                    false => (zero + length + 4.0, TextAnchor::Start),
                };
                text(&mut scene, (x, y + BAR_HEIGHT - 4.0), shown, (10, anchor), BLACK);
            }
        }
        rect(&mut scene, (zero - 0.5, TOP - 4.0), (1.0, bottom - TOP + 4.0), BLACK);
        text(&mut scene, (left, bottom + 14.0), self.legend.clone(), (11, TextAnchor::Start), BLACK);
        for (j, name) in self.series.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let y = bottom + 24.0 + 18.0 * j as f64;
            rect(&mut scene, (left, y), (12.0, 12.0), color(j));
            text(
                &mut scene,
                (left + 18.0, y + 10.0),
                cut(name, LEGEND_WIDTH),
                (11, TextAnchor::Start),
                BLACK,
            );
        }
        Drawing { scene, title: self.title.clone() }
    }
}

/// The color of a series, from the colors of line charts.
fn color(series: usize) -> Color {
    let hex = COLORS[series % COLORS.len()];
    let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
    Color::Rgb(part(1), part(3), part(5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Chart;
    use crate::chart::tests::check_chart;

    #[test]
    fn any_bars_can_be_drawn() {
        let cases: [&[&[f64]]; 5] = [
            &[],
            &[&[]],
            &[&[5.0]],
            &[&[-3.0, 48.0], &[0.5, f64::NAN]],
            &[&[0.0], &[-1e9], &[f64::INFINITY]],
        ];
        for values in cases {
            let n_series = values.iter().map(|values| values.len()).max().unwrap_or(0);
            let bar = |values: &&[f64]| BarGroup { label: "R&D".into(), values: values.to_vec() };
            let bars = BarChart {
                title: "a < b & c".into(),
                legend: "weight".into(),
                series: (0..n_series).map(|i| format!("<{i}>")).collect(),
                bars: values.iter().map(bar).collect(),
            };
            let svg = check_chart(Chart::Bars(bars));
            assert_eq!(svg.matches(">R&amp;D</text>").count(), values.len());
        }
    }
}
