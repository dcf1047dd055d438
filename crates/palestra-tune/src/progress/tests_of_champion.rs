//! The criteria, one after the other.

use super::{
    CriterionStatus, PairedScore, ProgressCriterion, UnseenOpponents, cyclic_share, unseen_opponents,
};
use crate::driver::{TrainingResult, TuningDriver, seeds};
use crate::methods::METHODS;
use crate::start_points::{OpeningSplit, StartPointSampler, TuningBoards};
use crate::{
    Batch, CandidateSet, ExecutionContext, ExecutionError, Executor, Objective, Recommendation, Schedule,
    Settings, StartPoint, TestSuiteTask, TuningBudget, TuningPlan, TuningPoints, angle,
};
use palestra_arena::stats::{Sprt, SprtDecision, SprtModel, elo_of_score};
use palestra_arena::{Catalog, TestSuitePlan};
use palestra_core::Seed;
use serde::{Deserialize, Serialize};

/// What is known of a champion.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verification {
    /// Which of the finalists it is.
    pub label: String,
    /// Its weights.
    pub weights: Vec<f64>,
    /// The finalists and their share of points against each other.
    pub finals: Vec<(String, f64)>,
    /// What it is compared with.
    pub baseline: String,
    /// The weights of that.
    pub baseline_weights: Vec<f64>,
    /// Pairs of games against it, on openings never used in training.
    pub duel: PairedScore,
    /// Whether it is better, by a sequential test of 0 against 20 normalized Elo at 5 %; `None` if that is open.
    pub better: Option<bool>,
    /// The criteria.
    pub criteria: Vec<ProgressCriterion>,
    /// Games played to find all this out; not charged to the training.
    pub n_games: u64,
}

/// Tests champions of one plan.
pub struct ChampionTester<'a> {
    plan: &'a TuningPlan,
    catalog: &'static Catalog,
    executor: &'a dyn Executor,
    stage: StartPointSampler,
    n_games: u64,
}

/// A score and its standard error.
type ScoreEstimate = (f64, f64);

/// Pairs that a sequential test looks at before it decides anew.
const ROUND: usize = 50;

/// Two standard errors, nearly.
const QUANTILE: f64 = 1.959_964;

impl<'a> ChampionTester<'a> {
    /// Gets ready.
    pub fn new(
        plan: &'a TuningPlan,
        catalog: &'static Catalog,
        executor: &'a dyn Executor,
    ) -> Result<ChampionTester<'a>, ExecutionError> {
        let stage = StartPointSampler::new(catalog, plan.boards.clone())?;
        Ok(ChampionTester { plan, catalog, executor, stage, n_games: 0 })
    }

    /// Chooses the champion among the finalists and tests it.
    pub fn verify(
        mut self,
        training: &TrainingResult,
        desk: &ExecutionContext<'_>,
    ) -> Result<Verification, ExecutionError> {
        let (champion, finals) = self.choose(&training.recommendations, desk)?;
        let (baseline, before) = match &self.plan.start {
            Some(start) => ("the start", start.clone()),
            None => {
                ("the leader after the first generation", training.trail.first().cloned().unwrap_or_default())
            }
        };
        let scenes = self.test_scenes(self.plan.test.pairs)?;
        let (duel, better) = self.sequential(&champion.weights, &before, &scenes, desk)?;
        let mut criteria = vec![against_the_past(&duel, baseline, better)];
        criteria.push(self.against_snapshots(&champion.weights, &training.trail, &scenes, desk)?);
        let gauntlet = unseen_opponents(self.plan, self.catalog, &self.stage);
        let gains = self.gains(&[&champion.weights, &before], &gauntlet, desk)?;
        criteria.push(gain(
            "P3",
            "Is it stronger against players never met in training?",
            &gains,
            gauntlet.len(),
        ));
        criteria.push(self.against_random_search(&champion.weights, training, &scenes, desk)?);
        criteria.push(self.against_exact_play(&champion.weights, &before, desk)?);
        criteria.push(self.cycles(&training.trail, desk)?);
        criteria.push(drift(&training.trail));
        criteria.push(self.against_chance(&before, training, &gauntlet, desk)?);
        Ok(Verification {
            label: champion.label,
            weights: champion.weights,
            finals,
            baseline: baseline.to_owned(),
            baseline_weights: before,
            duel,
            better,
            criteria,
            n_games: self.n_games,
        })
    }

    /// Whoever scores best among the finalists, on training openings that nobody has trained on.
    fn choose(
        &mut self,
        finalists: &[Recommendation],
        desk: &ExecutionContext<'_>,
    ) -> Result<(Recommendation, Vec<(String, f64)>), ExecutionError> {
        let mut different: Vec<&Recommendation> = Vec::new();
        for finalist in finalists {
            if different.iter().all(|other| other.weights != finalist.weights) {
                different.push(finalist);
            }
        }
        let Some(&first) = different.first() else {
            return Err(palestra_core::InputError::new("budget", "", "enough for one generation").into());
        };
        if different.len() == 1 {
            return Ok((first.clone(), vec![(first.label.clone(), 0.5)]));
        }
        let seed = Seed(self.plan.seed).child(seeds::FINALS);
        let scenes = self.stage.draw(
            OpeningSplit::Training,
            self.plan.test.pairs.div_ceil(4),
            self.plan.test.opening_plies,
            seed,
        )?;
        let candidates = different.iter().map(|finalist| finalist.weights.clone()).collect();
        let batch = self.batch(candidates, Schedule::League, scenes);
        let result = self.run(&batch, desk)?;
        let each = 2.0 * batch.scenes.len() as f64 * (different.len() - 1) as f64;
        let shares: Vec<f64> = result.points.iter().map(|points| points / each).collect();
        let mut best = 0;
        for i in 1..shares.len() {
            best = if shares[i] > shares[best] { i } else { best };
        }
        let finals =
            different.iter().zip(&shares).map(|(finalist, share)| (finalist.label.clone(), *share)).collect();
        Ok((different[best].clone(), finals))
    }

    fn test_scenes(&mut self, n: u32) -> Result<Vec<StartPoint>, ExecutionError> {
        let per_board = match &self.plan.boards {
            TuningBoards::Listed(games) => n.div_ceil(games.len() as u32),
            TuningBoards::Pool(_) => n,
        };
        let seed = Seed(self.plan.seed).child(seeds::TESTS);
        Ok(self.stage.draw(OpeningSplit::Test, per_board, self.plan.test.opening_plies, seed)?)
    }

    /// Points are a win 1 and a draw one half here, whatever the training counted.
    fn batch(&self, candidates: Vec<Vec<f64>>, schedule: Schedule, scenes: Vec<StartPoint>) -> Batch {
        let points = TuningPoints::Table { win: 1.0, draw: 0.5, loss: 0.0 };
        Batch {
            template: self.plan.player.clone(),
            candidates: CandidateSet::Listed(candidates),
            schedule,
            scenes,
            points,
        }
    }

    fn run(
        &mut self,
        batch: &Batch,
        desk: &ExecutionContext<'_>,
    ) -> Result<crate::BatchResult, ExecutionError> {
        let result = self.executor.run(batch, desk)?;
        self.n_games += result.n_games;
        Ok(result)
    }

    fn meet(
        &mut self,
        a: &[f64],
        b: &[f64],
        scenes: &[StartPoint],
        desk: &ExecutionContext<'_>,
    ) -> Result<PairedScore, ExecutionError> {
        let batch = self.batch(vec![a.to_vec(), b.to_vec()], Schedule::League, scenes.to_vec());
        let mut duel = PairedScore::default();
        self.run(&batch, desk)?.meetings.iter().for_each(|meeting| duel.add(meeting));
        Ok(duel)
    }

    /// All pairs, with the decision that a sequential test came to on the way.
    fn sequential(
        &mut self,
        a: &[f64],
        b: &[f64],
        scenes: &[StartPoint],
        desk: &ExecutionContext<'_>,
    ) -> Result<(PairedScore, Option<bool>), ExecutionError> {
        let test = Sprt::new(SprtModel::Normalized, 0.0, 20.0, 0.05, 0.05)?;
        let mut duel = PairedScore::default();
        let mut decision = None;
        for round in scenes.chunks(ROUND) {
            let batch = self.batch(vec![a.to_vec(), b.to_vec()], Schedule::League, round.to_vec());
            self.run(&batch, desk)?.meetings.iter().for_each(|meeting| duel.add(meeting));
            decision = decision.or_else(|| test.decide(test.llr_pairs(duel.pairs)));
        }
        Ok((duel, decision.map(|decision| decision == SprtDecision::AcceptElo1)))
    }

    fn against_snapshots(
        &mut self,
        champion: &[f64],
        trail: &[Vec<f64>],
        scenes: &[StartPoint],
        desk: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "Does it hold its own against earlier champions, at 10, 25, 50 and 75 % of the run?";
        if trail.len() < 8 {
            return Ok(skipped("P2", question, format!("only {} generations", trail.len())));
        }
        let share = scenes.len().div_ceil(4).max(1);
        let mut parts = Vec::new();
        let (mut lowest, mut sum) = (1.0f64, 0.0);
        for (percent, scenes) in [10, 25, 50, 75].into_iter().zip(scenes.chunks(share).cycle()) {
            let duel = self.meet(champion, &trail[trail.len() * percent / 100], scenes, desk)?;
            let [low, score, high] = duel.score();
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

    /// The score of each candidate against the gauntlet, rivals counting alike.
    fn gains(
        &mut self,
        all: &[&[f64]],
        gauntlet: &UnseenOpponents,
        desk: &ExecutionContext<'_>,
    ) -> Result<Vec<ScoreEstimate>, ExecutionError> {
        let n = gauntlet.len() as f64;
        let mut measured = vec![(0.0, 0.0); all.len()];
        for (rivals, pairs) in [(&gauntlet.quick, 40), (&gauntlet.slow, 200)] {
            if rivals.is_empty() {
                continue;
            }
            let scenes = self.test_scenes((self.plan.test.pairs / pairs).clamp(4, 50))?;
            let candidates = all.iter().map(|weights| weights.to_vec()).collect();
            let batch = self.batch(candidates, Schedule::Everyone(rivals.clone()), scenes);
            let result = self.run(&batch, desk)?;
            for ((score, variance), row) in measured.iter_mut().zip(result.meetings.chunks(rivals.len())) {
                for meeting in row {
                    let mut duel = PairedScore::default();
                    duel.add(meeting);
                    *score += duel.score()[1] / n;
                    *variance += (duel.error() / n).powi(2);
                }
            }
        }
        Ok(measured.into_iter().map(|(score, variance)| (score, variance.sqrt())).collect())
    }

    fn against_random_search(
        &mut self,
        champion: &[f64],
        training: &TrainingResult,
        scenes: &[StartPoint],
        desk: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "Is it better than the winner of a random search with as many games?";
        let random = METHODS.iter().find(|method| method.name == "random");
        let (Some(method), true) = (random, self.plan.test.controls && training.n_games > 0) else {
            return Ok(skipped("P4", question, "controls are off, or training took no games".to_owned()));
        };
        let plan = TuningPlan {
            method,
            method_settings: Settings::default(),
            budget: TuningBudget { games: Some(training.n_games), ..TuningBudget::default() },
            seed: Seed(self.plan.seed).child(seeds::CONTROLS).0 >> 11,
            ..self.plan.clone()
        };
        let control = TuningDriver::new(&plan, self.catalog, self.executor)?.train(desk, &mut ())?;
        self.n_games += control.n_games;
        let winner =
            control.recommendations.first().map(|finalist| finalist.weights.clone()).unwrap_or_default();
        let duel = self.meet(champion, &winner, scenes, desk)?;
        let [low, _, high] = duel.score();
        let grade = match () {
            () if low > 0.5 => CriterionStatus::Holds,
            () if high < 0.5 => CriterionStatus::Fails,
            () => CriterionStatus::Open,
        };
        Ok(ProgressCriterion {
            id: "P4".into(),
            question: question.into(),
            grade,
            found: format!("{} in {} games", duel.verdict().difference(), duel.n_games()),
        })
    }

    fn against_exact_play(
        &mut self,
        champion: &[f64],
        before: &[f64],
        desk: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "Does it find more best moves at solved positions?";
        let Some(game) = self.stage.samples()?.first().cloned() else {
            return Ok(skipped("P5", question, "no board".to_owned()));
        };
        if !self.catalog.open(&game)?.solves_single_positions() {
            return Ok(skipped("P5", question, format!("positions of {game} can not be solved one by one")));
        }
        let seed = Seed(self.plan.seed).child(seeds::TESTS).0;
        let plan = TestSuitePlan { n_positions: 200, seed, exact_nodes: 100_000, deep_nodes: 0, from_ply: 0 };
        let candidates = vec![champion.to_vec(), before.to_vec()];
        let task = TestSuiteTask { game, plan, template: self.plan.player.clone(), candidates };
        let answers = self.executor.run_test_suite(&task, desk)?;
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
            "{:.1} % of {} positions, {:.1} % before; {gained} gained, {lost} lost, {}",
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
        desk: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "How much of the results among earlier champions is rock, paper, scissors?";
        if trail.len() < 4 {
            return Ok(skipped("P6", question, format!("only {} generations", trail.len())));
        }
        let n = trail.len().min(8);
        let chosen: Vec<Vec<f64>> = (0..n).map(|i| trail[i * (trail.len() - 1) / (n - 1)].clone()).collect();
        let scenes = self.test_scenes((self.plan.test.pairs / 20).clamp(10, 100))?;
        let batch = self.batch(chosen, Schedule::League, scenes);
        let result = self.run(&batch, desk)?;
        let mut duels = vec![vec![PairedScore::default(); n]; n];
        let couples = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        for ((i, j), meeting) in couples.zip(&result.meetings) {
            duels[i][j].add(meeting);
            let PairedScore { wins, draws, losses, pairs } = duels[i][j];
            let [a, b, c, d, e] = pairs;
            duels[j][i] = PairedScore { wins: losses, draws, losses: wins, pairs: [e, d, c, b, a] };
        }
        let share = cyclic_share(&duels);
        let grade = if share > 0.3 { CriterionStatus::Warning } else { CriterionStatus::Noted };
        Ok(ProgressCriterion {
            id: "P6".into(),
            question: question.into(),
            grade,
            found: format!("a share of {share:.2} among {n} champions (more than 0.30 is a warning)"),
        })
    }

    /// The same method on numbers out of the hat must get nowhere.
    fn against_chance(
        &mut self,
        before: &[f64],
        training: &TrainingResult,
        gauntlet: &UnseenOpponents,
        desk: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "Does the same method gain nothing from random fitness?";
        let is_special = matches!(self.plan.method.name, "grid" | "king" | "regression" | "external");
        if !self.plan.test.controls || is_special {
            return Ok(skipped(
                "N",
                question,
                "controls are off, or the method has no generations".to_owned(),
            ));
        }
        let plan = TuningPlan {
            objective: Objective::Chance,
            budget: TuningBudget {
                generations: Some((training.trail.len() as u64).min(1000)),
                ..TuningBudget::default()
            },
            ..self.plan.clone()
        };
        let control = TuningDriver::new(&plan, self.catalog, self.executor)?.train(desk, &mut ())?;
        let drifted =
            control.recommendations.first().map(|finalist| finalist.weights.clone()).unwrap_or_default();
        let gains = self.gains(&[&drifted, before], gauntlet, desk)?;
        let control = gain("N", question, &gains, gauntlet.len());
        let grade = if control.grade == CriterionStatus::Holds {
            CriterionStatus::Warning
        } else {
            CriterionStatus::Holds
        };
        Ok(ProgressCriterion { grade, ..control })
    }
}

fn skipped(id: &'static str, question: &'static str, why: String) -> ProgressCriterion {
    ProgressCriterion {
        id: id.into(),
        question: question.into(),
        grade: CriterionStatus::Skipped,
        found: why,
    }
}

fn against_the_past(duel: &PairedScore, baseline: &str, better: Option<bool>) -> ProgressCriterion {
    let [low, score, high] = duel.score();
    let grade = match () {
        () if low > 0.55 && better == Some(true) => CriterionStatus::Holds,
        () if high < 0.55 => CriterionStatus::Fails,
        () => CriterionStatus::Open,
    };
    let found = format!(
        "{:.1} % [{:.1}, {:.1}] of {} games against {baseline}",
        100.0 * score,
        100.0 * low,
        100.0 * high,
        duel.n_games()
    );
    ProgressCriterion {
        id: "P1".into(),
        question: "Does it beat what it began with, with more than 55 % for sure?".into(),
        grade,
        found,
    }
}

/// A gain against the gauntlet, from the scores of the champion and of what it began with.
fn gain(
    id: &'static str,
    question: &'static str,
    measured: &[ScoreEstimate],
    n_rivals: usize,
) -> ProgressCriterion {
    let [(after, after_error), (before, before_error)] = [measured[0], measured[1]];
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
        "{:.1} % against {n_rivals} players, {:.1} % before: {:+.1} ± {:.1} points of a hundred{elo}",
        100.0 * after,
        100.0 * before,
        100.0 * difference,
        100.0 * error
    );
    ProgressCriterion { id: id.into(), question: question.into(), grade, found }
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
