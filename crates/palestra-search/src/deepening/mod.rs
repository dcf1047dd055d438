//! `ab`: alpha-beta as an expert runs it today. Iterative deepening, a table of positions, ordered moves,
//! null windows behind the first move, a narrow window around the last value.
//!
//! At a fixed depth its value is plain minimax's, and so is its move while the game is not decided; a won game is
//! won as soon as one is seen, and in a lost one it plays what held longest. Entries of the table count only at
//! the very depth they were made for, which keeps this so.
//!
//! Several threads share one table and nothing else (*lazy SMP*): helpers look at the same root in another order or
//! deeper, and the first thread finds more and more of its work done. It alone decides. Whatever stands in the table
//! is a true bound of minimax's value at that depth, whoever wrote it, and of equal moves the game's order decides;
//! so at a fixed depth neither the value nor the move depends on the number of threads. The depth reported and the
//! line expected may, where the game ends sooner. A limit of nodes counts those of all threads, up to a hundred or
//! so for each; like a limit of time it does not give the same move every time then.

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

/// Looks as deep as its limits allow.
#[derive(Clone, Debug)]
pub struct IterativeDeepening<M> {
    limit: SearchLimit,
    ties: Option<TieRule>,
    table: Arc<Table>,
    /// How large the table may become.
    table_bytes: usize,
    /// One for each thread; the first decides.
    explorers: Vec<SearchWorker<M>>,
    /// The root's moves.
    moves: Vec<M>,
    /// The order in which they are looked at.
    order: Vec<usize>,
    rated: Vec<ScoredMove<M>>,
    report: SearchReport<M>,
}

impl<M: Copy + Eq> IterativeDeepening<M> {
    /// A search within limits, with a table of at most so many bytes.
    pub fn new(limit: SearchLimit, table_bytes: usize, ties: Option<TieRule>) -> IterativeDeepening<M> {
        IterativeDeepening {
            limit,
            ties,
            table: Arc::new(initial_table(table_bytes)),
            table_bytes,
            explorers: vec![SearchWorker::new()],
            moves: Vec::new(),
            order: Vec::new(),
            rated: Vec::new(),
            report: SearchReport::new(),
        }
    }

    /// The same search on so many threads, at least one.
    #[must_use]
    pub fn on_threads(mut self, n_threads: usize) -> IterativeDeepening<M> {
        self.explorers.resize_with(n_threads.max(1), SearchWorker::new);
        if n_threads > 1 {
            // A table in use by others cannot grow.
            self.table = Arc::new(Table::new(self.table_bytes));
        }
        self
    }
}

/// What iterative deepening came to.
#[derive(Clone, Copy)]
struct DeepeningResult {
    /// The best move's place.
    place: usize,
    value: f64,
    /// Plies looked ahead, all of them to the end.
    depth: u32,
}

/// Looks one ply deeper at a time, from the move that was best before on.
fn deepen<G: Game, E: Evaluator<G>>(
    frame: &RootContext<'_, G, E>,
    mut room: TableHandle<'_>,
    explorer: &mut SearchWorker<G::Move>,
    order: &mut [usize],
    depths: RangeInclusive<u32>,
) -> DeepeningResult {
    let win = frame.context.endings.bound();
    let mut best = DeepeningResult { place: order[0], value: f64::NEG_INFINITY, depth: 0 };
    let mut spread = f64::INFINITY;
    for depth in depths {
        room.grow_if_crowded();
        let task = &PassContext { root_context: *frame, table: room.table() };
        explorer.horizon = false;
        let mut pass = PassResult::Outside;
        if spread.is_finite() {
            pass = explorer.search_root(task, order, depth, [best.value - spread, best.value + spread]);
        }
        if matches!(pass, PassResult::Outside) {
            pass = explorer.search_root(task, order, depth, [f64::NEG_INFINITY, f64::INFINITY]);
        }
        let (place, value) = match pass {
            PassResult::Done(place, value) => (place, value),
            PassResult::StoppedAt(place, value) => return DeepeningResult { place, value, ..best },
            PassResult::Stopped | PassResult::Outside => return best,
        };
        if value <= -win && best.value > -win && depth > 1 {
            // Lost whatever happens: what looked best before holds longest.
            return DeepeningResult { value, depth, ..best };
        }
        spread = if depth < 3 {
            f64::INFINITY
        } else {
            2.0 * (value - best.value).abs() + value.abs() / 64.0 + 1e-9
        };
        best = DeepeningResult { place, value, depth };
        let front = order.iter().position(|&other| other == place).unwrap_or(0);
        order[..=front].rotate_right(1);
        if value.abs() >= win || !explorer.horizon {
            break;
        }
    }
    best
}

/// The same, while helpers fill the table ahead: each from another move on, and every second one a ply deeper.
fn deepen_together<G: Game, E: Evaluator<G>>(
    frame: &RootContext<'_, G, E>,
    table: &Table,
    leader: &mut SearchWorker<G::Move>,
    helpers: &mut [SearchWorker<G::Move>],
    order: &mut [usize],
    most: u32,
) -> DeepeningResult {
    std::thread::scope(|scope| {
        for (i, helper) in helpers.iter_mut().enumerate() {
            // A memo need not be fit for several threads at once: everybody has one.
            let memo = frame.accumulator.clone();
            let &RootContext { context: look, root, moves, ties, is_symmetric, search_threads: crew, .. } =
                frame;
            let mut order = order.to_vec();
            order.rotate_left((i + 1) % moves.len());
            let depths = 1 + i as u32 % 2..=most;
            scope.spawn(move || {
                let frame = RootContext {
                    context: look,
                    root,
                    accumulator: &memo,
                    moves,
                    ties,
                    is_symmetric,
                    search_threads: crew,
                };
                helper.begin(SearchBudget::UNLIMITED);
                deepen(&frame, TableHandle::Shared(table), helper, &mut order, depths);
            });
        }
        let _closing_time = frame.search_threads.stop_on_drop();
        deepen(frame, TableHandle::Shared(table), leader, order, 1..=most)
    })
}

/// Adds what the table remembers from a position on to the expected line, up to `most` moves in all.
fn follow<G: Game, E: Evaluator<G>>(
    task: &PassContext<'_, G, E>,
    explorer: &mut SearchWorker<G::Move>,
    mut at: G::Position,
    line: &mut Vec<G::Move>,
    most: u32,
) {
    let game = task.root_context.context.game;
    while (line.len() as u32) < most && game.ending(&at).is_none() {
        let probe = task.probe(&at);
        let Some(entry) = probe.entry else { break };
        let moves = explorer.order.moves(game, &at);
        let Some(place) = task.decode_move(entry.best, moves, probe.symmetry) else { break };
        line.push(moves[place]);
        game.play(&mut at, moves[place]);
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for IterativeDeepening<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        memo: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        let stopwatch = Stopwatch::start();
        let look = SearchContext::new(game, evaluator, at);
        let IterativeDeepening { limit, table, table_bytes, explorers, moves, order, report, rated, .. } =
            self;
        let crew = SearchThreads::new(explorers.len());
        let Some((leader, helpers)) = explorers.split_first_mut() else {
            unreachable!("one explorer at least")
        };
        leader.begin(SearchBudget::start(limit));
        leader.order.rank(&look, at, memo, moves, order);
        let ties = self.ties.unwrap_or(evaluator.convention().ties);
        let is_symmetric = evaluator.is_symmetric() && game.n_symmetries() > 0;
        let frame = RootContext {
            context: look,
            root: at,
            accumulator: memo,
            moves,
            ties,
            is_symmetric,
            search_threads: &crew,
        };
        let outcome = if helpers.is_empty() {
            deepen(&frame, TableHandle::Own(table, *table_bytes), leader, order, 1..=limit.depth)
        } else {
            deepen_together(&frame, table, leader, helpers, order, limit.depth)
        };
        let mv = moves[outcome.place];
        let mut after = at.clone();
        game.play(&mut after, mv);
        report.depth = outcome.depth;
        report.pv.clear();
        report.pv.push(mv);
        follow(&PassContext { root_context: frame, table }, leader, after, &mut report.pv, outcome.depth);
        rated.clear();
        rated.push(ScoredMove { mv, value: outcome.value });
        let root_moves = moves.len() as u64;
        let nodes = self.explorers.iter().map(|explorer| explorer.nodes).sum();
        self.report.nodes_per_second = stopwatch.rate(nodes);
        SearchResult { mv, value: outcome.value, nodes, root_moves }
    }

    /// The chosen move alone: of the others it only knows that they are no better.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.rated.clone()
    }

    fn report(&self) -> Option<&SearchReport<G::Move>> {
        Some(&self.report)
    }
}
