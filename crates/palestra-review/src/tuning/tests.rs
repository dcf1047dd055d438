//! The parts of a report that need no run.

use super::criteria::engagement;
use super::figures::split_by_size;
use super::{describe_decision, n_players, new_tuning, same_as_earlier};
use palestra_registry::GAMES;
use palestra_settings::Document;
use palestra_tune::progress::{BaselineComparison, CriterionStatus, PairedScore, Verification};
use palestra_tune::{TuningPlan, TuningResolver};

/// A stored run is found by plan and version: one whose games are other ones now must not be found.
#[test]
fn plans_with_other_start_points_are_other_runs() {
    let lookup = |player: &str| Ok(player.to_owned());
    let resolver = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    let version = |fresh: &str, objective: &str| {
        let text = format!(
            "pool = \"connect/study\"\nplayer = \"greedy/lines\"\nfresh = {fresh:?}\nobjective = {objective:?}\n"
        );
        new_tuning(&TuningPlan::read(Document::parse(&text, "plan.toml").unwrap(), &resolver).unwrap())
            .version
    };
    assert_eq!(version("match", "league"), "palestra tune 2");
    assert_eq!(version("generation", "ancestors"), "palestra tune 2");
    assert_eq!(version("match", "ancestors"), "palestra tune 3");
}

#[test]
fn large_and_small_weights_are_separated() {
    let check = |history: &[&[f64]], large: &[usize], small: &[usize]| {
        let history: Vec<(u32, Vec<f64>)> = history.iter().zip(0..).map(|(w, i)| (i, w.to_vec())).collect();
        let (found_large, mut found_small) = split_by_size(&history);
        found_small.sort_unstable();
        assert_eq!((&*found_large, &*found_small), (large, small), "{history:?}");
    };
    check(&[&[1000.0, -500.0, 80.0, -2.0, 2.0, 80.0]], &[0, 1, 2, 5], &[3, 4]);
    check(&[&[1000.0, -500.0, 80.0, 40.0]], &[0, 1], &[2, 3]);
    check(&[&[0.5, 0.4, -0.6]], &[], &[0, 1, 2]);
    // The largest absolute value of any generation counts.
    check(&[&[1.0, 9.0], &[1.0, 0.0]], &[1], &[0]);
    // A weight that is always 0 does not make the others large.
    check(&[&[1.0, 0.0]], &[], &[0, 1]);
    check(&[&[0.0, 0.0]], &[], &[0, 1]);
    check(&[&[3.0]], &[], &[0]);
    check(&[], &[], &[]);
}

#[test]
fn lost_engagement_is_a_warning() {
    let check = |counts: &[[f64; 3]], grade: CriterionStatus, part: &str| {
        let all: Vec<(u32, [f64; 3])> = (0..).zip(counts.iter().copied()).collect();
        let criterion = engagement(&all);
        assert_eq!(criterion.grade, grade, "{}", criterion.found);
        assert!(criterion.found.contains(part), "{}", criterion.found);
    };
    check(&[], CriterionStatus::Skipped, "no parasites");
    check(&[[0.0, 0.0, 0.0]], CriterionStatus::Skipped, "no parasites");
    check(&[[4.0, 4.0, 10.0]], CriterionStatus::Noted, "80 % of all");
    check(&[[4.0, 5.0, 10.0]], CriterionStatus::Warning, "90 % of all");
    // Lost in the last quarter only.
    let end = [[0.0, 0.0, 10.0], [0.0, 0.0, 10.0], [0.0, 0.0, 10.0], [9.0, 0.0, 10.0]];
    check(&end, CriterionStatus::Warning, "90 % in the last quarter");
}

#[test]
fn a_decision_names_the_baselines_that_decide() {
    let check = |better: Option<bool>, each: &[Option<bool>], expected: &str| {
        let comparison = |(i, better): (usize, &Option<bool>)| BaselineComparison {
            baseline: ["the start", "random search"][i].to_owned(),
            weights: Vec::new(),
            games: PairedScore::default(),
            better: *better,
        };
        let verification = Verification {
            label: String::new(),
            weights: Vec::new(),
            finals: Vec::new(),
            baseline: "the leader".to_owned(),
            baseline_weights: Vec::new(),
            head_to_head: PairedScore::default(),
            better,
            comparisons: each.iter().enumerate().map(comparison).collect(),
            criteria: Vec::new(),
            n_games: 0,
        };
        let described = describe_decision(&verification);
        assert!(described.starts_with(&format!("sequential {expected} (0 against 20")), "{described}");
    };
    let (yes, no) = (Some(true), Some(false));
    check(yes, &[], "test: better than the leader");
    check(yes, &[yes, yes], "tests: better than the start and random search");
    check(no, &[yes, no], "tests: NOT better than random search");
    check(None, &[yes, None], "tests: not decided against random search, so it is not called better");
    let control = "better than the start, but so is a champion of the same method with random fitness";
    check(None, &[yes], &format!("test: {control}, so it is not called better"));
}

/// A grid of 1 and 2 for two weights has four weight vectors and three players.
#[test]
fn weights_that_differ_by_a_scale_are_one_player() {
    let player = GAMES.open("connect4").unwrap().tunable_player("greedy/threes").unwrap();
    let all = [[1.0, 1.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0]];
    let weights = || all.iter().map(|weights| &weights[..]);
    assert_eq!(n_players(&player, weights()), 3);
    assert_eq!(same_as_earlier(&player, weights()), [None, None, None, Some(0)]);
    assert_eq!(same_as_earlier(&player, [&[1.0][..], &[1.0][..]]), [None, None], "of another player");
}
