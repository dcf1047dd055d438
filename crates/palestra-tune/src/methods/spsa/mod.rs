//! SPSA (Spall 1992) for noisy games: one pair of opposite probes gives a step for all weights together.
//!
//! Gains decay as is usual in engine testing: probes as `c / k^gamma`, the rate to `r` at the end of the run. A step is
//! `rate · probe · (wins - losses)`. Where an objective counts something else, its differences are divided by their
//! standard deviation and converted to the wins less losses that are as many standard deviations from 0. The
//! recommended point is the average of the second half of the path (Polyak and Ruppert): the last point has the noise
//! of the last games.

mod calibration;
#[cfg(test)]
mod tests;

use super::MethodInfo;
use super::frame::CoordinateFrame;
use crate::keys::keys;
use crate::{
    CandidateFitness, CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup,
    Recommendation, RequestSizes, angle,
};
use calibration::{ladder, probe_of};
use palestra_core::{InputError, Seed};
use palestra_settings::{Document, TextOrNumber};
use rand::RngExt as _;
use serde::{Deserialize, Deserializer};

/// SPSA, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "spsa",
    about: "plays pairs of small opposite changes against each other and moves toward the winners",
    settings: SpsaSettings::LIST,
    open,
    sizes,
};

/// Number of iterations where neither the plan nor the budget determines it.
const DEFAULT_ITERATIONS: u64 = 1000;
/// Decay of the running variance of differences, for each pair.
const MEMORY: f64 = 0.99;
/// Mean of the squared wins less losses of one game, if one game in five is a draw.
const GAME_VARIANCE: f64 = 0.8;

struct Spsa {
    frame: CoordinateFrame,
    gains: Gains,
    pairs: usize,
    /// The setting `target`, until the size of the probes is calibrated.
    calibrating: Option<f64>,
    rounding: bool,
    seed: Seed,
    budget: Option<u64>,
    spent: u64,
    /// Number of generations done, without the calibration.
    k: u64,
    start: Vec<f64>,
    theta: Vec<f64>,
    /// Running sums of the points: entry `i` is the sum over the first `i` generations.
    sums: Vec<Vec<f64>>,
    spread: Spread,
}

/// The decay of steps and probes, with Spall's symbols.
#[derive(Clone, PartialEq, Debug)]
struct Gains {
    c: f64,
    r: f64,
    alpha: f64,
    gamma: f64,
    stability: f64,
    /// K, the number of iterations; `None` until the cost of a generation is known.
    iterations: Option<u64>,
}

impl Gains {
    /// c_k, the size of the probes.
    fn probe(&self, k: u64) -> f64 {
        self.c / (k as f64 + 1.0).powf(self.gamma)
    }

    /// a_k / c_k²: the factor of `probe · (wins - losses)`. It is `r` when k reaches K.
    fn rate(&self, k: u64) -> f64 {
        let last = self.iterations.unwrap_or(DEFAULT_ITERATIONS) as f64;
        let hold = self.stability * last;
        let done = k as f64 + 1.0;
        self.r * ((hold + last) / (hold + done)).powf(self.alpha) * (done / last).powf(2.0 * self.gamma)
    }
}

/// Root mean square of differences, with exponentially decaying weights.
#[derive(Clone, PartialEq, Debug, Default)]
struct Spread {
    squares: f64,
    weight: f64,
}

impl Spread {
    fn add(&mut self, difference: f64) {
        self.squares = MEMORY * self.squares + difference * difference;
        self.weight = MEMORY * self.weight + 1.0;
    }

    /// The difference as a multiple of the spread, limited to ±3 against outliers.
    fn standardized(&self, difference: f64) -> f64 {
        match self.squares > 0.0 {
            true => (difference / (self.squares / self.weight).sqrt()).clamp(-3.0, 3.0),
            false => 0.0,
        }
    }
}

keys! {
    pub(super) struct SpsaSettings {
        /// pairs of probes in a generation; with 1 and the objective league, the two play each other
        pairs: usize = 4, in 1..=100_000;
        /// size of the first probes, 1 is half the range of a weight; "auto" tries six sizes
        c: Option<ProbeSize> = None => "0.3 on the sphere, else 0.2";
        /// with c = "auto": the difference of a pair as a share of the largest one seen
        target: f64 = 0.9, in 0.01..=1.0;
        /// rate at the end of the run; a step is rate · probe · (wins - losses)
        r: f64 = 0.02, in 1e-6..=10.0;
        /// exponent of the decay of steps
        alpha: f64 = 0.602, in 0.0..=1.0;
        /// exponent of the decay of probes
        gamma: f64 = 0.101, in 0.0..=0.5;
        /// iterations added to reduce the first steps, as a share of all iterations
        stability as "A": f64 = 0.1, in 0.0..=10.0;
        /// generations over which the gains decay
        iterations: Option<u64> = None => "as the budget allows, or 1000", in 1..=1_000_000_000;
        /// whether only the direction of the weights is searched
        sphere: Option<bool> = None => "where only it matters";
        /// whether weights are rounded up or down at random to whole numbers
        rounding: bool = false;
    }
}

/// The setting `c`; `None` is `"auto"`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ProbeSize(Option<f64>);

impl<'de> Deserialize<'de> for ProbeSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProbeSize, D::Error> {
        let expected = "a number from 0.000001 to 1, or \"auto\"";
        let of_number = |c| (1e-6..=1.0).contains(&c).then_some(ProbeSize(Some(c)));
        let of_text = |text: &str| (text == "auto").then_some(ProbeSize(None));
        deserializer.deserialize_any(TextOrNumber { expected, of_number, of_text })
    }
}

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let settings: SpsaSettings = document.read()?;
    let SpsaSettings { pairs, target, r, alpha, gamma, stability, iterations, rounding, .. } = settings;
    let mut frame = CoordinateFrame::open(&setup.space, settings.sphere)?;
    if rounding && frame.sphere {
        if settings.sphere.is_some() {
            let reason = "rounding = true needs whole weights, and on the sphere weights are fractions";
            return Err(document.place_of("sphere").not_allowed(reason));
        }
        frame = CoordinateFrame::new(&setup.space, false);
    }
    let default_c = if frame.sphere { 0.3 } else { 0.2 };
    let is_auto = settings.c == Some(ProbeSize(None));
    let c = settings.c.and_then(|size| size.0).unwrap_or(default_c);
    let start = frame.start(setup, setup.seed.child(0));
    Ok(Box::new(Spsa {
        gains: Gains { c, r, alpha, gamma, stability, iterations },
        pairs,
        calibrating: is_auto.then_some(target),
        rounding,
        seed: setup.seed.child(1),
        budget: setup.n_games,
        spent: 0,
        k: 0,
        theta: start.clone(),
        sums: vec![vec![0.0; frame.n()]],
        start,
        spread: Spread::default(),
        frame,
    }))
}

fn sizes(_setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: SpsaSettings = document.read()?;
    let is_auto = settings.c == Some(ProbeSize(None));
    let tries = RequestSizes::constant(2 * ladder(settings.pairs).len()).cycle;
    Ok(RequestSizes {
        first: tries.into_iter().filter(|_| is_auto).map(|request| (request, 1)).collect(),
        ..RequestSizes::constant(2 * settings.pairs)
    })
}

impl Spsa {
    fn generation_seed(&self) -> Seed {
        self.seed.child(if self.calibrating.is_some() { 0 } else { self.k + 1 })
    }

    /// The probes of this generation: size and direction.
    fn probes(&self) -> Vec<(f64, Vec<f64>)> {
        let sizes: Vec<f64> = match self.calibrating {
            Some(_) => ladder(self.pairs),
            None => vec![self.gains.probe(self.k); self.pairs],
        };
        let direction = |(i, size)| {
            let mut rng = self.generation_seed().child(i as u64).rng();
            let side = |_| if rng.random::<bool>() { 1.0 } else { -1.0 };
            let mut direction: Vec<f64> = (0..self.frame.n()).map(side).collect();
            if self.frame.sphere {
                let along: f64 = direction.iter().zip(&self.theta).map(|(a, b)| a * b).sum();
                direction.iter_mut().zip(&self.theta).for_each(|(a, b)| *a -= along * b);
            }
            (size, direction)
        };
        sizes.into_iter().enumerate().map(direction).collect()
    }

    /// The weights of a point. With `rounding` they become whole: at random, up with the probability of the fraction,
    /// or to the nearest where there is no seed.
    fn weights(&self, point: &[f64], seed: Option<Seed>) -> Vec<f64> {
        let mut weights = self.frame.weights(point);
        if self.rounding {
            let mut rng = seed.map(Seed::rng);
            for weight in &mut weights {
                *weight = (*weight + rng.as_mut().map_or(0.5, |rng| rng.random::<f64>())).floor();
            }
        }
        weights
    }

    fn shifted(&self, by: f64, direction: &[f64]) -> Vec<f64> {
        self.theta.iter().zip(direction).map(|(x, d)| x + by * d).collect()
    }

    /// Determines the number of iterations from the budget and the games of the first generation.
    fn set_iterations(&mut self, n_games: u64) {
        if self.gains.iterations.is_none() {
            let left = self.budget.map(|budget| budget.saturating_sub(self.spent) / n_games.max(1));
            self.gains.iterations = Some(left.map_or(DEFAULT_ITERATIONS, |left| left.max(1)));
        }
        self.spent += n_games;
    }

    fn step(&mut self, rating: &CandidateFitness) {
        let probes = self.probes();
        // An objective without games counts as one pair of games.
        let n_games = if rating.n_games == 0 { 2.0 } else { rating.n_games as f64 / self.pairs as f64 };
        let rate = self.gains.rate(self.k);
        let differences: Vec<f64> = rating.fitness.chunks(2).map(|two| two[0] - two[1]).collect();
        differences.iter().filter(|difference| difference.is_finite()).for_each(|d| self.spread.add(*d));
        let mut point = self.theta.clone();
        for ((size, direction), difference) in probes.iter().zip(differences) {
            let wins = match rating.head_to_head {
                Some(counts) if self.pairs == 1 => {
                    counts.iter().zip(-2i32..).map(|(n, points)| *n as f64 * f64::from(points)).sum()
                }
                _ if difference.is_finite() => {
                    self.spread.standardized(difference) * (GAME_VARIANCE * n_games).sqrt()
                }
                _ => 0.0,
            };
            // The limit keeps the step of all pairs together about as short as a probe.
            let limit = 1.0 / (self.pairs as f64).sqrt();
            let by = size * (rate * wins).clamp(-limit, limit);
            point.iter_mut().zip(direction).for_each(|(x, d)| *x += by * d);
        }
        self.frame.repair(&mut point);
        self.frame.project_to_sphere(&mut point);
        self.theta = point;
        self.k += 1;
        let last = &self.sums[self.sums.len() - 1];
        self.sums.push(last.iter().zip(&self.theta).map(|(sum, x)| sum + x).collect());
    }

    /// The mean of the second half of the path.
    fn average(&self) -> Vec<f64> {
        let (all, early) = (self.k as usize, self.k as usize / 2);
        if all == 0 {
            return self.theta.clone();
        }
        let n = (all - early) as f64;
        self.sums[all].iter().zip(&self.sums[early]).map(|(all, early)| (all - early) / n).collect()
    }
}

impl Optimizer for Spsa {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        let mut all = Vec::new();
        for (i, (size, direction)) in self.probes().iter().enumerate() {
            // Both probes of a pair are rounded with the same seed, so that they differ only by the probe.
            let seed = Some(self.generation_seed().child(i as u64).child(0));
            all.push(self.weights(&self.shifted(*size, direction), seed));
            all.push(self.weights(&self.shifted(-*size, direction), seed));
        }
        Some(OptimizerRequest::Rate { candidates: CandidateSet::Listed(all), effort: 1 })
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        let OptimizerReply::Rated(rating) = reply else { panic!("the request was for fitness") };
        match self.calibrating.take() {
            Some(target) => {
                let differences: Vec<f64> = rating.fitness.chunks(2).map(|two| two[0] - two[1]).collect();
                let seen: Vec<(f64, f64)> = ladder(self.pairs).into_iter().zip(differences).collect();
                self.gains.c = probe_of(&seen, target).unwrap_or(self.gains.c);
                self.spent += rating.n_games;
            }
            None => {
                self.set_iterations(rating.n_games);
                self.step(rating);
            }
        }
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let recommendation = |label: &str, point: &[f64]| Recommendation {
            label: label.to_owned(),
            weights: self.weights(point, None),
        };
        vec![
            recommendation("average of the later half", &self.average()),
            recommendation("last point", &self.theta),
        ]
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        let moved = angle(&self.frame.weights(&self.start), &self.frame.weights(&self.theta));
        vec![("rate", self.gains.rate(self.k)), ("c", self.gains.probe(self.k)), ("degrees moved", moved)]
    }

    fn n_generations(&self) -> Option<u64> {
        self.gains.iterations
    }
}
