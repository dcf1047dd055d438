//! Weights from positions instead of match results: a game has one result, but tens of positions that led to it.
//!
//! First, logistic regression over games of self-play finds the weights that predict results best. Then TDLeaf also
//! learns from changes of the evaluation in the course of a game. The first games are played by weights scattered
//! around the start, so that positions differ.

mod logistic;
mod samples;
mod tdleaf;
#[cfg(test)]
mod tests;

use super::MethodInfo;
use super::frame::{CoordinateFrame, normals};
use crate::keys::keys;
use crate::{
    Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, RequestSize, RequestSizes,
    SelfPlayGame, Space, angle,
};
use logistic::LogisticFit;
use palestra_core::{InputError, Seed};
use palestra_settings::Document;
use samples::Samples;

/// Regression and TDLeaf, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "regression",
    about: "predicts results of self-play from positions, then learns from changes of evaluation (TDLeaf)",
    settings: RegressionSettings::LIST,
    open,
    sizes,
};

struct Regression {
    frame: CoordinateFrame,
    space: Space,
    seed: Seed,
    games: u32,
    explorers: u64,
    settings: RegressionSettings,
    /// Number of replies so far.
    n_replies: u64,
    start: Vec<f64>,
    samples: Samples,
    fit: Option<LogisticFit>,
    /// The coefficients of TDLeaf, in logits.
    learned: Option<Vec<f64>>,
}

keys! {
    pub(super) struct RegressionSettings {
        /// games of self-play in a round
        games: Option<u64> = None => "an equal share of the budget, or 1000", in 1..=10_000_000;
        /// rounds that end in a regression
        rounds: u64 = 3, in 1..=1000;
        /// rounds of TDLeaf after them
        td_rounds: u64 = 2, in 0..=1000;
        /// number of players that share the games of the first round
        explorers: u64 = 4, in 1..=1000;
        /// spread of their weights around the start; 1 is half the range of a weight
        explore: f64 = 0.3, in 0.0..=10.0;
        /// whether a regression uses the games of earlier rounds too
        pool: bool = true;
        /// penalty on squared weights in the regression
        ridge: f64 = 0.001, in 0.0..=1e6;
        /// λ of TDLeaf: weight of a difference one position earlier
        lambda: f64 = 0.7, in 0.0..=1.0;
        /// step size of TDLeaf
        rate: f64 = 0.05, in 0.0..=1e3;
        /// whether only the direction of the weights is searched
        sphere: Option<bool> = None => "where only it matters";
    }
}

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let settings: RegressionSettings = document.read()?;
    let games = settings.games_of(setup);
    let frame = CoordinateFrame::open(&setup.space, settings.sphere)?;
    Ok(Box::new(Regression {
        start: frame.start(setup, setup.seed.child(0)),
        space: setup.space.clone(),
        seed: setup.seed.child(1),
        games: games as u32,
        explorers: settings.explorers.min(games),
        settings,
        n_replies: 0,
        samples: Samples::new(frame.n()),
        fit: None,
        learned: None,
        frame,
    }))
}

impl RegressionSettings {
    /// Games of self-play in a round.
    fn games_of(&self, setup: &OptimizerSetup) -> u64 {
        let n_rounds = self.rounds + self.td_rounds;
        let share = setup.n_games.map(|n_games| (n_games / n_rounds).clamp(1, 10_000_000));
        self.games.or(share).unwrap_or(1000)
    }
}

fn sizes(setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: RegressionSettings = document.read()?;
    let games = settings.games_of(setup);
    let explorers = settings.explorers.min(games);
    let play = |n_games: u64, times: u64| (RequestSize::SelfPlay { n_games }, times);
    let (each, rest) = (games / explorers, games % explorers);
    let rounds = settings.rounds - 1 + settings.td_rounds;
    let first = [play(each + 1, rest), play(each, explorers - rest), play(games, rounds)];
    let first = first.into_iter().filter(|(_, times)| *times > 0).collect();
    Ok(RequestSizes { first, cycle: Vec::new(), depends_on_replies: false })
}

impl Regression {
    /// The weights of a player from coefficients in logits.
    fn weights(&self, coefficients: &[f64]) -> Vec<f64> {
        let n = self.frame.n();
        let (weights, offset) = (&coefficients[..n], coefficients[n]);
        if self.frame.sphere {
            return self.frame.weights(&self.frame.point(weights));
        }
        let factor = match offset > 0.0 {
            // The coefficient of the fixed weights converts logits to units of the evaluation.
            true => 1.0 / offset,
            // Nothing determines the length of the weights: they are made as long as the bounds allow.
            false => {
                let bounds =
                    self.space.low.iter().zip(&self.space.high).map(|(low, high)| low.abs().max(high.abs()));
                let scales = bounds.zip(weights).filter(|(_, weight)| **weight != 0.0);
                scales.map(|(bounds, weight)| bounds / weight.abs()).fold(f64::INFINITY, f64::min)
            }
        };
        let mut weights: Vec<f64> = weights.iter().map(|weight| weight * factor).collect();
        self.space.clamp(&mut weights);
        weights
    }

    fn start_weights(&self) -> Vec<f64> {
        self.frame.weights(&self.start)
    }

    /// The present weights: those of TDLeaf, of the regression, or the start.
    fn current(&self) -> Vec<f64> {
        let learned = self.learned.as_ref().or(self.fit.as_ref().map(|fit| &fit.coefficients));
        learned.map_or_else(|| self.start_weights(), |coefficients| self.weights(coefficients))
    }

    /// The weights of explorer `i`: the start for the first, random weights around it for the others.
    fn explorer(&self, i: u64) -> Vec<f64> {
        let scatter = normals(self.seed.child(i), self.frame.n());
        let by = if i == 0 { 0.0 } else { self.settings.explore };
        let point: Vec<f64> = self.start.iter().zip(scatter).map(|(x, z)| x + by * z).collect();
        self.frame.weights(&point)
    }

    fn n_requests(&self) -> u64 {
        self.explorers + self.settings.rounds - 1 + self.settings.td_rounds
    }

    /// The coefficients that TDLeaf starts from: the present ones, or the start, scaled so that the evaluation of
    /// positions has a standard deviation of about one logit.
    fn tdleaf_start(&self, scales: &[f64]) -> Option<Vec<f64>> {
        if let Some(learned) = self.learned.as_ref().or(self.fit.as_ref().map(|fit| &fit.coefficients)) {
            return Some(learned.clone());
        }
        let start = self.start_weights();
        let spread =
            start.iter().zip(scales).map(|(weight, scale)| (weight * scale).powi(2)).sum::<f64>().sqrt();
        let scaled = start.iter().map(|weight| weight / spread).chain([1.0 / spread, 0.0, 0.0]);
        (spread > 0.0).then(|| scaled.collect())
    }

    fn learn(&mut self, games: &[SelfPlayGame]) {
        let mut fresh = Samples::new(self.frame.n());
        fresh.add(games);
        let scales = &fresh.deviations()[..self.frame.n()];
        if !fresh.is_varied() {
            return; // Nothing can be learned from games with equal results.
        }
        let Some(start) = self.tdleaf_start(scales) else { return };
        let learned = tdleaf::learn(&start, games, scales, self.settings.lambda, self.settings.rate);
        if learned.iter().all(|weight| weight.is_finite()) && learned.iter().any(|weight| *weight != 0.0) {
            self.learned = Some(learned);
        }
    }
}

impl Optimizer for Regression {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        if self.n_replies >= self.n_requests() {
            return None;
        }
        let explorer = self.n_replies;
        if explorer < self.explorers {
            let (each, rest) =
                (u64::from(self.games) / self.explorers, u64::from(self.games) % self.explorers);
            let n_games = (each + u64::from(explorer < rest)) as u32;
            return Some(OptimizerRequest::SelfPlay { weights: self.explorer(explorer), n_games });
        }
        Some(OptimizerRequest::SelfPlay { weights: self.current(), n_games: self.games })
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        let OptimizerReply::Played(games) = reply else { panic!("the request was for games of self-play") };
        self.n_replies += 1;
        if self.n_replies >= self.explorers + self.settings.rounds {
            return self.learn(games);
        }
        if !self.settings.pool && self.n_replies > self.explorers {
            self.samples = Samples::new(self.frame.n());
        }
        self.samples.add(games);
        if self.n_replies >= self.explorers {
            self.fit = logistic::fit(&self.samples, self.settings.ridge).or(self.fit.take());
        }
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let recommendation = |label: &str, coefficients: &Vec<f64>| Recommendation {
            label: label.to_owned(),
            weights: self.weights(coefficients),
        };
        let learned = self.learned.iter().map(|learned| recommendation("TDLeaf", learned));
        let fitted = self.fit.iter().map(|fit| recommendation("regression", &fit.coefficients));
        let mut all: Vec<Recommendation> = learned.chain(fitted).collect();
        if all.is_empty() {
            all.push(Recommendation { label: "start".to_owned(), weights: self.start_weights() });
        }
        all
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        let n = self.frame.n();
        let constant = self.samples.deviations()[..n].iter().filter(|deviation| **deviation == 0.0).count();
        let flag = |flag: bool| if flag { 1.0 } else { 0.0 };
        let mut metrics = vec![
            ("positions", self.samples.len() as f64),
            ("constant features", constant as f64),
            ("learned something", flag(self.fit.is_some() || self.learned.is_some())),
            ("degrees from the start", angle(&self.start_weights(), &self.current())),
        ];
        if let Some(fit) = &self.fit {
            metrics.push(("log loss", fit.log_loss));
            metrics.push(("separable", flag(fit.separable)));
        }
        metrics
    }

    fn n_generations(&self) -> Option<u64> {
        Some(self.n_requests())
    }
}
