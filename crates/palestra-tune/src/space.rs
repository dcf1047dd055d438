//! The search space: names and bounds of the weights.

/// The weights that a method may choose.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    /// The name of each weight, which is that of its feature.
    pub names: Vec<String>,
    /// Smallest value of each weight.
    pub low: Vec<f64>,
    /// Largest value of each weight.
    pub high: Vec<f64>,
    /// Whether only the direction of the weights matters: a player with all weights doubled plays the same games.
    pub scale_free: bool,
}

impl Space {
    /// Number of weights.
    pub fn n(&self) -> usize {
        self.names.len()
    }

    /// Moves the weights to the nearest point within the bounds.
    pub fn clamp(&self, weights: &mut [f64]) {
        for (weight, (low, high)) in weights.iter_mut().zip(self.low.iter().zip(&self.high)) {
            *weight = weight.clamp(*low, *high);
        }
    }

    /// Half the width of each range.
    pub fn radii(&self) -> Vec<f64> {
        self.low.iter().zip(&self.high).map(|(low, high)| (high - low) / 2.0).collect()
    }
}

/// The same direction with length 1; weights that are all 0 stay 0.
pub fn normalized(weights: &[f64]) -> Vec<f64> {
    let length = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
    if length == 0.0 || !length.is_finite() {
        return weights.to_vec();
    }
    weights.iter().map(|weight| weight / length).collect()
}

/// The angle between two sets of weights, in degrees; 0 where either has no direction.
pub fn angle(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (normalized(a), normalized(b));
    if a.iter().chain(&b).all(|weight| *weight == 0.0) {
        return 0.0;
    }
    // Half the angle from |a - b| and |a + b|: the arc cosine of the product rounds small angles to 0.
    let apart = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let along = a.iter().zip(&b).map(|(a, b)| (a + b) * (a + b)).sum::<f64>().sqrt();
    2.0 * apart.atan2(along).to_degrees()
}

/// The mean direction of several sets of weights: the sum of their unit vectors, with length 1.
pub fn mean_direction<'a>(all: impl IntoIterator<Item = &'a [f64]>) -> Vec<f64> {
    let mut sum: Vec<f64> = Vec::new();
    for weights in all {
        sum.resize(weights.len(), 0.0);
        sum.iter_mut().zip(normalized(weights)).for_each(|(sum, weight)| *sum += weight);
    }
    normalized(&sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} and {b}");
        close(angle(&[1.0, 0.0], &[5.0, 0.0]), 0.0);
        close(angle(&[1.0, 0.0], &[0.0, 2.0]), 90.0);
        close(angle(&[1.0, 0.0], &[-3.0, 0.0]), 180.0);
        close(angle(&[1.0, 1.0], &[1.0, 0.0]), 45.0);
        assert!(angle(&[1.0, 0.0], &[1.0, 1e-9]) > 0.0);
        assert_eq!(mean_direction([&[2.0, 0.0][..], &[0.0, 1.0]]), normalized(&[1.0, 1.0]));
    }
}
