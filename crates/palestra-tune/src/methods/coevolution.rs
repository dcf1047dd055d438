//! The hosts of the Mastergoal study's coevolution. The objective `parasites` chooses their opponents, from the hall of
//! fame that is kept here among others, and shares fitness among them.

use super::MethodInfo;
use super::common::{
    Roulette, best_of, chance, coin, first_population, fitness_of, fittest, in_box, middle, normal, ranked,
    rate,
};
use crate::keys::keys;
use crate::{
    HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation,
    RequestSizes,
};
use palestra_core::{InputError, Rng};
use palestra_settings::Document;
use rand::RngExt;
use serde::Deserialize;

/// Coevolution, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "coevolution",
    about: "breeds hosts by roulette and uniform crossover and keeps the best of every generation, as in the Mastergoal study",
    settings: CoevolutionSettings::LIST,
    open,
    sizes,
};

keys! {
    pub(super) struct CoevolutionSettings {
        /// number of hosts
        population: usize = 200, in 2..=1_000_000;
        /// number of best hosts that are copied unchanged
        elite: usize = 3, in 0..=999_999;
        /// probability that a gene mutates
        rate: f64 = 0.2, in 0.0..=1.0;
        /// standard deviation of a mutation; the study's 1 is small for bounds of 100
        sigma: f64 = 1.0 => "1", in 0.0..=1e9;
        /// independent: each gene on its own; galib: a fixed number of genes, drawn with replacement
        mutation: GeneMutation = GeneMutation::Independent => "independent";
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GeneMutation {
    Independent,
    Galib,
}

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let mut settings: CoevolutionSettings = document.read()?;
    let size = settings.population;
    if settings.elite >= size && document.has("elite") {
        return Err(document.invalid("elite", format!("a whole number from 0 to {}", size - 1)));
    }
    settings.elite = settings.elite.min(size - 1);
    let mut rng = setup.seed.child(0).rng();
    let hosts = first_population(setup.start.as_ref(), size, || in_box(&setup.space, &mut rng));
    Ok(Box::new(Coevolution {
        setup: setup.clone(),
        settings,
        generation: 0,
        hosts,
        rated: None,
        hall_of_fame: Vec::new(),
    }))
}

fn sizes(_setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: CoevolutionSettings = document.read()?;
    Ok(RequestSizes::constant(settings.population))
}

impl CoevolutionSettings {
    fn mutate(&self, genes: &mut [f64], rng: &mut Rng) {
        let expected = self.rate * genes.len() as f64;
        if self.mutation == GeneMutation::Galib && expected >= 1.0 {
            // GAlib mutates this many genes, drawn with replacement. Without the 1e-9, 0.07 · 100 would round up to 8.
            let n_genes = (expected - 1e-9).ceil() as usize;
            for _ in 0..n_genes {
                let i = rng.random_range(0..genes.len());
                genes[i] += self.sigma * normal(rng);
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
    settings: CoevolutionSettings,
    generation: u64,
    hosts: Vec<Vec<f64>>,
    /// The last generation that was rated, with its fitness.
    rated: Option<(Vec<Vec<f64>>, Vec<f64>)>,
    /// The best host of each generation, in order, without duplicates.
    hall_of_fame: Vec<HallOfFameEntry>,
}

impl Coevolution {
    fn children(&self, fitness: &[f64]) -> Vec<Vec<f64>> {
        let mut rng = self.setup.seed.child(self.generation).rng();
        let elite = ranked(fitness).into_iter().take(self.settings.elite);
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
                self.settings.mutate(&mut child, &mut rng);
                self.setup.space.clamp(&mut child);
                next.push(child);
            }
        }
        // The last pair may add one child too many.
        next.truncate(self.hosts.len());
        next
    }
}

impl Optimizer for Coevolution {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        Some(rate(&self.hosts))
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        let fitness = fitness_of(reply, self.hosts.len()).to_vec();
        let best = best_of(&fitness);
        if self.hall_of_fame.iter().all(|entry| entry.weights != self.hosts[best]) {
            let (weights, fitness) = (self.hosts[best].clone(), fitness[best]);
            self.hall_of_fame.push(HallOfFameEntry { generation: self.generation, weights, fitness });
        }
        self.generation += 1;
        let next = self.children(&fitness);
        self.rated = Some((std::mem::replace(&mut self.hosts, next), fitness));
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        // Shared fitness is comparable within one generation only; the mean of the hosts varies less.
        let last =
            |(hosts, fitness): &(Vec<Vec<f64>>, Vec<f64>)| vec![middle(hosts), fittest(hosts, fitness)];
        self.rated.as_ref().map(last).unwrap_or_default()
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        vec![("hall of fame", self.hall_of_fame.len() as f64)]
    }

    fn hall_of_fame(&self) -> &[HallOfFameEntry] {
        &self.hall_of_fame
    }
}

#[cfg(test)]
#[path = "coevolution_tests.rs"]
mod tests;
