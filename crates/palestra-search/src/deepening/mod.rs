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
use crate::table::Table;
use palestra_core::{Evaluator, Game, TieRule};
use std::ops::RangeInclusive;
use std::sync::Arc;
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
