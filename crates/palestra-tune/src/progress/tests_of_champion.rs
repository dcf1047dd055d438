//! The criteria P1 to P8 and N, each with the games that it needs.
//!
//! The texts of the questions are stored with runs and are the keys of their translations: do not change them.

use super::baselines::{BaselineComparison, Games, RANDOM_SEARCH, decision_of};
use super::{
    CriterionStatus, PairedScore, ProgressCriterion, UnseenOpponents, cyclic_share, unseen_opponents,
};
use crate::driver::{TrainingResult, seeds};
use crate::start_points::{OpeningSplit, StartPointSampler, TuningBoards};
use crate::{
    Batch, CandidateSet, ExecutionContext, ExecutionError, Executor, PointSystem, Recommendation, Schedule,
    StartPoint, TestSuiteTask, TuningPlan, angle,
};
use palestra_arena::stats::elo_of_score;
use palestra_arena::{Catalog, TestSuitePlan};
use palestra_core::Seed;
use serde::{Deserialize, Serialize};

/// The champion of a training, and the criteria it was tested by.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verification {
    /// Label of the recommendation that became champion.
    pub label: String,
    /// Its weights.
    pub weights: Vec<f64>,
    /// The labels of the recommendations and their share of points against each other.
    pub finals: Vec<(String, f64)>,
    /// What it is compared with first: `the start`, or `equal weights`. Runs of earlier versions were compared with
    /// `the leader after the first generation`.
    pub baseline: String,
    /// The weights of the baseline.
    pub baseline_weights: Vec<f64>,
    /// Pairs of games against the baseline, on openings never used in training.
    #[serde(alias = "duel")]
    pub head_to_head: PairedScore,
    /// Whether it is better than every baseline, each by a sequential test of 0 against 20 normalized Elo at 5 %, and than
    /// every control that is; `None` where a test did not decide, or a control is as good, and no test found that it is
    /// not better.
    pub better: Option<bool>,
    /// The comparisons with all baselines; none in runs of earlier versions, which had one baseline.
    #[serde(default)]
    pub comparisons: Vec<BaselineComparison>,
    /// The criteria.
    pub criteria: Vec<ProgressCriterion>,
    /// Games played for these tests; they do not count toward the budget of the training.
    pub n_games: u64,
}

impl Verification {
    /// The comparisons with all baselines, of runs of earlier versions as well.
    #[must_use]
    pub fn all_comparisons(&self) -> Vec<BaselineComparison> {
        if !self.comparisons.is_empty() {
            return self.comparisons.clone();
        }
        vec![BaselineComparison {
            baseline: self.baseline.clone(),
            weights: self.baseline_weights.clone(),
            games: self.head_to_head,
            better: self.better,
        }]
    }
}

/// Tests the champion of one plan.
pub struct ChampionTester<'a> {
    pub(super) plan: &'a TuningPlan,
    pub(super) catalog: &'static Catalog,
    pub(super) executor: &'a dyn Executor,
    pub(super) sampler: StartPointSampler,
    pub(super) n_games: u64,
    /// Whether the controls get real fitness, which is an error.
    pub(super) leaks: bool,
}

/// A score and its standard error.
type ScoreEstimate = (f64, f64);

/// Standard errors of a 95 % interval: the 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_964;

impl<'a> ChampionTester<'a> {
    /// A tester for this plan; an error if a board does not exist.
    pub fn new(
        plan: &'a TuningPlan,
        catalog: &'static Catalog,
        executor: &'a dyn Executor,
    ) -> Result<ChampionTester<'a>, ExecutionError> {
        let sampler = StartPointSampler::new(catalog, plan.boards.clone())?;
        Ok(ChampionTester { plan, catalog, executor, sampler, n_games: 0, leaks: false })
    }

    /// Chooses the champion among the recommendations and tests it.
    pub fn verify(
        mut self,
        training: &TrainingResult,
        context: &ExecutionContext<'_>,
    ) -> Result<Verification, ExecutionError> {
        let (champion, finals) = self.choose(training, context)?;
        let random_winner = self.random_search(training, context)?;
        let start_points = self.test_start_points(self.plan.test.pairs)?;
        let baselines = self.baselines(random_winner.clone(), context)?;
        let comparisons = baselines.iter().map(|baseline| {
            self.compare_with(&champion.weights, baseline, &start_points, Games::All, context)
        });
        let comparisons = comparisons.collect::<Result<Vec<_>, _>>()?;
        let better = decision_of(&comparisons);
        let BaselineComparison { baseline, weights: baseline_weights, games: head_to_head, .. } =
            comparisons[0].clone();
        let mut criteria = vec![against_baseline(&comparisons[0])];
        criteria.push(self.against_snapshots(&champion.weights, &training.trail, &start_points, context)?);
        let gauntlet = unseen_opponents(self.plan, self.catalog, &self.sampler);
        let scores = self.gauntlet_scores(&[&champion.weights, &baseline_weights], &gauntlet, context)?;
        criteria.push(gain(&scores, gauntlet.len(), &baseline));
        let known = comparisons.iter().find(|comparison| comparison.baseline == RANDOM_SEARCH);
        criteria.push(self.against_random_search(
            &champion.weights,
            random_winner.as_deref(),
            known.map(|comparison| comparison.games),
            &start_points,
            context,
        )?);
        criteria.push(self.against_exact_play(&champion.weights, (&baseline, &baseline_weights), context)?);
        criteria.push(self.cycles(&training.trail, context)?);
        criteria.push(drift(&training.trail));
        let n_generations = training.trail.len() as u64;
        let passed = (&baselines[..], better);
        let control =
            self.against_random_fitness(&champion.weights, passed, n_generations, &start_points, context)?;
        criteria.push(control.criterion);
        Ok(Verification {
            label: champion.label,
            weights: champion.weights,
            finals,
            baseline,
            baseline_weights,
            head_to_head,
            better: control.better,
            comparisons,
            criteria,
            n_games: self.n_games,
        })
    }

    /// Whether the champion is called better, without the other criteria; and the status of the control N, which is only
    /// needed where the champion beats its baselines. Games end as soon as that is decided.
    pub fn decide(
        &mut self,
        training: &TrainingResult,
        context: &ExecutionContext<'_>,
    ) -> Result<(Option<bool>, Option<CriterionStatus>), ExecutionError> {
        let (champion, _) = self.choose(training, context)?;
        let random_winner = self.random_search(training, context)?;
        let start_points = self.test_start_points(self.plan.test.pairs)?;
        let baselines = self.baselines(random_winner, context)?;
        let comparisons =
            self.compare_until_decided(&champion.weights, &baselines, &start_points, context)?;
        let better = decision_of(&comparisons);
        if better != Some(true) {
            return Ok((better, None));
        }
        let n_generations = training.trail.len() as u64;
        let passed = (&baselines[..], better);
        let control =
            self.against_random_fitness(&champion.weights, passed, n_generations, &start_points, context)?;
        Ok((control.better, Some(control.criterion.grade)))
    }

    /// The recommendation that scores best against the others, on start points of the training split with a seed that
    /// training did not use; the first one where an exact objective has put them in order.
    pub(super) fn choose(
        &mut self,
        training: &TrainingResult,
        context: &ExecutionContext<'_>,
    ) -> Result<(Recommendation, Vec<(String, f64)>), ExecutionError> {
        let mut different: Vec<&Recommendation> = Vec::new();
        for recommendation in &training.recommendations {
            if different.iter().all(|other| other.weights != recommendation.weights) {
                different.push(recommendation);
            }
        }
        let Some(&first) = different.first() else {
            let expected = "a budget of at least one generation";
            return Err(palestra_core::InputError::new("budget", "", expected).into());
        };
        if different.len() == 1 || training.is_exact {
            return Ok((first.clone(), vec![(first.label.clone(), 0.5)]));
        }
        let seed = Seed(self.plan.seed).child(seeds::SELECTION);
        let start_points = self.sampler.draw(
            OpeningSplit::Training,
            self.plan.test.pairs.div_ceil(4),
            self.plan.test.opening_plies,
            seed,
        )?;
        let candidates = different.iter().map(|recommendation| recommendation.weights.clone()).collect();
        let batch = self.batch(candidates, Schedule::League, start_points);
        let result = self.run(&batch, context)?;
        let n_games = 2.0 * batch.starts.len() as f64 * (different.len() - 1) as f64;
        let shares: Vec<f64> = result.points.iter().map(|points| points / n_games).collect();
        let mut best = 0;
        for i in 1..shares.len() {
            best = if shares[i] > shares[best] { i } else { best };
        }
        let finals = different.iter().zip(&shares).map(|(one, share)| (one.label.clone(), *share)).collect();
        Ok((different[best].clone(), finals))
    }

    pub(super) fn test_start_points(&mut self, n: u32) -> Result<Vec<StartPoint>, ExecutionError> {
        let per_board = match &self.plan.boards {
            TuningBoards::Listed(games) => n.div_ceil(games.len() as u32),
            TuningBoards::Pool(_) => n,
        };
        let seed = Seed(self.plan.seed).child(seeds::TESTS);
        Ok(self.sampler.draw(OpeningSplit::Test, per_board, self.plan.test.opening_plies, seed)?)
    }

    /// A batch that counts 1 for a win and 0.5 for a draw, independent of the points of the training.
    pub(super) fn batch(
        &self,
        candidates: Vec<Vec<f64>>,
        schedule: Schedule,
        start_points: Vec<StartPoint>,
    ) -> Batch {
        let points = PointSystem::ByResult { win: 1.0, draw: 0.5, loss: 0.0 };
        Batch {
            template: self.plan.player.clone(),
            candidates: CandidateSet::Listed(candidates),
            schedule,
            starts: start_points,
            points,
        }
    }

    pub(super) fn run(
        &mut self,
        batch: &Batch,
        context: &ExecutionContext<'_>,
    ) -> Result<crate::BatchResult, ExecutionError> {
        let result = self.executor.run(batch, context)?;
        self.n_games += result.n_games;
        Ok(result)
    }

    pub(super) fn play_match(
        &mut self,
        a: &[f64],
        b: &[f64],
        start_points: &[StartPoint],
        context: &ExecutionContext<'_>,
    ) -> Result<PairedScore, ExecutionError> {
        let batch = self.batch(vec![a.to_vec(), b.to_vec()], Schedule::League, start_points.to_vec());
        let mut paired = PairedScore::default();
        self.run(&batch, context)?.match_results.iter().for_each(|result| paired.add(result));
        Ok(paired)
    }

    fn against_snapshots(
        &mut self,
        champion: &[f64],
        trail: &[Vec<f64>],
        start_points: &[StartPoint],
        context: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "Does it hold its own against earlier champions, at 10, 25, 50 and 75 % of the run?";
        if trail.len() < 8 {
            return Ok(skipped("P2", question, format!("only {} generations", trail.len())));
        }
        let share = start_points.len().div_ceil(4).max(1);
        let mut parts = Vec::new();
        let (mut lowest, mut sum) = (1.0f64, 0.0);
        for (percent, start_points) in [10, 25, 50, 75].into_iter().zip(start_points.chunks(share).cycle()) {
            let earlier = &trail[trail.len() * percent / 100];
            let [low, score, high] = self.play_match(champion, earlier, start_points, context)?.score();
            lowest = lowest.min(low);
            sum += score / 4.0;
            parts.push(format!(
                "{percent} %: {:.1} % [{:.1}, {:.1}]",
                100.0 * score,
                100.0 * low,
                100.0 * high
            ));
        }
        let grade = match () {
            () if lowest > 0.45 && sum > 0.5 => CriterionStatus::Holds,
            () if sum < 0.5 => CriterionStatus::Fails,
            () => CriterionStatus::Open,
        };
        Ok(ProgressCriterion { id: "P2".into(), question: question.into(), grade, found: parts.join("; ") })
    }

    /// The score of each candidate against the gauntlet; each opponent has the same weight.
    fn gauntlet_scores(
        &mut self,
        all: &[&[f64]],
        gauntlet: &UnseenOpponents,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<ScoreEstimate>, ExecutionError> {
        let n = gauntlet.len() as f64;
        let mut scores = vec![(0.0, 0.0); all.len()];
        for (opponents, divisor) in [(&gauntlet.quick, 40), (&gauntlet.slow, 200)] {
            if opponents.is_empty() {
                continue;
            }
            let start_points = self.test_start_points((self.plan.test.pairs / divisor).clamp(4, 50))?;
            let candidates = all.iter().map(|weights| weights.to_vec()).collect();
            let batch = self.batch(candidates, Schedule::Everyone(opponents.clone()), start_points);
            let result = self.run(&batch, context)?;
            for ((score, variance), row) in
                scores.iter_mut().zip(result.match_results.chunks(opponents.len()))
            {
                for result in row {
                    let mut paired = PairedScore::default();
                    paired.add(result);
                    *score += paired.score()[1] / n;
                    *variance += (paired.error() / n).powi(2);
                }
            }
        }
        Ok(scores.into_iter().map(|(score, variance)| (score, variance.sqrt())).collect())
    }

    fn against_exact_play(
        &mut self,
        champion: &[f64],
        (baseline, baseline_weights): (&str, &[f64]),
        context: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "Does it find more best moves at solved positions?";
        let Some(game) = self.sampler.samples()?.first().cloned() else {
            return Ok(skipped("P5", question, "no board".to_owned()));
        };
        if !self.catalog.open(&game)?.solves_single_positions() {
            return Ok(skipped("P5", question, format!("single positions of {game} cannot be solved")));
        }
        let seed = Seed(self.plan.seed).child(seeds::TESTS).0;
        let plan = TestSuitePlan { n_positions: 200, seed, exact_nodes: 100_000, deep_nodes: 0, from_ply: 0 };
        let candidates = vec![champion.to_vec(), baseline_weights.to_vec()];
        let task = TestSuiteTask { game, plan, template: self.plan.player.clone(), candidates };
        let answers = self.executor.run_test_suite(&task, context)?;
        let [new, old] = [&answers[0], &answers[1]];
        if new.len() < 20 {
            return Ok(skipped(
                "P5",
                question,
                format!("only {} positions could be solved quickly", new.len()),
            ));
        }
        let best = |answers: &[(f64, f64)]| answers.iter().filter(|(best, chosen)| best == chosen).count();
        let only = |a: &[(f64, f64)], b: &[(f64, f64)]| {
            a.iter().zip(b).filter(|(a, b)| a.0 == a.1 && b.0 != b.1).count() as u64
        };
        let (gained, lost) = (only(new, old), only(old, new));
        let p = palestra_arena::stats::mcnemar(gained, lost);
        let grade = match () {
            () if p < 0.01 && gained > lost => CriterionStatus::Holds,
            () if p < 0.01 => CriterionStatus::Fails,
            () => CriterionStatus::Open,
        };
        let share = |n: usize| 100.0 * n as f64 / new.len() as f64;
        let found = format!(
            "{:.1} % of {} positions, {:.1} % for {baseline}; {gained} gained, {lost} lost, {}",
            share(best(new)),
            new.len(),
            share(best(old)),
            if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
        );
        Ok(ProgressCriterion { id: "P5".into(), question: question.into(), grade, found })
    }

    fn cycles(
        &mut self,
        trail: &[Vec<f64>],
        context: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "How much of the results among earlier champions is rock, paper, scissors?";
        if trail.len() < 4 {
            return Ok(skipped("P6", question, format!("only {} generations", trail.len())));
        }
        let n = trail.len().min(8);
        let chosen: Vec<Vec<f64>> = (0..n).map(|i| trail[i * (trail.len() - 1) / (n - 1)].clone()).collect();
        let start_points = self.test_start_points((self.plan.test.pairs / 20).clamp(10, 100))?;
        let batch = self.batch(chosen, Schedule::League, start_points);
        let result = self.run(&batch, context)?;
        let mut scores = vec![vec![PairedScore::default(); n]; n];
        let pairings = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        for ((i, j), result) in pairings.zip(&result.match_results) {
            scores[i][j].add(result);
            let PairedScore { wins, draws, losses, pairs } = scores[i][j];
            let [a, b, c, d, e] = pairs;
            scores[j][i] = PairedScore { wins: losses, draws, losses: wins, pairs: [e, d, c, b, a] };
        }
        let share = cyclic_share(&scores);
        let grade = if share > 0.3 { CriterionStatus::Warning } else { CriterionStatus::Noted };
        Ok(ProgressCriterion {
            id: "P6".into(),
            question: question.into(),
            grade,
            found: format!("a share of {share:.2} among {n} champions (more than 0.30 is a warning)"),
        })
    }
}

pub(super) fn skipped(id: &'static str, question: &'static str, reason: String) -> ProgressCriterion {
    ProgressCriterion {
        id: id.into(),
        question: question.into(),
        grade: CriterionStatus::Skipped,
        found: reason,
    }
}

fn against_baseline(comparison: &BaselineComparison) -> ProgressCriterion {
    let [low, score, high] = comparison.games.score();
    let grade = match () {
        () if low > 0.55 && comparison.better == Some(true) => CriterionStatus::Holds,
        () if high < 0.55 => CriterionStatus::Fails,
        () => CriterionStatus::Open,
    };
    let found = format!(
        "{:.1} % [{:.1}, {:.1}] of {} games against {}",
        100.0 * score,
        100.0 * low,
        100.0 * high,
        comparison.games.n_games(),
        comparison.baseline
    );
    ProgressCriterion {
        id: "P1".into(),
        question: "Does it beat the start, or equal weights, with more than 55 % for sure?".into(),
        grade,
        found,
    }
}

/// P3: the gain against the gauntlet, from the scores of the champion and of the baseline.
fn gain(scores: &[ScoreEstimate], n_opponents: usize, baseline: &str) -> ProgressCriterion {
    let [(after, after_error), (before, before_error)] = [scores[0], scores[1]];
    let error = QUANTILE * after_error.hypot(before_error);
    let difference = after - before;
    let grade = match () {
        () if difference > error => CriterionStatus::Holds,
        () if difference < -error => CriterionStatus::Fails,
        () => CriterionStatus::Open,
    };
    let elo = match (elo_of_score(after), elo_of_score(before)) {
        (Some(after), Some(before)) => format!(", {:+.0} Elo", after - before),
        _ => String::new(),
    };
    let found = format!(
        "{:.1} % against {n_opponents} players, {:.1} % for {baseline}: {:+.1} ± {:.1} percentage points{elo}",
        100.0 * after,
        100.0 * before,
        100.0 * difference,
        100.0 * error
    );
    let question = "Is it stronger against players never met in training?";
    ProgressCriterion { id: "P3".into(), question: question.into(), grade, found }
}

fn drift(trail: &[Vec<f64>]) -> ProgressCriterion {
    let question = "How far do successive champions turn?";
    if trail.len() < 4 {
        return skipped("P8", question, format!("only {} generations", trail.len()));
    }
    let turns: Vec<f64> = trail.windows(2).map(|pair| angle(&pair[0], &pair[1])).collect();
    let mean = |turns: &[f64]| turns.iter().sum::<f64>() / turns.len().max(1) as f64;
    let quarter = turns.len().div_ceil(4);
    let (early, late) = (mean(&turns[..quarter]), mean(&turns[turns.len() - quarter..]));
    let found = format!("{early:.1}° a generation in the first quarter, {late:.1}° in the last");
    let grade = if late > early && late > 5.0 { CriterionStatus::Warning } else { CriterionStatus::Noted };
    ProgressCriterion { id: "P8".into(), question: question.into(), grade, found }
}
