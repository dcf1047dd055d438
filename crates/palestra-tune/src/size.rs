//! The size of a training by arithmetic alone: its games and the memory of its largest generation, before any candidate
//! is made.

use crate::batch::MAX_MATCH_RESULTS;
use crate::cohorts::{PIECE_BYTES, UNIT_BYTES};
use crate::local::JOBS_PER_PIECE;
use crate::objective::Objective;
use crate::plan::{RefreshPolicy, TuningBudget, TuningPlan};
use palestra_core::{InputError, MemoryLimit};

/// The size of a request of an optimizer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestSize {
    /// The fitness of a list of candidates.
    Rate {
        /// Number of candidates.
        n: u64,
        /// Factor on the number of games that the plan gives each candidate.
        effort: u64,
    },
    /// The fitness of a part of a grid.
    Grid {
        /// Number of points.
        n: u64,
    },
    /// Games of self-play on each board.
    SelfPlay {
        /// Number of games.
        n_games: u64,
    },
}

/// The sizes of the requests of a method, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestSizes {
    /// The first requests, and how often each of them follows itself.
    pub first: Vec<(RequestSize, u64)>,
    /// The requests after them, again and again; none where the method ends then.
    pub cycle: Vec<RequestSize>,
    /// Whether other requests may come in between, or fewer, as the replies are.
    pub depends_on_replies: bool,
}

impl RequestSizes {
    /// The same number of candidates in every generation, for ever.
    pub fn constant(n: usize) -> RequestSizes {
        let request = RequestSize::Rate { n: n as u64, effort: 1 };
        RequestSizes { first: Vec::new(), cycle: vec![request], depends_on_replies: false }
    }

    /// A method whose requests are not known before it runs.
    pub fn unknown() -> RequestSizes {
        RequestSizes { first: Vec::new(), cycle: Vec::new(), depends_on_replies: true }
    }

    /// The requests in their order, those of the cycle once.
    fn all(&self) -> impl Iterator<Item = RequestSize> {
        self.first.iter().map(|(request, _)| *request).chain(self.cycle.iter().copied())
    }
}

/// Games and memory of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingSize {
    /// Games of the training, without those that choose between the recommendations of an objective without
    /// randomness; `None` where they are unknown or have no limit.
    pub n_games: Option<u64>,
    /// Whether a training that is not ended by time plays exactly this number; otherwise it is the maximum.
    pub is_exact: bool,
    /// Number of generations, where it is known.
    pub n_generations: Option<u64>,
    /// Games of the first generation, where they are known.
    pub first_generation: Option<u64>,
    /// Candidates of the largest generation.
    pub n_candidates: u64,
    /// Bytes of memory that the largest generation and what is kept of all generations need, roughly and at most.
    pub memory_bytes: u64,
}

/// The size of a plan's training; an error if the method cannot use its settings.
pub fn training_size(plan: &TuningPlan, n_threads: u64) -> Result<TrainingSize, InputError> {
    let sizes = (plan.method.sizes)(&crate::driver::optimizer_setup(plan), &plan.method_settings)?;
    let walk = Walk::of(plan, &sizes);
    let largest = |of: &dyn Fn(RequestSize) -> u64| sizes.all().map(of).max().unwrap_or(0);
    let kept = walk.n_generations.unwrap_or(0).saturating_mul(2 * weights_bytes(plan));
    let tests = if plan.test.wanted { u64::from(plan.test.pairs) * START_BYTES } else { 0 };
    Ok(TrainingSize {
        n_games: walk.n_games,
        is_exact: walk.is_exact,
        n_generations: walk.n_generations,
        first_generation: sizes.all().next().map(|request| games_of(plan, request, None)),
        n_candidates: largest(&|request| match request {
            RequestSize::Rate { n, .. } | RequestSize::Grid { n } => n,
            RequestSize::SelfPlay { .. } => 1,
        }),
        memory_bytes: kept
            .saturating_add(tests)
            .saturating_add(largest(&|request| request_bytes(plan, request, n_threads))),
    })
}

/// An error where a plan needs more memory than is allowed, or has a budget smaller than one generation.
pub fn check_size(plan: &TuningPlan, limit: MemoryLimit, n_threads: u64) -> Result<TrainingSize, InputError> {
    let size = training_size(plan, n_threads)?;
    let what = format!(
        "{} with generations of {} candidates and {} pairs of games for each match",
        plan.method.name,
        size.n_candidates,
        plan.n_pairs_each()
    );
    let remedy = "choose fewer candidates in a generation, fewer pairs or a smaller budget";
    limit.check("method", &what, size.memory_bytes, remedy)?;
    if let Objective::Parasites(parasites) = &plan.objective {
        let n_matches = size.n_candidates.saturating_mul(parasites.n as u64);
        if n_matches > MAX_MATCH_RESULTS as u64 {
            let expected = format!(
                "at most {MAX_MATCH_RESULTS} matches of candidates against parasites in a generation"
            );
            return Err(InputError::new("objective", format!("{n_matches} matches"), expected));
        }
    }
    Ok(size)
}

/// An error where the first generation takes more games than the budget has.
pub fn check_budget(plan: &TuningPlan, size: &TrainingSize) -> Result<(), InputError> {
    match (plan.budget.games, size.first_generation) {
        (Some(budget), Some(first)) if first > budget => {
            let expected = format!(
                "at least {first} games, which the first generation takes (candidates: {}), or fewer candidates, \
                 opponents or pairs",
                size.n_candidates
            );
            Err(InputError::new("games in [budget]", budget.to_string(), expected))
        }
        _ => Ok(()),
    }
}

/// Number of games of a request; `previous` is the number of candidates in the generation before, if there is one.
fn games_of(plan: &TuningPlan, request: RequestSize, previous: Option<u64>) -> u64 {
    let (n, effort) = match request {
        RequestSize::SelfPlay { n_games } => return n_games.saturating_mul(plan.boards.n_boards() as u64),
        RequestSize::Rate { n, effort } => (n, effort),
        RequestSize::Grid { n } => (n, 1),
    };
    let n_starts = (plan.n_pairs_each() as u64).saturating_mul(effort);
    let half = |n: u64| n.div_ceil(2);
    let n_matches = match &plan.objective {
        Objective::Gauntlet { opponents } => n.saturating_mul(opponents.len() as u64),
        Objective::Reference { .. } => n,
        Objective::League | Objective::Chance => n.saturating_mul(n.saturating_sub(1)) / 2,
        Objective::Ancestors => n.saturating_mul(half(previous.unwrap_or(n))),
        Objective::Parasites(parasites) => n.saturating_mul(parasites.n as u64),
        Objective::Accuracy(_) => return 0,
    };
    n_matches.saturating_mul(n_starts).saturating_mul(2)
}

/// The games and generations of a training.
struct Walk<'a> {
    plan: &'a TuningPlan,
    budget: TuningBudget,
    n_games: Option<u64>,
    n_generations: Option<u64>,
    is_exact: bool,
}

impl<'a> Walk<'a> {
    /// Walks through the requests as far as the budget goes.
    fn of(plan: &'a TuningPlan, sizes: &RequestSizes) -> Walk<'a> {
        // Fewer parasites than the plan has may be found among the last generation.
        let may_be_fewer = sizes.depends_on_replies || matches!(plan.objective, Objective::Parasites(_));
        let walk = Walk::within(plan, plan.budget, sizes);
        if !may_be_fewer {
            return Walk { is_exact: plan.budget.seconds.is_none(), ..walk };
        }
        // Smaller generations leave games for more of them: the limits hold, and nothing else is known.
        let all = Walk::within(plan, TuningBudget { games: None, ..plan.budget }, sizes);
        let first = sizes.all().next().map_or(0, |request| games_of(plan, request, None));
        let limit = plan.budget.games.map(|games| games.max(first));
        Walk { n_games: all.n_games.into_iter().chain(limit).min(), n_generations: None, ..walk }
    }

    fn within(plan: &'a TuningPlan, budget: TuningBudget, sizes: &RequestSizes) -> Walk<'a> {
        let is_known = sizes.all().next().is_some();
        let start = is_known.then_some(0);
        let mut walk = Walk { plan, budget, n_games: start, n_generations: start, is_exact: false };
        let mut previous = None;
        let goes_on = sizes.first.iter().all(|&(request, times)| walk.take(request, times, &mut previous));
        if goes_on && !sizes.cycle.is_empty() {
            walk.cycle(&sizes.cycle, &mut previous);
        }
        walk
    }

    /// Adds a request so often, or as often as the budget allows; `false` where the training ends in it.
    fn take(&mut self, request: RequestSize, times: u64, previous: &mut Option<u64>) -> bool {
        let (Some(spent), Some(done)) = (self.n_games, self.n_generations) else { return false };
        // The opponents of a generation may depend on the one before: the first of equal requests differs.
        let mut left = times;
        let (mut games, mut generations) = (spent, done);
        let mut fits = true;
        while left > 0 && fits {
            let each = games_of(self.plan, request, *previous);
            let before = *previous;
            if let RequestSize::Rate { n, .. } = request {
                *previous = Some(n);
            }
            let n_equal = if before == *previous { left } else { 1 };
            let budget = self.budget;
            let by_generations = budget.generations.map_or(u64::MAX, |most| most.saturating_sub(generations));
            let by_games = match budget.games {
                Some(most) if games >= most => 0,
                // The first generation is played in any case.
                Some(most) if games == 0 && each > most => 1,
                Some(most) => (most - games).checked_div(each).unwrap_or(u64::MAX),
                None => u64::MAX,
            };
            let n = n_equal.min(by_generations).min(by_games);
            fits = n == n_equal;
            games = games.saturating_add(n.saturating_mul(each));
            generations += n;
            left -= n.min(left);
        }
        (self.n_games, self.n_generations) = (Some(games), Some(generations));
        fits
    }

    /// Adds the requests of a cycle as often as the budget allows.
    fn cycle(&mut self, cycle: &[RequestSize], previous: &mut Option<u64>) {
        // Once to the end, so that every request has the generation before it that it has in all later cycles.
        if !cycle.iter().all(|&request| self.take(request, 1, previous)) {
            return;
        }
        let mut before = *previous;
        let mut each = 0u64;
        for &request in cycle {
            each = each.saturating_add(games_of(self.plan, request, before));
            if let RequestSize::Rate { n, .. } = request {
                before = Some(n);
            }
        }
        let (Some(games), Some(generations)) = (self.n_games, self.n_generations) else { return };
        let budget = self.budget;
        let by_games = budget.games.and_then(|most| most.saturating_sub(games).checked_div(each));
        let length = cycle.len() as u64;
        let by_generations = budget.generations.map(|most| most.saturating_sub(generations) / length);
        let Some(n) = by_games.into_iter().chain(by_generations).min() else {
            // Only time ends it, or nothing.
            (self.n_games, self.n_generations) = (None, None);
            return;
        };
        self.n_games = Some(games.saturating_add(n.saturating_mul(each)));
        self.n_generations = Some(generations.saturating_add(n.saturating_mul(length)));
        // The rest is shorter than a cycle.
        let _ = cycle.iter().all(|&request| self.take(request, 1, previous));
    }
}

/// Bytes of a start point: the text of its game, its place in the batch and what was drawn before.
const START_BYTES: u64 = 200;
/// Number of copies of a candidate: the method's, the request's, the batch's, the players', the report's and those of the
/// generation before.
const CANDIDATE_COPIES: u64 = 8;
/// The points of a grid are not listed; only the players have them.
const GRID_COPIES: u64 = 3;
/// Positions of a game of self-play, where nothing is known of the game.
const POSITIONS_PER_GAME: u64 = 64;

/// Bytes of one set of weights.
fn weights_bytes(plan: &TuningPlan) -> u64 {
    8 * plan.space.n() as u64 + 40
}

/// Bytes of the memory that a request needs.
fn request_bytes(plan: &TuningPlan, request: RequestSize, n_threads: u64) -> u64 {
    let (n, effort, copies) = match request {
        RequestSize::Rate { n, effort } => (n, effort, CANDIDATE_COPIES),
        RequestSize::Grid { n } => (n, 1, GRID_COPIES),
        RequestSize::SelfPlay { .. } => {
            let n_games = games_of(plan, request, None);
            let position = 8 * plan.space.n() as u64 + 56;
            // The games, their bytes for the store, and the samples.
            return n_games.saturating_mul(3 * POSITIONS_PER_GAME * position + START_BYTES);
        }
    };
    let n_starts = (plan.n_pairs_each() as u64).saturating_mul(effort);
    let candidates = n.saturating_mul(copies * weights_bytes(plan) + 24);
    let n_matches = games_of(plan, request, None) / n_starts.saturating_mul(2).max(1);
    let own = plan.fresh == RefreshPolicy::Match;
    let n_own_starts = n_starts.saturating_mul(if own { n_matches } else { 1 });
    let starts = n_own_starts.saturating_mul(START_BYTES);
    // Opponents that are drawn are texts, and players on every board.
    let n_drawn = match &plan.objective {
        Objective::Ancestors => n.div_ceil(2),
        Objective::Parasites(parasites) => parasites.n as u64,
        _ => 0,
    };
    let opponents = n_drawn.saturating_mul(8 * weights_bytes(plan) * (1 + plan.boards.n_boards() as u64));
    let per_match: u64 = if own { 3 * 48 } else { 0 };
    let results = n_matches.min(MAX_MATCH_RESULTS as u64).saturating_mul(3 * 48);
    let answers = match &plan.objective {
        Objective::Accuracy(suite) => n.saturating_mul(16 * u64::from(suite.n_positions)),
        _ => 0,
    };
    // Cohorts hold a part of the results, at least one of all members for each thread; single games as many jobs.
    let n_pairs = n_matches.saturating_mul(n_starts);
    let unit = n.saturating_mul(UNIT_BYTES as u64);
    let cohorts =
        unit.saturating_mul(n_threads).max(PIECE_BYTES as u64).min(n_pairs.saturating_mul(UNIT_BYTES as u64));
    let jobs = n_pairs.min(JOBS_PER_PIECE as u64).saturating_mul(3 * UNIT_BYTES as u64);
    // Each thread has a cohort with its own order of the members.
    let members = n.saturating_mul(weights_bytes(plan) + 24).saturating_mul(n_threads);
    [starts, opponents, n_matches.saturating_mul(per_match), results, answers, cohorts.max(jobs), members]
        .into_iter()
        .fold(candidates, u64::saturating_add)
}
