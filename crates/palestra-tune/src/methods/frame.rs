//! The coordinates of the continuous methods: a step of 1 is half the range of a weight, and on the sphere only the
//! direction matters.

use crate::{OptimizerSetup, Space, normalized};
use palestra_core::{InputError, Seed};
use rand_distr::{Distribution, StandardNormal};

/// Converts coordinates to weights and back.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CoordinateFrame {
    space: Space,
    center: Vec<f64>,
    radii: Vec<f64>,
    /// Whether points and weights have length 1.
    pub(crate) sphere: bool,
}

impl CoordinateFrame {
    /// The center is 0 on the sphere, and the middle of the bounds otherwise.
    pub(crate) fn new(space: &Space, sphere: bool) -> CoordinateFrame {
        let middle = |(low, high): (&f64, &f64)| if sphere { 0.0 } else { low / 2.0 + high / 2.0 };
        let center = space.low.iter().zip(&space.high).map(middle).collect();
        CoordinateFrame { space: space.clone(), center, radii: space.radii(), sphere }
    }

    /// With the setting `sphere`. It is on by default where only the direction matters, unless the bounds of a weight
    /// exclude 0: such bounds already fix the scale.
    pub(crate) fn open(space: &Space, sphere: Option<bool>) -> Result<CoordinateFrame, InputError> {
        if space.n() == 0 {
            return Err(InputError::new("player", "0 weights", "a player with at least one weight"));
        }
        let around_zero = space.low.iter().zip(&space.high).all(|(low, high)| *low <= 0.0 && *high >= 0.0);
        let default = space.scale_free && around_zero;
        // The direction of a single weight is only its sign.
        Ok(CoordinateFrame::new(space, sphere.unwrap_or(default) && space.n() > 1))
    }

    /// Number of coordinates.
    pub(crate) fn n(&self) -> usize {
        self.radii.len()
    }

    /// Moves a point to the nearest one within the bounds. On the sphere a bound only restricts the sign: the length of
    /// the weights is free, so that any other bound can be met by scaling.
    pub(crate) fn repair(&self, point: &mut [f64]) {
        for (i, x) in point.iter_mut().enumerate() {
            let (low, high) = (self.space.low[i], self.space.high[i]);
            *x = match self.sphere {
                true if low >= 0.0 && high <= 0.0 => 0.0,
                true if low >= 0.0 => x.max(0.0),
                true if high <= 0.0 => x.min(0.0),
                true => *x,
                false => x.clamp(-1.0, 1.0),
            };
        }
    }

    /// The weights of a point: within the bounds, or of length 1 on the sphere.
    pub(crate) fn weights(&self, point: &[f64]) -> Vec<f64> {
        let mut point = point.to_vec();
        self.repair(&mut point);
        let scale = |(x, (center, radius)): (&f64, (&f64, &f64))| center + radius * x;
        let mut weights: Vec<f64> =
            point.iter().zip(self.center.iter().zip(&self.radii)).map(scale).collect();
        match self.sphere {
            true => normalized(&weights),
            false => {
                self.space.clamp(&mut weights);
                weights
            }
        }
    }

    /// The point of these weights. A weight with equal bounds has coordinate 0.
    pub(crate) fn point(&self, weights: &[f64]) -> Vec<f64> {
        let scale = |(weight, (center, radius)): (&f64, (&f64, &f64))| match *radius > 0.0 {
            true => (weight - center) / radius,
            false => 0.0,
        };
        let mut point: Vec<f64> =
            weights.iter().zip(self.center.iter().zip(&self.radii)).map(scale).collect();
        self.repair(&mut point);
        self.project_to_sphere(&mut point);
        point
    }

    /// Scales a point to length 1, on the sphere.
    pub(crate) fn project_to_sphere(&self, point: &mut Vec<f64>) {
        if self.sphere {
            *point = normalized(point);
        }
    }

    /// The start point: that of the plan, or the middle of the bounds; on the sphere, where a middle of 0 has no
    /// direction, a random point.
    pub(crate) fn start(&self, setup: &OptimizerSetup, seed: Seed) -> Vec<f64> {
        let middle = |(low, high): (&f64, &f64)| low / 2.0 + high / 2.0;
        let weights = match &setup.start {
            Some(weights) => weights.clone(),
            None => self.space.low.iter().zip(&self.space.high).map(middle).collect(),
        };
        let mut point = self.point(&weights);
        if self.sphere && point.iter().all(|x| *x == 0.0) {
            point = normals(seed, self.n());
            self.repair(&mut point);
            self.project_to_sphere(&mut point);
        }
        point
    }
}

/// `n` standard normal numbers.
pub(crate) fn normals(seed: Seed, n: usize) -> Vec<f64> {
    let mut rng = seed.rng();
    (0..n).map(|_| StandardNormal.sample(&mut rng)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(bounds: &[(f64, f64)], scale_free: bool) -> Space {
        Space {
            names: (0..bounds.len()).map(|i| format!("w{i}")).collect(),
            low: bounds.iter().map(|(low, _)| *low).collect(),
            high: bounds.iter().map(|(_, high)| *high).collect(),
            scale_free,
        }
    }

    #[test]
    fn weights_and_points() {
        let frame = CoordinateFrame::new(&space(&[(0.0, 10.0), (-2.0, 2.0), (3.0, 3.0)], false), false);
        assert_eq!(frame.weights(&[0.5, -1.5, 9.0]), [7.5, -2.0, 3.0]);
        assert_eq!(frame.point(&[7.5, -2.0, 3.0]), [0.5, -1.0, 0.0]);
        let sphere = CoordinateFrame::new(&space(&[(-1.0, 1.0), (0.0, 1.0), (-2.0, 2.0)], true), true);
        // The second weight cannot be negative.
        assert_eq!(sphere.weights(&[3.0, -5.0, 2.0]), [0.6, 0.0, 0.8]);
        assert_eq!(sphere.point(&[0.6, 0.0, 0.8]), normalized(&[0.6, 0.0, 0.4]));
    }

    #[test]
    fn bounds_away_from_zero_fix_the_scale() {
        let open = |bounds: &[(f64, f64)], sphere: Option<bool>| {
            CoordinateFrame::open(&space(bounds, true), sphere).unwrap().sphere
        };
        assert!(open(&[(-1.0, 1.0), (0.0, 0.0)], None));
        assert!(!open(&[(-1.0, 1.0), (1.0, 1.0)], None));
        assert!(!open(&[(-1.0, 1.0)], Some(false)));
    }

    #[test]
    fn every_start_has_a_direction() {
        let setup = |start| OptimizerSetup {
            space: space(&[(-1.0, 1.0), (-1.0, 1.0)], true),
            start,
            seed: Seed(1),
            n_games: None,
            games_each: 1,
        };
        let frame = CoordinateFrame::new(&setup(None).space, true);
        assert_eq!(frame.start(&setup(Some(vec![0.0, 5.0])), Seed(1)), [0.0, 1.0]);
        let random = frame.start(&setup(None), Seed(1));
        assert!((random.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_ne!(random, frame.start(&setup(None), Seed(2)));
    }
}
