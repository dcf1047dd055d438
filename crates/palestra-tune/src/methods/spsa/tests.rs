use super::*;
use crate::Space;
use crate::methods::synthetic::{Landscape, check_settings, opened, opened_with, plain_space, rate, setup};

/// Elo below the best point after a budget of games: the median over seeds.
fn missing(n: usize, text: &str, budget: u64, n_seeds: u64) -> f64 {
    let mut all: Vec<f64> = (0..n_seeds)
        .map(|seed| {
            let landscape = Landscape::new(n, Seed(seed));
            let mut method = opened_with(
                &INFO,
                &OptimizerSetup { n_games: Some(budget), ..setup(&plain_space(n), seed) },
                text,
            );
            rate(&mut *method, &landscape, budget, Seed(seed).child(1));
            -landscape.elo(&method.recommendations()[0].weights)
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

#[test]
fn noisy_games_lead_near_the_optimum() {
    let pairs = missing(6, "pairs = 1", 10_000, 9);
    assert!(pairs < 10.0, "{pairs}");
    let groups = missing(6, "", 10_000, 9);
    assert!(groups < 15.0, "{groups}");
}

/// Ranges ten times as wide as they should be: probes of a fixed size jump over the optimum.
#[test]
fn automatic_probes_find_their_size() {
    let wide = Space { low: vec![-10.0; 6], high: vec![10.0; 6], ..plain_space(6) };
    let run = |text: &str, seed: u64| {
        let landscape = Landscape::new(6, Seed(seed));
        let mut method =
            opened_with(&INFO, &OptimizerSetup { n_games: Some(3000), ..setup(&wide, seed) }, text);
        rate(&mut *method, &landscape, 3000, Seed(seed).child(1));
        -landscape.elo(&method.recommendations()[0].weights)
    };
    let median = |text: &str| {
        let mut all: Vec<f64> = (0..9).map(|seed| run(text, seed)).collect();
        all.sort_by(f64::total_cmp);
        all[4]
    };
    let (fixed, auto) = (median("pairs = 1"), median("pairs = 1\nc = 'auto'"));
    assert!(auto < 100.0 && fixed > 200.0, "{auto} and {fixed}");
}

#[test]
fn probe_size_from_differences() {
    let check = |squares: [f64; 6], target: f64, expected: Option<f64>| {
        let seen = calibration::LADDER.iter().zip(squares).map(|(c, square)| (*c, square.sqrt()));
        let seen: Vec<(f64, f64)> = seen.flat_map(|(c, d)| [(c, d), (c, -d), (c, f64::NAN)]).collect();
        match (probe_of(&seen, target), expected) {
            (Some(c), Some(expected)) => assert!((c - expected).abs() < 1e-12, "{c}"),
            (found, expected) => assert_eq!(found, expected),
        }
    };
    check([0.0, 0.0, 1.0, 4.0, 8.0, 16.0], 0.5, Some(0.16));
    check([2.0, 2.0, 3.0, 6.0, 10.0, 18.0], 0.5, Some(0.16));
    check([0.0, 0.0, 4.0, 16.0, 8.0, 0.0], 0.5, Some(0.064));
    check([0.0, 0.0, 0.0, 16.0, 8.0, 0.0], 0.5, Some(0.064 * 2.5f64.powf(0.25)));
    check([3.0, 1.0, 5.0, 3.0, 14.0, 18.0], 0.5, Some(0.16 * 2.5f64.powf(0.2)));
    check([3.0; 6], 0.5, None);
}

/// Fitness in another unit leads to the same requests.
#[test]
fn the_unit_of_fitness_does_not_matter() {
    let run = |factor: f64| {
        let mut method = opened(&INFO, &plain_space(4), "", 3);
        for _ in 0..20 {
            let Some(OptimizerRequest::Rate { candidates, .. }) = method.ask() else { panic!("no request") };
            let fitness = (0..candidates.len()).map(|i| factor * candidates.weights(i)[0] + 1000.0);
            let rating = CandidateFitness { fitness: fitness.collect(), n_games: 16, head_to_head: None };
            method.tell(&OptimizerReply::Rated(rating));
        }
        method.recommendations()[1].weights.clone()
    };
    let (one, other) = (run(1.0), run(1e6));
    assert!(one[0] > 0.3, "{one:?}");
    assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-6), "{one:?} {other:?}");
}

#[test]
fn gains_decay_over_the_budget() {
    let setup = OptimizerSetup { n_games: Some(1000), ..setup(&plain_space(3), 1) };
    let mut method = opened_with(&INFO, &setup, "pairs = 1\nr = 0.01\nc = 0.1");
    assert_eq!(method.n_generations(), None);
    for _ in 0..100 {
        assert_eq!(method.ask(), method.ask());
        let rating =
            CandidateFitness { fitness: vec![0.0, 0.0], n_games: 10, head_to_head: Some([0, 0, 5, 0, 0]) };
        method.tell(&OptimizerReply::Rated(rating));
    }
    assert_eq!(method.n_generations(), Some(100));
    let [(_, rate), (_, c), (_, moved)] = method.metrics()[..] else { panic!("three metrics") };
    assert!((rate - 0.01).abs() < 1e-4 && (c - 0.1 / 101f64.powf(0.101)).abs() < 1e-12 && moved == 0.0);
}

#[test]
fn directions_are_found_on_the_sphere() {
    let space = Space { scale_free: true, ..plain_space(5) };
    let goal = [0.5, -2.0, 1.0, 0.0, 0.25];
    let mut method = opened(&INFO, &space, "", 7);
    for _ in 0..200 {
        let Some(OptimizerRequest::Rate { candidates, .. }) = method.ask() else { panic!("no request") };
        let fitness = (0..candidates.len()).map(|i| -angle(&candidates.weights(i), &goal)).collect();
        method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, n_games: 80, head_to_head: None }));
    }
    let weights = &method.recommendations()[0].weights;
    assert!(angle(weights, &goal) < 5.0, "{}", angle(weights, &goal));
    assert!((weights.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn random_rounding_keeps_the_mean() {
    let space = Space { low: vec![0.0; 2], high: vec![10.0; 2], scale_free: true, ..plain_space(2) };
    let setup = OptimizerSetup { start: Some(vec![2.3, 5.0]), ..setup(&space, 1) };
    let mut method = opened_with(&INFO, &setup, "pairs = 2000\nc = 1e-6\nrounding = true");
    let Some(OptimizerRequest::Rate { candidates, .. }) = method.ask() else { panic!("no request") };
    let first: Vec<f64> = (0..candidates.len()).map(|i| candidates.weights(i)[0]).collect();
    assert!(first.iter().all(|weight| *weight == 2.0 || *weight == 3.0));
    let mean = first.iter().sum::<f64>() / first.len() as f64;
    assert!((mean - 2.3).abs() < 0.05, "{mean}");
    assert_eq!(method.recommendations()[1].weights, [2.0, 5.0]);
}

#[test]
fn errors_name_the_location() {
    check_settings(
        &INFO,
        "c = 'otto'",
        "invalid value \"otto\" for c in plan.toml (line 1, column 5): expected a number from",
    );
    check_settings(&INFO, "c = 2", "or \"auto\"");
    check_settings(&INFO, "pair = 2", "did you mean \"pairs\"?");
    check_settings(&INFO, "rounding = true\nsphere = true", "sphere in plan.toml (line 2, column 10) cannot");
}

/// A resumed run repeats the requests of the stored one: these numbers must not change.
#[test]
fn numbers_never_change() {
    let landscape = Landscape::new(3, Seed(1));
    let mut method = opened(&INFO, &plain_space(3), "c = 'auto'", 42);
    rate(&mut *method, &landscape, 500, Seed(2));
    let numbers: Vec<f64> =
        method.recommendations().into_iter().flat_map(|recommendation| recommendation.weights).collect();
    let expected = [
        -0.05561173265906259,
        0.00017834407064902942,
        0.14661488349545523,
        -0.06717921932139373,
        0.002559995483843438,
        0.18732520259934277,
    ];
    assert_eq!(numbers.len(), expected.len());
    for (number, expected) in numbers.iter().zip(expected) {
        assert!((number - expected).abs() <= 1e-12 * expected.abs(), "{numbers:?}");
    }
}

/// The objective `accuracy` plays no games: every step was 0.
#[test]
fn an_objective_without_games_moves_the_point() {
    let mut method = opened(&INFO, &plain_space(3), "", 1);
    for _ in 0..5 {
        let Some(OptimizerRequest::Rate { candidates, .. }) = method.ask() else { panic!("no request") };
        let fitness = (0..candidates.len()).map(|i| candidates.weights(i)[0]).collect();
        method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, n_games: 0, head_to_head: None }));
    }
    assert!(method.recommendations()[1].weights[0] > 0.01, "{:?}", method.recommendations());
}
