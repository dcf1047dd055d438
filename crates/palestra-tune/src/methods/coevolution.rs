//! The hosts of the Mastergoal study's coevolution. Whom they play against, and how fitness is shared among them, is
//! the business of the objective (`parasites`), which finds the hall of fame here.

use super::MethodInfo;
use super::common::{
    Roulette, best_of, chance, coin, first_population, fitness_of, fittest, in_box, middle, normal, ranked,
    rate,
};
use crate::{
    HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, Settings,
};
use palestra_core::{InputError, Rng};
use rand::RngExt;

/// Coevolution, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "coevolution",
    about: "breeds hosts by roulette and uniform crossover and keeps the best of every generation, as in the Mastergoal study",
    settings: &[
        ("population", "how many hosts", "200"),
        ("elite", "how many of the best are copied unchanged", "3"),
        ("rate", "the probability that a gene changes", "0.2"),
        ("sigma", "the standard deviation of a change; the study's 1 is tiny in bounds of 100", "1"),
        (
            "mutation",
            "independent: each gene by itself; galib: a fixed number of places, drawn with repetition",
            "independent",
        ),
    ],
    open,
};

fn open(setup: &OptimizerSetup, settings: &mut Settings) -> Result<Box<dyn Optimizer>, InputError> {
    let size = settings.integer("population", 200, 2..=1_000_000)? as usize;
    let n_elite = settings.integer("elite", 3.min(size as u64 - 1), 0..=size as u64 - 1)? as usize;
    let rate = settings.number("rate", 0.2, 0.0..=1.0)?;
    let sigma = settings.number("sigma", 1.0, 0.0..=1e9)?;
    let galib = settings.choice("mutation", "independent", &["independent", "galib"])? == "galib";
    let mut rng = setup.seed.child(0).rng();
    let hosts = first_population(setup.start.as_ref(), size, || in_box(&setup.space, &mut rng));
    let setup = setup.clone();
    let mutation = Mutation { rate, sigma, galib };
    Ok(Box::new(Coevolution {
        setup,
        n_elite,
        mutation,
        generation: 0,
        hosts,
        rated: None,
        hall: Vec::new(),
    }))
}

struct Mutation {
    rate: f64,
    sigma: f64,
    galib: bool,
}

impl Mutation {
    fn apply(&self, genes: &mut [f64], rng: &mut Rng) {
        let expected = self.rate * genes.len() as f64;
        if self.galib && expected >= 1.0 {
            // The library perturbs this many places, one of them perhaps twice. The small difference keeps 0.07 · 100 a 7.
            let n_places = (expected - 1e-9).ceil() as usize;
            for _ in 0..n_places {
                let place = rng.random_range(0..genes.len());
                genes[place] += self.sigma * normal(rng);
            }
            return;
        }
        for gene in genes {
            if chance(self.rate, rng) {
                *gene += self.sigma * normal(rng);
            }
        }
    }
}

struct Coevolution {
    setup: OptimizerSetup,
    n_elite: usize,
    mutation: Mutation,
    generation: u64,
    hosts: Vec<Vec<f64>>,
    /// The last generation that was rated, with its fitness.
    rated: Option<(Vec<Vec<f64>>, Vec<f64>)>,
    /// The best host of each generation, in order, nobody twice.
    hall: Vec<HallOfFameEntry>,
}

impl Coevolution {
    fn children(&self, fitness: &[f64]) -> Vec<Vec<f64>> {
        let mut rng = self.setup.seed.child(self.generation).rng();
        let elite = ranked(fitness).into_iter().take(self.n_elite);
        let mut next: Vec<Vec<f64>> = elite.map(|i| self.hosts[i].clone()).collect();
        let wheel = Roulette::new(fitness);
        while next.len() < self.hosts.len() {
            let parents = [wheel.spin(&mut rng), wheel.spin(&mut rng)].map(|i| &self.hosts[i]);
            let mut children = [Vec::with_capacity(parents[0].len()), Vec::with_capacity(parents[0].len())];
            for (a, b) in parents[0].iter().zip(parents[1]) {
                let (first, second) = if coin(&mut rng) { (a, b) } else { (b, a) };
                children[0].push(*first);
                children[1].push(*second);
            }
            for mut child in children {
                self.mutation.apply(&mut child, &mut rng);
                self.setup.space.clamp(&mut child);
                next.push(child);
            }
        }
        // Of the last pair there may be room for one.
        next.truncate(self.hosts.len());
        next
    }
}

impl Optimizer for Coevolution {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        Some(rate(&self.hosts))
    }

    fn tell(&mut self, answer: &OptimizerReply) {
        let fitness = fitness_of(answer, self.hosts.len()).to_vec();
        let best = best_of(&fitness);
        if self.hall.iter().all(|entry| entry.weights != self.hosts[best]) {
            let (weights, fitness) = (self.hosts[best].clone(), fitness[best]);
            self.hall.push(HallOfFameEntry { generation: self.generation, weights, fitness });
        }
        self.generation += 1;
        let next = self.children(&fitness);
        self.rated = Some((std::mem::replace(&mut self.hosts, next), fitness));
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        // Fitness is shared and only good for one generation; the middle of the hosts is the steadier answer.
        let last =
            |(hosts, fitness): &(Vec<Vec<f64>>, Vec<f64>)| vec![middle(hosts), fittest(hosts, fitness)];
        self.rated.as_ref().map(last).unwrap_or_default()
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        vec![("hall of fame", self.hall.len() as f64)]
    }

    fn hall_of_fame(&self) -> &[HallOfFameEntry] {
        &self.hall
    }
}

#[cfg(test)]
#[path = "coevolution_tests.rs"]
mod tests;
