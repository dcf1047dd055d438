use super::{CoevolutionSettings, GeneMutation};
use crate::methods::trial::{
    candidates_of, check_repeatable, error_message, hill, noise, open, rounded, run, setup, space,
};
use crate::{OptimizerSetup, angle};
use palestra_core::Seed;

#[test]
fn climbs_within_the_bounds() {
    let goal = [0.8, -0.4, 0.2, 0.0, -0.1];
    let miss = |seed: u64, mutation: &str| {
        let text = format!("population = 50\nsigma = 0.1\nmutation = '{mutation}'");
        let mut hosts = open("coevolution", &setup(space(5, 1.0), seed), &text);
        for i in 0..100 {
            let population = candidates_of(&hosts.ask().unwrap());
            assert!(population.iter().flatten().all(|weight| (-1.0..=1.0).contains(weight)));
            run(hosts.as_mut(), 1, |weights, _| {
                (180.0 - angle(weights, &goal) + 5.0 * noise(weights, i)).max(0.0).powi(4)
            });
        }
        angle(&hosts.recommendations()[0].weights, &goal)
    };
    for mutation in ["independent", "galib"] {
        let mean = (0..8).map(|seed| miss(seed, mutation)).sum::<f64>() / 8.0;
        assert!(mean < 20.0, "{mutation}: {mean} degrees");
    }
}

#[test]
fn the_elite_is_copied_and_children_are_crossed() {
    let mut hosts = open("coevolution", &setup(space(6, 1.0), 1), "population = 10\nrate = 0");
    let first = candidates_of(&hosts.ask().unwrap());
    run(hosts.as_mut(), 1, |weights, _| 10.0 + hill(weights, &[0.0; 6]));
    let second = candidates_of(&hosts.ask().unwrap());
    assert_eq!(second.len(), 10);
    let mut ranked = first.clone();
    ranked.sort_by(|a, b| hill(b, &[0.0; 6]).total_cmp(&hill(a, &[0.0; 6])));
    assert_eq!(second[..3], ranked[..3]);
    // Every gene is one of a parent at the same index, and the two children of a pair are complementary.
    for pair in second[3..9].chunks(2) {
        let fits = |a: &Vec<f64>, b: &Vec<f64>| {
            (0..6)
                .all(|i| (pair[0][i], pair[1][i]) == (a[i], b[i]) || (pair[0][i], pair[1][i]) == (b[i], a[i]))
        };
        assert!(first.iter().any(|a| first.iter().any(|b| fits(a, b))));
    }
    assert!(second[3..].iter().any(|child| !first.contains(child)));
}

#[test]
fn both_kinds_of_mutation() {
    let n_changed = |settings: &CoevolutionSettings, n: usize, seed: u64| {
        let mut genes = vec![0.0; n];
        settings.mutate(&mut genes, &mut Seed(seed).rng());
        genes.iter().filter(|gene| **gene != 0.0).count()
    };
    let settings = |rate: f64, is_galib: bool| {
        let mutation = if is_galib { GeneMutation::Galib } else { GeneMutation::Independent };
        CoevolutionSettings { rate, mutation, ..CoevolutionSettings::default() }
    };
    let mean = |is_galib: bool, n: usize| {
        let settings = settings(0.2, is_galib);
        let counts: Vec<usize> = (0..4000).map(|seed| n_changed(&settings, n, seed)).collect();
        (counts.iter().sum::<usize>() as f64 / 4000.0, counts.iter().copied().max().unwrap_or(0))
    };
    // Each of 8 genes on its own: 1.6 mutations on average, and sometimes many.
    let (independent, max) = mean(false, 8);
    assert!((independent - 1.6).abs() < 0.1 && max > 4, "{independent} {max}");
    // Two of 8 genes with replacement: 2 − 1/8 different ones. Five of 24; one of 5.
    let (two, max) = mean(true, 8);
    assert!((two - 1.875).abs() < 0.03 && max == 2, "{two} {max}");
    let (five, max) = mean(true, 24);
    assert!((five - 24.0 * (1.0 - (23.0f64 / 24.0).powi(5))).abs() < 0.05 && max == 5, "{five} {max}");
    assert_eq!(mean(true, 5), (1.0, 1));
    let exact = settings(0.07, true);
    assert_eq!((0..200).map(|seed| n_changed(&exact, 100, seed)).max(), Some(7));
    // Fewer than one mutation expected: each gene on its own, as GAlib does.
    let (few, max) = mean(true, 3);
    assert!((few - 0.6).abs() < 0.06 && max > 1, "{few} {max}");
}

#[test]
fn the_hall_of_fame_has_the_best_of_each_generation_once() {
    let mut hosts = open("coevolution", &setup(space(2, 1.0), 1), "population = 12\nsigma = 0.3");
    let mut bests: Vec<(u64, Vec<f64>)> = Vec::new();
    for generation in 0..20 {
        let population = candidates_of(&hosts.ask().unwrap());
        let fitness = |weights: &[f64]| 100.0 + hill(weights, &[0.3, 0.3]);
        let mut best = &population[0];
        for weights in &population {
            if fitness(weights) > fitness(best) {
                best = weights;
            }
        }
        if bests.iter().all(|(_, weights)| weights != best) {
            bests.push((generation, best.clone()));
        }
        run(hosts.as_mut(), 1, |weights, _| fitness(weights));
        let hall_of_fame: Vec<_> =
            hosts.hall_of_fame().iter().map(|entry| (entry.generation, entry.weights.clone())).collect();
        assert_eq!(hall_of_fame, bests);
    }
    assert!(bests.len() > 3 && bests.len() < 20, "{}", bests.len());
}

#[test]
fn small_populations_and_unusual_fitness() {
    for text in ["population = 2", "population = 3\nelite = 0", "population = 7\nelite = 6"] {
        for fitness in [0.0, -5.0, 1e-300] {
            let mut hosts = open("coevolution", &setup(space(2, 1.0), 1), text);
            let size = candidates_of(&hosts.ask().unwrap()).len();
            run(hosts.as_mut(), 20, |weights, _| fitness * weights[0].signum());
            assert_eq!(candidates_of(&hosts.ask().unwrap()).len(), size);
        }
    }
}

#[test]
fn repeatable() {
    check_repeatable("coevolution", &setup(space(3, 1.0), 0), "population = 10");
    let start = OptimizerSetup { start: Some(vec![0.5, 0.25]), ..setup(space(2, 10.0), 4) };
    let of = |text: &str| {
        let mut hosts = open("coevolution", &start, &format!("population = 6\n{text}"));
        run(hosts.as_mut(), 5, |weights, _| 200.0 + hill(weights, &[5.0, 5.0]));
        rounded(&candidates_of(&hosts.ask().unwrap())[4])
    };
    assert_eq!(of(""), [3.537739, 5.069656]);
    assert_eq!(of("mutation = 'galib'\nrate = 0.5"), [4.198578, 6.014217]);
}

#[test]
fn errors_name_the_location() {
    let check = |text: &str, expected: &str| {
        assert_eq!(error_message("coevolution", &setup(space(2, 1.0), 0), text), expected);
    };
    check(
        "population = 1",
        "invalid value \"1\" for population in plan.toml (line 1, column 14): expected a whole number from 2 to 1000000",
    );
    check(
        "elite = 200",
        "invalid value \"200\" for elite in plan.toml (line 1, column 9): expected a whole number from 0 to 199",
    );
    check(
        "mutation = 0.2",
        "invalid value \"0.2\" for mutation in plan.toml (line 1, column 12): expected a string in quotation marks",
    );
    check(
        "mutation = 'galip'",
        "invalid value \"galip\" for mutation in plan.toml (line 1, column 12): expected one of independent, galib; did you mean \"galib\"?",
    );
    check(
        "sigmas = 2",
        "invalid key \"sigmas\" in plan.toml (line 1, column 1): expected one of population, elite, rate, sigma, mutation; did you mean \"sigma\"?",
    );
}
