//! Objectives without randomness: the fittest candidate is known, so that it is recommended rather than a worse mean.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use palestra_core::{Progress, Seed};
use palestra_registry::GAMES;
use palestra_settings::Document;
use palestra_tune::progress::ChampionTester;
use palestra_tune::{
    Batch, BoxError, CandidateSet, ExecutionContext, Executor, GenerationReport, LocalExecutor, OpeningSplit,
    Schedule, StartPointSampler, TrainingObserver, TrainingResult, TuningDriver, TuningPlan, TuningResolver,
};

const OPPONENTS: [&str; 3] = ["rival-0", "rival-4", "grid-5"];

fn plan(method: &str, opening_plies: u32, seed: usize) -> TuningPlan {
    let text = format!(
        "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = {opening_plies}\nseed = {seed}\n\
         objective = {{ name = \"gauntlet\", opponents = {OPPONENTS:?} }}\nmethod = \"{method}\"\n\
         [budget]\ngenerations = 4\n[test]\npairs = 10\ncontrols = false\n"
    );
    let lookup = |player: &str| Ok(player.to_owned());
    let resolver = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    TuningPlan::read(Document::parse(&text, "plan.toml").unwrap(), &resolver).unwrap()
}

/// The highest fitness of all generations.
struct Highest(f64);

impl TrainingObserver for Highest {
    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError> {
        self.0 = generation.fitness.iter().copied().fold(self.0, f64::max);
        Ok(())
    }
}

fn train(plan: &TuningPlan, executor: &LocalExecutor) -> (TrainingResult, f64) {
    let mut highest = Highest(f64::NEG_INFINITY);
    let driver = TuningDriver::new(plan, &GAMES, executor).unwrap();
    let training = driver.train(&ExecutionContext::new(&Progress::default()), &mut highest).unwrap();
    (training, highest.0)
}

/// The points of these weights in the games of the objective.
fn points(plan: &TuningPlan, weights: &[f64], executor: &LocalExecutor) -> f64 {
    let mut sampler = StartPointSampler::new(&GAMES, plan.boards.clone()).unwrap();
    let batch = Batch {
        template: plan.player.clone(),
        candidates: CandidateSet::Listed(vec![weights.to_vec()]),
        schedule: Schedule::Everyone(OPPONENTS.map(str::to_owned).to_vec()),
        starts: sampler.draw(OpeningSplit::Training, 1, 0, Seed(9)).unwrap(),
        points: plan.points,
    };
    executor.run(&batch, &ExecutionContext::new(&Progress::default())).unwrap().points[0]
}

#[test]
fn the_fittest_candidate_is_recommended() {
    let mut n_added = 0;
    for method in ["cmaes", "spsa", "ga", "coevolution"] {
        for seed in 1..=5 {
            let plan = plan(method, 0, seed);
            let executor = LocalExecutor::new(&GAMES, true);
            let (training, highest) = train(&plan, &executor);
            let first = &training.recommendations[0];
            let found = points(&plan, &first.weights, &executor);
            assert!(training.is_exact && found >= highest, "{method} {seed}: {found} of {highest}");
            n_added += usize::from(first.label == "best of the run");
            let tester = ChampionTester::new(&plan, &GAMES, &executor).unwrap();
            let verified = tester.verify(&training, &ExecutionContext::new(&Progress::default())).unwrap();
            assert_eq!((&verified.label, &verified.weights), (&first.label, &first.weights));
        }
    }
    assert!(n_added > 0, "the methods themselves recommended the fittest in all runs");
}

#[test]
fn with_random_openings_the_method_recommends() {
    let (training, _) = train(&plan("cmaes", 2, 1), &LocalExecutor::new(&GAMES, true));
    assert!(!training.is_exact);
    assert_eq!(training.recommendations[0].label, "mean");
}
