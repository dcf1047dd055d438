use crate::methods::trial::{candidates_of, error_message, hill, open, run, setup, space};
use crate::{CandidateFitness, Optimizer, OptimizerReply, OptimizerSetup};
use palestra_core::Seed;
use rand::RngExt;

fn kings(method: &dyn Optimizer) -> Vec<Vec<f64>> {
    method.hall_of_fame().iter().map(|king| king.weights.clone()).collect()
}

#[test]
fn study_takes_the_winner_of_one_match() {
    let mut king = open("king", &setup(space(2, 9.0), 0), "values = [1, 2, 3]");
    assert_eq!(king.n_generations(), Some(9));
    assert!(!king.needs_head_to_head());
    // In the first match the king plays itself.
    assert_eq!(candidates_of(&king.ask().unwrap()), [[1.0, 1.0], [1.0, 1.0]]);
    assert_eq!(run(king.as_mut(), 100, |weights, _| hill(weights, &[2.0, 2.0])), 9);
    // 12 is better than 11, 13 is not better than 12, 21 is as good, 22 is the top.
    assert_eq!(kings(king.as_ref()), [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0]]);
    assert_eq!(king.hall_of_fame().iter().map(|king| king.generation).collect::<Vec<_>>(), [0, 1, 4]);
    assert_eq!(king.recommendations()[0].weights, [2.0, 2.0]);
    assert_eq!(king.recommendations()[0].label, "king 3 of 3");
    assert_eq!(king.ask(), None);
}

#[test]
fn equal_players_keep_the_first_king() {
    let mut king = open("king", &setup(space(2, 9.0), 0), "values = [1, 2, 3]");
    assert_eq!(run(king.as_mut(), 100, |_, _| 0.5), 9);
    assert_eq!(kings(king.as_ref()), [[1.0, 1.0]]);
    let start = OptimizerSetup { start: Some(vec![7.0, 7.0]), ..setup(space(2, 9.0), 0) };
    let mut king = open("king", &start, "values = [1, 2, 3]");
    assert_eq!(candidates_of(&king.ask().unwrap()), [[7.0, 7.0], [1.0, 1.0]]);
}

/// Plays pairs between players whose strength is `elo`, until the end. Returns the number of requests.
fn play(king: &mut dyn Optimizer, seed: u64, n_pairs: usize, elo: impl Fn(&[f64]) -> f64) -> u64 {
    let mut rng = Seed(seed).rng();
    let mut n = 0;
    while let Some(request) = king.ask() {
        let both = candidates_of(&request);
        let score = 1.0 / (1.0 + 10f64.powf((elo(&both[1]) - elo(&both[0])) / 400.0));
        let mut counts = [0; 5];
        for _ in 0..n_pairs {
            let mut win = || 2 * usize::from(rng.random::<f64>() < score);
            counts[win() + win()] += 1;
        }
        let points: u64 = counts.iter().enumerate().map(|(i, count)| i as u64 * count).sum();
        let fitness = vec![points as f64, (4 * n_pairs as u64 - points) as f64];
        king.tell(&OptimizerReply::Rated(CandidateFitness {
            fitness,
            n_games: 2 * n_pairs as u64,
            head_to_head: Some(counts),
        }));
        n += 1;
    }
    n
}

#[test]
fn a_sequential_test_finds_the_best_player() {
    let elo = |weights: &[f64]| 60.0 * hill(weights, &[3.0, 2.0]);
    let best = |test: &str, seed: u64| {
        let text = format!("values = [1, 2, 3]\ntest = '{test}'\norder = 'random'\nelo = 30");
        let mut king = open("king", &setup(space(2, 9.0), seed), &text);
        play(king.as_mut(), seed, 4, elo);
        king.recommendations()[0].weights == [3.0, 2.0]
    };
    let n_right = |test: &str| (0..30).filter(|&seed| best(test, seed)).count();
    let (study, sequential) = (n_right("study"), n_right("sequential"));
    assert!(sequential >= 28 && sequential > study, "{sequential} of 30, the study {study}");
}

#[test]
fn a_sequential_test_rejects_equal_players() {
    let text = "values = [1, 2, 3]\ntest = 'sequential'\nmost = 50";
    let mut king = open("king", &setup(space(2, 9.0), 0), text);
    assert!(king.needs_head_to_head());
    assert_eq!(king.n_generations(), None);
    // The king does not play itself here.
    assert_eq!(candidates_of(&king.ask().unwrap()), [[1.0, 1.0], [1.0, 2.0]]);
    let n = play(king.as_mut(), 1, 10, |_| 0.0);
    assert!((8..=8 * 5).contains(&n), "{n}");
    assert_eq!(kings(king.as_ref()), [[1.0, 1.0]]);
}

#[test]
fn the_seed_decides_a_random_order() {
    let order = |seed: u64| {
        let mut king = open("king", &setup(space(2, 9.0), seed), "values = [1, 2, 3]\norder = 'random'");
        let mut seen = Vec::new();
        while let Some(request) = king.ask() {
            let challenger = &candidates_of(&request)[1];
            seen.push(challenger.iter().fold(0, |number, weight| 10 * number + *weight as u64));
            king.tell(&OptimizerReply::Rated(CandidateFitness {
                fitness: vec![0.0; 2],
                ..CandidateFitness::default()
            }));
        }
        seen
    };
    assert_eq!(order(1), order(1));
    assert_ne!(order(1), order(2));
    let mut sorted = order(1);
    sorted.sort_unstable();
    assert_eq!(sorted, [11, 12, 13, 21, 22, 23, 31, 32, 33]);
    assert_eq!(order(7), [33, 22, 32, 11, 31, 21, 23, 13, 12]);
}

#[test]
fn errors_name_the_location() {
    let check = |text: &str, expected: &str| {
        assert_eq!(error_message("king", &setup(space(2, 1.0), 0), text), expected);
    };
    check(
        "values = [1]\ntest = 'sequental'",
        "invalid value \"sequental\" for test in plan.toml (line 2, column 8): expected one of study, sequential; did you mean \"sequential\"?",
    );
    check(
        "values = [1]\nmodel = 'normal'",
        "invalid value \"normal\" for model in plan.toml (line 2, column 9): expected one of logistic, normalized, bayesian",
    );
    check(
        "values = [1]\nelo = 0",
        "invalid value \"0\" for elo in plan.toml (line 2, column 7): expected a number from 0.1 to 1000",
    );
    check(
        "steps = 10000",
        "invalid value \"100000000 points\" for steps in plan.toml (line 1, column 9): expected a grid of at most 16777216 points",
    );
}
