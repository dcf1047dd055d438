use super::{Crossover, Selection, crossed, parents};
use crate::methods::trial::{
    candidates_of, check_repeatable, error_message, hill, noise, open, requests, rounded, run, setup, space,
};
use crate::{OptimizerSetup, Space, angle};
use palestra_core::Seed;

/// The space of the study.
fn study() -> Space {
    let radii = [1000.0, 1000.0, 100.0, 100.0, 100.0, 100.0];
    Space { low: radii.map(|radius: f64| -radius).to_vec(), high: radii.to_vec(), ..space(6, 1.0) }
}

const STUDY: &str = "sd = [100, 100, 20, 20, 20, 20]";

#[test]
fn strict_published_uses_every_player_once_by_rank() {
    let fitness = [3.0, 9.0, 5.0, 9.0, 1.0, 4.0];
    let rng = &mut Seed(1).rng();
    assert_eq!(parents(Selection::StrictPublished, &fitness, rng), [1, 3, 2, 5, 0, 4]);
}

#[test]
fn strict_intended_uses_the_better_half_twice() {
    for n in [2usize, 4, 6, 10, 20, 22] {
        let fitness: Vec<f64> = (0..n).map(|i| ((i * 7) % n) as f64).collect();
        for seed in 0..50 {
            let parents = parents(Selection::StrictIntended, &fitness, &mut Seed(seed).rng());
            assert_eq!(parents.len(), n);
            let limit = (n / 2) as f64;
            for i in 0..n {
                let n_times = parents.iter().filter(|parent| **parent == i).count();
                assert_eq!(n_times, if fitness[i] >= limit { 2 } else { 0 });
            }
            if n > 2 {
                assert!(parents.chunks(2).all(|pair| pair[0] != pair[1]), "{parents:?}");
            }
        }
    }
}

#[test]
fn weighted_selection_draws_in_proportion() {
    let shares = |selection: Selection, fitness: &[f64]| {
        let mut counts = vec![0.0; fitness.len()];
        for seed in 0..4000 {
            for parent in parents(selection, fitness, &mut Seed(seed).rng()) {
                counts[parent] += 1.0 / (4000.0 * fitness.len() as f64);
            }
        }
        counts
    };
    let check = |selection, fitness: &[f64], expected: &[f64]| {
        let found = shares(selection, fitness);
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 0.015 && (*expected > 0.0 || *found == 0.0),
                "{found} {expected}"
            );
        }
    };
    for selection in [Selection::WeightedPublished, Selection::WeightedIntended] {
        check(selection, &[1.0, 0.0, 3.0, 4.0], &[0.125, 0.0, 0.375, 0.5]);
        check(selection, &[0.25, 0.0, 0.75, 1.0], &[0.125, 0.0, 0.375, 0.5]);
        check(selection, &[-2.0, -3.0, 0.0, 1.0], &[0.125, 0.0, 0.375, 0.5]);
        check(selection, &[0.0; 4], &[0.25; 4]);
        check(selection, &[-7.5; 4], &[0.25; 4]);
        check(selection, &[228.0; 2], &[0.5; 2]);
    }
}

#[test]
fn crossovers() {
    let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
    let fixed = crossed(Crossover::Fixed, &a, &b, &mut Seed(0).rng());
    assert_eq!(fixed[0], [1.0, -2.0, 3.0, -4.0, 5.0, -6.0]);
    assert_eq!(fixed[1], [-1.0, 2.0, -3.0, 4.0, -5.0, 6.0]);
    for (crossover, last, n_cuts) in [(Crossover::RandomCut, 6, 7), (Crossover::RandomCutReport, 5, 6)] {
        let mut counts = vec![0; 7];
        for seed in 0..700 * n_cuts {
            let [first, second] = crossed(crossover, &a, &b, &mut Seed(seed).rng());
            let cut = first.iter().take_while(|gene| **gene > 0.0).count();
            assert!(first[cut..].iter().all(|gene| *gene < 0.0));
            assert!(first.iter().zip(&second).all(|(first, second)| *first == -second));
            counts[cut] += 1;
        }
        assert!(counts[..=last].iter().all(|count| (600..800).contains(count)), "{counts:?}");
        assert_eq!(counts[last + 1..].iter().sum::<i32>(), 0);
    }
}

#[test]
fn all_selections_climb_but_strict_published_drifts() {
    let goal = [1000.0, -500.0, 80.0, -20.0, 5.0, 20.0];
    let miss = |selection: &str, seed: u64| {
        let text = format!("{STUDY}\nselection = '{selection}'");
        let mut ga = open("ga", &setup(study(), seed), &text);
        run(ga.as_mut(), 200, |weights, _| (180.0 - angle(weights, &goal)).powi(3).round());
        angle(&ga.recommendations()[1].weights, &goal)
    };
    let mean = |selection: &str| (0..10).map(|seed| miss(selection, seed)).sum::<f64>() / 10.0;
    for selection in ["weighted-published", "weighted-intended", "strict-intended"] {
        let miss = mean(selection);
        assert!(miss < 20.0, "{selection} misses by {miss} degrees");
    }
    let drift = mean("strict-published");
    assert!(drift > 40.0, "{drift}");
}

#[test]
fn drift_is_as_large_as_predicted() {
    // Root of 1000²/3 + 300 · 0.1 · 100² for the first two weights, of 100²/3 + 300 · 0.1 · 20² for the others.
    let mut sums = [0.0; 6];
    for seed in 0..40 {
        let mut ga = open("ga", &setup(study(), seed), &format!("{STUDY}\nselection = 'strict-published'"));
        run(ga.as_mut(), 300, noise);
        for weights in candidates_of(&ga.ask().unwrap()) {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * weight / 800.0);
        }
    }
    let expected = [796.0, 796.0, 123.6, 123.6, 123.6, 123.6];
    for (sum, expected) in sums.iter().zip(expected) {
        assert!((sum.sqrt() / expected - 1.0).abs() < 0.1, "{} {expected}", sum.sqrt());
    }
}

#[test]
fn elite_and_bounds() {
    let top = [0.5; 3];
    let mut ga = open("ga", &setup(space(3, 1.0), 1), "elite = 3\nbounded = true\nsd = 2\nmutation = 1");
    let mut best = f64::MIN;
    for _ in 0..50 {
        let population = candidates_of(&ga.ask().unwrap());
        assert_eq!(population.len(), 20);
        assert!(population.iter().flatten().all(|weight| (-1.0..=1.0).contains(weight)));
        let now = population.iter().map(|weights| hill(weights, &top)).fold(f64::MIN, f64::max);
        assert!(now >= best);
        best = now;
        run(ga.as_mut(), 1, |weights, _| hill(weights, &top));
    }
    let mut free = open("ga", &setup(space(3, 1.0), 1), "sd = 2\nmutation = 1");
    let population = requests(free.as_mut(), 3).pop().unwrap();
    assert!(population.iter().flatten().any(|weight| weight.abs() > 1.0));
}

#[test]
fn recommendations_are_of_the_rated_generation() {
    let mut ga = open("ga", &setup(space(2, 1.0), 1), "population = 4");
    assert!(ga.recommendations().is_empty());
    let first = candidates_of(&ga.ask().unwrap());
    run(ga.as_mut(), 1, |weights, _| if *weights == first[1] || *weights == first[3] { 5.0 } else { 0.0 });
    assert_eq!(ga.recommendations()[0].weights, first[1]);
    let mean: Vec<f64> = (0..2).map(|i| first.iter().map(|weights| weights[i]).sum::<f64>() / 4.0).collect();
    assert_eq!(ga.recommendations()[1].weights, mean);
}

#[test]
fn smallest_populations_and_equal_fitness() {
    for selection in ["strict-published", "strict-intended", "weighted-published", "weighted-intended"] {
        for fitness in [0.0, -3.0, 2.5] {
            let text = format!("population = 2\nselection = '{selection}'\ncrossover = 'random-cut-report'");
            let mut ga = open("ga", &setup(space(1, 1.0), 1), &text);
            assert_eq!(run(ga.as_mut(), 20, |_, _| fitness), 20);
            assert_eq!(candidates_of(&ga.ask().unwrap()).len(), 2);
        }
    }
}

#[test]
fn repeatable() {
    check_repeatable("ga", &setup(study(), 0), STUDY);
    let start = OptimizerSetup { start: Some(vec![0.5, 0.25]), ..setup(space(2, 1.0), 4) };
    let of = |text: &str| {
        let mut ga = open("ga", &start, &format!("population = 4\nmutation = 0.5\n{text}"));
        run(ga.as_mut(), 5, |weights, _| hill(weights, &[0.5, 0.5]));
        rounded(&candidates_of(&ga.ask().unwrap())[2])
    };
    assert_eq!(of(""), [0.350461, 0.591994]);
    assert_eq!(of("selection = 'strict-intended'\ncrossover = 'fixed'"), [0.484417, 0.336382]);
}

#[test]
fn errors_name_the_location() {
    let check = |text: &str, expected: &str| {
        assert_eq!(error_message("ga", &setup(space(2, 1.0), 0), text), expected);
    };
    check(
        "population = 7",
        "invalid value \"7\" for population in plan.toml (line 1, column 14): expected an even number, because players are crossed in pairs",
    );
    check(
        "population = 1",
        "invalid value \"1\" for population in plan.toml (line 1, column 14): expected a whole number from 2 to 1000000",
    );
    check(
        "elite = 20",
        "invalid value \"20\" for elite in plan.toml (line 1, column 9): expected a whole number from 0 to 19",
    );
    check(
        "sd = [1, 2, 3]",
        "invalid value \"3 numbers\" for sd in plan.toml (line 1, column 6): expected one number, or 2 numbers, one for each weight",
    );
    check(
        "sd = -1",
        "invalid value \"-1\" for sd in plan.toml (line 1, column 6): expected a number of at least 0",
    );
    check(
        "selection = 'weighted'",
        "invalid value \"weighted\" for selection in plan.toml (line 1, column 13): expected one of strict-published, strict-intended, weighted-published, weighted-intended",
    );
    check(
        "crossover = 'fixd'",
        "invalid value \"fixd\" for crossover in plan.toml (line 1, column 13): expected one of random-cut, random-cut-report, fixed; did you mean \"fixed\"?",
    );
}
