//! What is said before a training, shown while it runs and played in it are the same numbers.

use crate::methods::METHODS;
use crate::{
    ExecutionContext, LocalExecutor, OBJECTIVES, TuningDriver, TuningPlan, TuningResolver, check_budget,
    check_size, training_size,
};
use palestra_core::{InputError, MemoryLimit, Progress, ProgressPhase};
use palestra_registry::GAMES;
use palestra_settings::Document;

fn read(text: &str) -> TuningPlan {
    let lookup = |player: &str| Ok(player.to_owned());
    let resolver = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    let plan = Document::parse(text, "plan.toml").and_then(|document| TuningPlan::read(document, &resolver));
    plan.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Settings of a method that make its runs short.
fn settings(method: &str) -> &'static [&'static str] {
    match method {
        "cmaes" => &["lambda = 5"],
        "grid" => &["values = [0, 1]", "values = [0, 1]\nslab = 24"],
        "king" => &["values = [0, 1]", "values = [0, 1]\ntest = \"sequential\"\nmost = 20"],
        "random" => &["points = 6", "points = 7\nrounds = 3\nkeep = 0.7\nrepeat = false"],
        "regression" => &["", "games = 7\nexplorers = 4"],
        "spsa" => &["pairs = 2", "pairs = 2\nc = \"auto\""],
        "evolution" => &["population = 6", "population = 6\nretest = true\nhall = 2"],
        _ => &["population = 6"],
    }
}

fn objective(name: &str) -> &'static str {
    match name {
        "gauntlet" => "opponents = [\"random\", \"first\"]",
        "reference" => "player = \"first\"",
        "parasites" => "n = 3",
        "accuracy" => "positions = 5\nexact_nodes = 1000\nnodes = 10",
        _ => "",
    }
}

#[test]
fn what_is_said_is_played() {
    let executor = LocalExecutor::new(&GAMES, true);
    let mut n_exact = 0;
    for method in METHODS {
        for settings in settings(method.name) {
            for (name, _) in OBJECTIVES {
                let boards = ["game = \"connect:4x3x3\"", "boards = [\"connect:4x3x3\", \"connect:3x3x3\"]"];
                let plies = ["opening_plies = 2", "opening_plies = 0\npairs = 2"];
                for (i, budget) in ["games = 700", "generations = 7"].into_iter().enumerate() {
                    if settings.contains("sequential") && name != "league" || name == "accuracy" && i == 0 {
                        continue; // The test needs a league; a budget of games has no end where none are played.
                    }
                    let text = format!(
                        "{}\nplayer = \"greedy/lines\"\n{}\n[objective]\nname = {name:?}\n{}\n[method]\nname = \
                         {:?}\n{settings}\n[budget]\n{budget}\n[test]\nwanted = false\n",
                        boards[i],
                        plies[i],
                        objective(name),
                        method.name,
                    );
                    n_exact += u32::from(check(&read(&text), &executor, &text));
                }
            }
        }
    }
    assert!(n_exact > 100, "{n_exact} plans have a number that is exact");
}

/// Compares the numbers of a plan; returns whether its number is exact.
fn check(plan: &TuningPlan, executor: &LocalExecutor, text: &str) -> bool {
    let size = training_size(plan, 1).unwrap();
    let said = size.n_games.unwrap_or_else(|| panic!("unknown\n{text}"));
    let progress = Progress::default();
    progress.begin(ProgressPhase { total: Some(said), ..ProgressPhase::default() });
    let driver = TuningDriver::new(plan, &GAMES, executor).unwrap();
    let result = driver.train(&ExecutionContext::new(&progress), &mut ()).unwrap();
    let choice = if result.is_exact { result.n_games - result.trained_games } else { 0 };
    assert_eq!(progress.done(), result.n_games, "the bar\n{text}");
    if size.is_exact {
        assert_eq!(said, result.trained_games, "what was played\n{text}");
        assert_eq!(size.n_generations, Some(result.trail.len() as u64), "generations\n{text}");
        assert_eq!(progress.phase().total, Some(said + choice), "the end of the bar\n{text}");
    } else {
        assert!(said >= result.trained_games, "said {said}, played {}\n{text}", result.trained_games);
    }
    size.is_exact
}

#[test]
fn a_budget_smaller_than_one_generation_is_refused() {
    let plan = |budget: u64, more: &str| {
        read(&format!(
            "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\npairs = 5000\nmethod = {{ name = \"cmaes\"{more} \
             }}\nbudget = {{ games = {budget} }}\n"
        ))
    };
    let refused = |plan: &TuningPlan| check_budget(plan, &training_size(plan, 2).unwrap());
    let first = 24 * 23 / 2 * 5000 * 2;
    assert_eq!(refused(&plan(first, "")), Ok(()));
    let error = refused(&plan(first - 1, "")).unwrap_err();
    assert!(error.to_string().contains("at least 2760000 games"), "{error}");
    assert!(refused(&plan(first, ", lambda = 25")).is_err());
}

#[test]
fn memory_is_counted_before_anything_is_built() {
    let size = |text: &str| {
        let plan = read(&format!("game = \"connect4\"\nplayer = \"greedy/lines\"\n{text}"));
        training_size(&plan, 2).unwrap()
    };
    // A large league takes long, not much memory.
    let grid = size("method = { name = \"grid\", steps = 6 }");
    assert_eq!(grid.n_games, Some(46_656 * 46_655));
    assert!(grid.memory_bytes < 1 << 30, "{grid:?}");
    let mut before = 0;
    for text in [
        "method = { name = \"ga\", population = 1000 }\nbudget = { games = 1000 }",
        "method = { name = \"cmaes\", lambda = 1000000 }\nbudget = { games = 1000 }",
        "method = { name = \"cmaes\", lambda = 1000000 }\nbudget = { games = 1000 }\npairs = 1000000",
        "method = { name = \"random\", points = 10000000 }\nobjective = { name = \"reference\", player = \"first\" }\n\
         budget = { games = 1000 }",
        "method = { name = \"regression\", games = 10000000 }",
    ] {
        let now = size(text).memory_bytes;
        assert!(now > before, "{text}: {now} bytes");
        before = now;
    }
    let plan = read(
        "game = \"connect4\"\nplayer = \"greedy/lines\"\nmethod = { name = \"random\", points = 10000000 }",
    );
    let limit = |gigabytes: u64| MemoryLimit { bytes: gigabytes << 30 };
    let error: InputError = check_size(&plan, limit(2), 2).unwrap_err();
    assert!(error.to_string().contains("fits into 2G of memory"), "{error}");
    assert!(error.to_string().contains("--memory"), "{error}");
    assert!(check_size(&plan, limit(100), 2).is_ok());
}
