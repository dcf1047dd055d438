//! Objectives: which games candidates play, and how the results become their fitness.
//!
//! A new objective is a variant of `Objective` with its opponents and its fitness, and a line in `OBJECTIVES`.

use crate::methods::sharing::{
    DrawValue, HostResult as Score, HostTournament, choose_parasites, shared_fitness,
};
use crate::{
    Batch, BatchResult, CandidateFitness, CandidateSet, HallOfFameEntry, PointSystem, Schedule,
    ScheduledMatch, Space,
};
use palestra_arena::{StartPoint, TestSuitePlan};
use palestra_core::{Seed, print_weights};
use rand::RngExt;

/// How candidates are rated.
#[derive(Clone, PartialEq, Debug)]
pub enum Objective {
    /// Points against fixed opponents.
    Gauntlet {
        /// The opponents, as player strings.
        opponents: Vec<String>,
    },
    /// Points against one player, which may be stochastic.
    Reference {
        /// The player, as a player string.
        player: String,
    },
    /// Points of all candidates against each other.
    League,
    /// Points against the better half of the previous generation.
    Ancestors,
    /// Fitness shared among the candidates that beat the same parasites (Rosin and Belew 1997), with draws as in the
    /// Mastergoal study.
    Parasites {
        /// Number of parasites.
        n: usize,
        /// g of the study: a draw counts this many times less than a win.
        draw_divisor: f64,
        /// e of the study: the value of a draw before that division.
        draw_value: f64,
    },
    /// Share of best moves in a test suite; moves are judged exactly where the game can be solved.
    Accuracy(TestSuitePlan),
    /// Random fitness: the control run, which must not find better players.
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

    /// Games that one of `n_candidates` candidates plays on `n_start_points` start points.
    pub fn games_each(&self, n_candidates: usize, n_start_points: usize) -> u64 {
        let n_opponents = match self {
            Objective::Gauntlet { opponents } => opponents.len(),
            Objective::Reference { .. } => 1,
            Objective::League => n_candidates.saturating_sub(1),
            Objective::Ancestors => n_candidates.div_ceil(2),
            Objective::Parasites { n, .. } => *n,
            Objective::Accuracy(_) | Objective::Chance => return 0,
        };
        (n_opponents * n_start_points * 2) as u64
    }

    /// Games of a whole generation. In a league every game counts for two candidates, so half as many are played.
    pub fn n_games(&self, n_candidates: usize, n_start_points: usize) -> u64 {
        let all = n_candidates as u64 * self.games_each(n_candidates, n_start_points);
        if *self == Objective::League { all / 2 } else { all }
    }
}

/// Turns candidates into batches and results into fitness; keeps what the objective needs of the previous generation.
pub struct FitnessCalculator {
    objective: Objective,
    template: String,
    points: PointSystem,
    space: Space,
    /// Seed of random opponents and of random fitness.
    seed: Seed,
    /// Whether every match of a league has its own start points.
    own_start_points: bool,
    n_rated: u64,
    previous: Option<PreviousGeneration>,
    /// The weights of the opponents of the generation that is being rated.
    opponents: Vec<Vec<f64>>,
}

/// The previous generation.
struct PreviousGeneration {
    candidates: Vec<Vec<f64>>,
    fitness: Vec<f64>,
    /// Score of each candidate against each of its opponents.
    scores: Vec<Vec<Score>>,
}

impl FitnessCalculator {
    /// A calculator for candidates of the player `template`, a player string without weights.
    pub fn new(
        objective: Objective,
        template: &str,
        points: PointSystem,
        space: Space,
        seed: Seed,
        own_start_points: bool,
    ) -> FitnessCalculator {
        FitnessCalculator {
            objective,
            template: template.to_owned(),
            points,
            space,
            seed,
            own_start_points,
            n_rated: 0,
            previous: None,
            opponents: Vec::new(),
        }
    }

    /// The objective.
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// The games to play for these candidates. In a league whose matches have their own start points, `start_points` is
    /// divided equally among the matches.
    pub fn batch(
        &mut self,
        candidates: &CandidateSet,
        start_points: Vec<StartPoint>,
        hall_of_fame: &[HallOfFameEntry],
    ) -> Batch {
        let n = candidates.len();
        let schedule = match &self.objective {
            Objective::Gauntlet { opponents } => Schedule::Everyone(opponents.clone()),
            Objective::Reference { player } => Schedule::Everyone(vec![player.clone()]),
            Objective::League if self.own_start_points => {
                Schedule::Matches(league_matches(n, start_points.len()))
            }
            Objective::League => Schedule::League,
            Objective::Ancestors | Objective::Parasites { .. } => {
                self.opponents = self.draw_opponents(n, hall_of_fame);
                let player = |weights: &Vec<f64>| format!("{}/{}", self.template, print_weights(weights));
                Schedule::Everyone(self.opponents.iter().map(player).collect())
            }
            Objective::Accuracy(_) | Objective::Chance => Schedule::Everyone(Vec::new()),
        };
        let (template, points) = (self.template.clone(), self.points);
        Batch { template, candidates: candidates.clone(), schedule, starts: start_points, points }
    }

    fn draw_opponents(&self, n_candidates: usize, hall_of_fame: &[HallOfFameEntry]) -> Vec<Vec<f64>> {
        let seed = self.seed.child(self.n_rated);
        match (&self.objective, &self.previous) {
            (Objective::Parasites { n, draw_divisor, draw_value }, Some(previous)) => {
                let last = HostTournament { hosts: &previous.candidates, results: &previous.scores };
                let draws = DrawValue { g: *draw_divisor, e: *draw_value };
                choose_parasites(hall_of_fame, last, *n, Some(draws), seed)
            }
            (Objective::Parasites { n, .. }, None) => self.random_opponents(*n, seed),
            (_, Some(previous)) => {
                let mut order: Vec<usize> = (0..previous.candidates.len()).collect();
                order.sort_by(|&a, &b| previous.fitness[b].total_cmp(&previous.fitness[a]));
                order.truncate(previous.candidates.len().div_ceil(2));
                order.into_iter().map(|i| previous.candidates[i].clone()).collect()
            }
            (_, None) => self.random_opponents(n_candidates.div_ceil(2), seed),
        }
    }

    /// Random weights within the bounds: the opponents of the first generation.
    fn random_opponents(&self, n: usize, seed: Seed) -> Vec<Vec<f64>> {
        let draw = |i: usize| {
            let mut rng = seed.child(i as u64).rng();
            let bounds = self.space.low.iter().zip(&self.space.high);
            bounds.map(|(&low, &high)| rng.random_range(low..=high)).collect()
        };
        (0..n).map(draw).collect()
    }

    /// The fitness of the candidates of a batch, from its result.
    pub fn rate(&mut self, batch: &Batch, result: &BatchResult) -> CandidateFitness {
        let n = batch.candidates.len();
        let score = |played: &crate::MatchResult| Score { wins: played.wins, draws: played.draws };
        let n_opponents = self.opponents.len();
        let scores: Vec<Vec<Score>> = match self.objective {
            Objective::Parasites { .. } if n_opponents > 0 => {
                result.match_results.chunks(n_opponents).map(|row| row.iter().map(score).collect()).collect()
            }
            _ => Vec::new(),
        };
        let fitness = match self.objective {
            Objective::Parasites { draw_divisor, draw_value, .. } => {
                shared_fitness(&scores, DrawValue { g: draw_divisor, e: draw_value })
            }
            Objective::Chance => self.random_fitness(n),
            _ => result.points.clone(),
        };
        let head_to_head = match batch.schedule {
            Schedule::League | Schedule::Matches(_) if n == 2 => {
                result.match_results.first().map(|played| played.pairs.map(u64::from))
            }
            _ => None,
        };
        self.remember(&batch.candidates, &fitness, scores);
        CandidateFitness { fitness, n_games: result.n_games, head_to_head }
    }

    /// The fitness of candidates from their answers to a test suite: the share of best moves, in percent.
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
        CandidateFitness { fitness, n_games: 0, head_to_head: None }
    }

    /// Of the parasites of the last generation: the number beaten at least once by every host, the number beaten by no
    /// host, and the number of all; `None` for other objectives.
    pub fn engagement(&self) -> Option<[usize; 3]> {
        let scores = &self.previous.as_ref()?.scores;
        if scores.is_empty() {
            return None;
        }
        let n = scores[0].len();
        let beaten_by = |p: usize| scores.iter().filter(|row| row[p].wins > 0).count();
        let by_all = (0..n).filter(|&p| beaten_by(p) == scores.len()).count();
        let by_none = (0..n).filter(|&p| beaten_by(p) == 0).count();
        Some([by_all, by_none, n])
    }

    fn random_fitness(&self, n: usize) -> Vec<f64> {
        let seed = self.seed.child(self.n_rated);
        (0..n).map(|i| seed.child(i as u64).rng().random_range(0.0..100.0)).collect()
    }

    fn remember(&mut self, candidates: &CandidateSet, fitness: &[f64], scores: Vec<Vec<Score>>) {
        self.n_rated += 1;
        if let CandidateSet::Listed(candidates) = candidates {
            self.previous = Some(PreviousGeneration {
                candidates: candidates.clone(),
                fitness: fitness.to_vec(),
                scores,
            });
        }
    }
}

/// All candidates against each other; each match has an equal share of the start points.
fn league_matches(n: usize, n_start_points: usize) -> Vec<ScheduledMatch> {
    let pairings: Vec<(usize, usize)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let per_match = n_start_points / pairings.len().max(1);
    let one = |(i, (a, b)): (usize, (usize, usize))| ScheduledMatch {
        a: a as u32,
        b: b as u32,
        from: (i * per_match) as u32,
        to: ((i + 1) * per_match) as u32,
    };
    pairings.into_iter().enumerate().map(one).collect()
}
