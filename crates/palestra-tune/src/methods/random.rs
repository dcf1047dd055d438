//! Random points with successive halving: the better part is rated again with twice the games, until one is left.

use super::MethodInfo;
use super::common::{first_population, fitness_of, in_box, on_sphere, ranked};
use crate::keys::keys;
use crate::{
    CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, RequestSize,
    RequestSizes,
};
use palestra_core::InputError;
use palestra_settings::Document;

/// Random search, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "random",
    about: "draws random points and rates the better part of them again with twice the games, until one is left",
    settings: RandomSettings::LIST,
    open,
    sizes,
};

keys! {
    pub(super) struct RandomSettings {
        /// number of points at the start of a bracket
        points: usize = 64, in 1..=10_000_000;
        /// largest number of rounds of a bracket; it ends earlier when one point is left
        rounds: u64 = 7, in 1..=MAX_ROUNDS;
        /// share of points that go on to the next round
        keep: f64 = 0.5, in 0.01..=0.99;
        /// whether new brackets follow, each with the best point so far
        repeat: bool = true;
    }
}

/// The effort doubles every round: 20 rounds end with 2^19 times the games of the first.
const MAX_ROUNDS: u64 = 20;

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let mut random = RandomSearch {
        setup: setup.clone(),
        settings: document.read()?,
        bracket: 0,
        round: 0,
        contenders: Vec::new(),
        champion: None,
        finished: false,
    };
    random.contenders = random.drawn(setup.start.as_ref());
    Ok(Box::new(random))
}

fn sizes(_setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: RandomSettings = document.read()?;
    let mut bracket = Vec::new();
    let mut n = settings.points;
    for round in 0.. {
        bracket.push(RequestSize::Rate { n: n as u64, effort: 1 << round });
        match settings.n_left(round + 1, n) {
            Some(n_left) if n_left > 1 => n = n_left,
            _ => break,
        }
    }
    Ok(if settings.repeat {
        RequestSizes { first: Vec::new(), cycle: bracket, depends_on_replies: false }
    } else {
        let first = bracket.into_iter().map(|request| (request, 1)).collect();
        RequestSizes { first, cycle: Vec::new(), depends_on_replies: false }
    })
}

impl RandomSettings {
    /// Number of points that play round `round` of a bracket after one of `n` points; `None` where there is no such
    /// round.
    fn n_left(&self, round: u64, n: usize) -> Option<usize> {
        let n_left = (n as f64 * self.keep).round() as usize;
        (round < self.rounds && n > 1).then(|| n_left.clamp(1, n - 1))
    }
}

struct RandomSearch {
    setup: OptimizerSetup,
    settings: RandomSettings,
    bracket: u64,
    round: u64,
    /// The points that are still in the bracket; best first after the first round.
    contenders: Vec<Contender>,
    /// The winner of the last bracket, which had the winner before among its points.
    champion: Option<Vec<f64>>,
    finished: bool,
}

struct Contender {
    weights: Vec<f64>,
    /// Sum of fitness times effort over all rounds. All points that are left have had the same effort.
    sum: f64,
}

impl RandomSearch {
    /// The points of a bracket: `first` where there is one, then random points.
    fn drawn(&self, first: Option<&Vec<f64>>) -> Vec<Contender> {
        let mut rng = self.setup.seed.child(self.bracket).rng();
        let draw = if self.setup.space.scale_free { on_sphere } else { in_box };
        let points = first_population(first, self.settings.points, || draw(&self.setup.space, &mut rng));
        points.into_iter().map(|weights| Contender { weights, sum: 0.0 }).collect()
    }

    fn effort(&self) -> u32 {
        1 << self.round
    }
}

impl Optimizer for RandomSearch {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        if self.finished {
            return None;
        }
        let weights = self.contenders.iter().map(|contender| contender.weights.clone()).collect();
        Some(OptimizerRequest::Rate { candidates: CandidateSet::Listed(weights), effort: self.effort() })
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        let effort = f64::from(self.effort());
        let fitness = fitness_of(reply, self.contenders.len());
        for (contender, fitness) in self.contenders.iter_mut().zip(fitness) {
            contender.sum += effort * fitness;
        }
        let sums: Vec<f64> = self.contenders.iter().map(|contender| contender.sum).collect();
        let mut contenders: Vec<Option<Contender>> = self.contenders.drain(..).map(Some).collect();
        self.contenders = ranked(&sums).into_iter().filter_map(|i| contenders[i].take()).collect();
        self.round += 1;
        if let Some(n_left) = self.settings.n_left(self.round, self.contenders.len()) {
            self.contenders.truncate(n_left);
            // The last point needs no more games: there is no other point to compare it with.
            if n_left > 1 {
                return;
            }
        }
        self.champion = self.contenders.first().map(|contender| contender.weights.clone());
        self.finished = !self.settings.repeat;
        if self.settings.repeat {
            self.bracket += 1;
            self.round = 0;
            self.contenders = self.drawn(self.champion.as_ref());
        }
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let champion = self.champion.iter().map(|weights| Recommendation {
            label: "winner of the last bracket".to_owned(),
            weights: weights.clone(),
        });
        let is_leader = self.round > 0 && !self.finished;
        let leader = self.contenders.first().filter(|_| is_leader).map(|contender| Recommendation {
            label: "first in the bracket".to_owned(),
            weights: contender.weights.clone(),
        });
        champion.chain(leader).collect()
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("bracket", self.bracket as f64),
            ("round", self.round as f64),
            ("points left", self.contenders.len() as f64),
        ]
    }
}

#[cfg(test)]
#[path = "random_tests.rs"]
mod tests;
