use super::logistic::{fit, win_probability};
use super::tdleaf::{game_gradient, learn, temporal_differences};
use super::*;
use crate::SelfPlayPosition;
use crate::methods::synthetic::{check_settings, opened, opened_with, plain_space, setup};
use rand::RngExt as _;

const TRUTH: [f64; 4] = [1.0, -0.5, 0.25, 0.0];

/// Games whose features are random walks, each with its own scale; the last position decides the result by `truth`.
fn games(n: usize, truth: &[f64], seed: Seed) -> Vec<SelfPlayGame> {
    let game = |i| {
        let seed = seed.child(i as u64);
        let mut rng = seed.child(100).rng();
        let mut walk = vec![0.0; truth.len()];
        let mut moments = Vec::new();
        for ply in 0..20u64 {
            for ((x, z), scale) in walk.iter_mut().zip(normals(seed.child(ply), truth.len())).zip(1u32..) {
                *x += 0.4 * f64::from(scale) * z;
            }
            let side = if ply % 2 == 0 { 1.0 } else { -1.0 };
            moments.push(SelfPlayPosition {
                features: walk.iter().map(|x| side * x).collect(),
                offset: 0.0,
                first: ply % 2 == 0,
            });
        }
        let logit: f64 = walk.iter().zip(truth).map(|(x, w)| x * w).sum();
        let result = match rng.random::<f64>() {
            _ if rng.random::<f64>() < 0.2 => 0.5,
            u if u < win_probability(logit) => 1.0,
            _ => 0.0,
        };
        SelfPlayGame { moments, result }
    };
    (0..n).map(game).collect()
}

fn samples(games: &[SelfPlayGame]) -> Samples {
    let mut samples = Samples::new(games[0].moments[0].features.len());
    samples.add(games);
    samples
}

#[test]
fn directions_are_recovered() {
    let fit = fit(&samples(&games(2000, &TRUTH, Seed(1))), 1e-3).unwrap();
    let degrees = angle(&fit.coefficients[..4], &TRUTH);
    assert!(degrees < 5.0, "{degrees}");
    assert!(fit.gradient < 1e-9 && !fit.separable && fit.log_loss < 0.69, "{fit:?}");
}

/// Plain gradient descent ends where Newton's method does.
#[test]
fn newton_equals_gradient_descent() {
    let samples = samples(&games(30, &TRUTH, Seed(2)));
    let (deviations, ridge) = (samples.deviations(), 0.05);
    let newton = fit(&samples, ridge).unwrap();
    let used = [0, 1, 2, 3, 5, 6];
    let scale = |column: usize| if column == 5 { 1.0 } else { deviations[column] };
    let mut beta = [0.0; 7];
    for _ in 0..3000 {
        let mut slope = [0.0; 7];
        for i in 0..samples.len() {
            let row = samples.row(i);
            let logit: f64 = used.iter().map(|c| beta[*c] * row[*c] / scale(*c)).sum();
            for c in used {
                let error = win_probability(logit) - samples.results[i];
                slope[c] += error * row[c] / scale(c) / samples.len() as f64;
            }
        }
        for c in used {
            beta[c] -= 0.5 * (slope[c] + if c < 4 { ridge * beta[c] } else { 0.0 });
        }
    }
    for c in used {
        let plain = beta[c] / scale(c);
        assert!((newton.coefficients[c] - plain).abs() < 1e-5, "{c}: {} and {plain}", newton.coefficients[c]);
    }
}

#[test]
fn games_without_information_give_no_fit() {
    let with = |result: f64| -> Vec<SelfPlayGame> {
        games(50, &TRUTH, Seed(3)).into_iter().map(|game| SelfPlayGame { result, ..game }).collect()
    };
    assert_eq!(fit(&samples(&with(0.5)), 1e-3), None, "all drawn");
    assert_eq!(fit(&samples(&with(1.0)), 1e-3), None, "always the same winner");
    assert_eq!(fit(&Samples::new(4), 1e-3), None, "no games");
    let mut flat = games(50, &TRUTH, Seed(3));
    flat.iter_mut().flat_map(|game| &mut game.moments).for_each(|position| position.features = vec![7.0; 4]);
    assert_eq!(fit(&samples(&flat), 1e-3), None, "constant features");
    flat.iter_mut().for_each(|game| game.moments.clear());
    let mut empty = Samples::new(4);
    empty.add(&flat);
    assert_eq!(fit(&empty, 1e-3), None, "no positions");
}

#[test]
fn separable_and_constant_columns_stay_finite() {
    let mut all = games(200, &TRUTH, Seed(4));
    for game in &mut all {
        game.result = if game.moments[0].features[0] > 0.0 { 1.0 } else { 0.0 };
        let sign = 2.0 * game.result - 1.0;
        for position in &mut game.moments {
            let side = if position.first { sign } else { -sign };
            let [first, .., last] = position.features[..] else { panic!("four features") };
            position.features = vec![side * first.abs().max(1.0), 3.0, 0.0, last];
        }
    }
    let fit = fit(&samples(&all), 1e-3).unwrap();
    assert!(fit.separable);
    assert!(angle(&fit.coefficients[..4], &[1.0, 0.0, 0.0, 0.0]) < 5.0, "{fit:?}");
    assert_eq!(fit.coefficients[1..3], [0.0, 0.0], "constant features get no weight");
}

/// The fixed part of the evaluation determines the unit of the weights.
#[test]
fn fixed_weights_set_the_scale() {
    let mut all = games(3000, &TRUTH, Seed(5));
    for position in all.iter_mut().flat_map(|game| &mut game.moments) {
        position.offset = 4.0 * position.features[0]; // Its weight in logits is 1: a logit is 4 units.
        position.features.remove(0);
    }
    let space = crate::Space { low: vec![-10.0; 3], high: vec![10.0; 3], ..plain_space(3) };
    let mut method = opened(&INFO, &space, "rounds = 1\nexplorers = 1\ntd_rounds = 0", 1);
    method.tell(&OptimizerReply::Played(all));
    let weights = &method.recommendations()[0].weights;
    let expected = [-2.0, 1.0, 0.0];
    assert!(weights.iter().zip(expected).all(|(w, e)| (w - e).abs() < 0.3), "{weights:?}");
}

#[test]
fn temporal_differences_by_hand() {
    let check = |lambda: f64, expected: [f64; 3]| {
        for (found, expected) in temporal_differences(&[0.5, 0.6, 0.4], 1.0, lambda).into_iter().zip(expected)
        {
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    };
    // Differences 0.1, -0.2, 0.6.
    check(0.0, [0.1, -0.2, 0.6]);
    check(0.5, [0.1 - 0.1 + 0.15, -0.2 + 0.3, 0.6]);
    check(1.0, [0.5, 0.4, 0.6]);
    assert!(temporal_differences(&[], 1.0, 0.5).is_empty());
}

#[test]
fn gradients_by_hand() {
    // One feature, weight 0: every value is a half and every slope a quarter.
    let position = |x: f64, first: bool| SelfPlayPosition { features: vec![x], offset: 0.0, first };
    let moments = vec![position(1.0, true), position(4.0, false), position(2.0, true)];
    let game = SelfPlayGame { moments, result: 1.0 };
    // First side: errors λ/2 and 1/2; second: -1/2. The mean over three positions.
    let expected = 0.25 * (0.7 * 0.5 * 1.0 + 0.5 * 2.0 - 0.5 * 4.0) / 3.0;
    let found = game_gradient(&[0.0; 4], &game, 0.7)[0];
    assert!((found - expected).abs() < 1e-15, "{found} instead of {expected}");
    let learned = learn(&[0.0; 4], &[game], &[2.0], 0.7, 0.1);
    assert!((learned[0] - 0.1 * expected / 4.0).abs() < 1e-15 && learned[1..] == [0.0; 3], "{learned:?}");
}

/// With λ = 1 the step is the negative gradient of the squared error to the result.
#[test]
fn gradients_equal_finite_differences() {
    let game = &games(1, &TRUTH, Seed(6))[0];
    let at = [0.3, -0.2, 0.1, 0.4, 0.0, 0.2, -0.1];
    let error = |coefficients: &[f64]| -> f64 {
        let loss = |position: &SelfPlayPosition| {
            let logit: f64 = samples::row(position).zip(coefficients).map(|(x, c)| x * c).sum();
            let result = if position.first { game.result } else { 1.0 - game.result };
            (result - win_probability(logit)).powi(2) / 2.0 / game.moments.len() as f64
        };
        game.moments.iter().map(loss).sum()
    };
    for (i, found) in game_gradient(&at, game, 1.0).into_iter().enumerate() {
        let moved = |by: f64| {
            let mut at = at;
            at[i] += by;
            error(&at)
        };
        let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((found + slope).abs() < 1e-9, "{i}: {found} and {slope}");
    }
}

/// Plays all rounds on games that do not depend on the weights.
fn run(method: &mut dyn Optimizer, truth: &[f64], seed: Seed) {
    let mut i = 0;
    while let Some(request) = method.ask() {
        assert_eq!(method.ask(), Some(request.clone()));
        let OptimizerRequest::SelfPlay { n_games, .. } = request else { panic!("only self-play") };
        method.tell(&OptimizerReply::Played(games(n_games as usize, truth, seed.child(i))));
        i += 1;
        assert!(!method.recommendations().is_empty());
    }
    assert_eq!(Some(i), method.n_generations());
}

#[test]
fn a_whole_run_finds_the_direction() {
    let space = crate::Space { scale_free: true, ..plain_space(4) };
    let mut method = opened_with(&INFO, &OptimizerSetup { n_games: Some(5000), ..setup(&space, 1) }, "");
    run(&mut *method, &TRUTH, Seed(7));
    let recommendations = method.recommendations();
    assert_eq!([&recommendations[0].label[..], &recommendations[1].label], ["TDLeaf", "regression"]);
    for recommendation in &recommendations {
        let degrees = angle(&recommendation.weights, &TRUTH);
        assert!(degrees < 6.0, "{} {degrees}", recommendation.label);
        assert!((recommendation.weights.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

/// TDLeaf alone, from weights in another direction, turns toward the truth.
#[test]
fn tdleaf_alone_finds_the_direction() {
    let all = games(3000, &TRUTH, Seed(8));
    let scales = &samples(&all).deviations()[..4];
    let mut now = vec![0.1, 0.3, 0.1, -0.3, 0.0, 0.0, 0.0];
    let before = angle(&now[..4], &TRUTH);
    for _ in 0..10 {
        now = learn(&now, &all, scales, 0.7, 0.5);
    }
    let after = angle(&now[..4], &TRUTH);
    assert!(before > 80.0 && after < 8.0, "{before} {after}");
}

#[test]
fn games_with_equal_results_keep_the_start() {
    let setup = OptimizerSetup { start: Some(vec![0.5, 0.25, 0.0, 0.0]), ..setup(&plain_space(4), 1) };
    let mut method = opened_with(&INFO, &setup, "games = 10");
    while let Some(OptimizerRequest::SelfPlay { n_games, .. }) = method.ask() {
        let drawn = games(n_games as usize, &TRUTH, Seed(9)).into_iter();
        method
            .tell(&OptimizerReply::Played(drawn.map(|game| SelfPlayGame { result: 0.5, ..game }).collect()));
    }
    assert_eq!(
        method.recommendations(),
        [Recommendation { label: "start".to_owned(), weights: setup.start.unwrap() }]
    );
    assert!(method.metrics().contains(&("learned something", 0.0)));
}

#[test]
fn errors_name_the_location() {
    check_settings(
        &INFO,
        "lambda = 1.5",
        "invalid value \"1.5\" for lambda in plan.toml (line 1, column 10): expected a number from 0 to 1",
    );
    check_settings(&INFO, "round = 2", "did you mean \"rounds\"?");
}

/// A resumed run repeats the requests of the stored one: these numbers must not change.
#[test]
fn numbers_never_change() {
    let mut method = opened(&INFO, &plain_space(4), "games = 40", 42);
    run(&mut *method, &TRUTH, Seed(10));
    let numbers: Vec<f64> =
        method.recommendations().into_iter().flat_map(|recommendation| recommendation.weights).collect();
    let expected = [
        1.0,
        -0.4869526343424439,
        0.36949148907009843,
        -0.07136829281839364,
        1.0,
        -0.45987143208003434,
        0.36490260219514625,
        -0.05946533905969217,
    ];
    assert_eq!(numbers.len(), expected.len());
    for (number, expected) in numbers.iter().zip(expected) {
        assert!((number - expected).abs() <= 1e-9 * expected.abs(), "{numbers:?}");
    }
}
