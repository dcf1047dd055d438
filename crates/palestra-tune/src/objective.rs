//! Objectives: which games candidates play, and how the results become their fitness.
//!
//! A new objective is a variant of `Objective` with its opponents and its fitness, and a line in `OBJECTIVES`.

use crate::keys::keys;
use crate::methods::sharing::{
    DrawValue, HostResult as Score, HostTournament, choose_parasites, shared_fitness,
};
use crate::{
    Batch, BatchResult, CandidateFitness, CandidateSet, HallOfFameEntry, PointSystem, Schedule,
    ScheduledMatch, Space, StartPointDraw, StartPointSampler, TuningResolver,
};
use palestra_arena::{SelfPlayGame, TestSuitePlan, is_program_text};
use palestra_core::{InputError, Seed, print_weights};
use palestra_settings::{Placed, one_or_many};
use rand::RngExt;
use serde::{Deserialize, Deserializer};

/// How candidates are rated. Players are player strings; those of a plan that is being read have their places.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename = "an objective", rename_all = "lowercase", deny_unknown_fields)]
#[serde(bound = "P: Deserialize<'de> + Default")]
pub enum Objective<P = String> {
    /// Points against fixed opponents.
    Gauntlet {
        /// The opponents.
        #[serde(default, deserialize_with = "one_or_many")]
        opponents: Vec<P>,
    },
    /// Points against one player, which may be stochastic.
    Reference {
        /// The player.
        #[serde(default)]
        player: P,
    },
    /// Points of all candidates against each other.
    League,
    /// Points against the better half of the previous generation.
    Ancestors,
    /// Fitness shared among the candidates that beat the same parasites (Rosin and Belew 1997), with draws as in the
    /// Mastergoal study.
    Parasites(ParasiteSettings),
    /// Share of best moves in a test suite; moves are judged exactly where the game can be solved.
    #[serde(deserialize_with = "read_test_suite")]
    Accuracy(TestSuitePlan),
    /// Random fitness, with as many games counted as a league would play: the control, which must not find better
    /// players.
    Chance,
}

/// Names and descriptions of all objectives.
pub const OBJECTIVES: [(&str, &str); 7] = [
    ("gauntlet", "points against fixed opponents: opponents = [\"rival-0\", …]"),
    ("reference", "points against one player, which may be stochastic: player = \"random\""),
    ("league", "points of all candidates against each other"),
    ("ancestors", "points against the better half of the previous generation"),
    (
        "parasites",
        "fitness shared by candidates that beat the same parasites: n = 20, draw_divisor = 3, draw_value = 1",
    ),
    ("accuracy", "share of best moves in a test: positions = 200, exact_nodes = 2000000, nodes = 20000"),
    (
        "chance",
        "random fitness, with the games of a league counted and not played: it must not find better players",
    ),
];

keys! {
    /// The keys of the objective `parasites`.
    #[derive(Copy)]
    pub struct ParasiteSettings {
        /// Number of parasites.
        n: usize = 20, in 1..=100_000;
        /// g of the study: a draw counts this many times less than a win.
        draw_divisor: f64 = 3.0, in 0.001..=1e6;
        /// e of the study: the value of a draw before that division.
        draw_value: f64 = 1.0, in 0.0..=1e6;
    }
}

keys! {
    /// The keys of the objective `accuracy`.
    struct AccuracySettings {
        /// Number of positions.
        positions: u32 = 200, in 1..=1_000_000;
        /// Nodes for the exact value of a position.
        exact_nodes: u64 = 2_000_000, in 1..=1 << 50;
        /// Nodes where it cannot be solved.
        nodes: u64 = 20_000, in 1..=1 << 50;
        /// First ply of the positions.
        from_ply: u32 = 0, in 0..=10_000;
    }
}

impl ParasiteSettings {
    fn draws(&self) -> DrawValue {
        DrawValue { g: self.draw_divisor, e: self.draw_value }
    }
}

/// The test suite of a section; its seed is that of the plan, which is set later.
fn read_test_suite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TestSuitePlan, D::Error> {
    let AccuracySettings { positions, exact_nodes, nodes, from_ply } =
        AccuracySettings::deserialize(deserializer)?;
    Ok(TestSuitePlan { n_positions: positions, seed: 0, exact_nodes, deep_nodes: nodes, from_ply })
}

/// An objective of a plan that is being read.
pub(crate) type PlacedObjective = Placed<Objective<Placed<String>>>;

/// The objective of a plan with this seed; its players must exist and play on all boards.
pub(crate) fn resolve_objective(
    PlacedObjective { value, place }: &PlacedObjective,
    seed: u64,
    sampler: &StartPointSampler,
    outside: &TuningResolver<'_>,
) -> Result<Objective, InputError> {
    Ok(match value {
        Objective::Gauntlet { opponents } if opponents.is_empty() => {
            return Err(place.missing("opponents", "a list of players: opponents = [\"rival-0\", …]"));
        }
        Objective::Gauntlet { opponents } => {
            let opponents = opponents.iter().map(|player| outside.check_opponent(player, sampler));
            Objective::Gauntlet { opponents: opponents.collect::<Result<_, _>>()? }
        }
        Objective::Reference { player } if player.is_empty() => {
            return Err(place.missing("player", "an opponent: player = \"random\""));
        }
        Objective::Reference { player } => {
            Objective::Reference { player: outside.check_opponent(player, sampler)? }
        }
        Objective::League => Objective::League,
        Objective::Ancestors => Objective::Ancestors,
        Objective::Parasites(settings) => Objective::Parasites(*settings),
        Objective::Accuracy(plan) => Objective::Accuracy(TestSuitePlan { seed, ..plan.clone() }),
        Objective::Chance => Objective::Chance,
    })
}

impl<P> Objective<P> {
    /// Its name in plans.
    pub fn name(&self) -> &'static str {
        match self {
            Objective::Gauntlet { .. } => "gauntlet",
            Objective::Reference { .. } => "reference",
            Objective::League => "league",
            Objective::Ancestors => "ancestors",
            Objective::Parasites(_) => "parasites",
            Objective::Accuracy(_) => "accuracy",
            Objective::Chance => "chance",
        }
    }

    /// Whether it takes games, by which methods are compared.
    pub(crate) fn plays_games(&self) -> bool {
        !matches!(self, Objective::Accuracy(_) | Objective::Chance)
    }
}

impl Objective {
    /// The player strings of its opponents that are external programs.
    pub fn programs(&self) -> Vec<&str> {
        let opponents = match self {
            Objective::Gauntlet { opponents } => &opponents[..],
            Objective::Reference { player } => std::slice::from_ref(player),
            _ => &[],
        };
        opponents.iter().map(String::as_str).filter(|player| is_program_text(player)).collect()
    }

    /// The keys and values of its section, as TOML.
    pub(crate) fn to_toml(&self) -> Vec<String> {
        let mut keys = vec![format!("name = {:?}", self.name())];
        match self {
            Objective::Gauntlet { opponents } => keys.push(format!("opponents = {opponents:?}")),
            Objective::Reference { player } => keys.push(format!("player = {player:?}")),
            Objective::Parasites(ParasiteSettings { n, draw_divisor, draw_value }) => {
                keys.push(format!("n = {n}"));
                keys.push(format!("draw_divisor = {draw_divisor:?}"));
                keys.push(format!("draw_value = {draw_value:?}"));
            }
            Objective::Accuracy(TestSuitePlan { n_positions, exact_nodes, deep_nodes, from_ply, .. }) => {
                keys.push(format!("positions = {n_positions}"));
                keys.push(format!("exact_nodes = {exact_nodes}"));
                keys.push(format!("nodes = {deep_nodes}"));
                if *from_ply > 0 {
                    keys.push(format!("from_ply = {from_ply}"));
                }
            }
            Objective::League | Objective::Ancestors | Objective::Chance => {}
        }
        keys
    }

    /// Games that one of `n_candidates` candidates plays on `n_start_points` start points.
    pub fn games_each(&self, n_candidates: usize, n_start_points: usize) -> u64 {
        let n_opponents = match self {
            Objective::Gauntlet { opponents } => opponents.len(),
            Objective::Reference { .. } => 1,
            Objective::League | Objective::Chance => n_candidates.saturating_sub(1),
            Objective::Ancestors => n_candidates.div_ceil(2),
            Objective::Parasites(parasites) => parasites.n,
            Objective::Accuracy(_) => return 0,
        };
        (n_opponents * n_start_points * 2) as u64
    }

    /// Games of a whole generation. In a league every game counts for two candidates, so half as many are played.
    pub fn n_games(&self, n_candidates: usize, n_start_points: usize) -> u64 {
        let all = n_candidates as u64 * self.games_each(n_candidates, n_start_points);
        if matches!(self, Objective::League | Objective::Chance) { all / 2 } else { all }
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
    /// Whether every match has its own start points.
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

    /// The games to play for these candidates: `per_match` start points of every match on each board.
    pub fn batch(
        &mut self,
        candidates: &CandidateSet,
        hall_of_fame: &[HallOfFameEntry],
        per_match: u32,
        draw: &mut StartPointDraw<'_>,
    ) -> Result<Batch, InputError> {
        let n = candidates.len();
        let opponents = match &self.objective {
            Objective::Gauntlet { opponents } => Some(opponents.clone()),
            Objective::Reference { player } => Some(vec![player.clone()]),
            Objective::League => None,
            Objective::Ancestors | Objective::Parasites(_) => {
                self.opponents = self.draw_opponents(n, hall_of_fame);
                let player = |weights: &Vec<f64>| format!("{}/{}", self.template, print_weights(weights));
                Some(self.opponents.iter().map(player).collect())
            }
            Objective::Accuracy(_) | Objective::Chance => Some(Vec::new()),
        };
        let shared = opponents.map_or(Schedule::League, Schedule::Everyone);
        let (schedule, starts) = match shared {
            Schedule::Everyone(opponents) if self.own_start_points && !opponents.is_empty() => {
                let starts = draw.of_matches(n * opponents.len(), per_match)?;
                let per_match = draw.on_all_boards(per_match);
                (Schedule::EveryoneApart { opponents, per_match }, starts)
            }
            Schedule::League if self.own_start_points => {
                let starts = draw.of_matches(Schedule::League.n_matches(n), per_match)?;
                (Schedule::Matches(league_matches(n, draw.on_all_boards(per_match))), starts)
            }
            shared => (shared, draw.shared(per_match)?),
        };
        let (template, points) = (self.template.clone(), self.points);
        Ok(Batch { template, candidates: candidates.clone(), schedule, starts, points })
    }

    fn draw_opponents(&self, n_candidates: usize, hall_of_fame: &[HallOfFameEntry]) -> Vec<Vec<f64>> {
        let seed = self.seed.child(self.n_rated);
        match (&self.objective, &self.previous) {
            (Objective::Parasites(parasites), Some(previous)) => {
                let last = HostTournament { hosts: &previous.candidates, results: &previous.scores };
                choose_parasites(hall_of_fame, last, parasites.n, Some(parasites.draws()), seed)
            }
            (Objective::Parasites(parasites), None) => self.random_opponents(parasites.n, seed),
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
            Objective::Parasites(_) if n_opponents > 0 => {
                result.match_results.chunks(n_opponents).map(|row| row.iter().map(score).collect()).collect()
            }
            _ => Vec::new(),
        };
        let fitness = match self.objective {
            Objective::Parasites(parasites) => shared_fitness(&scores, parasites.draws()),
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

    /// Whether the next generation needs more of this one than the fitness of its candidates.
    pub(crate) fn needs_results(&self) -> bool {
        matches!(self.objective, Objective::Parasites(_))
    }

    /// Takes fitness that was measured before.
    pub(crate) fn rate_as_known(&mut self, candidates: &CandidateSet, fitness: &[f64]) {
        self.remember(candidates, fitness, Vec::new());
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

    /// Random fitness instead of games, as the control has it: `n_games` are counted and not played, and where two
    /// candidates would play `n_pairs` pairs against each other, their results are random as well.
    pub(crate) fn rate_at_random(
        &mut self,
        candidates: &CandidateSet,
        n_games: u64,
        n_pairs: usize,
    ) -> CandidateFitness {
        let (n, seed) = (candidates.len(), self.seed.child(self.n_rated));
        let fitness: Vec<f64> = (0..n).map(|i| seed.child(i as u64).rng().random_range(0.0..100.0)).collect();
        let is_league = matches!(self.objective, Objective::League | Objective::Chance);
        let head_to_head = (n == 2 && is_league).then(|| {
            let mut rng = seed.child(u64::MAX).rng();
            // One game in five is a draw. 0 to 2 half points each.
            let mut game = || [0, 0, 1, 2, 2][rng.random_range(0..5)];
            let mut counts = [0; 5];
            (0..n_pairs).for_each(|_| counts[game() + game()] += 1);
            counts
        });
        self.remember(candidates, &fitness, Vec::new());
        CandidateFitness { fitness, n_games, head_to_head }
    }

    /// Takes all information out of games: positions trade places at random, across games and sides, and a coin decides
    /// whether a result is reversed. Results alone are not enough: which side wins more often, and which features change
    /// slowly, say how to play.
    pub(crate) fn scramble(&mut self, games: &mut [SelfPlayGame]) {
        let mut rng = self.seed.child(self.n_rated).rng();
        let moments = games.iter().flat_map(|game| &game.moments);
        let mut positions: Vec<(Vec<f64>, f64)> =
            moments.map(|moment| (moment.features.clone(), moment.offset)).collect();
        for i in (1..positions.len()).rev() {
            positions.swap(i, rng.random_range(0..=i));
        }
        let moments = games.iter_mut().flat_map(|game| &mut game.moments);
        for (moment, (features, offset)) in moments.zip(positions) {
            (moment.features, moment.offset) = (features, offset);
        }
        for game in games {
            game.result = if rng.random() { game.result } else { 1.0 - game.result };
        }
        self.n_rated += 1;
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

/// All candidates against each other, each match on its own start points.
fn league_matches(n: usize, per_match: u32) -> Vec<ScheduledMatch> {
    let pairings = (0..n as u32).flat_map(|a| (a + 1..n as u32).map(move |b| (a, b)));
    let one = |(i, (a, b)): (u32, (u32, u32))| ScheduledMatch {
        a,
        b,
        from: i * per_match,
        to: (i + 1) * per_match,
    };
    (0..).zip(pairings).map(one).collect()
}
