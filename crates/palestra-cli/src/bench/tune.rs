//! Tuning: the whole grid of the Connect-C study, and generations of its genetic algorithm.

use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_core::{Progress, Rng, Seed};
use palestra_settings::Document;
use palestra_tune::{
    Batch, CandidateSet, ExecutionContext, Executor, LocalExecutor, OpeningSplit, PointSystem, Schedule,
    ScheduledMatch, StartPointSampler, TuningBoards, TuningDriver, TuningPlan, TuningResolver,
};
use rand::RngExt;
use rand_distr::{Distribution, Normal};

pub(super) const GRID: BenchCase = BenchCase {
    name: "grid-connect-c",
    about: "the whole grid of the Connect-C study: 531,441 players × 9 opponents × 3 boards × 2 sides, exactly",
    unit: "games",
    target: Some(28_697_814.0 / 3.6),
    peers: &[
        PeerRate { name: "the study's program", rate: 28_697_814.0 / 7160.0 },
        PeerRate { name: "a crude cohort", rate: 28_697_814.0 / 22.0 },
    ],
    is_long: false,
    run: grid,
};

pub(super) const GA_WEIGHTED: BenchCase = BenchCase {
    name: "ga-connect-c",
    about: "generations of the Connect-C study's genetic algorithm: 1,140 games of players near its champion on random boards",
    unit: "generations",
    target: Some(40.0 * 0.91),
    peers: &[PeerRate { name: "the study's program", rate: 0.91 }],
    is_long: false,
    run: || generations(20, near_champion),
};

pub(super) const GA_DRIFT: BenchCase = BenchCase {
    name: "ga-connect-c-drift",
    about: "the same with a drifted population, as strict selection produces it: games are shorter",
    unit: "generations",
    target: Some(40.0 * 2.12),
    peers: &[PeerRate { name: "the study's program", rate: 2.12 }],
    is_long: false,
    run: || generations(40, drifted),
};

/// Runs `work` in a pool of one thread, so that the CPU seconds are those of one core.
fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread").install(work)
}

fn grid() -> BenchPass {
    const PLAN: &str = include_str!("../../../../studies/connect-c/grid.toml");
    on_one_thread(|| {
        let lookup = |player: &str| Ok(player.to_owned());
        let resolver = TuningResolver { catalog: games(), lookup: &lookup, methods: &[] };
        let plan =
            TuningPlan::read(Document::parse(PLAN, "the grid").expect("a plan"), &resolver).expect("a plan");
        let executor = LocalExecutor::new(games(), true);
        let driver = TuningDriver::new(&plan, games(), &executor).expect("a plan");
        let training = driver
            .train(&ExecutionContext::new(&Progress::default()), &mut ())
            .expect("a batch without a cancel flag finishes");
        let summary = training.grid.expect("a grid has a summary");
        let signature = summary.at_maximum.iter().fold(Seed(summary.maximum.to_bits()), |s, &at| s.child(at));
        BenchPass { units: training.n_games, signature: signature.child(summary.sum.to_bits()).0 }
    })
}

/// The study's champion after five mutations of its genetic algorithm.
fn near_champion(rng: &mut Rng) -> Vec<f64> {
    let champion = [3685.79, -2865.87, 356.439, -103.028, 60.7866, 43.7294];
    let deviations = [100.0, 100.0, 20.0, 20.0, 20.0, 20.0];
    let mutate = |(weight, deviation): (f64, f64)| {
        (0..5).fold(
            weight,
            |weight, _| if rng.random_bool(0.1) { weight + normal(deviation, rng) } else { weight },
        )
    };
    champion.into_iter().zip(deviations).map(mutate).collect()
}

/// Weights with the standard deviations of the study's drifted population.
fn drifted(rng: &mut Rng) -> Vec<f64> {
    [1803.0, 1371.0, 309.0, 303.0, 304.0, 323.0].map(|deviation| normal(deviation, rng)).to_vec()
}

fn normal(deviation: f64, rng: &mut Rng) -> f64 {
    Normal::new(0.0, deviation).expect("a finite deviation").sample(rng)
}

/// Generations of 20 players: a round robin with three boards per pair.
fn generations(n: u64, draw: fn(&mut Rng) -> Vec<f64>) -> BenchPass {
    on_one_thread(|| {
        let mut sampler =
            StartPointSampler::new(games(), TuningBoards::Pool("connect/study".to_owned())).expect("a pool");
        let executor = LocalExecutor::new(games(), true);
        let mut signature = Seed(0);
        for generation in 0..n {
            let mut rng = Seed(generation).rng();
            let players: Vec<Vec<f64>> = (0..20).map(|_| draw(&mut rng)).collect();
            let pairs = (0..20u32).flat_map(|a| (a + 1..20).map(move |b| (a, b)));
            let one = |(i, (a, b)): (usize, (u32, u32))| ScheduledMatch {
                a,
                b,
                from: 3 * i as u32,
                to: 3 * i as u32 + 3,
            };
            let matches: Vec<ScheduledMatch> = pairs.enumerate().map(one).collect();
            let starts = sampler
                .draw(OpeningSplit::Training, 3 * matches.len() as u32, 0, Seed(generation))
                .expect("boards");
            let batch = Batch {
                template: "greedy/lines-coded".to_owned(),
                candidates: CandidateSet::Listed(players),
                schedule: Schedule::Matches(matches),
                starts,
                points: PointSystem::ByResult { win: 2.0, draw: 1.0, loss: 0.0 },
            };
            let result = executor
                .run(&batch, &ExecutionContext::new(&Progress::default()))
                .expect("a batch without a cancel flag finishes");
            signature =
                result.points.iter().fold(signature, |signature, points| signature.child(points.to_bits()));
        }
        BenchPass { units: n, signature: signature.0 }
    })
}
