//! The training loop: ask, play, tell, until the budget is spent.

use crate::objective::{FitnessCalculator, Objective};
use crate::plan::{RefreshPolicy, TuningPlan};
use crate::start_points::{OpeningSplit, StartPointSampler};
use crate::{
    BoxError, CandidateFitness, CandidateSet, ExecutionContext, ExecutionError, Executor, GridSummary,
    HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation,
    SelfPlayTask, TestSuiteTask,
};
use palestra_arena::{Catalog, StartPoint};
use palestra_core::{InputError, Seed};

/// The seeds below a run's: what each part of it draws from.
pub(crate) mod seeds {
    /// The method.
    pub(crate) const METHOD: u64 = 1;
    /// Scenes to train on.
    pub(crate) const TRAINING: u64 = 2;
    /// Rivals drawn at random.
    pub(crate) const RIVALS: u64 = 3;
    /// Scenes to choose between finalists.
    pub(crate) const FINALS: u64 = 4;
    /// Scenes to test the champion.
    pub(crate) const TESTS: u64 = 5;
    /// The controls.
    pub(crate) const CONTROLS: u64 = 6;
    /// The runs of a comparison.
    pub(crate) const COMPARISON: u64 = 7;
}

/// One generation, as it is kept.
#[derive(Clone, Debug)]
pub struct GenerationReport {
    /// Its number, from 0.
    pub number: u64,
    /// Who was in it.
    pub candidates: CandidateSet,
    /// How good each was; empty for a generation of self-play.
    pub fitness: Vec<f64>,
    /// Games played so far, this generation's included.
    pub n_games: u64,
    /// What the method would recommend now.
    pub leader: Vec<f64>,
    /// What there is to see of the method.
    pub metrics: Vec<(&'static str, f64)>,
    /// Parasites beaten by every host, and by none, and how many there were: whether hosts and parasites engage.
    pub engagement: Option<[usize; 3]>,
}

/// Hears of every generation.
pub trait TrainingObserver {
    /// One more is done.
    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError>;

    /// Whether the budget of time is spent, if there is one.
    fn out_of_time(&self) -> bool {
        false
    }
}

/// Nobody listens.
impl TrainingObserver for () {
    fn generation(&mut self, _generation: &GenerationReport) -> Result<(), BoxError> {
        Ok(())
    }
}

/// What came of training.
#[derive(Clone, Debug)]
pub struct TrainingResult {
    /// What the method recommends, most trusted first.
    pub recommendations: Vec<Recommendation>,
    /// What it would have recommended after each generation.
    pub trail: Vec<Vec<f64>>,
    /// The hall of fame, for methods that have one.
    pub hall_of_fame: Vec<HallOfFameEntry>,
    /// What a grid search found.
    pub grid: Option<GridSummary>,
    /// Games played.
    pub n_games: u64,
    /// The highest fitness of the last generation, or of the whole grid.
    pub fitness: f64,
}

/// A run of one plan on one executor.
pub struct TuningDriver<'a> {
    plan: &'a TuningPlan,
    stage: StartPointSampler,
    method: Box<dyn Optimizer>,
    rater: FitnessCalculator,
    executor: &'a dyn Executor,
    n_games: u64,
}

impl<'a> TuningDriver<'a> {
    /// Gets ready; complains about settings that the method can not use.
    pub fn new(
        plan: &'a TuningPlan,
        catalog: &'static Catalog,
        executor: &'a dyn Executor,
    ) -> Result<TuningDriver<'a>, InputError> {
        let method = open_optimizer(plan)?;
        TuningDriver::with(plan, catalog, executor, method)
    }

    /// The same with a method from elsewhere.
    pub fn with(
        plan: &'a TuningPlan,
        catalog: &'static Catalog,
        executor: &'a dyn Executor,
        method: Box<dyn Optimizer>,
    ) -> Result<TuningDriver<'a>, InputError> {
        let stage = StartPointSampler::new(catalog, plan.boards.clone())?;
        let seed = Seed(plan.seed).child(seeds::RIVALS);
        let own_scenes = plan.fresh == RefreshPolicy::Match;
        let rater = FitnessCalculator::new(
            plan.objective.clone(),
            &plan.player,
            plan.points,
            plan.space.clone(),
            seed,
            own_scenes,
        );
        Ok(TuningDriver { plan, stage, method, rater, executor, n_games: 0 })
    }

    /// Trains until the budget is spent or the method is finished.
    pub fn train(
        mut self,
        desk: &ExecutionContext<'_>,
        observer: &mut dyn TrainingObserver,
    ) -> Result<TrainingResult, ExecutionError> {
        let mut trail = Vec::new();
        let mut fitness = f64::NEG_INFINITY;
        let budget = self.plan.budget;
        for number in 0.. {
            let spent = budget.games.is_some_and(|games| self.n_games >= games)
                || budget.generations.is_some_and(|generations| number >= generations)
                || (number > 0 && observer.out_of_time());
            let Some(question) = (if spent { None } else { self.method.ask() }) else { break };
            let Some((candidates, rating, engagement)) = self.answer(&question, number, desk)? else { break };
            self.n_games += rating.n_games;
            let leader = self
                .method
                .recommendations()
                .first()
                .map(|finalist| finalist.weights.clone())
                .unwrap_or_default();
            trail.push(leader.clone());
            if !rating.fitness.is_empty() {
                fitness = rating.fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            }
            let vitals = self.method.metrics();
            let generation = GenerationReport {
                number,
                candidates,
                fitness: rating.fitness,
                n_games: self.n_games,
                leader,
                metrics: vitals,
                engagement,
            };
            observer.generation(&generation).map_err(ExecutionError::Failed)?;
        }
        if let Some(trouble) = self.method.failure() {
            return Err(if desk.progress.should_stop() {
                ExecutionError::Stopped
            } else {
                ExecutionError::Failed(trouble.into())
            });
        }
        let grid = self.method.grid_summary().cloned();
        let fitness = grid.as_ref().map_or(fitness, |grid| grid.maximum);
        let (finalists, hall) = (self.method.recommendations(), self.method.hall_of_fame().to_vec());
        Ok(TrainingResult {
            recommendations: finalists,
            trail,
            hall_of_fame: hall,
            grid,
            n_games: self.n_games,
            fitness,
        })
    }

    /// Plays what the method wants to know and tells it; `None` where the budget does not reach for that.
    fn answer(
        &mut self,
        question: &OptimizerRequest,
        number: u64,
        desk: &ExecutionContext<'_>,
    ) -> Result<Option<RatedGeneration>, ExecutionError> {
        let fresh = if self.plan.fresh == RefreshPolicy::Never { 0 } else { number };
        let seed = Seed(self.plan.seed).child(seeds::TRAINING).child(fresh);
        match question {
            OptimizerRequest::SelfPlay { weights, n_games } => {
                let scenes = self.scenes(*n_games, seed)?;
                if !self.affordable(scenes.len() as u64) {
                    return Ok(None);
                }
                let n_games = scenes.len() as u64;
                let task =
                    SelfPlayTask { template: self.plan.player.clone(), weights: weights.clone(), scenes };
                let traces = self.executor.self_play(&task, desk)?;
                self.method.tell(&OptimizerReply::Played(traces));
                let rating = CandidateFitness { n_games, ..CandidateFitness::default() };
                Ok(Some((CandidateSet::Listed(vec![weights.clone()]), rating, None)))
            }
            OptimizerRequest::Rate { candidates, effort } => {
                let rating = match self.rater.objective() {
                    Objective::Accuracy(plan) => {
                        let listed = (0..candidates.len()).map(|i| candidates.weights(i)).collect();
                        let games = self.stage.samples()?;
                        let (template, plan) = (self.plan.player.clone(), plan.clone());
                        let task =
                            TestSuiteTask { game: games[0].clone(), plan, template, candidates: listed };
                        let answers = self.executor.run_test_suite(&task, desk)?;
                        (self.rater.rate_answers(candidates, &answers), None)
                    }
                    _ => {
                        let scenes = self.scenes(self.n_scenes(candidates.len(), *effort), seed)?;
                        let batch = self.rater.batch(candidates, scenes, self.method.hall_of_fame());
                        if !self.affordable(batch.n_games()) {
                            return Ok(None);
                        }
                        let result = self.executor.run(&batch, desk)?;
                        let rating = self.rater.rate(&batch, &result);
                        (rating, self.rater.engagement())
                    }
                };
                let (rating, engagement) = rating;
                self.method.tell(&OptimizerReply::Rated(rating.clone()));
                Ok(Some((candidates.clone(), rating, engagement)))
            }
        }
    }

    /// Whether the budget reaches for so many more games; the first question is always answered.
    fn affordable(&self, n_games: u64) -> bool {
        self.n_games == 0 || self.plan.budget.games.is_none_or(|games| self.n_games + n_games <= games)
    }

    /// Scenes on each board (or of the pool) for so many candidates.
    fn n_scenes(&self, n_candidates: usize, effort: u32) -> u32 {
        let each = self.plan.pairs.saturating_mul(effort);
        if self.plan.fresh == RefreshPolicy::Match && *self.rater.objective() == Objective::League {
            let couples = n_candidates * n_candidates.saturating_sub(1) / 2;
            return each.saturating_mul(couples as u32);
        }
        each
    }

    fn scenes(&mut self, n: u32, seed: Seed) -> Result<Vec<StartPoint>, InputError> {
        self.stage.draw(OpeningSplit::Training, n, self.plan.opening_plies, seed)
    }
}

/// Who was rated, how, and whether hosts and parasites engaged.
type RatedGeneration = (CandidateSet, CandidateFitness, Option<[usize; 3]>);

/// The method of a plan.
pub fn open_optimizer(plan: &TuningPlan) -> Result<Box<dyn Optimizer>, InputError> {
    let n_boards = match &plan.boards {
        crate::TuningBoards::Listed(games) => games.len(),
        crate::TuningBoards::Pool(_) => 1,
    };
    let setup = OptimizerSetup {
        space: plan.space.clone(),
        start: plan.start.clone(),
        seed: Seed(plan.seed).child(seeds::METHOD),
        n_games: plan.budget.games,
        games_each: plan.objective.games_each(2, n_boards * plan.pairs as usize).max(1),
    };
    let mut settings = plan.method_settings.clone();
    let method = (plan.method.open)(&setup, &mut settings)?;
    settings.finish()?;
    if method.needs_duels() && plan.objective != Objective::League {
        let expected =
            "league, which this method needs: it wants to know how two candidates do against each other";
        return Err(InputError::new("objective", plan.objective.name(), expected));
    }
    Ok(method)
}
