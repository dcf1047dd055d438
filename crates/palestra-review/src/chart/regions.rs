//! Maps of a slice of weight space, divided into regions that are colored by their scores.

use super::primitives::{BLACK, ColorRamp, WHITE, rect, shade, sheet, text};
use super::{Drawing, cut, short};
use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};
use std::fmt::Write as _;

/// Polygons over one pair of axes.
#[derive(Clone, Debug)]
pub struct RegionChart {
    /// Title of the chart.
    pub title: String,
    /// Label and range of the x axis.
    pub across: (String, [f64; 2]),
    /// Label and range of the y axis.
    pub up: (String, [f64; 2]),
    /// Meaning of the scores.
    pub legend: String,
    /// Corners of each region in order, and its score.
    pub polygons: Vec<(Vec<(f64, f64)>, f64)>,
    /// A point to mark, and its name.
    pub mark: ((f64, f64), String),
}

// Sizes in points.
const SIDE: f64 = 560.0;
const LEFT: f64 = 86.0;
const TOP: f64 = 44.0;
const RIGHT: f64 = 40.0;
const BOTTOM: f64 = 118.0;

/// Maximum number of regions that are outlined: with more, the outlines would hide the regions.
const MAX_OUTLINED: usize = 1500;

impl RegionChart {
    /// Draws the map.
    pub fn draw(&self) -> Drawing {
        let mut scene = sheet([LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM]);
        let middle = LEFT + SIDE / 2.0;
        text(&mut scene, (middle, 26.0), cut(&self.title, 64), (16, TextAnchor::Middle), BLACK);
        rect(&mut scene, (LEFT, TOP), (SIDE, SIDE), Color::Rgb(221, 221, 221));
        let ramp = ColorRamp::over(self.polygons.iter().map(|polygon| polygon.1));
        for (corners, score) in &self.polygons {
            let fill = shade(ramp.share(*score));
            // An outline of the same color closes the gaps that antialiasing leaves between neighbors.
            let stroke = if self.polygons.len() <= MAX_OUTLINED { WHITE } else { fill.clone() };
            let (fill, stroke_width) = (Some(fill), 0.4);
            let (d, opacity, stroke_dasharray) = (self.path(corners), None, None);
            let path = PathData { d, fill, stroke, stroke_width, opacity, stroke_dasharray };
            scene.add(Primitive::Path(Box::new(path)));
        }
        self.axes(&mut scene);
        self.mark(&mut scene);
        ramp.draw(&mut scene, (LEFT, TOP + SIDE + 66.0), &self.legend);
        Drawing { scene, title: self.title.clone() }
    }

    /// Position of a point in the drawing.
    fn position(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let share = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
        (LEFT + SIDE * share(x, self.across.1), TOP + SIDE * (1.0 - share(y, self.up.1)))
    }

    fn path(&self, corners: &[(f64, f64)]) -> String {
        let mut path = String::new();
        for (i, corner) in corners.iter().enumerate() {
            let (x, y) = self.position(*corner);
            // Writing to a string does not fail.
            let _ = write!(path, "{}{x:.3} {y:.3} ", if i == 0 { 'M' } else { 'L' });
        }
        path + "Z"
    }

    fn axes(&self, scene: &mut Scene) {
        let line = |x1, y1, x2, y2| Primitive::Line {
            x1,
            y1,
            x2,
            y2,
            stroke: BLACK,
            stroke_width: 1.0,
            stroke_dasharray: None,
        };
        let (right, bottom) = (LEFT + SIDE, TOP + SIDE);
        for (x1, y1, x2, y2) in [
            (LEFT, TOP, right, TOP),
            (LEFT, bottom, right, bottom),
            (LEFT, TOP, LEFT, bottom),
            (right, TOP, right, bottom),
        ] {
            scene.add(line(x1, y1, x2, y2));
        }
        for value in ticks(self.across.1) {
            let (x, _) = self.position((value, self.up.1[0]));
            scene.add(line(x, bottom, x, bottom + 5.0));
            text(scene, (x, bottom + 19.0), short(value), (11, TextAnchor::Middle), BLACK);
        }
        for value in ticks(self.up.1) {
            let (_, y) = self.position((self.across.1[0], value));
            scene.add(line(LEFT - 5.0, y, LEFT, y));
            text(scene, (LEFT - 9.0, y + 4.0), short(value), (11, TextAnchor::End), BLACK);
        }
        text(
            scene,
            (LEFT + SIDE / 2.0, bottom + 42.0),
            self.across.0.clone(),
            (14, TextAnchor::Middle),
            BLACK,
        );
        scene.add(Primitive::Text {
            x: 22.0,
            y: TOP + SIDE / 2.0,
            content: self.up.0.clone(),
            size: 14,
            anchor: TextAnchor::Middle,
            rotate: Some(-90.0),
            bold: false,
            color: Some(BLACK),
        });
    }

    /// Draws the mark: a ring with a dot, visible on any color.
    fn mark(&self, scene: &mut Scene) {
        let (at, name) = &self.mark;
        let (cx, cy) = self.position(*at);
        let is_inside = (LEFT..=LEFT + SIDE).contains(&cx) && (TOP..=TOP + SIDE).contains(&cy);
        if !is_inside {
            return;
        }
        for (r, fill) in [(7.0, WHITE), (5.0, Color::Rgb(213, 94, 0)), (1.5, WHITE)] {
            let (stroke, stroke_width) = ((r == 7.0).then_some(BLACK), (r == 7.0).then_some(1.0));
            scene.add(Primitive::Circle { cx, cy, r, fill, fill_opacity: None, stroke, stroke_width });
        }
        text(scene, (LEFT + SIDE, TOP + SIDE + 76.0), format!("◉ {name}"), (11, TextAnchor::End), BLACK);
    }
}

/// About six round numbers between two ends.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    (0..12).map(|i| (first + f64::from(i)) * step).take_while(|value| *value <= high + step * 1e-9).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::tests::check;

    fn regions(polygons: Vec<(Vec<(f64, f64)>, f64)>) -> RegionChart {
        RegionChart {
            title: "a < b & c".into(),
            across: ("x".into(), [-1.0, 1.0]),
            up: ("y".into(), [0.0, 1e6]),
            legend: "points".into(),
            polygons,
            mark: ((0.0, 5e5), "here".into()),
        }
    }

    #[test]
    fn any_regions_can_be_drawn() {
        let triangle = vec![(-1.0, 0.0), (1.0, 0.0), (1.0, 1e6)];
        let other = vec![(-1.0, 0.0), (1.0, 1e6), (-1.0, 1e6)];
        let many = (0..200).map(|i| (triangle.clone(), f64::from(i))).collect();
        for polygons in [vec![], vec![(triangle.clone(), 3.0)], vec![(triangle, -1.0), (other, 1.0)], many] {
            let n_polygons = polygons.len();
            let svg = check(&regions(polygons).draw());
            assert_eq!(svg.matches("<path ").count(), n_polygons);
            assert!(svg.contains("◉ here"));
        }
        // A point outside the map is not marked.
        let outside = RegionChart { mark: ((2.0, 0.0), "there".into()), ..regions(vec![]) };
        assert!(!check(&outside.draw()).contains("there"));
    }

    #[test]
    fn points_are_mapped_to_positions() {
        let regions = regions(vec![]);
        assert_eq!(regions.position((-1.0, 0.0)), (LEFT, TOP + SIDE));
        assert_eq!(regions.position((1.0, 1e6)), (LEFT + SIDE, TOP));
        assert_eq!(ticks([-1.0, 1.0]), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(ticks([0.0, 2000.0]), [0.0, 500.0, 1000.0, 1500.0, 2000.0]);
        assert_eq!(ticks([3.0, 3.5]).len(), 6);
    }
}
