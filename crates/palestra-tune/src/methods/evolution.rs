//! The evolution of the Ladrillos study: survivors and the mutated means of their pairs.
//!
//! The study gives neither the number of survivors nor the law by which they are drawn nor that of mutation; what
//! stands here in their place is said in the settings.

use super::MethodInfo;
use super::common::{
    Roulette, chance, coin, first_population, fitness_of, fittest, middle, normal, ranked, rate,
};
use crate::{
    HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, Settings,
};
use palestra_core::{InputError, Rng};
use rand::RngExt;

/// The evolution, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "evolution",
    about: "keeps survivors and adds the mutated means of their pairs, with a hall of fame, as in the Ladrillos study",
    settings: &[
        ("population", "how many players, at least 3", "40"),
        (
            "survivors",
            "the share that lives on, drawn at random with chances by rank: n for the best, 1 for the worst",
            "0.5",
        ),
        ("mutation", "the probability that a gene of a child changes", "1"),
        ("sd", "the standard deviation of a change", "0.5"),
        ("hall", "how many the hall of fame remembers", "10"),
        (
            "retest",
            "whether the hall is entered by the mean of later ratings instead of one lucky generation",
            "false",
        ),
        ("bounded", "whether weights stay within the bounds", "false"),
    ],
    open,
};

fn open(setup: &OptimizerSetup, settings: &mut Settings) -> Result<Box<dyn Optimizer>, InputError> {
    let size = settings.integer("population", 40, 3..=10_000)? as usize;
    let share = settings.number("survivors", 0.5, 0.0..=1.0)?;
    let mutation = settings.number("mutation", 1.0, 0.0..=1.0)?;
    let sd = settings.number("sd", 0.5, 0.0..=1e9)?;
    let n_hall = settings.integer("hall", 10, 1..=1000)? as usize;
    let retest = settings.flag("retest", false)?;
    let bounded = settings.flag("bounded", false)?;
    let mut rng = setup.seed.child(0).rng();
    let n = setup.space.n();
    let mut population = first_population(setup.start.as_ref(), size, || zeros_and_ones(n, &mut rng));
    if bounded {
        population.iter_mut().for_each(|weights| setup.space.clamp(weights));
    }
    Ok(Box::new(Evolution {
        setup: setup.clone(),
        // Two parents at least, and room for one child.
        n_survivors: ((size as f64 * share).round() as usize).clamp(2, size - 1),
        mutation,
        sd,
        n_hall,
        retest,
        bounded,
        generation: 0,
        population,
        rated: None,
        hall: Vec::new(),
        n_tests: Vec::new(),
        entrants: Vec::new(),
    }))
}

/// A corner of the unit cube, but not the one where all weights are 0.
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
    mutation: f64,
    sd: f64,
    n_hall: usize,
    retest: bool,
    bounded: bool,
    generation: u64,
    population: Vec<Vec<f64>>,
    /// The last generation that was rated, with its fitness.
    rated: Option<(Vec<Vec<f64>>, Vec<f64>)>,
    /// Best first.
    hall: Vec<HallOfFameEntry>,
    /// How many ratings the fitness of each in the hall is the mean of.
    n_tests: Vec<u32>,
    /// Those who wait to be rated again together with the hall.
    entrants: Vec<HallOfFameEntry>,
}

impl Evolution {
    fn next_population(&self, fitness: &[f64]) -> Vec<Vec<f64>> {
        let mut rng = self.setup.seed.child(self.generation).rng();
        let survivors = drawn_by_rank(fitness, self.n_survivors, &mut rng);
        let mut next: Vec<Vec<f64>> = survivors.iter().map(|&i| self.population[i].clone()).collect();
        while next.len() < self.population.len() {
            let a = rng.random_range(0..self.n_survivors);
            // Anybody but the first.
            let b = (a + rng.random_range(1..self.n_survivors)) % self.n_survivors;
            let mut child: Vec<f64> = next[a].iter().zip(&next[b]).map(|(a, b)| (a + b) / 2.0).collect();
            for gene in &mut child {
                if chance(self.mutation, &mut rng) {
                    *gene += self.sd * normal(&mut rng);
                }
            }
            if self.bounded {
                self.setup.space.clamp(&mut child);
            }
            next.push(child);
        }
        next
    }

    /// Those of a rated generation who are good enough for the hall, best first, everybody once.
    fn worthy(&self, population: &[Vec<f64>], fitness: &[f64]) -> Vec<HallOfFameEntry> {
        let least = match self.hall.get(self.n_hall - 1) {
            Some(last) => last.fitness,
            None => f64::NEG_INFINITY,
        };
        let mut worthy: Vec<HallOfFameEntry> = Vec::new();
        for i in ranked(fitness).into_iter().take_while(|&i| fitness[i] > least) {
            let is_there = worthy.iter().any(|entry| entry.weights == population[i]);
            if !is_there && worthy.len() < self.n_hall {
                let (weights, fitness) = (population[i].clone(), fitness[i]);
                worthy.push(HallOfFameEntry { generation: self.generation, weights, fitness });
            }
        }
        worthy
    }

    /// As in the study: the best of single generations.
    fn enter(&mut self, worthy: Vec<HallOfFameEntry>) {
        for entry in worthy {
            match self.hall.iter_mut().find(|old| old.weights == entry.weights) {
                Some(old) if entry.fitness > old.fitness => *old = entry,
                Some(_) => {}
                None => self.hall.push(entry),
            }
        }
        self.hall.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
        self.hall.truncate(self.n_hall);
    }

    /// Ratings of the hall and of those who wait: what brought them here does not count.
    fn enter_retested(&mut self, fitness: &[f64]) {
        self.n_tests.resize(fitness.len(), 0);
        self.hall.append(&mut self.entrants);
        let mut hall: Vec<(HallOfFameEntry, u32)> = Vec::with_capacity(fitness.len());
        for ((mut entry, n_tests), fitness) in self.hall.drain(..).zip(&self.n_tests).zip(fitness) {
            let sum = if *n_tests == 0 { 0.0 } else { entry.fitness * f64::from(*n_tests) };
            entry.fitness = (sum + fitness) / f64::from(n_tests + 1);
            hall.push((entry, n_tests + 1));
        }
        hall.sort_by(|a, b| b.0.fitness.total_cmp(&a.0.fitness));
        hall.truncate(self.n_hall);
        (self.hall, self.n_tests) = hall.into_iter().unzip();
    }
}

/// Numbers of survivors: without repetition, each time with chances by rank among those left.
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
        if self.entrants.is_empty() {
            return Some(rate(&self.population));
        }
        let again: Vec<Vec<f64>> =
            self.hall.iter().chain(&self.entrants).map(|entry| entry.weights.clone()).collect();
        Some(rate(&again))
    }

    fn tell(&mut self, answer: &OptimizerReply) {
        if !self.entrants.is_empty() {
            self.enter_retested(fitness_of(answer, self.hall.len() + self.entrants.len()));
            return;
        }
        let fitness = fitness_of(answer, self.population.len()).to_vec();
        let mut worthy = self.worthy(&self.population, &fitness);
        if self.retest {
            worthy.retain(|entry| self.hall.iter().all(|old| old.weights != entry.weights));
            self.entrants = worthy;
        } else {
            self.enter(worthy);
        }
        self.generation += 1;
        let next = self.next_population(&fitness);
        self.rated = Some((std::mem::replace(&mut self.population, next), fitness));
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let famous = self.hall.iter().take(3).map(|entry| Recommendation {
            label: format!("hall of fame, generation {}", entry.generation),
            weights: entry.weights.clone(),
        });
        let last = self
            .rated
            .iter()
            .flat_map(|(population, fitness)| [middle(population), fittest(population, fitness)]);
        famous.chain(last).collect()
    }

    fn hall_of_fame(&self) -> &[HallOfFameEntry] {
        &self.hall
    }
}

#[cfg(test)]
#[path = "evolution_tests.rs"]
mod tests;
