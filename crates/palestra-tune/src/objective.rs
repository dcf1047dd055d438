//! What makes a candidate good: whom it meets, and what the results are worth.
//!
//! A new objective is a variant of `Objective` with its opponents and its fitness, and a line in `OBJECTIVES`.

use crate::methods::sharing::{
    DrawValue, HostResult as Score, HostTournament, choose_parasites, shared_fitness,
};
use crate::{
    Batch, BatchResult, CandidateFitness, CandidateSet, HallOfFameEntry, Schedule, ScheduledMatch, Space,
    TuningPoints,
};
use palestra_arena::{StartPoint, TestSuitePlan};
use palestra_core::{Seed, print_weights};
use rand::RngExt;

/// What candidates are measured by.
#[derive(Clone, PartialEq, Debug)]
pub enum Objective {
    /// Points against fixed rivals.
    Gauntlet {
        /// The rivals, as player strings.
        rivals: Vec<String>,
    },
    /// Points against one player, which may have dice.
    Reference {
        /// The player.
        player: String,
    },
    /// Points of all against all.
    League,
    /// Points against the better half of the generation before.
    Ancestors,
    /// Fitness shared among those who beat the same parasites (Rosin and Belew 1997), with draws as in the Mastergoal
    /// study.
    Parasites {
        /// How many parasites.
        n: usize,
        /// How many times less a draw is worth than a win.
        draw_divisor: f64,
        /// What a draw is worth before that.
        draw_worth: f64,
    },
    /// Best moves found at positions whose moves are judged, exactly where the game can be solved.
    Accuracy(TestSuitePlan),
    /// Numbers out of the hat: the control that must not lead anywhere.
    Chance,
}

impl Objective {
    /// Its name in plans.
    pub fn name(&self) -> &'static str {
        match self {
            Objective::Gauntlet { .. } => "gauntlet",
            Objective::Reference { .. } => "reference",
            Objective::League => "league",
            Objective::Ancestors => "ancestors",
            Objective::Parasites { .. } => "parasites",
            Objective::Accuracy(_) => "accuracy",
            Objective::Chance => "chance",
        }
    }

    /// Games that one candidate plays among so many, on so many scenes.
    pub fn games_each(&self, n_candidates: usize, n_scenes: usize) -> u64 {
        let rivals = match self {
            Objective::Gauntlet { rivals } => rivals.len(),
            Objective::Reference { .. } => 1,
            Objective::League => n_candidates.saturating_sub(1),
            Objective::Ancestors => n_candidates.div_ceil(2),
            Objective::Parasites { n, .. } => *n,
            Objective::Accuracy(_) | Objective::Chance => return 0,
        };
        (rivals * n_scenes * 2) as u64
    }

    /// Games of a whole generation. In a league every game counts for two candidates.
    pub fn n_games(&self, n_candidates: usize, n_scenes: usize) -> u64 {
        let all = n_candidates as u64 * self.games_each(n_candidates, n_scenes);
        if *self == Objective::League { all / 2 } else { all }
    }
}

/// An objective at work: remembers what it has to of the generations before.
pub struct FitnessCalculator {
    objective: Objective,
    template: String,
    points: TuningPoints,
    space: Space,
    /// Dice for rivals drawn at random.
    seed: Seed,
    /// Whether every meeting of a league gets scenes of its own.
    own_scenes: bool,
    n_rated: u64,
    before: Option<PreviousGeneration>,
    /// Those met in the generation being rated.
    rivals: Vec<Vec<f64>>,
}

/// The generation before.
struct PreviousGeneration {
    candidates: Vec<Vec<f64>>,
    fitness: Vec<f64>,
    /// What each candidate did against each of those it met.
    scores: Vec<Vec<Score>>,
}

impl FitnessCalculator {
    /// Rates candidates for this player.
    pub fn new(
        objective: Objective,
        template: &str,
        points: TuningPoints,
        space: Space,
        seed: Seed,
        own_scenes: bool,
    ) -> FitnessCalculator {
        let template = template.to_owned();
        let rivals = Vec::new();
        FitnessCalculator {
            objective,
            template,
            points,
            space,
            seed,
            own_scenes,
            n_rated: 0,
            before: None,
            rivals,
        }
    }

    /// What it measures by.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// The games to play for these candidates. `scenes` come in equal shares for each meeting of a league whose
    /// meetings have their own.
    pub fn batch(
        &mut self,
        candidates: &CandidateSet,
        scenes: Vec<StartPoint>,
        hall: &[HallOfFameEntry],
    ) -> Batch {
        let n = candidates.len();
        let schedule = match &self.objective {
            Objective::Gauntlet { rivals } => Schedule::Everyone(rivals.clone()),
            Objective::Reference { player } => Schedule::Everyone(vec![player.clone()]),
            Objective::League if self.own_scenes => Schedule::Matches(matches(n, scenes.len())),
            Objective::League => Schedule::League,
            Objective::Ancestors | Objective::Parasites { .. } => {
                self.rivals = self.draw_rivals(n, hall);
                let player = |weights: &Vec<f64>| format!("{}/{}", self.template, print_weights(weights));
                Schedule::Everyone(self.rivals.iter().map(player).collect())
            }
            Objective::Accuracy(_) | Objective::Chance => Schedule::Everyone(Vec::new()),
        };
        let (template, points) = (self.template.clone(), self.points);
        Batch { template, candidates: candidates.clone(), schedule, scenes, points }
    }

    fn draw_rivals(&self, n_candidates: usize, hall: &[HallOfFameEntry]) -> Vec<Vec<f64>> {
        let seed = self.seed.child(self.n_rated);
        match (&self.objective, &self.before) {
            (Objective::Parasites { n, draw_divisor, draw_worth }, Some(before)) => {
                let last = HostTournament { hosts: &before.candidates, results: &before.scores };
                choose_parasites(hall, last, *n, Some(DrawValue { g: *draw_divisor, e: *draw_worth }), seed)
            }
            (Objective::Parasites { n, .. }, None) => self.strangers(*n, seed),
            (_, Some(before)) => {
                let mut order: Vec<usize> = (0..before.candidates.len()).collect();
                order.sort_by(|&a, &b| before.fitness[b].total_cmp(&before.fitness[a]));
                order.truncate(before.candidates.len().div_ceil(2));
                order.into_iter().map(|i| before.candidates[i].clone()).collect()
            }
            (_, None) => self.strangers(n_candidates.div_ceil(2), seed),
        }
    }

    /// Players drawn at random: whom the first generation meets.
    fn strangers(&self, n: usize, seed: Seed) -> Vec<Vec<f64>> {
        let draw = |i: usize| {
            let mut rng = seed.child(i as u64).rng();
            let bounds = self.space.low.iter().zip(&self.space.high);
            bounds.map(|(&low, &high)| rng.random_range(low..=high)).collect()
        };
        (0..n).map(draw).collect()
    }

    /// What the results mean.
    pub fn rate(&mut self, batch: &Batch, result: &BatchResult) -> CandidateFitness {
        let n = batch.candidates.len();
        let score = |meeting: &crate::MatchResult| Score { wins: meeting.wins, draws: meeting.draws };
        let n_rivals = self.rivals.len();
        let scores: Vec<Vec<Score>> = match self.objective {
            Objective::Parasites { .. } if n_rivals > 0 => {
                result.meetings.chunks(n_rivals).map(|row| row.iter().map(score).collect()).collect()
            }
            _ => Vec::new(),
        };
        let fitness = match self.objective {
            Objective::Parasites { draw_divisor, draw_worth, .. } => {
                shared_fitness(&scores, DrawValue { g: draw_divisor, e: draw_worth })
            }
            Objective::Chance => self.chance(n),
            _ => result.points.clone(),
        };
        let duel = match batch.schedule {
            Schedule::League | Schedule::Matches(_) if n == 2 => {
                result.meetings.first().map(|meeting| meeting.pairs.map(u64::from))
            }
            _ => None,
        };
        self.remember(&batch.candidates, &fitness, scores);
        CandidateFitness { fitness, n_games: result.n_games, duel }
    }

    /// What answers at positions mean: the share of best moves, in percent.
    pub fn rate_answers(
        &mut self,
        candidates: &CandidateSet,
        answers: &[Vec<(f64, f64)>],
    ) -> CandidateFitness {
        let share = |answers: &Vec<(f64, f64)>| {
            let best = answers.iter().filter(|(best, chosen)| chosen == best).count();
            100.0 * best as f64 / answers.len().max(1) as f64
        };
        let fitness: Vec<f64> = answers.iter().map(share).collect();
        self.remember(candidates, &fitness, Vec::new());
        CandidateFitness { fitness, n_games: 0, duel: None }
    }

    /// Of the parasites just met: how many every host beat in all games, how many nobody beat in any, and all.
    pub fn engagement(&self) -> Option<[usize; 3]> {
        let scores = self.before.as_ref().map(|before| &before.scores).filter(|scores| !scores.is_empty())?;
        let n = scores[0].len();
        let beaten_by = |p: usize| scores.iter().filter(|row| row[p].wins > 0).count();
        let by_all = (0..n).filter(|&p| beaten_by(p) == scores.len()).count();
        let by_none = (0..n).filter(|&p| beaten_by(p) == 0).count();
        Some([by_all, by_none, n])
    }

    fn chance(&self, n: usize) -> Vec<f64> {
        let seed = self.seed.child(self.n_rated);
        (0..n).map(|i| seed.child(i as u64).rng().random_range(0.0..100.0)).collect()
    }

    fn remember(&mut self, candidates: &CandidateSet, fitness: &[f64], scores: Vec<Vec<Score>>) {
        self.n_rated += 1;
        if let CandidateSet::Listed(candidates) = candidates {
            self.before = Some(PreviousGeneration {
                candidates: candidates.clone(),
                fitness: fitness.to_vec(),
                scores,
            });
        }
    }
}

/// All against all, each meeting with its share of the scenes.
fn matches(n: usize, n_scenes: usize) -> Vec<ScheduledMatch> {
    let couples: Vec<(usize, usize)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let each = n_scenes / couples.len().max(1);
    let one = |(i, (a, b)): (usize, (usize, usize))| ScheduledMatch {
        a: a as u32,
        b: b as u32,
        from: (i * each) as u32,
        to: ((i + 1) * each) as u32,
    };
    couples.into_iter().enumerate().map(one).collect()
}
