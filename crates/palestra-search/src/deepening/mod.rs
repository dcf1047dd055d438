//! `pvs`: principal variation search. Iterative deepening, a transposition table, move ordering, null windows after
//! the first move and an aspiration window around the last value.
//!
//! At a fixed depth its value is that of plain minimax, and so is its move while the game is undecided. It plays the
//! first win that it finds; in a lost position it plays the move that delayed the loss longest. Table entries are used
//! only at exactly the depth that they were made for, which this depends on.
//!
//! Several threads share the table and nothing else (*lazy SMP*): helpers search the same root in another order or one
//! ply deeper, and fill the table for the first thread, which alone decides. Every table entry is a true bound of
//! minimax's value at its depth, whichever thread wrote it, and the game's order decides between equal moves; so at a
//! fixed depth neither the value nor the move depends on the number of threads. The reported depth and principal
//! variation may depend on it, where the game ends sooner. A node limit counts the nodes of all threads, to within
//! about a hundred per thread; with several threads, like a time limit, it does not make the move repeatable.

mod node;
mod order;
mod table_handle;
mod threads;
mod worker;

use crate::limit::{SearchBudget, SearchLimit, Stopwatch};
use crate::minimax::SearchContext;
use crate::search::{ScoredMove, Search, SearchReport, SearchResult};
use crate::spec::{
    DEPTH, GivenParameters, MoveLimits, ParameterWriter, SearchCost, SearchInfo, SearchParameters, TIES,
    TIME, TO_THE_END, optional,
};
use crate::table::Table;
use palestra_core::{Evaluator, Game, InputError, TieRule};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;
use table_handle::{TableHandle, initial_table};
use threads::SearchThreads;
use worker::{PassContext, PassResult, RootContext, SearchWorker};

/// Principal variation search within limits of depth, nodes and time.
#[derive(Clone, Debug)]
pub struct IterativeDeepening<M> {
    limit: SearchLimit,
    ties: Option<TieRule>,
    table: Arc<Table>,
    /// Maximum size of the table.
    table_bytes: usize,
    /// One per thread; the first one decides.
    workers: Vec<SearchWorker<M>>,
    /// The legal moves of the root, in the game's order.
    moves: Vec<M>,
    /// Indices of the root moves in search order.
    order: Vec<usize>,
    scored: Vec<ScoredMove<M>>,
    report: SearchReport<M>,
}

impl<M: Copy + Eq> IterativeDeepening<M> {
    /// A search within limits, with a table of at most `table_bytes` bytes. `ties` overrides the evaluation's tie rule.
    pub fn new(limit: SearchLimit, table_bytes: usize, ties: Option<TieRule>) -> IterativeDeepening<M> {
        IterativeDeepening {
            limit,
            ties,
            table: Arc::new(initial_table(table_bytes)),
            table_bytes,
            workers: vec![SearchWorker::new()],
            moves: Vec::new(),
            order: Vec::new(),
            scored: Vec::new(),
            report: SearchReport::new(),
        }
    }

    /// Sets the number of threads, at least one.
    #[must_use]
    pub fn on_threads(mut self, n_threads: usize) -> IterativeDeepening<M> {
        self.workers.resize_with(n_threads.max(1), SearchWorker::new);
        if n_threads > 1 {
            // A table that other threads use cannot grow.
            self.table = Arc::new(Table::new(self.table_bytes));
        }
        self
    }
}

/// The result of iterative deepening.
#[derive(Clone, Copy)]
struct DeepeningResult {
    /// Index of the best move.
    index: usize,
    value: f64,
    /// Depth of the last finished iteration, in plies.
    depth: u32,
}

/// Iterative deepening; each iteration starts with the best move of the one before.
fn deepen<G: Game, E: Evaluator<G>>(
    root_context: &RootContext<'_, G, E>,
    mut handle: TableHandle<'_>,
    worker: &mut SearchWorker<G::Move>,
    order: &mut [usize],
    depths: RangeInclusive<u32>,
) -> DeepeningResult {
    let win = root_context.context.endings.bound();
    let mut best = DeepeningResult { index: order[0], value: f64::NEG_INFINITY, depth: 0 };
    // Half the width of the aspiration window.
    let mut spread = f64::INFINITY;
    for depth in depths {
        handle.grow_if_crowded();
        let pass = &PassContext { root_context: *root_context, table: handle.table() };
        worker.horizon = false;
        let mut result = PassResult::Outside;
        if spread.is_finite() {
            result = worker.search_root(pass, order, depth, [best.value - spread, best.value + spread]);
        }
        if matches!(result, PassResult::Outside) {
            result = worker.search_root(pass, order, depth, [f64::NEG_INFINITY, f64::INFINITY]);
        }
        let (index, value) = match result {
            PassResult::Done(index, value) => (index, value),
            PassResult::StoppedAt(index, value) => return DeepeningResult { index, value, ..best },
            PassResult::Stopped | PassResult::Outside => return best,
        };
        if value <= -win && best.value > -win && depth > 1 {
            // Every move loses: the best move of the last iteration delays the loss longest.
            return DeepeningResult { value, depth, ..best };
        }
        spread = if depth < 3 {
            f64::INFINITY
        } else {
            2.0 * (value - best.value).abs() + value.abs() / 64.0 + 1e-9
        };
        best = DeepeningResult { index, value, depth };
        let front = order.iter().position(|&other| other == index).unwrap_or(0);
        order[..=front].rotate_right(1);
        if value.abs() >= win || !worker.horizon {
            break;
        }
    }
    best
}

/// Iterative deepening while helpers fill the table: each starts with another move, and every second one a ply deeper.
fn deepen_together<G: Game, E: Evaluator<G>>(
    root_context: &RootContext<'_, G, E>,
    table: &Table,
    leader: &mut SearchWorker<G::Move>,
    helpers: &mut [SearchWorker<G::Move>],
    order: &mut [usize],
    max_depth: u32,
) -> DeepeningResult {
    std::thread::scope(|scope| {
        for (i, helper) in helpers.iter_mut().enumerate() {
            // An accumulator need not be `Sync`: each thread has its own.
            let accumulator = root_context.accumulator.clone();
            let &RootContext { context, root, moves, ties, is_symmetric, search_threads, .. } = root_context;
            let mut order = order.to_vec();
            order.rotate_left((i + 1) % moves.len());
            let depths = 1 + i as u32 % 2..=max_depth;
            scope.spawn(move || {
                let root_context = RootContext {
                    context,
                    root,
                    accumulator: &accumulator,
                    moves,
                    ties,
                    is_symmetric,
                    search_threads,
                };
                helper.begin(SearchBudget::UNLIMITED);
                deepen(&root_context, TableHandle::Shared(table), helper, &mut order, depths);
            });
        }
        let _stop_guard = root_context.search_threads.stop_on_drop();
        deepen(root_context, TableHandle::Shared(table), leader, order, 1..=max_depth)
    })
}

/// Extends the principal variation from position `at` with the best moves in the table, to at most `max_len` moves.
fn extend_pv<G: Game, E: Evaluator<G>>(
    pass: &PassContext<'_, G, E>,
    worker: &mut SearchWorker<G::Move>,
    mut at: G::Position,
    pv: &mut Vec<G::Move>,
    max_len: u32,
) {
    let game = pass.root_context.context.game;
    while (pv.len() as u32) < max_len && game.ending(&at).is_none() {
        let probe = pass.probe(&at);
        let Some(entry) = probe.entry else { break };
        let moves = worker.order.moves(game, &at);
        let Some(index) = pass.decode_move(entry.best, moves, probe.symmetry) else { break };
        pv.push(moves[index]);
        game.play(&mut at, moves[index]);
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for IterativeDeepening<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        let stopwatch = Stopwatch::start();
        let context = SearchContext::new(game, evaluator, at);
        let IterativeDeepening { limit, table, table_bytes, workers, moves, order, report, scored, .. } =
            self;
        let search_threads = SearchThreads::new(workers.len());
        let Some((leader, helpers)) = workers.split_first_mut() else {
            unreachable!("there is at least one worker")
        };
        leader.begin(SearchBudget::start(limit));
        leader.order.rank(&context, at, accumulator, moves, order);
        let ties = self.ties.unwrap_or(evaluator.convention().ties);
        let is_symmetric = evaluator.is_symmetric() && game.n_symmetries() > 0;
        let root_context = RootContext {
            context,
            root: at,
            accumulator,
            moves,
            ties,
            is_symmetric,
            search_threads: &search_threads,
        };
        let outcome = if helpers.is_empty() {
            deepen(&root_context, TableHandle::Own(table, *table_bytes), leader, order, 1..=limit.depth)
        } else {
            deepen_together(&root_context, table, leader, helpers, order, limit.depth)
        };
        let mv = moves[outcome.index];
        let mut after = at.clone();
        game.play(&mut after, mv);
        report.depth = outcome.depth;
        report.pv.clear();
        report.pv.push(mv);
        let pass = PassContext { root_context, table };
        extend_pv(&pass, leader, after, &mut report.pv, outcome.depth);
        scored.clear();
        scored.push(ScoredMove { mv, value: outcome.value });
        let root_moves = moves.len() as u64;
        let nodes = self.workers.iter().map(|worker| worker.nodes).sum();
        self.report.nodes_per_second = stopwatch.rate(nodes);
        SearchResult { mv, value: outcome.value, nodes, root_moves }
    }

    /// Only the chosen move; the others are known to be no better.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.scored.clone()
    }

    fn report(&self) -> Option<&SearchReport<G::Move>> {
        Some(&self.report)
    }
}

/// Parameters of [`IterativeDeepening`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PvsSpec {
    /// Depth in plies; `None` where it is not limited.
    pub depth: Option<u32>,
    /// Megabytes for the transposition table.
    pub memory: u32,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Threads that search together.
    pub threads: u32,
    /// Overrides the evaluation's tie rule.
    pub ties: Option<TieRule>,
    /// Time limit per move.
    pub time: Option<Duration>,
}

impl Default for PvsSpec {
    fn default() -> PvsSpec {
        PvsSpec { depth: None, memory: 16, nodes: None, threads: 1, ties: None, time: None }
    }
}

/// Node limit of a search that has no other limit.
const DEFAULT_NODES: u64 = 1_000_000;

impl PvsSpec {
    /// Limits per move.
    fn limit(&self) -> SearchLimit {
        let is_unlimited = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        SearchLimit {
            depth: self.depth.unwrap_or(TO_THE_END),
            nodes: if is_unlimited { Some(DEFAULT_NODES) } else { self.nodes },
            time: self.time,
        }
    }
}

impl SearchParameters for PvsSpec {
    const INFO: SearchInfo = SearchInfo {
        name: "pvs",
        about: "modern alpha-beta: iterative deepening, transposition table, move ordering; the value is minimax's",
        parameters: &[
            DEPTH,
            optional("memory", "megabytes for the transposition table, 1 to 65536 (default 16)"),
            optional("nodes", "positions to search (default 1000000, if neither depth nor time is given)"),
            optional(
                "threads",
                "threads that search together, 1 to 64 (default 1); at a fixed depth they change neither value nor move",
            ),
            TIES,
            TIME,
        ],
    };

    fn read(given: &GivenParameters<'_>) -> Result<PvsSpec, InputError> {
        let default = PvsSpec::default();
        Ok(PvsSpec {
            // The text form leaves out the deepest depth, as in all searches.
            depth: given.whole(DEPTH.key, TO_THE_END)?.filter(|depth| *depth < TO_THE_END),
            memory: given.whole("memory", 65_536)?.unwrap_or(default.memory),
            nodes: given.long("nodes", 1_000_000_000_000_000)?,
            threads: given.whole("threads", 64)?.unwrap_or(default.threads),
            ties: given.ties()?,
            time: given.time()?,
        })
    }

    fn write(&self, out: &mut ParameterWriter) {
        let default = PvsSpec::default();
        out.add_given(DEPTH.key, self.depth);
        out.add_unless("memory", self.memory, default.memory);
        out.add_given("nodes", self.nodes);
        out.add_unless("threads", self.threads, default.threads);
        out.add_ties(self.ties);
        out.add_time(self.time);
    }

    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        let search = IterativeDeepening::new(self.limit(), (self.memory as usize) << 20, self.ties);
        Box::new(search.on_threads(self.threads as usize))
    }

    /// About b^(0.6 d) positions, with a table and move ordering.
    fn cost(&self, n_moves: f64) -> SearchCost {
        let limit = self.limit();
        let by_depth = match self.depth {
            Some(depth) => n_moves.powf(0.6 * f64::from(depth)),
            None => f64::INFINITY,
        };
        let nodes = limit.nodes.map_or(by_depth, |nodes| by_depth.min(nodes as f64));
        SearchCost { nodes, time: self.time, megabytes: self.memory, threads: self.threads }
    }

    fn is_function_of_position(&self) -> bool {
        false
    }

    fn ties(&self) -> Option<TieRule> {
        self.ties
    }

    fn limited(&self, limits: &MoveLimits) -> PvsSpec {
        let depth = limits.depth.filter(|depth| *depth < TO_THE_END);
        PvsSpec {
            depth: if limits.depth.is_some() { depth } else { self.depth },
            nodes: limits.nodes.or(self.nodes),
            time: limits.time.or(self.time),
            ..self.clone()
        }
    }
}
