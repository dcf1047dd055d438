//! Cones of weights: all weights that made the same choices so far, represented by their extreme rays.
//!
//! A greedy player over a weighted sum chooses the same move for all weights on a ray, and the weights that prefer one
//! move to another lie on one side of a hyperplane through the origin. So the weights that choose the same moves at
//! every turn of a game form a cone. It is stored as its rays in whole numbers (the double description method of
//! Motzkin and others, 1953): whether a hyperplane cuts it depends on signs only, and nothing is rounded.

/// One extreme ray, in whole numbers without a common divisor.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ExtremeRay {
    along: Vec<i64>,
    /// The walls of the cone that it lies on, one bit for each.
    walls: u128,
}

/// A cone without some of its walls: of equally good moves the first is taken, so that a boundary belongs to one side
/// only. Never empty, and never the origin alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cone {
    rays: Vec<ExtremeRay>,
    /// The dimension of its span, or less.
    dimension: u32,
    /// Normals whose product with the weights must be above 0, and is 0 on some ray.
    strict: Vec<Vec<i32>>,
}

/// What is left of a cone on one side of a hyperplane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// The whole cone.
    Whole,
    /// Nothing.
    Nothing,
    /// This part. Where numbers grow too large it may be larger than the true part, never smaller.
    Part(Cone),
}

impl Cone {
    /// All weights with these signs: 0 or above, or below 0.
    pub(super) fn orthant(is_below: &[bool]) -> Cone {
        let n = is_below.len();
        let ray = |i: usize| {
            let mut along = vec![0; n];
            along[i] = if is_below[i] { -1 } else { 1 };
            ExtremeRay { along, walls: ((1 << n) - 1) & !(1 << i) }
        };
        let normal = |i: usize| (0..n).map(|k| if k == i { -1 } else { 0 }).collect();
        let strict = (0..n).filter(|&i| is_below[i]).map(normal).collect();
        Cone { rays: (0..n).map(ray).collect(), dimension: n as u32, strict }
    }

    /// A point in the relative interior: the sum of the unit vectors of all rays.
    pub(super) fn inside(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.rays[0].along.len()];
        for ray in &self.rays {
            let length = ray.along.iter().map(|&x| (x as f64).powi(2)).sum::<f64>().sqrt();
            sum.iter_mut().zip(&ray.along).for_each(|(sum, &x)| *sum += x as f64 / length);
        }
        sum
    }

    /// The part with `normal · weights` at least 0, or above 0 if `is_strict`.
    pub(super) fn cut(&self, normal: &[i32], is_strict: bool) -> Cut {
        let heights: Vec<i128> = self.rays.iter().map(|ray| dot(normal, &ray.along)).collect();
        let (lowest, highest) =
            heights.iter().fold((i128::MAX, i128::MIN), |(low, high), &h| (low.min(h), high.max(h)));
        if highest < 0 || (is_strict && highest == 0) {
            return Cut::Nothing;
        }
        if lowest > 0 || (lowest == 0 && !is_strict) {
            return Cut::Whole;
        }
        let mut part = if lowest < 0 { self.above(&heights) } else { self.clone() };
        if is_strict {
            part.strict.push(normal.to_vec());
        }
        if part.is_empty() { Cut::Nothing } else { Cut::Part(part) }
    }

    /// The part where heights are at least 0. `heights` are the products of the rays with the normal.
    fn above(&self, heights: &[i128]) -> Cone {
        let used = self.rays.iter().fold(0, |used, ray| used | ray.walls);
        // With more than 128 walls nothing is cut off: the bound is then looser and still valid.
        let Some(wall) = 1u128.checked_shl(used.trailing_ones()) else { return self.clone() };
        let mut rays = Vec::new();
        for (ray, &height) in self.rays.iter().zip(heights).filter(|(_, height)| **height >= 0) {
            let walls = if height == 0 { ray.walls | wall } else { ray.walls };
            rays.push(ExtremeRay { along: ray.along.clone(), walls });
        }
        for (up, &height) in self.rays.iter().zip(heights).filter(|(_, height)| **height > 0) {
            for (down, &depth) in self.rays.iter().zip(heights).filter(|(_, height)| **height < 0) {
                let both = up.walls & down.walls;
                if !self.are_adjacent(up, down, both) {
                    continue;
                }
                let Some(along) = between(&up.along, height, &down.along, depth) else { return self.clone() };
                rays.push(ExtremeRay { along, walls: both | wall });
            }
        }
        let is_cut_through = heights.iter().any(|&height| height > 0);
        let dimension = if is_cut_through { self.dimension } else { rank(&rays) };
        let mut cone = Cone { rays, dimension, strict: self.strict.clone() };
        cone.remove_redundant_walls();
        cone
    }

    /// Two rays span a face of dimension 2 if no third ray lies on all walls that they share. Such a face lies on at
    /// least `dimension - 2` walls.
    fn are_adjacent(&self, a: &ExtremeRay, b: &ExtremeRay, both: u128) -> bool {
        both.count_ones() + 2 >= self.dimension
            && !self.rays.iter().any(|c| c.walls & both == both && !std::ptr::eq(c, a) && !std::ptr::eq(c, b))
    }

    /// Removes the walls whose rays all lie on another wall.
    fn remove_redundant_walls(&mut self) {
        let used = self.rays.iter().fold(0, |used, ray| used | ray.walls);
        let all = self.rays.iter().fold(used, |all, ray| all & ray.walls);
        let mut redundant = all;
        for wall in bits(used & !all) {
            // The other walls that contain all rays of this wall: if there is one, this wall is redundant.
            let mut shared = used & !redundant & !wall;
            let mut n_rays = 0;
            for ray in self.rays.iter().filter(|ray| ray.walls & wall != 0) {
                shared &= ray.walls;
                n_rays += 1;
            }
            if n_rays == 0 || shared != 0 {
                redundant |= wall;
            }
        }
        self.rays.iter_mut().for_each(|ray| ray.walls &= !redundant);
    }

    /// Removes the strict conditions that hold on all rays; returns whether the cone is empty.
    fn is_empty(&mut self) -> bool {
        let mut is_empty = self.rays.is_empty();
        let rays = &self.rays;
        self.strict.retain(|normal| {
            let (mut lowest, mut highest) = (i128::MAX, i128::MIN);
            for ray in rays {
                let height = dot(normal, &ray.along);
                (lowest, highest) = (lowest.min(height), highest.max(height));
            }
            is_empty |= highest <= 0;
            lowest <= 0
        });
        is_empty
    }
}

/// The rank of rays modulo a prime, which is their rank or, rarely, less.
fn rank(rays: &[ExtremeRay]) -> u32 {
    const PRIME: i128 = (1 << 61) - 1;
    let row = |ray: &ExtremeRay| ray.along.iter().map(|&x| i128::from(x).rem_euclid(PRIME)).collect();
    let mut rows: Vec<Vec<i128>> = rays.iter().map(row).collect();
    let n = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..n {
        let Some(found) = (rank..rows.len()).find(|&i| rows[i][column] != 0) else { continue };
        rows.swap(rank, found);
        let pivot = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let by = row[column];
            for (x, &p) in row.iter_mut().zip(&pivot).skip(column) {
                *x = (*x * pivot[column] % PRIME - by * p % PRIME).rem_euclid(PRIME);
            }
        }
        rank += 1;
    }
    rank as u32
}

fn bits(mut set: u128) -> impl Iterator<Item = u128> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set &= !lowest;
        (lowest != 0).then_some(lowest)
    })
}

fn dot(normal: &[i32], along: &[i64]) -> i128 {
    normal.iter().zip(along).map(|(&a, &b)| i128::from(a) * i128::from(b)).sum()
}

/// The ray between two rays where the height is 0; `None` if its numbers do not fit 64 bits.
fn between(up: &[i64], height: i128, down: &[i64], depth: i128) -> Option<Vec<i64>> {
    let mut sum = Vec::with_capacity(up.len());
    for (&a, &b) in up.iter().zip(down) {
        let (a, b) = (i128::from(a).checked_mul(-depth)?, i128::from(b).checked_mul(height)?);
        sum.push(a.checked_add(b)?);
    }
    let divisor = sum.iter().fold(0, |divisor: u128, x| gcd(divisor, x.unsigned_abs())).max(1);
    sum.iter().map(|&x| i64::try_from(x / i128::try_from(divisor).ok()?).ok()).collect()
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
