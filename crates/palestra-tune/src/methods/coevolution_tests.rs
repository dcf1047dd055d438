use super::Mutation;
use crate::methods::trial::{
    asked, check_repeatable, complaint, hill, noise, open, rounded, run, setup, space,
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
            assert!(
                asked(&hosts.ask().unwrap()).iter().flatten().all(|weight| (-1.0..=1.0).contains(weight))
            );
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
fn the_best_are_copied_and_children_mix() {
    let mut hosts = open("coevolution", &setup(space(6, 1.0), 1), "population = 10\nrate = 0");
    let first = asked(&hosts.ask().unwrap());
    run(hosts.as_mut(), 1, |weights, _| 10.0 + hill(weights, &[0.0; 6]));
    let second = asked(&hosts.ask().unwrap());
    assert_eq!(second.len(), 10);
    let mut ranked = first.clone();
    ranked.sort_by(|a, b| hill(b, &[0.0; 6]).total_cmp(&hill(a, &[0.0; 6])));
    assert_eq!(second[..3], ranked[..3]);
    // Every gene is that of some parent in the same place, and the two children of a pair complement each other.
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
fn mutation_of_both_kinds() {
    let n_changed = |mutation: &Mutation, n: usize, seed: u64| {
        let mut genes = vec![0.0; n];
        mutation.apply(&mut genes, &mut Seed(seed).rng());
        genes.iter().filter(|gene| **gene != 0.0).count()
    };
    let mean = |galib: bool, n: usize| {
        let mutation = Mutation { rate: 0.2, sigma: 1.0, galib };
        let counts: Vec<usize> = (0..4000).map(|seed| n_changed(&mutation, n, seed)).collect();
        (counts.iter().sum::<usize>() as f64 / 4000.0, counts.iter().copied().max().unwrap_or(0))
    };
    // Each of 8 by itself: 1.6 on average, and sometimes many.
    let (independent, most) = mean(false, 8);
    assert!((independent - 1.6).abs() < 0.1 && most > 4, "{independent} {most}");
    // Two places of 8 with repetition: 2 − 1/8 different ones. Five of 24; one of 5.
    let (two, most) = mean(true, 8);
    assert!((two - 1.875).abs() < 0.03 && most == 2, "{two} {most}");
    let (five, most) = mean(true, 24);
    assert!((five - 24.0 * (1.0 - (23.0f64 / 24.0).powi(5))).abs() < 0.05 && most == 5, "{five} {most}");
    assert_eq!(mean(true, 5), (1.0, 1));
    let exact = Mutation { rate: 0.07, sigma: 1.0, galib: true };
    assert_eq!((0..200).map(|seed| n_changed(&exact, 100, seed)).max(), Some(7));
    // Fewer than one expected: by itself, as the library does.
    let (few, most) = mean(true, 3);
    assert!((few - 0.6).abs() < 0.06 && most > 1, "{few} {most}");
}

#[test]
fn the_hall_has_the_best_of_each_generation_once() {
    let mut hosts = open("coevolution", &setup(space(2, 1.0), 1), "population = 12\nsigma = 0.3");
    let mut bests: Vec<(u64, Vec<f64>)> = Vec::new();
    for generation in 0..20 {
        let population = asked(&hosts.ask().unwrap());
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
        let hall: Vec<_> =
            hosts.hall_of_fame().iter().map(|entry| (entry.generation, entry.weights.clone())).collect();
        assert_eq!(hall, bests);
    }
    assert!(bests.len() > 3 && bests.len() < 20, "{}", bests.len());
}

#[test]
fn odd_small_equal_and_negative() {
    for text in ["population = 2", "population = 3\nelite = 0", "population = 7\nelite = 6"] {
        for fitness in [0.0, -5.0, 1e-300] {
            let mut hosts = open("coevolution", &setup(space(2, 1.0), 1), text);
            let size = asked(&hosts.ask().unwrap()).len();
            run(hosts.as_mut(), 20, |weights, _| fitness * weights[0].signum());
            assert_eq!(asked(&hosts.ask().unwrap()).len(), size);
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
        rounded(&asked(&hosts.ask().unwrap())[4])
    };
    assert_eq!(of(""), [3.537739, 5.069656]);
    assert_eq!(of("mutation = 'galib'\nrate = 0.5"), [4.198578, 6.014217]);
}

#[test]
fn mistakes_have_a_place() {
    let check = |text: &str, expected: &str| {
        assert_eq!(complaint("coevolution", &setup(space(2, 1.0), 0), text), expected);
    };
    check(
        "population = 1",
        "population in plan.toml, line 1, column 14: \"1\" is not a whole number from 2 to 1000000",
    );
    check("elite = 200", "elite in plan.toml, line 1, column 9: \"200\" is not a whole number from 0 to 199");
    check(
        "mutation = 0.2",
        "mutation in plan.toml, line 1, column 12: \"0.2\" is not a text in quotation marks",
    );
    check(
        "mutation = 'galip'",
        "mutation in plan.toml, line 1, column 12: \"galip\" is not one of independent, galib; did you mean \"galib\"?",
    );
    check(
        "sigmas = 2",
        "plan.toml, line 1, column 1: \"sigmas\" is not a key of plan.toml (population, elite, rate, sigma, mutation); did you mean \"sigma\"?",
    );
}
