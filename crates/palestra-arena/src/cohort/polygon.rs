//! Convex polygons in whole numbers: cutting is exact, and neighbors share corners to the bit.

use super::scale::gcd;
use std::cmp::Ordering;

/// The function `a·x + b·y + c`; also the line where it is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AffineForm {
    pub(super) a: i128,
    pub(super) b: i128,
    pub(super) c: i128,
}

/// The point `(x/w, y/w)`, in lowest terms; `w` is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Point {
    x: i128,
    y: i128,
    w: i128,
}

/// Bound of the coefficients `a` and `b`, as a power of two; with it no product exceeds 127 bits.
pub(super) const SLOPE_BITS: i32 = 24;
/// Bound of the coefficient `c`, as a power of two.
pub(super) const SHIFT_BITS: i32 = 70;

impl AffineForm {
    /// Whether the function is 0 everywhere.
    pub(super) fn is_zero(&self) -> bool {
        *self == AffineForm { a: 0, b: 0, c: 0 }
    }

    pub(super) fn minus(&self, other: &AffineForm) -> AffineForm {
        AffineForm { a: self.a - other.a, b: self.b - other.b, c: self.c - other.c }
    }

    /// Sign of the function at a point.
    fn sign(&self, point: &Point) -> Ordering {
        (self.a * point.x + self.b * point.y + self.c * point.w).cmp(&0)
    }

    /// The intersection of two lines that are not parallel.
    fn intersection(&self, other: &AffineForm) -> Point {
        let x = self.b * other.c - other.b * self.c;
        let y = self.c * other.a - other.c * self.a;
        let w = self.a * other.b - other.a * self.b;
        debug_assert!(w != 0, "{self:?} and {other:?} are parallel");
        let divisor = divisor(divisor(x, y), w) * w.signum();
        Point { x: x / divisor, y: y / divisor, w: w / divisor }
    }
}

/// The greatest common divisor, positive.
fn divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return i128::from(gcd(a, b));
        }
        (a, b) = (b, a % b);
    }
    a as i128
}

impl Point {
    /// The rounded coordinates. Points are in lowest terms, so equal points have equal coordinates.
    pub(super) fn at(&self) -> (f64, f64) {
        (self.x as f64 / self.w as f64, self.y as f64 / self.w as f64)
    }
}

/// A convex polygon with an interior, counterclockwise. Edge `i` leads from corner `i` to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Polygon {
    corners: Vec<Point>,
    edges: Vec<AffineForm>,
}

impl Polygon {
    /// The rectangle between these whole numbers, of which the first must be the smaller.
    pub(super) fn rectangle(x: [i128; 2], y: [i128; 2]) -> Polygon {
        let edges = vec![
            AffineForm { a: 0, b: 1, c: -y[0] },
            AffineForm { a: 1, b: 0, c: -x[1] },
            AffineForm { a: 0, b: 1, c: -y[1] },
            AffineForm { a: 1, b: 0, c: -x[0] },
        ];
        let corner = |x, y| Point { x, y, w: 1 };
        let corners = vec![corner(x[0], y[0]), corner(x[1], y[0]), corner(x[1], y[1]), corner(x[0], y[1])];
        Polygon { corners, edges }
    }

    pub(super) fn corners(&self) -> &[Point] {
        &self.corners
    }

    pub(super) fn edges(&self) -> &[AffineForm] {
        &self.edges
    }

    /// A point near the middle: the mean of the corners.
    pub(super) fn middle(&self) -> (f64, f64) {
        let n = self.corners.len() as f64;
        let sum = self.corners.iter().map(Point::at).fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        (sum.0 / n, sum.1 / n)
    }

    /// Whether the function is nowhere negative.
    pub(super) fn is_not_negative(&self, line: &AffineForm) -> bool {
        self.corners.iter().all(|corner| line.sign(corner) != Ordering::Less)
    }

    /// The part in which the function is positive, if it has an interior.
    pub(super) fn positive_part(&self, line: &AffineForm) -> Option<Polygon> {
        let signs: Vec<Ordering> = self.corners.iter().map(|corner| line.sign(corner)).collect();
        if !signs.contains(&Ordering::Greater) {
            return None;
        }
        if !signs.contains(&Ordering::Less) {
            return Some(self.clone());
        }
        let mut part = Polygon { corners: Vec::new(), edges: Vec::new() };
        let mut push = |corner: Point, edge: AffineForm| {
            part.corners.push(corner);
            part.edges.push(edge);
        };
        for i in 0..signs.len() {
            let (corner, edge) = (self.corners[i], self.edges[i]);
            match (signs[i], signs[(i + 1) % signs.len()]) {
                (Ordering::Greater, Ordering::Less) => {
                    push(corner, edge);
                    push(edge.intersection(line), *line);
                }
                (Ordering::Greater, _) | (Ordering::Equal, Ordering::Greater) => push(corner, edge),
                // Both signs occur, so a corner on the line has neighbors on different sides of it.
                (Ordering::Equal, _) => push(corner, *line),
                (Ordering::Less, Ordering::Greater) => push(edge.intersection(line), edge),
                (Ordering::Less, _) => {}
            }
        }
        Some(part)
    }
}
