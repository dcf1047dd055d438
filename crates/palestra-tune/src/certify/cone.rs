//! Cones of weights: all weights that made the same choices so far, represented by their extreme rays.
//!
//! A greedy player over a weighted sum chooses the same move for all weights on a ray, and the weights that prefer one
//! move to another lie on one side of a hyperplane through the origin. So the weights that choose the same moves at
//! every turn of a game form a cone. It is stored as its rays in whole numbers (the double description method of
//! Motzkin and others, 1953): whether a hyperplane cuts it depends on signs only, and nothing is rounded.
//!
//! Of equally good moves the first is taken, so that a wall belongs to one side only. The walls that do not belong to
//! the cone are *open*. Heights are linear and nowhere negative in the cone, so that a sum of rays lies on a wall if
//! all of them do: which walls a new ray lies on needs no arithmetic.

use super::MAX_WEIGHTS;

/// One extreme ray, in whole numbers without a common divisor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ExtremeRay {
    /// Its direction; the numbers after the last weight are 0.
    pub(super) along: [i64; MAX_WEIGHTS],
    /// The walls of the cone that it lies on, one bit for each.
    walls: u128,
    /// The open walls that it lies on, one bit for each.
    open: u128,
}

/// A cone without some of its walls. Never empty, and never the origin alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cone {
    rays: Vec<ExtremeRay>,
    n_weights: usize,
    /// The dimension of its span, or less.
    dimension: u32,
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
        let n_weights = is_below.len();
        let below = (0..n_weights).filter(|&i| is_below[i]).fold(0, |below, i| below | 1 << i);
        let ray = |i: usize| {
            let mut along = [0; MAX_WEIGHTS];
            along[i] = if is_below[i] { -1 } else { 1 };
            let others = ((1 << n_weights) - 1) & !(1 << i);
            ExtremeRay { along, walls: others, open: others & below }
        };
        Cone { rays: (0..n_weights).map(ray).collect(), n_weights, dimension: n_weights as u32 }
    }

    /// Its extreme rays.
    pub(super) fn rays(&self) -> &[ExtremeRay] {
        &self.rays
    }

    /// A point in the relative interior: the sum of the unit vectors of all rays.
    pub(super) fn inside(&self) -> Vec<f64> {
        let mut sum = vec![0.0; self.n_weights];
        for ray in &self.rays {
            let length = ray.along.iter().map(|&x| (x as f64).powi(2)).sum::<f64>().sqrt();
            sum.iter_mut().zip(&ray.along).for_each(|(sum, &x)| *sum += x as f64 / length);
        }
        sum
    }

    /// The part with `normal · weights` at least 0, or above 0 if `is_strict`.
    pub(super) fn cut(&self, normal: &[i32], is_strict: bool) -> Cut {
        self.cut_at(self.rays.iter().map(|ray| dot(normal, &ray.along)).collect(), is_strict)
    }

    /// The same, from the products of the normal with the rays.
    pub(super) fn cut_at(&self, heights: Vec<i128>, is_strict: bool) -> Cut {
        let (lowest, highest) =
            heights.iter().fold((i128::MAX, i128::MIN), |(low, high), &h| (low.min(h), high.max(h)));
        if highest < 0 || (is_strict && highest == 0) {
            return Cut::Nothing;
        }
        if lowest > 0 || (lowest == 0 && !is_strict) {
            return Cut::Whole;
        }
        let (mut part, heights) = if lowest < 0 { self.above(heights) } else { (self.clone(), heights) };
        if is_strict {
            part.open_wall(&heights);
        }
        if part.is_empty() { Cut::Nothing } else { Cut::Part(part) }
    }

    /// The part where heights are at least 0, and the heights of its rays. `heights` are the products of the rays with
    /// the normal.
    fn above(&self, heights: Vec<i128>) -> (Cone, Vec<i128>) {
        let used = self.rays.iter().fold(0, |used, ray| used | ray.walls);
        // With more than 128 walls nothing is cut off: the bound is then looser and still valid.
        let Some(wall) = 1u128.checked_shl(used.trailing_ones()) else { return (self.clone(), heights) };
        let mut rays = Vec::with_capacity(self.rays.len() + 8);
        let mut kept = Vec::with_capacity(self.rays.len() + 8);
        let (mut ups, mut downs) = (Vec::new(), Vec::new());
        for (i, (ray, &height)) in self.rays.iter().zip(&heights).enumerate() {
            match height {
                0 => rays.push(ExtremeRay { walls: ray.walls | wall, ..*ray }),
                1.. => {
                    ups.push(i);
                    rays.push(*ray);
                }
                _ => {
                    downs.push(i);
                    continue;
                }
            }
            kept.push(height);
        }
        for &u in &ups {
            for &d in &downs {
                let (up, down) = (&self.rays[u], &self.rays[d]);
                let both = up.walls & down.walls;
                if !self.are_adjacent(u, d, both) {
                    continue;
                }
                let Some(along) = between(&up.along, heights[u], &down.along, heights[d]) else {
                    return (self.clone(), heights);
                };
                rays.push(ExtremeRay { along, walls: both | wall, open: up.open & down.open });
                kept.push(0);
            }
        }
        let dimension = if ups.is_empty() { rank(&rays) } else { self.dimension };
        let mut cone = Cone { rays, n_weights: self.n_weights, dimension };
        cone.remove_redundant_walls();
        (cone, kept)
    }

    /// Two rays span a face of dimension 2 if no third ray lies on all walls that they share. Such a face lies on at
    /// least `dimension - 2` walls.
    #[inline]
    fn are_adjacent(&self, a: usize, b: usize, both: u128) -> bool {
        both.count_ones() + 2 >= self.dimension
            && !self.rays.iter().enumerate().any(|(c, ray)| ray.walls & both == both && c != a && c != b)
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

    /// Excludes the points of height 0; no height is below 0, except where numbers have grown too large. With more than
    /// 128 open walls the points stay: the bound is then looser and still valid.
    fn open_wall(&mut self, heights: &[i128]) {
        let used = self.rays.iter().fold(0, |used, ray| used | ray.open);
        let wall = 1u128.checked_shl(used.trailing_ones());
        if let Some(wall) = wall.filter(|_| heights.iter().all(|&height| height >= 0)) {
            let on_it = self.rays.iter_mut().zip(heights).filter(|(_, height)| **height == 0);
            on_it.for_each(|(ray, _)| ray.open |= wall);
        }
    }

    /// Whether all of it lies on an open wall.
    fn is_empty(&self) -> bool {
        self.rays.iter().fold(u128::MAX, |all, ray| all & ray.open) != 0
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

/// The product of a normal with a direction.
fn dot(normal: &[i32], along: &[i64]) -> i128 {
    normal.iter().zip(along).map(|(&a, &b)| i128::from(a) * i128::from(b)).sum()
}

/// The ray between two rays where the height is 0; `None` if its numbers do not fit 64 bits.
fn between(
    up: &[i64; MAX_WEIGHTS],
    height: i128,
    down: &[i64; MAX_WEIGHTS],
    depth: i128,
) -> Option<[i64; MAX_WEIGHTS]> {
    let divisor = i128::try_from(gcd(height.unsigned_abs(), depth.unsigned_abs())).ok()?;
    let (height, depth) = (height / divisor, -depth / divisor);
    let mut sum = [0i128; MAX_WEIGHTS];
    for (sum, (&a, &b)) in sum.iter_mut().zip(up.iter().zip(down)) {
        *sum = i128::from(a).checked_mul(depth)?.checked_add(i128::from(b).checked_mul(height)?)?;
    }
    let mut divisor = 0;
    for x in sum {
        divisor = gcd(divisor, x.unsigned_abs());
        if divisor == 1 {
            break;
        }
    }
    let divisor = i128::try_from(divisor.max(1)).ok()?;
    let mut along = [0; MAX_WEIGHTS];
    for (along, x) in along.iter_mut().zip(sum) {
        *along = i64::try_from(if divisor == 1 { x } else { x / divisor }).ok()?;
    }
    Some(along)
}

/// The greatest common divisor; most numbers fit 64 bits, whose division is much faster.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(small), Ok(other)) = (u64::try_from(a), u64::try_from(b)) {
            let (mut a, mut b) = (small, other);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            return a.into();
        }
        (a, b) = (b, a % b);
    }
    a
}
