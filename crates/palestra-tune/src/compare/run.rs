//! One run of a comparison: trained by its plan, measured at the checkpoints.

use super::plan::ComparisonPlan;
use crate::driver::seeds;
use crate::start_points::{OpeningSplit, StartPointSampler, TuningBoards};
use crate::{
    Batch, BoxError, CandidateSet, ExecutionContext, ExecutionError, Executor, GenerationReport, MatchResult,
    PointSystem, Schedule, StartPoint, TrainingObserver, TuningDriver,
};
use palestra_arena::Catalog;
use palestra_arena::stats::elo_of_score;
use palestra_core::{InputError, Seed};
use serde::{Deserialize, Serialize};

/// Result of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// Index of the method.
    pub method: usize,
    /// Index of the seed, from 0.
    pub seed: u32,
    /// Games played in training.
    pub n_games: u64,
    /// Number of generations.
    pub generations: u64,
    /// Start weights.
    pub start: Vec<f64>,
    /// Elo of the start weights against the gauntlet.
    pub start_elo: f64,
    /// Recommended weights at each checkpoint.
    pub points: Vec<Vec<f64>>,
    /// Elo of the recommended weights against the gauntlet.
    pub elo: Vec<f64>,
}

/// A run that is trained but not measured yet.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainedRun {
    method: usize,
    seed: u32,
    n_games: u64,
    generations: u64,
    start: Vec<f64>,
    points: Vec<Vec<f64>>,
}

impl RunRecord {
    /// Bytes for the store, with the CPU seconds of the training.
    pub fn to_bytes(&self, seconds: f64) -> Vec<u8> {
        postcard::to_stdvec(&(self, seconds)).expect("a record is plain data")
    }

    /// Reads what [`RunRecord::to_bytes`] wrote; `None` for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<(RunRecord, f64)> {
        postcard::from_bytes(bytes).ok()
    }
}

/// Trains and measures the runs of a comparison; all of them play the same gauntlet on the same start points.
pub struct ComparisonProtocol<'a> {
    plan: &'a ComparisonPlan,
    catalog: &'static Catalog,
    start_points: Vec<StartPoint>,
}

impl<'a> ComparisonProtocol<'a> {
    /// Draws the start points of the gauntlet, from openings that training does not use.
    pub fn new(
        plan: &'a ComparisonPlan,
        catalog: &'static Catalog,
    ) -> Result<ComparisonProtocol<'a>, InputError> {
        let pairs = match &plan.task.boards {
            TuningBoards::Listed(games) => plan.gauntlet.pairs.div_ceil(games.len() as u32),
            TuningBoards::Pool(_) => plan.gauntlet.pairs,
        };
        let seed = Seed(plan.task.seed).child(seeds::TESTS);
        let mut sampler = StartPointSampler::new(catalog, plan.task.boards.clone())?;
        let start_points = sampler.draw(OpeningSplit::Test, pairs, plan.gauntlet.opening_plies, seed)?;
        if start_points.is_empty() {
            let expected = "enough random moves for openings that training does not use";
            return Err(InputError::new(
                "openings in [gauntlet]",
                plan.gauntlet.opening_plies.to_string(),
                expected,
            ));
        }
        Ok(ComparisonProtocol { plan, catalog, start_points })
    }

    /// Number of start points of the gauntlet over all boards; fewer than planned where a board has few openings.
    pub fn n_start_points(&self) -> usize {
        self.start_points.len()
    }

    /// Largest number of games of a run, including the gauntlet.
    pub fn max_games(&self) -> u64 {
        let measured = self.plan.checkpoints.len() as u64 + 1;
        let last = self.plan.checkpoints.last().copied().unwrap_or(0);
        last + measured * self.measuring_games()
    }

    /// Number of games of a run, including the gauntlet.
    pub fn n_games(&self, record: &RunRecord) -> u64 {
        let n_measured = 1 + different_points(&record.points, &record.start).len() as u64;
        record.n_games + n_measured * self.measuring_games()
    }

    /// Number of games that measure one set of weights.
    pub fn measuring_games(&self) -> u64 {
        2 * (self.plan.gauntlet.opponents.len() * self.start_points.len()) as u64
    }

    /// Trains one run.
    pub fn train(
        &self,
        (method, seed): (usize, u32),
        executor: &dyn Executor,
        context: &ExecutionContext<'_>,
    ) -> Result<TrainedRun, ExecutionError> {
        let plan = self.plan.plan_of(method, seed);
        let start = self.plan.start_of(seed);
        let mut tracker = CheckpointTracker::new(&self.plan.checkpoints, &start);
        let training = TuningDriver::new(&plan, self.catalog, executor)?.train(context, &mut tracker)?;
        let generations = training.trail.len() as u64;
        let points = tracker.points;
        Ok(TrainedRun { method, seed, n_games: training.n_games, generations, start, points })
    }

    /// Measures the recommendations of a run.
    pub fn evaluate(
        &self,
        trained: TrainedRun,
        executor: &dyn Executor,
        context: &ExecutionContext<'_>,
    ) -> Result<RunRecord, ExecutionError> {
        let TrainedRun { method, seed, n_games, generations, start, points } = trained;
        // The start of a seed is the same for all methods: in a batch of its own it is played once and then stored.
        let start_elo = self.measure(std::slice::from_ref(&start), executor, context)?[0];
        let different = different_points(&points, &start);
        let measured = self.measure(&different, executor, context)?;
        let elo_of = |point: &Vec<f64>| {
            different.iter().position(|other| other == point).map_or(start_elo, |i| measured[i])
        };
        let elo = points.iter().map(elo_of).collect();
        Ok(RunRecord { method, seed, n_games, generations, start, start_elo, points, elo })
    }

    /// Elo of each set of weights against the gauntlet.
    pub fn measure(
        &self,
        weights: &[Vec<f64>],
        executor: &dyn Executor,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<f64>, ExecutionError> {
        if weights.is_empty() {
            return Ok(Vec::new());
        }
        let opponents = &self.plan.gauntlet.opponents;
        let batch = Batch {
            template: self.plan.task.player.clone(),
            candidates: CandidateSet::Listed(weights.to_vec()),
            schedule: Schedule::Everyone(opponents.clone()),
            starts: self.start_points.clone(),
            points: PointSystem::ByResult { win: 1.0, draw: 0.5, loss: 0.0 },
        };
        let result = executor.run(&batch, context)?;
        Ok(result.match_results.chunks(opponents.len()).map(elo_of_results).collect())
    }
}

/// The weights that are measured in addition to those of the start, each once.
fn different_points(points: &[Vec<f64>], start: &[f64]) -> Vec<Vec<f64>> {
    let mut different: Vec<Vec<f64>> = Vec::new();
    for point in points {
        if point != start && !different.contains(point) {
            different.push(point.clone());
        }
    }
    different
}

/// Elo of the score over all opponents, which play equally many games. Half a win added to each side keeps it finite.
fn elo_of_results(results: &[MatchResult]) -> f64 {
    let won: f64 = results.iter().map(|m| f64::from(m.wins) + f64::from(m.draws) / 2.0).sum();
    let all: f64 = results.iter().map(|m| f64::from(m.wins) + f64::from(m.draws) + f64::from(m.losses)).sum();
    elo_of_score((won + 0.5) / (all + 1.0)).expect("a score between 0 and 1 has an Elo")
}

/// Stores the recommendation at each checkpoint.
struct CheckpointTracker<'a> {
    checkpoints: &'a [u64],
    points: Vec<Vec<f64>>,
}

impl<'a> CheckpointTracker<'a> {
    fn new(checkpoints: &'a [u64], start: &[f64]) -> CheckpointTracker<'a> {
        CheckpointTracker { checkpoints, points: vec![start.to_vec(); checkpoints.len()] }
    }
}

impl TrainingObserver for CheckpointTracker<'_> {
    /// A later generation replaces an earlier one at every checkpoint that its games do not exceed.
    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError> {
        if generation.leader.is_empty() {
            return Ok(());
        }
        for (point, checkpoint) in self.points.iter_mut().zip(self.checkpoints) {
            if generation.n_games <= *checkpoint {
                point.clone_from(&generation.leader);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(n_games: u64, leader: &[f64]) -> GenerationReport {
        GenerationReport {
            number: 0,
            candidates: CandidateSet::Listed(Vec::new()),
            fitness: Vec::new(),
            rating: None,
            n_games,
            leader: leader.to_vec(),
            metrics: Vec::new(),
            engagement: None,
        }
    }

    #[test]
    fn a_checkpoint_has_the_last_recommendation_within_its_games() {
        let mut tracker = CheckpointTracker::new(&[100, 300, 1000], &[0.0]);
        for (n_games, leader) in [(120, &[1.0][..]), (240, &[2.0]), (300, &[3.0]), (301, &[4.0]), (400, &[])]
        {
            tracker.generation(&generation(n_games, leader)).unwrap();
        }
        // Nothing was recommended within 100 games, and a method that has ended keeps its last recommendation.
        assert_eq!(tracker.points, [[0.0], [3.0], [4.0]]);
    }

    #[test]
    fn records_round_trip() {
        let (start, points) = (vec![0.1], vec![vec![1.0 / 3.0], vec![-0.0]]);
        let elo = vec![0.1 + 0.2, -12.5];
        let record = RunRecord {
            method: 2,
            seed: 7,
            n_games: 990,
            generations: 3,
            start,
            start_elo: 0.7,
            points,
            elo,
        };
        assert_eq!(RunRecord::from_bytes(&record.to_bytes(1.5)), Some((record, 1.5)));
        assert_eq!(RunRecord::from_bytes(b"\xff"), None);
    }

    #[test]
    fn opponents_have_equal_weight_and_a_sweep_is_finite() {
        let result = |wins, draws, losses| MatchResult { wins, draws, losses, ..MatchResult::default() };
        assert_eq!(elo_of_results(&[result(3, 4, 3), result(5, 0, 5)]), 0.0);
        let sweep = elo_of_results(&[result(10, 0, 0), result(9, 0, 0)]);
        assert!((sweep - 400.0 * (19.5f64 / 0.5).log10()).abs() < 1e-9, "{sweep}");
        assert!((sweep + elo_of_results(&[result(0, 0, 19)])).abs() < 1e-9);
        // 3 of 4 and half a game to each side: 3.5 of 5.
        let some = elo_of_results(&[result(1, 1, 0), result(1, 1, 0)]);
        assert!((some - 400.0 * (3.5f64 / 1.5).log10()).abs() < 1e-9, "{some}");
    }
}
