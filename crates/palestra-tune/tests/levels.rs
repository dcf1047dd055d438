//! How often a champion is called better: by chance alone, which must be rare, and after training on real fitness.
//!
//! The default run has few seeds of each method; with `RUN_SLOW_TESTS` there are 200, and the tables are printed as
//! docs/tuning.md has them:
//! `RUN_SLOW_TESTS=1 cargo nextest run -p palestra-tune --test levels --success-output immediate`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test reads its effort from the environment, prints its tables and may panic"
)]

use palestra_core::Progress;
use palestra_registry::GAMES;
use palestra_settings::Document;
use palestra_tune::progress::{ChampionTester, CriterionStatus};
use palestra_tune::{
    ExecutionContext, LocalExecutor, TrainingResult, TuningDriver, TuningPlan, TuningResolver, angle,
};
use rayon::prelude::*;

/// Each method of this crate with the settings of the simulation: about 3,000 games of a league, fewer where a grid has
/// few points.
const METHODS: [(&str, &str); 9] = [
    ("grid", "values = [-1, 1]"),
    ("random", ""),
    ("king", "values = [-1, 0, 1]\norder = 'random'"),
    ("ga", ""),
    ("evolution", "population = 20"),
    ("coevolution", "population = 20\nsigma = 0.3"),
    ("cmaes", ""),
    ("spsa", ""),
    ("regression", ""),
];

/// A start that a user might have: own lines count for, the rival's threats against.
const START: &str = "start = [1, -1, 0, 0, 0, 0]";

fn plan(method: &str, settings: &str, objective: &str, start: &str, seed: usize) -> TuningPlan {
    let text = format!(
        "game = \"connect:6x5x4\"\nplayer = \"greedy/lines\"\nopening_plies = 4\nseed = {seed}\n\
         objective = \"{objective}\"\n{start}\n[method]\nname = \"{method}\"\n{settings}\n[budget]\ngames = 3000\n"
    );
    let lookup = |player: &str| Ok(player.to_owned());
    let resolver = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    TuningPlan::read(Document::parse(&text, "plan.toml").unwrap(), &resolver).unwrap()
}

/// What training is told.
#[derive(Clone, Copy, PartialEq)]
enum Fitness {
    /// The results of games.
    Real,
    /// Random numbers, as the control of the plan's objective.
    Random,
}

/// Trains with the plan's objective, and returns whether the champion is called better.
fn is_called_better(plan: &TuningPlan) -> bool {
    let executor = LocalExecutor::new(&GAMES, true);
    let training = train(plan, Fitness::Real, &executor);
    decide(plan, &training, &executor, false).is_better
}

fn train(plan: &TuningPlan, fitness: Fitness, executor: &LocalExecutor) -> TrainingResult {
    let driver = TuningDriver::new(plan, &GAMES, executor).unwrap();
    let driver = if fitness == Fitness::Random { driver.on_random_fitness() } else { driver };
    driver.train(&ExecutionContext::new(&Progress::default()), &mut ()).unwrap()
}

/// What is said of a champion.
#[derive(Clone, Copy)]
struct Decision {
    is_better: bool,
    /// Whether the control N warns: the champion beats its baselines, but not a champion of random fitness.
    has_warning: bool,
}

fn decide(plan: &TuningPlan, training: &TrainingResult, executor: &LocalExecutor, leaks: bool) -> Decision {
    let tester = ChampionTester::new(plan, &GAMES, executor).unwrap();
    let mut tester = if leaks { tester.with_leaking_controls() } else { tester };
    let (better, control) = tester.decide(training, &ExecutionContext::new(&Progress::default())).unwrap();
    Decision { is_better: better == Some(true), has_warning: control == Some(CriterionStatus::Warning) }
}

/// Number of seeds with which `called` is true.
fn count(n: usize, called: impl Fn(usize) -> bool + Sync) -> usize {
    (1..=n).into_par_iter().filter(|&seed| called(seed)).count()
}

/// A share of runs as a cell of the table, with a 95 % interval (Wilson).
fn cell(count: usize, n: usize) -> String {
    let (share, n, z) = (count as f64 / n as f64, n as f64, 1.959_964);
    let center = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    let percent = |share: f64| 100.0 * share.max(0.0);
    format!("{:.1} % [{:.1}, {:.1}]", percent(share), percent(center - half), percent(center + half))
}

fn n_runs(few: usize) -> usize {
    if std::env::var_os("RUN_SLOW_TESTS").is_some() { 200 } else { few }
}

/// A useless objective leads to a champion that is called better in at most 5 % of all runs.
fn check_chance(method: &str) {
    let n = n_runs(2);
    let settings = METHODS.iter().find(|(name, _)| *name == method).unwrap().1;
    let called =
        |start: &str| count(n, |seed| is_called_better(&plan(method, settings, "chance", start, seed)));
    let counts = [called(""), called(START)];
    println!("| `{method}` | {} | {} |", cell(counts[0], n), cell(counts[1], n));
    // Of few runs, one may be among the 5 %.
    assert!(counts.iter().all(|&count| count <= (n / 20).max(1)), "{method}: {counts:?} of {n}");
}

macro_rules! chance_is_rarely_called_better {
    ($($method:ident),*) => {
        mod chance_is_rarely_called_better {
            $(#[test]
            fn $method() {
                super::check_chance(stringify!($method));
            })*
        }
    };
}

chance_is_rarely_called_better!(cmaes, coevolution, evolution, ga, grid, king, random, regression, spsa);

/// Real training is called better, but hardly ever where real fitness leaks into the controls: they are as good then.
#[test]
fn a_leak_into_the_controls_is_noticed() {
    let n = n_runs(8);
    let decisions: Vec<[Decision; 2]> = (1..=n)
        .into_par_iter()
        .map(|seed| {
            let plan = plan("cmaes", "", "league", "", seed);
            let executor = LocalExecutor::new(&GAMES, true);
            let training = train(&plan, Fitness::Real, &executor);
            [false, true].map(|leaks| decide(&plan, &training, &executor, leaks))
        })
        .collect();
    let of_all = |is_counted: fn(&Decision) -> bool| {
        [0, 1].map(|i| decisions.iter().filter(|both| is_counted(&both[i])).count())
    };
    let ([healthy, leaking], warnings) = (of_all(|one| one.is_better), of_all(|one| one.has_warning));
    println!("| called better | {} | {} |", cell(healthy, n), cell(leaking, n));
    println!("| warning of the control | {} | {} |", cell(warnings[0], n), cell(warnings[1], n));
    assert!(healthy * 10 >= n && leaking * 5 <= healthy, "{healthy} and {leaking} of {n}");
    // Of few healthy runs, one may get a warning; where fitness leaks, most that beat the baselines do.
    assert!(warnings[0] <= (n / 20).max(1) && warnings[1] > warnings[0], "{warnings:?} warnings of {n}");
}

/// Random fitness moves the recommendation of every method, and counts the games that real fitness takes.
#[test]
fn random_fitness_moves_every_method() {
    for (method, settings) in METHODS {
        let plan = plan(method, settings, "league", "", 3);
        let executor = LocalExecutor::new(&GAMES, true);
        let (real, random) =
            (train(&plan, Fitness::Real, &executor), train(&plan, Fitness::Random, &executor));
        let other = plan.clone();
        let again = train(&TuningPlan { seed: 4, ..other }, Fitness::Random, &executor);
        assert_eq!((random.n_games, random.trail.len()), (real.n_games, real.trail.len()), "{method}");
        let [a, b] = [&random, &again].map(|training| &training.recommendations[0].weights);
        assert!(angle(a, b) > 1.0, "{method}: equal recommendations of two controls");
        if let [first, .., last] = &random.trail[..] {
            assert!(angle(first, last) > 1.0 || method == "regression", "{method} does not move");
        }
    }
}
