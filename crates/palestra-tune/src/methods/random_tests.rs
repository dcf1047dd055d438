use crate::methods::trial::{
    candidates_of, check_repeatable, error_message, hill, noise, open, rounded, run, setup, space,
};
use crate::{OptimizerRequest, OptimizerSetup, angle};

#[test]
fn halves_and_doubles() {
    let mut random = open("random", &setup(space(3, 1.0), 1), "points = 16\nrounds = 9\nrepeat = false");
    let mut seen = Vec::new();
    while let Some(OptimizerRequest::Rate { candidates, effort }) = random.ask() {
        seen.push((candidates.len(), effort));
        run(random.as_mut(), 1, |weights, _| hill(weights, &[0.3, 0.3, -0.3]));
    }
    assert_eq!(seen, [(16, 1), (8, 2), (4, 4), (2, 8)]);
    assert_eq!(random.recommendations().len(), 1);
}

#[test]
fn without_noise_the_best_point_wins() {
    let mut random = open("random", &setup(space(3, 2.0), 3), "points = 50\nrepeat = false");
    let points = candidates_of(&random.ask().unwrap());
    assert!(points.iter().flatten().all(|weight| (-2.0..=2.0).contains(weight)));
    let top = [1.0, -1.0, 0.5];
    run(random.as_mut(), 100, |weights, _| hill(weights, &top));
    let best = points.iter().map(|point| hill(point, &top)).fold(f64::MIN, f64::max);
    assert_eq!(hill(&random.recommendations()[0].weights, &top), best);
}

#[test]
fn more_brackets_get_nearer_in_noise() {
    let top = [0.5, -0.5];
    let miss = |seed: u64, n: u64| {
        let mut random = open("random", &setup(space(2, 1.0), seed), "");
        run(random.as_mut(), n, |weights, i| hill(weights, &top) + 0.02 * noise(weights, i));
        -hill(&random.recommendations()[0].weights, &top)
    };
    let mean = |n: u64| (0..20).map(|seed| miss(seed, n)).sum::<f64>() / 20.0;
    let (few, many) = (mean(6), mean(120));
    assert!(few < 0.1 && many < few / 2.0, "{few} and {many}");
}

#[test]
fn scores_of_all_rounds_count_by_their_games() {
    // a is better in the first round, b in the second, which has twice the games.
    let winner = |second: f64| {
        let mut random = open("random", &setup(space(1, 1.0), 1), "points = 3\nkeep = 0.67\nrepeat = false");
        let points = candidates_of(&random.ask().unwrap());
        run(random.as_mut(), 2, |weights, round| {
            match (points.iter().position(|point| point == weights), round) {
                (Some(0), 0) => 9.0,
                (Some(1), 0) => 4.0,
                (Some(1), 1) => second,
                _ => 0.0,
            }
        });
        let winner = random.recommendations()[0].weights.clone();
        points.iter().position(|point| *point == winner)
    };
    // 9·1 + 0·2 against 4·1 + 2·2, and against 4·1 + 3·2.
    assert_eq!(winner(2.0), Some(0));
    assert_eq!(winner(3.0), Some(1));
}

#[test]
fn random_directions_within_the_bounds() {
    let mut sphere = space(4, 1.0);
    sphere.scale_free = true;
    let mut random = open("random", &setup(sphere.clone(), 1), "points = 400");
    let points = candidates_of(&random.ask().unwrap());
    for point in &points {
        assert!((point.iter().map(|weight| weight * weight).sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let n_near = points.iter().filter(|point| angle(point, &[1.0, 1.0, 1.0, 1.0]) < 90.0).count();
    assert!((160..240).contains(&n_near), "{n_near}");
    // A weight that cannot be negative, one that cannot be positive, one that is always 0, and a wide one.
    (sphere.low, sphere.high) = (vec![0.0, -1.0, 0.0, -100.0], vec![1.0, 0.0, 0.0, 1000.0]);
    let mut random = open("random", &setup(sphere.clone(), 1), "points = 400");
    for point in candidates_of(&random.ask().unwrap()) {
        for (i, weight) in point.iter().enumerate() {
            assert!((sphere.low[i]..=sphere.high[i]).contains(weight), "{point:?}");
        }
    }
    // No direction at all: a box away from 0.
    (sphere.low, sphere.high) = (vec![1.0; 4], vec![2.0; 4]);
    let mut random = open("random", &setup(sphere, 1), "points = 400");
    let points = candidates_of(&random.ask().unwrap());
    assert!(points.iter().flatten().all(|weight| (1.0..=2.0).contains(weight)));
}

#[test]
fn one_point_and_equal_fitness() {
    let mut random = open("random", &setup(space(2, 1.0), 1), "points = 1\nrepeat = false");
    assert_eq!(run(random.as_mut(), 10, |_, _| 0.0), 1);
    assert_eq!(random.recommendations().len(), 1);
    let mut random = open("random", &setup(space(2, 1.0), 1), "points = 5\nrepeat = false");
    let first = candidates_of(&random.ask().unwrap())[0].clone();
    run(random.as_mut(), 10, |_, _| 0.0);
    assert_eq!(random.recommendations()[0].weights, first);
}

#[test]
fn repeatable() {
    check_repeatable("random", &setup(space(3, 1.0), 0), "points = 8");
    let start = OptimizerSetup { start: Some(vec![0.5, 0.25]), ..setup(space(2, 1.0), 4) };
    let mut random = open("random", &start, "points = 3");
    let points: Vec<_> = candidates_of(&random.ask().unwrap()).iter().map(|point| rounded(point)).collect();
    assert_eq!(points, [[0.5, 0.25], [0.386935, 0.336382], [0.374323, 0.506966]]);
}

#[test]
fn errors_name_the_location() {
    let check = |text: &str, expected: &str| {
        assert_eq!(error_message("random", &setup(space(2, 1.0), 0), text), expected);
    };
    check(
        "points = 0",
        "invalid value \"0\" for points in plan.toml (line 1, column 10): expected a whole number from 1 to 10000000",
    );
    check(
        "keep = 1",
        "invalid value \"1\" for keep in plan.toml (line 1, column 8): expected a number from 0.01 to 0.99",
    );
    check(
        "round = 3",
        "invalid key \"round\" in plan.toml (line 1, column 1): expected one of points, rounds, keep, repeat; did you mean \"rounds\"?",
    );
}
