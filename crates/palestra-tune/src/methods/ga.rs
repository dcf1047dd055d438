//! The genetic algorithm of the Connect-C study, with its selections as published and as intended.

use super::MethodInfo;
use super::common::{
    Roulette, chance, first_population, fitness_of, fittest, in_box, middle, normal, ranked, rate, shuffle,
};
use crate::{Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, Settings};
use palestra_core::{InputError, Rng};
use rand::RngExt;

/// The genetic algorithm, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "ga",
    about: "crosses and mutates a population that is replaced every generation, as in the Connect-C study",
    settings: &[
        ("population", "number of players, even", "20"),
        (
            "selection",
            "how parents are selected: weighted- or strict-, -published or -intended",
            "weighted-published",
        ),
        ("crossover", "random-cut, random-cut-report (never all of the first parent) or fixed", "random-cut"),
        ("mutation", "probability that a gene mutates", "0.1"),
        (
            "sd",
            "standard deviation of a mutation, one number or one for each weight",
            "a tenth of the radius",
        ),
        ("negate", "probability that a gene that mutates also changes its sign", "0.2"),
        ("elite", "number of best players that are copied unchanged", "0"),
        ("bounded", "whether weights stay within the bounds; the first generation always is", "false"),
    ],
    open,
};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Selection {
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

#[derive(Clone, Copy, PartialEq, Debug)]
enum Crossover {
    /// Genes before the cut from one parent, the rest from the other; `last` is the last possible cut.
    RandomCut { last: usize },
    /// The first, third, … gene from one parent, the rest from the other.
    Fixed,
}

fn open(setup: &OptimizerSetup, settings: &mut Settings) -> Result<Box<dyn Optimizer>, InputError> {
    let size = even(settings, "population", 20)?;
    let selection = match settings.choice(
        "selection",
        "weighted-published",
        &["strict-published", "strict-intended", "weighted-published", "weighted-intended"],
    )? {
        "strict-published" => Selection::StrictPublished,
        "strict-intended" => Selection::StrictIntended,
        "weighted-intended" => Selection::WeightedIntended,
        _ => Selection::WeightedPublished,
    };
    let n = setup.space.n();
    let crossover =
        match settings.choice("crossover", "random-cut", &["random-cut", "random-cut-report", "fixed"])? {
            "fixed" => Crossover::Fixed,
            "random-cut-report" => Crossover::RandomCut { last: n.saturating_sub(1) },
            _ => Crossover::RandomCut { last: n },
        };
    let mutation = settings.number("mutation", 0.1, 0.0..=1.0)?;
    let default: Vec<f64> = setup.space.radii().iter().map(|radius| radius / 10.0).collect();
    let sd = deviations(settings, "sd", default)?;
    let negate = settings.number("negate", 0.2, 0.0..=1.0)?;
    let n_elite = settings.integer("elite", 0, 0..=size as u64 - 1)? as usize;
    let bounded = settings.flag("bounded", false)?;
    let mut rng = setup.seed.child(0).rng();
    let population = first_population(setup.start.as_ref(), size, || in_box(&setup.space, &mut rng));
    Ok(Box::new(GeneticAlgorithm {
        setup: setup.clone(),
        selection,
        crossover,
        mutation,
        sd,
        negate,
        n_elite,
        bounded,
        generation: 0,
        population,
        rated: None,
    }))
}

/// Reads a population size, which must be even: players are crossed in pairs.
fn even(settings: &mut Settings, key: &str, default: u64) -> Result<usize, InputError> {
    let size = settings.integer(key, default, 2..=1_000_000)?;
    if size % 2 == 1 {
        let expected = "an even number, because players are crossed in pairs";
        return Err(settings.invalid_value(key, settings.location_of(key), &size.to_string(), expected));
    }
    Ok(size as usize)
}

/// Standard deviations, one for each weight or one for all.
fn deviations(settings: &mut Settings, key: &str, default: Vec<f64>) -> Result<Vec<f64>, InputError> {
    let place = settings.location_of(key);
    let Some(deviations) = settings.numbers(key)? else { return Ok(default) };
    if let Some(negative) = deviations.iter().find(|sd| **sd < 0.0) {
        return Err(settings.invalid_value(key, place, &negative.to_string(), "a number of at least 0"));
    }
    match deviations.len() {
        1 => Ok(vec![deviations[0]; default.len()]),
        n if n == default.len() => Ok(deviations),
        n => {
            let expected = format!("one number, or {} numbers, one for each weight", default.len());
            Err(settings.invalid_value(key, place, &format!("{n} numbers"), expected))
        }
    }
}

struct GeneticAlgorithm {
    setup: OptimizerSetup,
    selection: Selection,
    crossover: Crossover,
    mutation: f64,
    sd: Vec<f64>,
    negate: f64,
    n_elite: usize,
    bounded: bool,
    generation: u64,
    population: Vec<Vec<f64>>,
    /// The last generation that was rated, with its fitness.
    rated: Option<(Vec<Vec<f64>>, Vec<f64>)>,
}

impl GeneticAlgorithm {
    fn children(&self, fitness: &[f64]) -> Vec<Vec<f64>> {
        let mut rng = self.setup.seed.child(self.generation).rng();
        let size = self.population.len();
        let elite = ranked(fitness).into_iter().take(self.n_elite);
        let mut next: Vec<Vec<f64>> = elite.map(|i| self.population[i].clone()).collect();
        let parents = parents(self.selection, fitness, &mut rng);
        for pair in parents.chunks_exact(2) {
            let [a, b] = [pair[0], pair[1]].map(|i| &self.population[i]);
            for mut child in crossed(self.crossover, a, b, &mut rng) {
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
            if chance(self.mutation, rng) {
                *gene += sd * normal(rng);
                if chance(self.negate, rng) {
                    *gene = -*gene;
                }
            }
        }
        if self.bounded {
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
        Crossover::RandomCut { last } => rng.random_range(0..=last),
        Crossover::Fixed => 0,
    };
    let from_a = |i: usize| match crossover {
        Crossover::RandomCut { .. } => i < cut,
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
