//! The genetic algorithm of the Connect-C study, with its selections as published and as intended.

use super::MethodInfo;
use super::common::{
    Roulette, chance, first_population, fitness_of, fittest, in_box, middle, normal, ranked, rate, shuffle,
};
use crate::keys::keys;
use crate::{Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, RequestSizes};
use palestra_core::{InputError, Rng};
use palestra_settings::{Document, Finite, OneOrMany};
use rand::RngExt;
use serde::Deserialize;

/// The genetic algorithm, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "ga",
    about: "crosses and mutates a population that is replaced every generation, as in the Connect-C study",
    settings: GaSettings::LIST,
    open,
    sizes,
};

keys! {
    pub(super) struct GaSettings {
        /// number of players, even
        population: usize = 20, in 2..=1_000_000;
        /// how parents are selected: weighted- or strict-, -published or -intended
        selection: Selection = Selection::WeightedPublished => "weighted-published";
        /// random-cut, random-cut-report (never all of the first parent) or fixed
        crossover: Crossover = Crossover::RandomCut => "random-cut";
        /// probability that a gene mutates
        mutation: f64 = 0.1, in 0.0..=1.0;
        /// standard deviation of a mutation, one number or one for each weight
        sd: OneOrMany<Finite> = OneOrMany::default() => "a tenth of the radius";
        /// probability that a gene that mutates also changes its sign
        negate: f64 = 0.2, in 0.0..=1.0;
        /// number of best players that are copied unchanged
        elite: usize = 0, in 0..=999_999;
        /// whether weights stay within the bounds; the first generation always is
        bounded: bool = false;
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Selection {
    /// Every player is a parent once, paired by rank: the first with the second, the third with the fourth. The study's
    /// program did this, which selects no player out.
    StrictPublished,
    /// The better half, each player twice. The report only says that half of the players are parents and that the
    /// number of players stays the same; partners are drawn at random, because the same pair twice would give similar
    /// children.
    StrictIntended,
    /// Roulette wheel with sectors as large as the fitness, and a ball that falls on whole numbers from 0 to F − 1.
    WeightedPublished,
    /// The same with a ball that falls on real numbers. For whole fitness the probabilities are the same.
    WeightedIntended,
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Crossover {
    /// Genes before the cut from one parent, the rest from the other.
    RandomCut,
    /// The same, but the last gene is never of the first parent.
    RandomCutReport,
    /// The first, third, … gene from one parent, the rest from the other.
    Fixed,
}

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let settings: GaSettings = document.read()?;
    let size = settings.population;
    if size % 2 == 1 {
        let expected = "an even number, because players are crossed in pairs";
        return Err(document.invalid("population", expected));
    }
    if settings.elite >= size {
        return Err(document.invalid("elite", format!("a whole number from 0 to {}", size - 1)));
    }
    let sd = deviations(setup, &settings.sd, document)?;
    let mut rng = setup.seed.child(0).rng();
    let population = first_population(setup.start.as_ref(), size, || in_box(&setup.space, &mut rng));
    Ok(Box::new(GeneticAlgorithm {
        setup: setup.clone(),
        settings,
        sd,
        generation: 0,
        population,
        rated: None,
    }))
}

fn sizes(_setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: GaSettings = document.read()?;
    Ok(RequestSizes::constant(settings.population))
}

/// Standard deviations, one for each weight.
fn deviations(
    setup: &OptimizerSetup,
    OneOrMany(given): &OneOrMany<Finite>,
    document: &Document,
) -> Result<Vec<f64>, InputError> {
    let n = setup.space.n();
    let place = document.place_of("sd");
    if let Some(Finite(negative)) = given.iter().find(|sd| sd.0 < 0.0) {
        return Err(place.invalid_value(&negative.to_string(), "a number of at least 0"));
    }
    match given.len() {
        0 if !document.has("sd") => Ok(setup.space.radii().iter().map(|radius| radius / 10.0).collect()),
        1 => Ok(vec![given[0].0; n]),
        n_given if n_given == n => Ok(given.iter().map(|sd| sd.0).collect()),
        n_given => {
            let expected = format!("one number, or {n} numbers, one for each weight");
            Err(place.invalid_value(&format!("{n_given} numbers"), expected))
        }
    }
}

struct GeneticAlgorithm {
    setup: OptimizerSetup,
    settings: GaSettings,
    /// The standard deviation of a mutation of each weight.
    sd: Vec<f64>,
    generation: u64,
    population: Vec<Vec<f64>>,
    /// The last generation that was rated, with its fitness.
    rated: Option<(Vec<Vec<f64>>, Vec<f64>)>,
}

impl GeneticAlgorithm {
    fn children(&self, fitness: &[f64]) -> Vec<Vec<f64>> {
        let mut rng = self.setup.seed.child(self.generation).rng();
        let size = self.population.len();
        let elite = ranked(fitness).into_iter().take(self.settings.elite);
        let mut next: Vec<Vec<f64>> = elite.map(|i| self.population[i].clone()).collect();
        let parents = parents(self.settings.selection, fitness, &mut rng);
        for pair in parents.chunks_exact(2) {
            let [a, b] = [pair[0], pair[1]].map(|i| &self.population[i]);
            for mut child in crossed(self.settings.crossover, a, b, &mut rng) {
                self.mutate(&mut child, &mut rng);
                next.push(child);
            }
        }
        // The elite replaces the last children.
        next.truncate(size);
        next
    }

    fn mutate(&self, child: &mut [f64], rng: &mut Rng) {
        for (gene, sd) in child.iter_mut().zip(&self.sd) {
            if chance(self.settings.mutation, rng) {
                *gene += sd * normal(rng);
                if chance(self.settings.negate, rng) {
                    *gene = -*gene;
                }
            }
        }
        if self.settings.bounded {
            self.setup.space.clamp(child);
        }
    }
}

/// Indices of the parents, in pairs; as many as there are players.
fn parents(selection: Selection, fitness: &[f64], rng: &mut Rng) -> Vec<usize> {
    match selection {
        Selection::StrictPublished => ranked(fitness),
        Selection::StrictIntended => {
            let mut better = ranked(fitness);
            better.truncate(fitness.len() / 2);
            let mut parents = Vec::with_capacity(fitness.len());
            for _ in 0..2 {
                shuffle(&mut better, rng);
                // With an odd half one pair spans both rounds, and its two parents must differ.
                if better.len() % 2 == 1 && better.len() > 1 && parents.last() == better.first() {
                    better.swap(0, 1);
                }
                parents.extend_from_slice(&better);
            }
            parents
        }
        Selection::WeightedPublished | Selection::WeightedIntended => {
            let wheel = Roulette::new(fitness);
            let whole = selection == Selection::WeightedPublished && wheel.is_whole();
            let spin = |_| if whole { wheel.spin_whole(rng) } else { wheel.spin(rng) };
            (0..fitness.len()).map(spin).collect()
        }
    }
}

fn crossed(crossover: Crossover, a: &[f64], b: &[f64], rng: &mut Rng) -> [Vec<f64>; 2] {
    let cut = match crossover {
        Crossover::RandomCut => rng.random_range(0..=a.len()),
        Crossover::RandomCutReport => rng.random_range(0..=a.len().saturating_sub(1)),
        Crossover::Fixed => 0,
    };
    let from_a = |i: usize| match crossover {
        Crossover::RandomCut | Crossover::RandomCutReport => i < cut,
        Crossover::Fixed => i.is_multiple_of(2),
    };
    let child = |first: bool| {
        let gene = |(i, (a, b)): (usize, (&f64, &f64))| if from_a(i) == first { *a } else { *b };
        a.iter().zip(b).enumerate().map(gene).collect()
    };
    [child(true), child(false)]
}

impl Optimizer for GeneticAlgorithm {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        Some(rate(&self.population))
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        let fitness = fitness_of(reply, self.population.len()).to_vec();
        self.generation += 1;
        let next = self.children(&fitness);
        self.rated = Some((std::mem::replace(&mut self.population, next), fitness));
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let recommend = |(population, fitness): &(Vec<Vec<f64>>, Vec<f64>)| {
            vec![fittest(population, fitness), middle(population)]
        };
        self.rated.as_ref().map(recommend).unwrap_or_default()
    }
}

#[cfg(test)]
#[path = "ga_tests.rs"]
mod tests;
