//! The evolution of the Ladrillos study: survivors and the mutated means of their pairs.
//!
//! The study gives neither the number of survivors nor the distributions by which survivors and mutations are drawn;
//! the settings document the choices made here.

use super::MethodInfo;
use super::common::{
    Roulette, chance, coin, first_population, fitness_of, fittest, middle, normal, ranked, rate,
};
use crate::keys::keys;
use crate::{
    HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation,
    RequestSizes,
};
use palestra_core::{InputError, Rng};
use palestra_settings::Document;
use rand::RngExt;

/// The evolution, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "evolution",
    about: "keeps survivors and adds the mutated means of their pairs, with a hall of fame, as in the Ladrillos study",
    settings: EvolutionSettings::LIST,
    open,
    sizes,
};

keys! {
    pub(super) struct EvolutionSettings {
        /// number of players, at least 3
        population: usize = 40, in 3..=10_000;
        /// share of players that survive, drawn at random with weights by rank: n for the best, 1 for the worst
        survivors: f64 = 0.5, in 0.0..=1.0;
        /// probability that a gene of a child mutates
        mutation: f64 = 1.0 => "1", in 0.0..=1.0;
        /// standard deviation of a mutation
        sd: f64 = 0.5, in 0.0..=1e9;
        /// size of the hall of fame
        hall: usize = 10, in 1..=1000;
        /// whether players enter the hall of fame by the mean of later ratings instead of one lucky generation
        retest: bool = false;
        /// whether weights stay within the bounds
        bounded: bool = false;
    }
}

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let settings: EvolutionSettings = document.read()?;
    let size = settings.population;
    let mut rng = setup.seed.child(0).rng();
    let n = setup.space.n();
    let mut population = first_population(setup.start.as_ref(), size, || zeros_and_ones(n, &mut rng));
    if settings.bounded {
        population.iter_mut().for_each(|weights| setup.space.clamp(weights));
    }
    Ok(Box::new(Evolution {
        setup: setup.clone(),
        // At least two parents and one child.
        n_survivors: ((size as f64 * settings.survivors).round() as usize).clamp(2, size - 1),
        settings,
        generation: 0,
        population,
        rated: None,
        hall_of_fame: Vec::new(),
        n_tests: Vec::new(),
        newcomers: Vec::new(),
    }))
}

fn sizes(_setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let EvolutionSettings { population, retest, hall, .. } = document.read()?;
    let constant = RequestSizes::constant(population);
    if !retest {
        return Ok(constant);
    }
    // Where there are newcomers, a generation rates them and the hall of fame again.
    let most = RequestSizes::constant(population.max(2 * hall));
    let first = constant.cycle.into_iter().map(|request| (request, 1)).collect();
    Ok(RequestSizes { first, depends_on_replies: true, ..most })
}

/// A random corner of the unit cube, except the one where all weights are 0.
fn zeros_and_ones(n: usize, rng: &mut Rng) -> Vec<f64> {
    loop {
        let weights: Vec<f64> = (0..n).map(|_| f64::from(u8::from(coin(rng)))).collect();
        if n == 0 || weights.iter().any(|weight| *weight > 0.0) {
            return weights;
        }
    }
}

struct Evolution {
    setup: OptimizerSetup,
    n_survivors: usize,
    settings: EvolutionSettings,
    generation: u64,
    population: Vec<Vec<f64>>,
    /// The last generation that was rated, with its fitness.
    rated: Option<(Vec<Vec<f64>>, Vec<f64>)>,
    /// The hall of fame, best first.
    hall_of_fame: Vec<HallOfFameEntry>,
    /// For each entry of the hall of fame: the number of ratings that its fitness is the mean of.
    n_tests: Vec<u32>,
    /// Players that are to be rated again together with the hall of fame.
    newcomers: Vec<HallOfFameEntry>,
}

impl Evolution {
    fn next_population(&self, fitness: &[f64]) -> Vec<Vec<f64>> {
        let mut rng = self.setup.seed.child(self.generation).rng();
        let survivors = drawn_by_rank(fitness, self.n_survivors, &mut rng);
        let mut next: Vec<Vec<f64>> = survivors.iter().map(|&i| self.population[i].clone()).collect();
        while next.len() < self.population.len() {
            let a = rng.random_range(0..self.n_survivors);
            // Any survivor but the first parent.
            let b = (a + rng.random_range(1..self.n_survivors)) % self.n_survivors;
            let mut child: Vec<f64> = next[a].iter().zip(&next[b]).map(|(a, b)| (a + b) / 2.0).collect();
            for gene in &mut child {
                if chance(self.settings.mutation, &mut rng) {
                    *gene += self.settings.sd * normal(&mut rng);
                }
            }
            if self.settings.bounded {
                self.setup.space.clamp(&mut child);
            }
            next.push(child);
        }
        next
    }

    /// The players of a rated generation that are good enough for the hall of fame, best first, without duplicates.
    fn qualifying(&self, population: &[Vec<f64>], fitness: &[f64]) -> Vec<HallOfFameEntry> {
        let threshold = match self.hall_of_fame.get(self.settings.hall - 1) {
            Some(last) => last.fitness,
            None => f64::NEG_INFINITY,
        };
        let mut qualifying: Vec<HallOfFameEntry> = Vec::new();
        for i in ranked(fitness).into_iter().take_while(|&i| fitness[i] > threshold) {
            let is_there = qualifying.iter().any(|entry| entry.weights == population[i]);
            if !is_there && qualifying.len() < self.settings.hall {
                let (weights, fitness) = (population[i].clone(), fitness[i]);
                qualifying.push(HallOfFameEntry { generation: self.generation, weights, fitness });
            }
        }
        qualifying
    }

    /// Adds players by their rating in one generation, as in the study.
    fn enter(&mut self, qualifying: Vec<HallOfFameEntry>) {
        for entry in qualifying {
            match self.hall_of_fame.iter_mut().find(|old| old.weights == entry.weights) {
                Some(old) if entry.fitness > old.fitness => *old = entry,
                Some(_) => {}
                None => self.hall_of_fame.push(entry),
            }
        }
        self.hall_of_fame.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
        self.hall_of_fame.truncate(self.settings.hall);
    }

    /// Adds the new ratings of the hall of fame and of the newcomers. The rating by which newcomers qualified does not
    /// count.
    fn enter_retested(&mut self, fitness: &[f64]) {
        self.n_tests.resize(fitness.len(), 0);
        self.hall_of_fame.append(&mut self.newcomers);
        let mut hall_of_fame: Vec<(HallOfFameEntry, u32)> = Vec::with_capacity(fitness.len());
        for ((mut entry, n_tests), fitness) in self.hall_of_fame.drain(..).zip(&self.n_tests).zip(fitness) {
            let sum = if *n_tests == 0 { 0.0 } else { entry.fitness * f64::from(*n_tests) };
            entry.fitness = (sum + fitness) / f64::from(n_tests + 1);
            hall_of_fame.push((entry, n_tests + 1));
        }
        hall_of_fame.sort_by(|a, b| b.0.fitness.total_cmp(&a.0.fitness));
        hall_of_fame.truncate(self.settings.hall);
        (self.hall_of_fame, self.n_tests) = hall_of_fame.into_iter().unzip();
    }
}

/// Indices of the survivors, drawn without replacement, each time with weights by rank among the rest.
fn drawn_by_rank(fitness: &[f64], n_survivors: usize, rng: &mut Rng) -> Vec<usize> {
    let mut left = ranked(fitness);
    let mut survivors = Vec::with_capacity(n_survivors);
    for _ in 0..n_survivors {
        let chances: Vec<f64> = (0..left.len()).map(|i| (left.len() - i) as f64).collect();
        survivors.push(left.remove(Roulette::new(&chances).spin(rng)));
    }
    survivors
}

impl Optimizer for Evolution {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        if self.newcomers.is_empty() {
            return Some(rate(&self.population));
        }
        let again: Vec<Vec<f64>> =
            self.hall_of_fame.iter().chain(&self.newcomers).map(|entry| entry.weights.clone()).collect();
        Some(rate(&again))
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        if !self.newcomers.is_empty() {
            self.enter_retested(fitness_of(reply, self.hall_of_fame.len() + self.newcomers.len()));
            return;
        }
        let fitness = fitness_of(reply, self.population.len()).to_vec();
        let mut qualifying = self.qualifying(&self.population, &fitness);
        if self.settings.retest {
            qualifying.retain(|entry| self.hall_of_fame.iter().all(|old| old.weights != entry.weights));
            self.newcomers = qualifying;
        } else {
            self.enter(qualifying);
        }
        self.generation += 1;
        let next = self.next_population(&fitness);
        self.rated = Some((std::mem::replace(&mut self.population, next), fitness));
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let from_hall = self.hall_of_fame.iter().take(3).map(|entry| Recommendation {
            label: format!("hall of fame, generation {}", entry.generation),
            weights: entry.weights.clone(),
        });
        let last = self
            .rated
            .iter()
            .flat_map(|(population, fitness)| [middle(population), fittest(population, fitness)]);
        from_hall.chain(last).collect()
    }

    fn hall_of_fame(&self) -> &[HallOfFameEntry] {
        &self.hall_of_fame
    }
}

#[cfg(test)]
#[path = "evolution_tests.rs"]
mod tests;
