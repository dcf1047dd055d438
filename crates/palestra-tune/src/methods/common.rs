//! Helpers of several methods: requests and replies, random points, selection.

use crate::{CandidateSet, OptimizerReply, OptimizerRequest, Recommendation, Space};
use palestra_core::Rng;
use rand::{Rng as _, RngExt};
use rand_distr::{Distribution, StandardNormal};

/// A request for the fitness of these candidates, with the games of the plan.
pub(super) fn rate(candidates: &[Vec<f64>]) -> OptimizerRequest {
    OptimizerRequest::Rate { candidates: CandidateSet::Listed(candidates.to_vec()), effort: 1 }
}

/// The fitness of `n` candidates from a reply. Panics on a reply to another request, which is a bug of the caller.
pub(super) fn fitness_of(reply: &OptimizerReply, n: usize) -> &[f64] {
    let OptimizerReply::Rated(rating) = reply else { panic!("the request was for fitness") };
    assert_eq!(rating.fitness.len(), n, "one fitness for each candidate");
    assert!(!rating.fitness.iter().any(|fitness| fitness.is_nan()), "fitness is a number");
    &rating.fitness
}

/// Index of the largest fitness; the first of equals.
pub(super) fn best_of(fitness: &[f64]) -> usize {
    (1..fitness.len()).fold(0, |best, i| if fitness[i] > fitness[best] { i } else { best })
}

/// Indices from the largest fitness to the smallest, equals in order.
pub(crate) fn ranked(fitness: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
    order
}

/// The mean of a population.
pub(super) fn mean_of(population: &[Vec<f64>]) -> Vec<f64> {
    let n = population.len() as f64;
    let n_weights = population.first().map_or(0, Vec::len);
    (0..n_weights).map(|i| population.iter().map(|weights| weights[i]).sum::<f64>() / n).collect()
}

/// The fittest candidate of a rated generation, as a recommendation.
pub(super) fn fittest(population: &[Vec<f64>], fitness: &[f64]) -> Recommendation {
    let weights = population[best_of(fitness)].clone();
    Recommendation { label: "best of the last generation".to_owned(), weights }
}

/// The mean of a generation, as a recommendation.
pub(super) fn middle(population: &[Vec<f64>]) -> Recommendation {
    Recommendation { label: "mean of the last generation".to_owned(), weights: mean_of(population) }
}

/// A standard normal number.
pub(super) fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// A uniform random point within the bounds.
pub(super) fn in_box(space: &Space, rng: &mut Rng) -> Vec<f64> {
    let ranges = space.low.iter().zip(&space.high);
    ranges.map(|(low, high)| low + (high - low) * rng.random::<f64>()).collect()
}

/// A random direction within the bounds: with ranges from −1 to 1, a uniform point of the unit sphere.
///
/// Other ranges stretch each half of the sphere to touch its bound, and a weight that cannot have one sign gets the
/// other. Where the bounds exclude 0 there is no such sphere, and a uniform point within the bounds is drawn.
pub(super) fn on_sphere(space: &Space, rng: &mut Rng) -> Vec<f64> {
    let spans_zero = space.low.iter().zip(&space.high).all(|(low, high)| *low <= 0.0 && *high >= 0.0);
    let normals: Vec<f64> = (0..space.n()).map(|_| normal(rng)).collect();
    let unit = crate::normalized(&normals);
    if !spans_zero || unit.iter().all(|weight| *weight == 0.0) {
        return in_box(space, rng);
    }
    let stretch = |(unit, (&low, &high)): (&f64, (&f64, &f64))| {
        let up = if low == 0.0 || high == 0.0 { low == 0.0 } else { *unit > 0.0 };
        unit.abs() * if up { high } else { low }
    };
    unit.iter().zip(space.low.iter().zip(&space.high)).map(stretch).collect()
}

/// The first population: the start where there is one, then points from `draw`.
pub(super) fn first_population(
    start: Option<&Vec<f64>>,
    size: usize,
    mut draw: impl FnMut() -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let mut population: Vec<Vec<f64>> = start.cloned().into_iter().collect();
    population.resize_with(size, &mut draw);
    population
}

/// Fitness-proportional selection: a wheel with a sector for each candidate.
pub(super) struct Roulette {
    ends: Vec<f64>,
}

impl Roulette {
    /// Sectors as large as the fitness. Where some fitness is negative, all are raised until the lowest is 0; where all
    /// are 0, the sectors are equal.
    pub(super) fn new(fitness: &[f64]) -> Roulette {
        let lowest = fitness.iter().copied().fold(0.0, f64::min);
        let mut end = 0.0;
        let mut ends: Vec<f64> = Vec::with_capacity(fitness.len());
        for fitness in fitness {
            end += fitness - lowest;
            ends.push(end);
        }
        if end <= 0.0 || !end.is_finite() {
            ends = (1..=fitness.len()).map(|i| i as f64).collect();
        }
        Roulette { ends }
    }

    /// Index of a random sector.
    pub(super) fn spin(&self, rng: &mut Rng) -> usize {
        let ball = rng.random::<f64>() * self.ends[self.ends.len() - 1];
        self.sector(ball)
    }

    /// Index of a random sector, for a ball that falls on whole numbers only; every sector must be whole.
    pub(super) fn spin_whole(&self, rng: &mut Rng) -> usize {
        let ball = rng.random_range(0..self.ends[self.ends.len() - 1] as u64);
        self.sector(ball as f64)
    }

    /// Whether every sector is a whole number small enough to be exact.
    pub(super) fn is_whole(&self) -> bool {
        self.ends.iter().all(|end| end.fract() == 0.0 && *end <= (1u64 << 53) as f64)
    }

    fn sector(&self, ball: f64) -> usize {
        self.ends.partition_point(|end| *end <= ball).min(self.ends.len() - 1)
    }
}

/// `true` with this probability.
pub(super) fn chance(probability: f64, rng: &mut Rng) -> bool {
    rng.random::<f64>() < probability
}

/// Brings items into a uniform random order.
pub(super) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, rng.random_range(0..=i));
    }
}

/// A toss of a fair coin.
pub(super) fn coin(rng: &mut Rng) -> bool {
    rng.next_u64() >> 63 == 1
}
