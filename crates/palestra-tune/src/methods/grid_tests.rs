use super::slab;
use crate::methods::trial::{candidates_of, error_message, hill, is_grid, open, run, setup, space};
use crate::{CandidateFitness, GridSummary, OptimizerReply};
use std::sync::Arc;

#[test]
fn slabs_are_whole_products() {
    let grid = |n: usize, dimensions: usize| vec![vec![0.0; n]; dimensions];
    assert_eq!(slab(&grid(9, 6), 200_000), 3 * 9u64.pow(5));
    assert_eq!(slab(&grid(21, 6), 200_000), 21u64.pow(4));
    assert_eq!(slab(&grid(4, 4), 200_000), 256);
    // 7 values, at most 5 at a time: two pieces, of 4 and 3.
    assert_eq!(slab(&grid(7, 1), 5), 4);
    assert_eq!(slab(&grid(7, 2), 21), 21);
    assert_eq!(slab(&grid(7, 3), 1), 1);
    assert_eq!(slab(&grid(1_000_000, 1), 200_000), 200_000);
}

#[test]
fn finds_the_top_of_a_hill() {
    let mut grid = open("grid", &setup(space(3, 1.0), 0), "steps = 5");
    assert_eq!(grid.n_generations(), Some(1));
    assert!(is_grid(&grid.ask().unwrap()));
    assert_eq!(run(grid.as_mut(), 100, |weights, _| hill(weights, &[0.5, -1.0, 0.0])), 1);
    assert_eq!(grid.recommendations()[0].weights, [0.5, -1.0, 0.0]);
    assert_eq!(grid.recommendations().len(), 1);
    let summary = grid.grid_summary().unwrap();
    assert_eq!((summary.n_points, summary.maximum, summary.n_at_maximum), (125, 0.0, 1));
    assert_eq!(summary.minimum, -(1.5f64.powi(2) + 4.0 + 1.0));
    assert_eq!(summary.best_by_value[0], [-2.25, -1.0, -0.25, 0.0, -0.25]);
    assert_eq!(summary.best_by_value[1], [0.0, -0.25, -1.0, -2.25, -4.0]);
}

#[test]
fn the_summary_does_not_depend_on_slabs() {
    let fitness = |weights: &[f64], _| (weights[0] * 0.1 + weights[1] * 0.7).round() + weights[2] * 0.1;
    let of = |slab: u64| {
        let text = format!("values = [[1, 2, 4], [5, -3, 0, 2], [0.1], [7, 8, 9, 10, 11]]\nslab = {slab}");
        let mut grid = open("grid", &setup(space(4, 1.0), 0), &text);
        run(grid.as_mut(), 1000, fitness);
        (grid.grid_summary().unwrap().clone(), grid.recommendations())
    };
    let whole = of(1000);
    assert_eq!(whole.0.n_at_maximum, 15);
    assert_eq!(whole.0.at_maximum, [0, 1, 2, 3, 4, 20, 21, 22, 23, 24, 40, 41, 42, 43, 44]);
    for slab in [1, 2, 3, 5, 7, 20, 59, 60] {
        assert_eq!(of(slab), whole);
    }
    // The sum does not depend on the pieces either: the same numbers are added in the same order.
    let values = Arc::new(vec![vec![1.0; 10], vec![0.0; 7]]);
    let fitness: Vec<f64> = (0..70).map(|i| (f64::from(i) * 0.37).sin()).collect();
    let of = |piece: usize| {
        let mut summary = GridSummary::new(values.clone());
        fitness.chunks(piece).for_each(|fitness| summary.add(fitness));
        summary
    };
    let plain: f64 = fitness.iter().sum();
    for piece in [1, 3, 6, 7, 8, 64, 70] {
        assert_eq!(of(piece), of(70));
        assert_eq!(of(piece).sum, plain);
        assert_eq!(of(piece).mean(), plain / 70.0);
    }
}

#[test]
fn equal_fitness_everywhere() {
    let mut grid = open("grid", &setup(space(2, 1.0), 0), "values = [3, 1, 2]\nfinalists = 2");
    run(grid.as_mut(), 100, |_, _| -4.0);
    let summary = grid.grid_summary().unwrap();
    assert_eq!((summary.maximum, summary.minimum, summary.n_at_maximum), (-4.0, -4.0, 9));
    assert_eq!(grid.recommendations().len(), 2);
    assert_eq!(grid.recommendations()[1].weights, [3.0, 1.0]);
    assert_eq!(grid.recommendations()[1].label, "point 1, 2 of 9 at the maximum");
    assert_eq!(grid.ask(), None);
}

#[test]
fn points_at_the_maximum_are_counted_and_listed_up_to_a_limit() {
    let mut grid = open("grid", &setup(space(2, 1.0), 0), "steps = 1100\nslab = 1000000");
    run(grid.as_mut(), 100, |_, _| 1.0);
    let summary = grid.grid_summary().unwrap();
    assert_eq!(summary.n_at_maximum, 1_210_000);
    assert_eq!(summary.at_maximum.len(), crate::MAX_LISTED_POINTS);
}

#[test]
fn values_of_steps() {
    let mut narrow = space(2, 3.0);
    (narrow.low[1], narrow.high[1]) = (2.0, 2.0);
    let mut grid = open("grid", &setup(narrow, 0), "steps = 7");
    let points = candidates_of(&grid.ask().unwrap());
    let values: Vec<f64> = points.iter().map(|point| point[0]).collect();
    assert_eq!(values, [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
    assert!(points.iter().all(|point| point[1] == 2.0));
}

#[test]
fn errors_name_the_location() {
    let check = |text: &str, expected: &str| {
        assert_eq!(error_message("grid", &setup(space(2, 1.0), 0), text), expected);
    };
    check(
        "",
        "missing value for values in plan.toml (line 1, column 1): expected a list of values for each weight, or a number of steps",
    );
    check(
        "values = []",
        "invalid value \"[]\" for values in plan.toml (line 1, column 10): expected a list of at least one value for each weight",
    );
    check(
        "values = [[1], []]",
        "invalid value \"[]\" for values in plan.toml (line 1, column 16): expected a list with at least one value",
    );
    check(
        "values = [[1], [2], [3]]",
        "invalid value \"3 lists\" for values in plan.toml (line 1, column 10): expected a list of 2 lists, one for each of w1, w2",
    );
    check(
        "values = [[1], [2, 'a']]",
        "invalid value \"a\" for values in plan.toml (line 1, column 20): expected a finite number",
    );
    check(
        "values = [[1], [2, 3, 2]]",
        "invalid value \"2\" for values in plan.toml (line 1, column 23): expected a value that is not in the list yet",
    );
    check(
        "values = [[1], 2]",
        "invalid value \"2\" for values in plan.toml (line 1, column 16): expected a list of numbers",
    );
    check(
        "values = 3",
        "invalid value \"3\" for values in plan.toml (line 1, column 10): expected a list of lists of numbers",
    );
    check(
        "values = [1]\nsteps = 3",
        "steps in plan.toml (line 2, column 9) cannot be used here: values are given",
    );
    check(
        "steps = 1",
        "invalid value \"1\" for steps in plan.toml (line 1, column 9): expected a whole number from 2 to 10000",
    );
    check(
        "steps = 3\nslap = 7",
        "invalid key \"slap\" in plan.toml (line 2, column 1): expected one of values, steps, slab, finalists; did you mean \"slab\"?",
    );
    let wide = error_message("grid", &setup(space(4, 1.0), 0), "steps = 10000");
    assert_eq!(
        wide,
        "invalid value \"10000000000000000 points\" for steps in plan.toml (line 1, column 9): expected a grid of at most 1099511627776 points"
    );
    let wider = error_message("grid", &setup(space(30, 1.0), 0), "steps = 10000");
    assert!(wider.contains("\"more than 2^64 points\""), "{wider}");
}

#[test]
#[should_panic(expected = "one fitness for each candidate")]
fn a_reply_to_another_request_panics() {
    let mut grid = open("grid", &setup(space(2, 1.0), 0), "steps = 3");
    grid.tell(&OptimizerReply::Rated(CandidateFitness { fitness: vec![1.0], ..CandidateFitness::default() }));
}
