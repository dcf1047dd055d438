use super::drawn_by_rank;
use crate::methods::trial::{
    candidates_of, check_repeatable, error_message, hill, noise, open, rounded, run, setup, space,
};
use crate::{Optimizer, OptimizerSetup, angle};
use palestra_core::Seed;

#[test]
fn starts_with_zeros_and_ones() {
    let mut evolution = open("evolution", &setup(space(3, 1.0), 1), "population = 200");
    let population = candidates_of(&evolution.ask().unwrap());
    assert!(population.iter().flatten().all(|weight| *weight == 0.0 || *weight == 1.0));
    assert!(population.iter().all(|weights| weights.contains(&1.0)));
    for corner in 1..8u8 {
        let corner: Vec<f64> = (0..3).map(|i| f64::from(corner >> i & 1)).collect();
        let n = population.iter().filter(|weights| **weights == corner).count();
        assert!((12..50).contains(&n), "{corner:?}: {n} of 200");
    }
    // A single weight leaves only one corner.
    let mut evolution = open("evolution", &setup(space(1, 1.0), 1), "population = 3");
    assert_eq!(candidates_of(&evolution.ask().unwrap()), [[1.0], [1.0], [1.0]]);
}

#[test]
fn survivors_are_drawn_by_rank() {
    let fitness = [-3.0, 5.0, 0.0, 1.0];
    let mut counts = [0i32; 4];
    for seed in 0..10_000 {
        let survivors = drawn_by_rank(&fitness, 2, &mut Seed(seed).rng());
        assert_ne!(survivors[0], survivors[1]);
        counts[survivors[0]] += 1;
    }
    // Weights 4, 3, 2, 1 of 10 for the first draw.
    for (count, expected) in counts.iter().zip([1000, 4000, 2000, 3000]) {
        assert!((*count - expected).abs() < 150, "{counts:?}");
    }
    let mut all = drawn_by_rank(&[0.0; 5], 5, &mut Seed(1).rng());
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2, 3, 4]);
}

#[test]
fn a_new_generation_is_survivors_and_children() {
    let mut evolution =
        open("evolution", &setup(space(3, 1.0), 2), "population = 10\nsurvivors = 0.3\nsd = 0");
    let first = candidates_of(&evolution.ask().unwrap());
    run(evolution.as_mut(), 1, |weights, _| hill(weights, &[1.0; 3]));
    let second = candidates_of(&evolution.ask().unwrap());
    assert_eq!(second.len(), 10);
    assert!(second[..3].iter().all(|weights| first.contains(weights)));
    for child in &second[3..] {
        let is_mean = |a: &Vec<f64>, b: &Vec<f64>| (0..3).all(|i| child[i] == (a[i] + b[i]) / 2.0);
        assert!(second[..3].iter().any(|a| second[..3].iter().any(|b| is_mean(a, b))));
    }
}

#[test]
fn climbs() {
    let goal = [3.0, -1.0, 2.0, 0.5];
    let miss = |seed: u64| {
        let mut evolution = open("evolution", &setup(space(4, 1.0), seed), "");
        run(evolution.as_mut(), 150, |weights, i| -angle(weights, &goal) + noise(weights, i));
        angle(&evolution.recommendations()[0].weights, &goal)
    };
    let mean = (0..10).map(miss).sum::<f64>() / 10.0;
    assert!(mean < 15.0, "{mean} degrees");
}

/// By how much the hall of fame overestimates its first entry, on average.
fn overestimate(text: &str) -> f64 {
    let one = |seed: u64| {
        let mut evolution = open("evolution", &setup(space(3, 1.0), seed), text);
        run(evolution.as_mut(), 120, |weights, i| {
            hill(weights, &[1.0; 3]) + 3.0 * noise(weights, i + 1000 * seed)
        });
        let first = &evolution.hall_of_fame()[0];
        first.fitness - hill(&first.weights, &[1.0; 3])
    };
    (0..8).map(one).sum::<f64>() / 8.0
}

#[test]
fn retests_keep_lucky_generations_out_of_the_hall_of_fame() {
    let (lucky, retested) = (overestimate(""), overestimate("retest = true"));
    assert!(lucky > 5.0 && retested < lucky / 2.0, "{lucky} and {retested}");
}

#[test]
fn the_hall_of_fame_is_sorted_without_duplicates() {
    for text in ["hall = 4", "hall = 4\nretest = true"] {
        let mut evolution = open("evolution", &setup(space(2, 1.0), 1), text);
        for _ in 0..30 {
            run(evolution.as_mut(), 1, |weights, _| hill(weights, &[0.5, 0.5]));
            let hall_of_fame = evolution.hall_of_fame();
            assert!(hall_of_fame.len() <= 4);
            assert!(
                hall_of_fame
                    .windows(2)
                    .all(|pair| pair[0].fitness >= pair[1].fitness && pair[0].weights != pair[1].weights)
            );
        }
        let best = &evolution.hall_of_fame()[0];
        assert!((best.fitness - hill(&best.weights, &[0.5, 0.5])).abs() < 1e-12);
        assert!(best.fitness > -0.05);
    }
}

#[test]
fn the_hall_of_fame_keeps_the_best_rating_of_each_player() {
    let mut evolution = open("evolution", &setup(space(2, 1.0), 3), "population = 8\nhall = 6");
    let mut bests: Vec<(Vec<f64>, f64)> = Vec::new();
    run(evolution.as_mut(), 40, |weights, i| {
        // Games differ from generation to generation, and copies of a player play the same ones.
        let fitness = 5.0 * noise(weights, i);
        match bests.iter_mut().find(|(known, _)| known == weights) {
            Some((_, best)) => *best = best.max(fitness),
            None => bests.push((weights.to_vec(), fitness)),
        }
        fitness
    });
    bests.sort_by(|a, b| b.1.total_cmp(&a.1));
    let hall_of_fame: Vec<_> =
        evolution.hall_of_fame().iter().map(|entry| (entry.weights.clone(), entry.fitness)).collect();
    assert_eq!(hall_of_fame, bests[..6]);
}

#[test]
fn equal_fitness_and_small_populations() {
    for text in
        ["population = 3\nsurvivors = 0", "population = 3\nsurvivors = 1", "retest = true\nbounded = true"]
    {
        let mut evolution = open("evolution", &setup(space(2, 1.0), 1), text);
        let size = candidates_of(&evolution.ask().unwrap()).len();
        run(evolution.as_mut(), 31, |_, _| 0.0);
        assert!(evolution.hall_of_fame().len() <= 10);
        assert!(candidates_of(&evolution.ask().unwrap()).len() >= size);
        let mut evolution = open("evolution", &setup(space(2, 1.0), 1), text);
        run(evolution.as_mut(), 31, |_, _| -1e300);
        assert_eq!(evolution.hall_of_fame()[0].fitness, -1e300);
    }
    let mut bounded = open("evolution", &setup(space(2, 0.75), 1), "bounded = true\nsd = 3");
    for _ in 0..5 {
        assert!(candidates_of(&bounded.ask().unwrap()).iter().flatten().all(|weight| weight.abs() <= 0.75));
        run(bounded.as_mut(), 1, |_, _| 0.0);
    }
}

#[test]
fn repeatable() {
    check_repeatable("evolution", &setup(space(3, 1.0), 0), "");
    check_repeatable("evolution", &setup(space(3, 1.0), 0), "retest = true");
    let start = OptimizerSetup { start: Some(vec![0.5, 0.25]), ..setup(space(2, 1.0), 4) };
    let mut evolution = open("evolution", &start, "population = 4");
    run(evolution.as_mut(), 5, |weights, _| hill(weights, &[0.5, 0.5]));
    assert_eq!(rounded(&candidates_of(&evolution.ask().unwrap())[3]), [1.386481, -0.172485]);
    assert_eq!(rounded(&first_of_hall_of_fame(evolution.as_ref())), [0.5, 0.25]);
}

fn first_of_hall_of_fame(method: &dyn Optimizer) -> Vec<f64> {
    method.hall_of_fame()[0].weights.clone()
}

#[test]
fn errors_name_the_location() {
    let check = |text: &str, expected: &str| {
        assert_eq!(error_message("evolution", &setup(space(2, 1.0), 0), text), expected);
    };
    check(
        "population = 2",
        "invalid value \"2\" for population in plan.toml (line 1, column 14): expected a whole number from 3 to 10000",
    );
    check(
        "survivors = 1.5",
        "invalid value \"1.5\" for survivors in plan.toml (line 1, column 13): expected a number from 0 to 1",
    );
    check(
        "retest = 1",
        "invalid value \"1\" for retest in plan.toml (line 1, column 10): expected true or false",
    );
    check(
        "hal = 3",
        "invalid key \"hal\" in plan.toml (line 1, column 1): expected one of population, survivors, mutation, sd, hall, retest, bounded; did you mean \"hall\"?",
    );
}
