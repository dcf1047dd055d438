//! What a champion is compared with before it is called better.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use palestra_core::Progress;
use palestra_registry::GAMES;
use palestra_settings::Document;
use palestra_tune::progress::{ChampionTester, CriterionStatus, Verification};
use palestra_tune::{ExecutionContext, LocalExecutor, TuningDriver, TuningPlan, TuningResolver};

fn verified(more: &str) -> Verification {
    let text = format!(
        "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 3\n{more}\n\
         budget.games = 1500\ntest.pairs = 200\ntest.opening_plies = 5\n"
    );
    let lookup = |player: &str| Ok(player.to_owned());
    let resolver = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    let plan = TuningPlan::read(Document::parse(&text, "plan.toml").unwrap(), &resolver).unwrap();
    let executor = LocalExecutor::new(&GAMES, true);
    let progress = Progress::default();
    let context = ExecutionContext::new(&progress);
    let training = TuningDriver::new(&plan, &GAMES, &executor).unwrap().train(&context, &mut ()).unwrap();
    ChampionTester::new(&plan, &GAMES, &executor).unwrap().verify(&training, &context).unwrap()
}

fn baselines(verification: &Verification) -> Vec<&str> {
    verification.comparisons.iter().map(|comparison| comparison.baseline.as_str()).collect()
}

#[test]
fn without_a_start_equal_weights_and_random_search_must_be_beaten() {
    let verification = verified("method = \"cmaes\"");
    let random_search = "the winner of a random search with as many games";
    assert_eq!(baselines(&verification), ["equal weights", random_search]);
    let [equal, random] = &verification.comparisons[..] else { panic!("two comparisons") };
    // Lines of one's own are good, cells where the opponent wins are bad.
    assert!(equal.weights.iter().all(|weight| weight.abs() == 1.0), "{:?}", equal.weights);
    assert!(equal.weights[0] == 1.0 && equal.weights[1] == -1.0, "{:?}", equal.weights);
    assert_eq!(verification.better == Some(true), [equal, random].iter().all(|c| c.better == Some(true)));
    assert_eq!((verification.head_to_head, &verification.baseline), (equal.games, &equal.baseline));
    let p4 = verification.criteria.iter().find(|criterion| criterion.id == "P4").unwrap();
    assert!(p4.found.ends_with(&format!("in {} games", random.games.n_games())), "{}", p4.found);
}

#[test]
fn a_start_is_the_baseline() {
    let verification = verified("start = [1, 1, 0, 0, 0, 0]\nmethod = \"cmaes\"");
    assert_eq!(baselines(&verification)[0], "the start");
    assert_eq!(verification.comparisons[0].weights, [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    // Without controls there is no random search. Runs of earlier versions have no list.
    let alone = verified("start = [1, 1, 0, 0, 0, 0]\nmethod = \"cmaes\"\ntest.controls = false");
    assert_eq!(baselines(&alone), ["the start"]);
    assert_eq!(alone.better, alone.comparisons[0].better);
    let old = Verification { comparisons: Vec::new(), ..alone.clone() };
    assert_eq!(old.all_comparisons(), alone.comparisons);
}

/// SPSA did not move on an objective that counted no games, so that the control could not fail.
#[test]
fn the_control_moves_and_is_compared() {
    for method in ["spsa", "ga", "king\", values = [-1, 0, 1], order = \"random"] {
        let verification = verified(&format!("method = {{ name = \"{method}\" }}"));
        let control = verification.criteria.iter().find(|criterion| criterion.id == "N").unwrap();
        assert_eq!(control.grade, CriterionStatus::Holds, "{method}: {}", control.found);
        assert!(control.found.contains(" beat what the champion is compared with"), "{}", control.found);
        assert!(control.found.contains("they turned by "), "{}", control.found);
        assert!(!control.found.contains("turned by 0°"), "{method}: {}", control.found);
        // The champion of a run that is called better has met all nineteen.
        assert_eq!(
            verification.better == Some(true),
            control.found.contains(" of 19 beat"),
            "{}",
            control.found
        );
    }
}
