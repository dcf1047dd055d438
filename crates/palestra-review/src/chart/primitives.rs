//! Drawing primitives of the charts that the library does not have.

use super::short;
use kuva::plot::heatmap::ColorMap;
use kuva::render::color::Color;
use kuva::render::render::{Primitive, Scene, TextAnchor};

pub(super) const BLACK: Color = Color::Rgb(0, 0, 0);
pub(super) const WHITE: Color = Color::Rgb(255, 255, 255);

/// An empty scene.
pub(super) fn sheet([width, height]: [f64; 2]) -> Scene {
    let mut scene = Scene::new(width, height);
    scene.font_family = Some("DejaVu Sans, Arial, sans-serif".to_owned());
    scene
}

/// The Cividis color map, from dark blue to yellow, which color-blind readers can distinguish.
pub(super) fn shade(share: f64) -> Color {
    Color::from(ColorMap::Cividis.map(share))
}

pub(super) fn rect(scene: &mut Scene, (x, y): (f64, f64), (width, height): (f64, f64), fill: Color) {
    scene.add(Primitive::Rect { x, y, width, height, fill, stroke: None, stroke_width: None, opacity: None });
}

pub(super) fn text(
    scene: &mut Scene,
    (x, y): (f64, f64),
    content: String,
    (size, anchor): (u32, TextAnchor),
    color: Color,
) {
    scene.add(Primitive::Text { x, y, content, size, anchor, rotate: None, bold: false, color: Some(color) });
}

/// The color scale from the lowest to the highest score.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColorRamp {
    low: f64,
    high: f64,
}

impl ColorRamp {
    /// The scale of these scores. Equal scores get a range of 1, and no known scores the range from 0 to 1.
    pub(super) fn over(scores: impl Iterator<Item = f64>) -> ColorRamp {
        let known = scores.filter(|score| score.is_finite());
        let (low, high) =
            known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        match () {
            () if low < high => ColorRamp { low, high },
            () if low.is_finite() => ColorRamp { low: low - 1.0, high: low },
            () => ColorRamp { low: 0.0, high: 1.0 },
        }
    }

    /// Position of a score on the scale, from 0 to 1.
    pub(super) fn share(&self, score: f64) -> f64 {
        ((score - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Draws the scale with its legend; the position is its upper left corner.
    pub(super) fn draw(&self, scene: &mut Scene, (x, y): (f64, f64), legend: &str) {
        for i in 0..40 {
            rect(scene, (x + 5.0 * f64::from(i), y), (5.5, 12.0), shade(f64::from(i) / 39.0));
        }
        for (x, score, anchor) in [(x, self.low, TextAnchor::Start), (x + 200.0, self.high, TextAnchor::End)]
        {
            text(scene, (x, y + 26.0), short(score), (11, anchor), BLACK);
        }
        text(scene, (x + 212.0, y + 10.0), legend.to_owned(), (11, TextAnchor::Start), BLACK);
    }
}
