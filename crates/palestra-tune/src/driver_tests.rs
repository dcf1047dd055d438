//! The start points of the matches of a generation, and the plans that cannot have them.

use crate::{
    Batch, BatchResult, ExecutionContext, ExecutionError, Executor, LocalExecutor, Schedule, SelfPlayTask,
    TestSuiteTask, TuningDriver, TuningPlan, TuningResolver,
};
use palestra_arena::SelfPlayGame;
use palestra_core::{InputError, Progress};
use palestra_registry::GAMES;
use palestra_settings::Document;
use std::collections::BTreeSet;
use std::sync::Mutex;

fn read(text: &str) -> Result<TuningPlan, InputError> {
    let lookup = |player: &str| Ok(player.to_owned());
    let resolver = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    TuningPlan::read(Document::parse(text, "plan.toml")?, &resolver)
}

/// Plays batches and keeps them.
struct Recorder {
    local: LocalExecutor,
    batches: Mutex<Vec<Batch>>,
}

impl Executor for Recorder {
    fn run(&self, batch: &Batch, context: &ExecutionContext<'_>) -> Result<BatchResult, ExecutionError> {
        self.batches.lock().unwrap().push(batch.clone());
        self.local.run(batch, context)
    }

    fn self_play(
        &self,
        task: &SelfPlayTask,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<SelfPlayGame>, ExecutionError> {
        self.local.self_play(task, context)
    }

    fn run_test_suite(
        &self,
        task: &TestSuiteTask,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<Vec<(f64, f64)>>, ExecutionError> {
        self.local.run_test_suite(task, context)
    }
}

/// The batches of a plan's training, and the fittest weights at its end.
fn train(plan: &str, cohorts: bool) -> (Vec<Batch>, Vec<f64>) {
    let plan = read(plan).unwrap_or_else(|error| panic!("{error}"));
    let recorder = Recorder { local: LocalExecutor::new(&GAMES, cohorts), batches: Mutex::default() };
    let driver = TuningDriver::new(&plan, &GAMES, &recorder).unwrap();
    let result = driver.train(&ExecutionContext::new(&Progress::default()), &mut ()).unwrap();
    (recorder.batches.into_inner().unwrap(), result.recommendations[0].weights.clone())
}

const BOARDS: &str = "boards = [\"connect:5x4x3\", \"connect:6x5x4\"]\nopening_plies = 4\n";
const POOL: &str = "pool = \"connect/study\"\n";

/// A plan of four candidates and three generations.
fn plan(boards: &str, fresh: &str, objective: &str) -> String {
    format!(
        "{boards}player = \"greedy/lines\"\npairs = 3\nfresh = {fresh:?}\nobjective = {objective}\n\
         method = {{ name = \"ga\", population = 4 }}\n[budget]\ngenerations = 3\n"
    )
}

/// The indices of the start points of each match.
fn parts(batch: &Batch) -> Vec<std::ops::Range<usize>> {
    match &batch.schedule {
        Schedule::Matches(matches) => matches.iter().map(|m| m.from as usize..m.to as usize).collect(),
        Schedule::EveryoneApart { per_match, .. } => {
            let per_match = *per_match as usize;
            (0..batch.n_matches()).map(|m| m * per_match..(m + 1) * per_match).collect()
        }
        shared => panic!("all matches share their start points: {shared:?}"),
    }
}

const OBJECTIVES: [(&str, usize); 5] = [
    ("\"league\"", 6),
    ("\"ancestors\"", 8),
    ("{ name = \"gauntlet\", opponents = [\"rival-0\", \"random\", \"first\"] }", 12),
    ("{ name = \"reference\", player = \"rival-4\" }", 4),
    ("{ name = \"parasites\", n = 3 }", 12),
];

#[test]
fn every_match_has_its_own_start_points_with_every_objective() {
    for (objective, n_matches) in OBJECTIVES {
        for (boards, n_boards) in [(BOARDS, 2), (POOL, 1)] {
            let (batches, best) = train(&plan(boards, "match", objective), true);
            assert_eq!(batches.len(), 3, "{objective}");
            let mut seeds = BTreeSet::new();
            for batch in &batches {
                let parts = parts(batch);
                assert_eq!(parts.len(), n_matches, "{objective}");
                for part in parts {
                    // Three start points on each board, in the order of the boards.
                    assert_eq!(part.len(), 3 * n_boards, "{objective}");
                    let starts = &batch.starts[part];
                    if n_boards == 2 {
                        let games: Vec<&str> = starts.iter().map(|start| &*start.game).collect();
                        assert_eq!(games[..3], ["connect:5x4x3"; 3], "{objective}");
                        assert_eq!(games[3..], ["connect:6x5x4"; 3], "{objective}");
                    }
                    assert!(starts.iter().all(|start| seeds.insert(start.seed)), "{objective}");
                }
                assert_eq!(batch.n_games(), (n_matches * 3 * n_boards * 2) as u64, "{objective}");
            }
            let (one_by_one, best_one_by_one) = train(&plan(boards, "match", objective), false);
            assert_eq!((one_by_one, best_one_by_one), (batches, best), "{objective}");
        }
    }
}

/// The opponents of each generation have new weights, on boards that come again.
#[test]
fn opponents_of_many_generations_share_their_matches() {
    let plan = plan("game = \"connect:5x4x3\"\nopening_plies = 4\n", "match", "\"ancestors\"");
    let plan = read(&plan.replace("generations = 3", "generations = 12")).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let local = LocalExecutor::new(&GAMES, true);
        let driver = TuningDriver::new(&plan, &GAMES, &local).unwrap();
        driver.train(&ExecutionContext::new(&Progress::default()), &mut ()).unwrap();
        assert_eq!(local.n_cached_matches(), 1);
    });
}

#[test]
fn other_plans_share_their_start_points() {
    for (objective, _) in OBJECTIVES {
        let (batches, _) = train(&plan(POOL, "generation", objective), true);
        for batch in &batches {
            let shared = matches!(batch.schedule, Schedule::Everyone(_) | Schedule::League);
            assert!(shared && batch.starts.len() == 3, "{objective}");
        }
    }
}

/// Only plans whose start points are others than in version 0.0 are other runs.
#[test]
fn plans_with_other_start_points_are_known() {
    for (boards, fresh, objective, is_new) in [
        (POOL, "match", "\"league\"", false),
        (BOARDS, "match", "\"league\"", true),
        (POOL, "match", "\"ancestors\"", true),
        (POOL, "generation", "\"ancestors\"", false),
        (BOARDS, "generation", "\"league\"", false),
    ] {
        let plan = read(&plan(boards, fresh, objective)).unwrap();
        assert_eq!(plan.has_new_start_points(), is_new, "{fresh} {objective}");
    }
}

#[test]
fn plans_without_matches_refuse_start_points_for_matches() {
    let refused = |text: &str, expected: &str| {
        let error = read(text).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("invalid value \"match\" for fresh in plan.toml (line 4, column 9): expected {expected}")
        );
    };
    refused(
        &plan(POOL, "match", "{ name = \"accuracy\", positions = 20 }"),
        "never or generation: accuracy is measured at fixed positions, without matches",
    );
    refused(&plan(POOL, "match", "\"chance\""), "never or generation: random fitness takes no matches");
    let grid = plan(POOL, "match", "\"ancestors\"");
    refused(
        &grid.replace("{ name = \"ga\", population = 4 }", "{ name = \"grid\", steps = 2 }"),
        "never or generation: the points of a grid share all of their start points",
    );
}

#[test]
fn too_many_start_points_are_refused() {
    let many = plan(POOL, "match", "\"league\"").replace("pairs = 3", "pairs = 1000000");
    let many = read(&many.replace("population = 4", "population = 20")).unwrap();
    let local = LocalExecutor::new(&GAMES, true);
    let driver = TuningDriver::new(&many, &GAMES, &local).unwrap();
    let error = driver.train(&ExecutionContext::new(&Progress::default()), &mut ()).unwrap_err().to_string();
    assert_eq!(
        error,
        "invalid value \"match\" for fresh: expected never or generation: 190 matches would need 190000000 \
         start points, more than 10000000"
    );
}
