//! The training loop: the optimizer proposes candidates, they play, it receives their fitness; until the budget is
//! spent.

mod exact;

use crate::objective::{FitnessCalculator, Objective};
use crate::plan::{RefreshPolicy, TuningPlan};
use crate::start_points::{StartPointDraw, StartPointSampler};
use crate::{
    BoxError, CandidateFitness, CandidateSet, ExecutionContext, ExecutionError, Executor, GridSummary,
    HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation,
    SelfPlayTask, TestSuiteTask,
};
use palestra_arena::Catalog;
use palestra_core::{InputError, Seed};

/// Children of a run's seed, one for each use.
pub(crate) mod seeds {
    /// The optimizer.
    pub(crate) const METHOD: u64 = 1;
    /// Start points of training.
    pub(crate) const TRAINING: u64 = 2;
    /// Random opponents.
    pub(crate) const OPPONENTS: u64 = 3;
    /// Start points to choose the champion among the recommendations.
    pub(crate) const SELECTION: u64 = 4;
    /// Start points to test the champion.
    pub(crate) const TESTS: u64 = 5;
    /// The control runs.
    pub(crate) const CONTROLS: u64 = 6;
    /// The runs of a comparison.
    pub(crate) const COMPARISON: u64 = 7;
    /// Start points to find the signs of equal weights.
    pub(crate) const SIGNS: u64 = 8;
}

/// One generation, as it is stored.
#[derive(Clone, Debug)]
pub struct GenerationReport {
    /// Its number, counted from 0.
    pub number: u64,
    /// The candidates that were rated.
    pub candidates: CandidateSet,
    /// Fitness of each candidate; empty for a generation of self-play.
    pub fitness: Vec<f64>,
    /// Games played so far, including this generation's.
    pub n_games: u64,
    /// The first recommendation after this generation.
    pub leader: Vec<f64>,
    /// Diagnostics of the optimizer.
    pub metrics: Vec<(&'static str, f64)>,
    /// The reply to the optimizer, where this reply repeats the generation without its games: see
    /// [`TrainingObserver::known_rating`].
    pub rating: Option<CandidateFitness>,
    /// For the objective `parasites`: number of parasites beaten by every host, by no host, and in all. Where most are
    /// beaten by all or by none, they do not discriminate between hosts.
    pub engagement: Option<[usize; 3]>,
}

/// Receives every generation of a training.
pub trait TrainingObserver {
    /// Called after each generation.
    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError>;

    /// The rating of this generation from an earlier start of the same training: its games are not played again.
    fn known_rating(&mut self, _number: u64) -> Result<Option<CandidateFitness>, BoxError> {
        Ok(None)
    }

    /// Whether the time budget is spent; `false` without a time budget.
    fn out_of_time(&self) -> bool {
        false
    }
}

/// Ignores all generations.
impl TrainingObserver for () {
    fn generation(&mut self, _generation: &GenerationReport) -> Result<(), BoxError> {
        Ok(())
    }
}

/// Result of a training.
#[derive(Clone, Debug)]
pub struct TrainingResult {
    /// The recommendations, most trusted first.
    pub recommendations: Vec<Recommendation>,
    /// Whether their order is that of their fitness, which is exact: an objective without randomness rated them again.
    pub is_exact: bool,
    /// The first recommendation after each generation.
    pub trail: Vec<Vec<f64>>,
    /// The hall of fame, for methods that have one.
    pub hall_of_fame: Vec<HallOfFameEntry>,
    /// The summary of a grid search.
    pub grid: Option<GridSummary>,
    /// Games played.
    pub n_games: u64,
    /// The games among them that the generations played, without those that chose between recommendations.
    pub trained_games: u64,
    /// The highest fitness of the last generation, or of the whole grid.
    pub fitness: f64,
}

/// Runs one plan on one executor.
pub struct TuningDriver<'a> {
    plan: &'a TuningPlan,
    sampler: StartPointSampler,
    method: Box<dyn Optimizer>,
    calculator: FitnessCalculator,
    executor: &'a dyn Executor,
    n_games: u64,
    /// Whether fitness is random instead of measured.
    is_random: bool,
    /// The fittest candidate so far and its fitness, where an objective without randomness makes them comparable.
    fittest: Option<(f64, Vec<f64>)>,
    /// Whether the objective gives equal candidates equal fitness in every generation.
    is_exact: bool,
}

impl<'a> TuningDriver<'a> {
    /// Opens the optimizer of the plan; an error if the method cannot use its settings.
    pub fn new(
        plan: &'a TuningPlan,
        catalog: &'static Catalog,
        executor: &'a dyn Executor,
    ) -> Result<TuningDriver<'a>, InputError> {
        let method = open_optimizer(plan)?;
        TuningDriver::with(plan, catalog, executor, method)
    }

    /// Uses this optimizer instead of the plan's.
    pub fn with(
        plan: &'a TuningPlan,
        catalog: &'static Catalog,
        executor: &'a dyn Executor,
        method: Box<dyn Optimizer>,
    ) -> Result<TuningDriver<'a>, InputError> {
        let sampler = StartPointSampler::new(catalog, plan.boards.clone())?;
        let seed = Seed(plan.seed).child(seeds::OPPONENTS);
        let own_start_points = plan.fresh == RefreshPolicy::Match;
        let calculator = FitnessCalculator::new(
            plan.objective.clone(),
            &plan.player,
            plan.points,
            plan.space.clone(),
            seed,
            own_start_points,
        );
        let is_random = plan.objective == Objective::Chance;
        let is_exact = exact::is_exact(plan, catalog, &sampler)?;
        Ok(TuningDriver {
            plan,
            sampler,
            method,
            calculator,
            executor,
            n_games: 0,
            is_random,
            fittest: None,
            is_exact,
        })
    }

    /// The control: the same method with random fitness, or random results of self-play, and the same number of games
    /// counted.
    #[must_use]
    pub fn on_random_fitness(self) -> TuningDriver<'a> {
        TuningDriver { is_random: true, is_exact: false, ..self }
    }

    /// Trains until the budget is spent or the optimizer is finished.
    pub fn train(
        mut self,
        context: &ExecutionContext<'_>,
        observer: &mut dyn TrainingObserver,
    ) -> Result<TrainingResult, ExecutionError> {
        self.sampler.set_cancel_flag(context.progress.cancel_flag());
        let mut trail = Vec::new();
        let mut fitness = f64::NEG_INFINITY;
        let budget = self.plan.budget;
        for number in 0.. {
            let spent = budget.games.is_some_and(|games| self.n_games >= games)
                || budget.generations.is_some_and(|generations| number >= generations)
                || (number > 0 && observer.out_of_time());
            let Some(request) = (if spent { None } else { self.method.ask() }) else { break };
            let known = observer.known_rating(number).map_err(ExecutionError::Failed)?;
            let Some((candidates, rating, engagement)) = self.fulfill(&request, number, known, context)?
            else {
                break;
            };
            self.n_games += rating.n_games;
            let leader = self
                .method
                .recommendations()
                .first()
                .map(|recommendation| recommendation.weights.clone())
                .unwrap_or_default();
            trail.push(leader.clone());
            if !rating.fitness.is_empty() {
                fitness = rating.fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            }
            // A program may answer differently when it is started again.
            let repeats = matches!(request, OptimizerRequest::Rate { .. })
                && !self.calculator.needs_results()
                && self.plan.method.name != "external";
            let generation = GenerationReport {
                number,
                candidates,
                rating: repeats.then(|| rating.clone()),
                fitness: rating.fitness,
                n_games: self.n_games,
                leader,
                metrics: self.method.metrics(),
                engagement,
            };
            observer.generation(&generation).map_err(ExecutionError::Failed)?;
        }
        if let Some(reason) = self.method.failure() {
            return Err(if context.progress.is_stopped() {
                ExecutionError::Stopped
            } else {
                ExecutionError::Failed(reason.into())
            });
        }
        let grid = self.method.grid_summary().cloned();
        let fitness = grid.as_ref().map_or(fitness, |grid| grid.maximum);
        // The points at the maximum of a grid have equal fitness already.
        let is_exact = self.is_exact && grid.is_none();
        let trained_games = self.n_games;
        let recommendations =
            if is_exact { self.recommend_by_fitness(context)? } else { self.method.recommendations() };
        Ok(TrainingResult {
            recommendations,
            is_exact,
            trail,
            hall_of_fame: self.method.hall_of_fame().to_vec(),
            grid,
            n_games: self.n_games,
            trained_games,
            fitness,
        })
    }

    /// Plays the games of a request and passes the results to the optimizer; `None` where the budget is too small.
    fn fulfill(
        &mut self,
        request: &OptimizerRequest,
        number: u64,
        known: Option<CandidateFitness>,
        context: &ExecutionContext<'_>,
    ) -> Result<Option<RatedGeneration>, ExecutionError> {
        // Large generations take seconds to make.
        if context.progress.is_stopped() {
            return Err(ExecutionError::Stopped);
        }
        let fresh = if self.plan.fresh == RefreshPolicy::Never { 0 } else { number };
        let seed = Seed(self.plan.seed).child(seeds::TRAINING).child(fresh);
        match request {
            OptimizerRequest::SelfPlay { weights, n_games } => {
                let mut draw = StartPointDraw::new(&mut self.sampler, self.plan.opening_plies, seed);
                let mut start_points = draw.shared(*n_games)?;
                if context.progress.is_stopped() {
                    return Err(ExecutionError::Stopped);
                }
                if !self.fits_budget(start_points.len() as u64) {
                    return Ok(None);
                }
                let n_games = start_points.len() as u64;
                if self.is_random {
                    start_points.truncate(MAX_SCRAMBLED);
                }
                let (template, weights) = (self.plan.player.clone(), weights.clone());
                let task = SelfPlayTask { template, weights, starts: start_points };
                let mut games = self.executor.self_play(&task, context)?;
                if self.is_random {
                    context.progress.add(n_games - games.len() as u64);
                    games = games.iter().cycle().take(n_games as usize).cloned().collect();
                    self.calculator.scramble(&mut games);
                }
                self.method.tell(&OptimizerReply::Played(games));
                let rating = CandidateFitness { n_games, ..CandidateFitness::default() };
                Ok(Some((CandidateSet::Listed(vec![task.weights]), rating, None)))
            }
            OptimizerRequest::Rate { candidates, effort } => {
                let known = known.filter(|known| {
                    known.fitness.len() == candidates.len() && !self.calculator.needs_results()
                });
                let rated = match known {
                    Some(rating) => {
                        self.calculator.rate_as_known(candidates, &rating.fitness);
                        context.progress.add(rating.n_games);
                        Some((rating, None))
                    }
                    None => self.rate(candidates, *effort, seed, context)?,
                };
                let Some((rating, engagement)) = rated else { return Ok(None) };
                if self.is_exact && *effort == 1 {
                    self.remember_fittest(candidates, &rating.fitness);
                }
                self.method.tell(&OptimizerReply::Rated(rating.clone()));
                Ok(Some((candidates.clone(), rating, engagement)))
            }
        }
    }

    /// The fitness of candidates, and the engagement of hosts and parasites; `None` where the budget is too small.
    fn rate(
        &mut self,
        candidates: &CandidateSet,
        effort: u32,
        seed: Seed,
        context: &ExecutionContext<'_>,
    ) -> Result<Option<RatedCandidates>, ExecutionError> {
        if self.is_random {
            let n_pairs = self.plan.n_pairs_each() * effort as usize;
            let n_games = self.plan.objective.n_games(candidates.len(), n_pairs);
            if !self.fits_budget(n_games) {
                return Ok(None);
            }
            context.progress.add(n_games);
            return Ok(Some((self.calculator.rate_at_random(candidates, n_games, n_pairs), None)));
        }
        if let Objective::Accuracy(plan) = self.calculator.objective() {
            let listed = (0..candidates.len()).map(|i| candidates.weights(i)).collect();
            let games = self.sampler.samples()?;
            let (template, plan) = (self.plan.player.clone(), plan.clone());
            let task = TestSuiteTask { game: games[0].clone(), plan, template, candidates: listed };
            let answers = self.executor.run_test_suite(&task, context)?;
            return Ok(Some((self.calculator.rate_answers(candidates, &answers), None)));
        }
        let per_match = self.plan.pairs.saturating_mul(effort);
        let mut draw = StartPointDraw::new(&mut self.sampler, self.plan.opening_plies, seed);
        let hall_of_fame = self.method.hall_of_fame();
        let batch = self.calculator.batch(candidates, hall_of_fame, per_match, &mut draw)?;
        if context.progress.is_stopped() {
            return Err(ExecutionError::Stopped);
        }
        if !self.fits_budget(batch.n_games()) {
            return Ok(None);
        }
        let result = self.executor.run(&batch, context)?;
        let rating = self.calculator.rate(&batch, &result);
        Ok(Some((rating, self.calculator.engagement())))
    }

    /// Whether the budget has `n_games` more games; the first request is always fulfilled.
    fn fits_budget(&self, n_games: u64) -> bool {
        self.n_games == 0 || self.plan.budget.games.is_none_or(|games| self.n_games + n_games <= games)
    }
}

/// Largest number of games that are played where their positions are scrambled; they are repeated to as many as are asked
/// for.
const MAX_SCRAMBLED: usize = 200;

/// The fitness of candidates, and the engagement of hosts and parasites (see [`GenerationReport`]).
type RatedCandidates = (CandidateFitness, Option<[usize; 3]>);

/// The candidates, their fitness, and the engagement of hosts and parasites.
type RatedGeneration = (CandidateSet, CandidateFitness, Option<[usize; 3]>);

/// What the optimizer of a plan is opened with.
pub(crate) fn optimizer_setup(plan: &TuningPlan) -> OptimizerSetup {
    OptimizerSetup {
        space: plan.space.clone(),
        start: plan.start.clone(),
        seed: Seed(plan.seed).child(seeds::METHOD),
        n_games: plan.budget.games,
        games_each: plan.objective.games_each(2, plan.n_pairs_each()).max(1),
    }
}

/// Opens the optimizer of a plan; an error if the method cannot use its settings.
pub fn open_optimizer(plan: &TuningPlan) -> Result<Box<dyn Optimizer>, InputError> {
    let method = (plan.method.open)(&optimizer_setup(plan), &plan.method_settings)?;
    if method.needs_head_to_head() && plan.objective != Objective::League {
        let expected = format!(
            "league: the method {} needs the games of two candidates against each other",
            plan.method.name
        );
        return Err(InputError::new("objective", plan.objective.name(), expected));
    }
    Ok(method)
}
