//! One run of a comparison: trained as its plan says, measured at the checkpoints.

use super::plan::ComparisonPlan;
use crate::driver::seeds;
use crate::start_points::{OpeningSplit, StartPointSampler, TuningBoards};
use crate::{
    Batch, BoxError, CandidateSet, ExecutionContext, ExecutionError, Executor, GenerationReport, MatchResult,
    Schedule, StartPoint, TrainingObserver, TuningDriver, TuningPoints,
};
use palestra_arena::Catalog;
use palestra_arena::stats::elo_of_score;
use palestra_core::{InputError, Seed};
use serde::{Deserialize, Serialize};

/// What came of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The number of the method.
    pub method: usize,
    /// The number of the seed, from 0.
    pub seed: u32,
    /// Games charged to it.
    pub n_games: u64,
    /// Generations it took.
    pub generations: u64,
    /// Where it started.
    pub start: Vec<f64>,
    /// What that is worth against the gauntlet, in Elo.
    pub start_elo: f64,
    /// What it recommended at each checkpoint.
    pub points: Vec<Vec<f64>>,
    /// What that is worth.
    pub elo: Vec<f64>,
}

/// A run that is trained and not measured yet.
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
    /// To be kept, with the CPU seconds that its training took.
    pub fn to_bytes(&self, seconds: f64) -> Vec<u8> {
        postcard::to_stdvec(&(self, seconds)).expect("a record is plain data")
    }

    /// Reads back what [`RunRecord::to_bytes`] wrote; `None` if it is something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<(RunRecord, f64)> {
        postcard::from_bytes(bytes).ok()
    }
}

/// The protocol at work: all runs meet the same gauntlet on the same scenes.
pub struct ComparisonProtocol<'a> {
    plan: &'a ComparisonPlan,
    catalog: &'static Catalog,
    scenes: Vec<StartPoint>,
}

impl<'a> ComparisonProtocol<'a> {
    /// Draws the scenes of the gauntlet, none of which training has.
    pub fn new(
        plan: &'a ComparisonPlan,
        catalog: &'static Catalog,
    ) -> Result<ComparisonProtocol<'a>, InputError> {
        let pairs = match &plan.task.boards {
            TuningBoards::Listed(games) => plan.gauntlet.pairs.div_ceil(games.len() as u32),
            TuningBoards::Pool(_) => plan.gauntlet.pairs,
        };
        let seed = Seed(plan.task.seed).child(seeds::TESTS);
        let mut stage = StartPointSampler::new(catalog, plan.task.boards.clone())?;
        let scenes = stage.draw(OpeningSplit::Test, pairs, plan.gauntlet.opening_plies, seed)?;
        if scenes.is_empty() {
            let expected = "enough random moves for openings that training does not have";
            return Err(InputError::new(
                "openings in [gauntlet]",
                plan.gauntlet.opening_plies.to_string(),
                expected,
            ));
        }
        Ok(ComparisonProtocol { plan, catalog, scenes })
    }

    /// Different openings of the gauntlet, over all boards; there may be fewer than asked for.
    pub fn n_start_points(&self) -> usize {
        self.scenes.len()
    }

    /// Most games that a run can take, the gauntlet included.
    pub fn max_games(&self) -> u64 {
        let measured = self.plan.checkpoints.len() as u64 + 1;
        let last = self.plan.checkpoints.last().copied().unwrap_or(0);
        last + measured * self.measuring_games()
    }

    /// Games to measure one set of weights.
    pub fn measuring_games(&self) -> u64 {
        2 * (self.plan.gauntlet.rivals.len() * self.scenes.len()) as u64
    }

    /// Trains one run.
    pub fn train(
        &self,
        (method, seed): (usize, u32),
        executor: &dyn Executor,
        desk: &ExecutionContext<'_>,
    ) -> Result<TrainedRun, ExecutionError> {
        let plan = self.plan.plan_of(method, seed);
        let start = self.plan.start_of(seed);
        let mut tracker = CheckpointTracker::new(&self.plan.checkpoints, &start);
        let training = TuningDriver::new(&plan, self.catalog, executor)?.train(desk, &mut tracker)?;
        let generations = training.trail.len() as u64;
        let points = tracker.points;
        Ok(TrainedRun { method, seed, n_games: training.n_games, generations, start, points })
    }

    /// Measures what a run recommended.
    pub fn evaluate(
        &self,
        trained: TrainedRun,
        executor: &dyn Executor,
        desk: &ExecutionContext<'_>,
    ) -> Result<RunRecord, ExecutionError> {
        let TrainedRun { method, seed, n_games, generations, start, points } = trained;
        // The start of a seed is the same for all methods: by itself, it is measured once.
        let start_elo = self.measure(std::slice::from_ref(&start), executor, desk)?[0];
        let mut different: Vec<Vec<f64>> = Vec::new();
        for point in &points {
            if *point != start && !different.contains(point) {
                different.push(point.clone());
            }
        }
        let measured = self.measure(&different, executor, desk)?;
        let elo_of = |point: &Vec<f64>| {
            different.iter().position(|other| other == point).map_or(start_elo, |i| measured[i])
        };
        let elo = points.iter().map(elo_of).collect();
        Ok(RunRecord { method, seed, n_games, generations, start, start_elo, points, elo })
    }

    /// What some weights are worth against the gauntlet, in Elo.
    pub fn measure(
        &self,
        weights: &[Vec<f64>],
        executor: &dyn Executor,
        desk: &ExecutionContext<'_>,
    ) -> Result<Vec<f64>, ExecutionError> {
        if weights.is_empty() {
            return Ok(Vec::new());
        }
        let rivals = &self.plan.gauntlet.rivals;
        let batch = Batch {
            template: self.plan.task.player.clone(),
            candidates: CandidateSet::Listed(weights.to_vec()),
            schedule: Schedule::Everyone(rivals.clone()),
            scenes: self.scenes.clone(),
            points: TuningPoints::Table { win: 1.0, draw: 0.5, loss: 0.0 },
        };
        let result = executor.run(&batch, desk)?;
        Ok(result.meetings.chunks(rivals.len()).map(elo_of_meetings).collect())
    }
}

/// The Elo of a score over rivals that played equally many games. Half a game more for each side keeps it finite.
fn elo_of_meetings(meetings: &[MatchResult]) -> f64 {
    let won: f64 = meetings.iter().map(|m| f64::from(m.wins) + f64::from(m.draws) / 2.0).sum();
    let all: f64 =
        meetings.iter().map(|m| f64::from(m.wins) + f64::from(m.draws) + f64::from(m.losses)).sum();
    elo_of_score((won + 0.5) / (all + 1.0)).expect("a score between 0 and 1 has an Elo")
}

/// Remembers what was recommended at each checkpoint.
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
    /// Later generations take the place of earlier ones, as far as their games are paid for.
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
            n_games,
            leader: leader.to_vec(),
            metrics: Vec::new(),
            engagement: None,
        }
    }

    #[test]
    fn a_checkpoint_has_what_was_recommended_within_its_games() {
        let mut tracker = CheckpointTracker::new(&[100, 300, 1000], &[0.0]);
        for (n_games, leader) in [(120, &[1.0][..]), (240, &[2.0]), (300, &[3.0]), (301, &[4.0]), (400, &[])]
        {
            tracker.generation(&generation(n_games, leader)).unwrap();
        }
        // Nobody has recommended anything after 100 games, and a method that ended stands by its last word.
        assert_eq!(tracker.points, [[0.0], [3.0], [4.0]]);
    }

    #[test]
    fn records_read_back() {
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
    fn rivals_count_alike_and_no_sweep_is_infinite() {
        let meeting = |wins, draws, losses| MatchResult { wins, draws, losses, ..MatchResult::default() };
        assert_eq!(elo_of_meetings(&[meeting(3, 4, 3), meeting(5, 0, 5)]), 0.0);
        let sweep = elo_of_meetings(&[meeting(10, 0, 0), meeting(9, 0, 0)]);
        assert!((sweep - 400.0 * (19.5f64 / 0.5).log10()).abs() < 1e-9, "{sweep}");
        assert!((sweep + elo_of_meetings(&[meeting(0, 0, 19)])).abs() < 1e-9);
        // 3 of 4 and half a game to each side: 3.5 of 5.
        let some = elo_of_meetings(&[meeting(1, 1, 0), meeting(1, 1, 0)]);
        assert!((some - 400.0 * (3.5f64 / 1.5).log10()).abs() < 1e-9, "{some}");
    }
}
