//! The search of one thread: alpha-beta with a transposition table.

use super::node::Node;
use super::order::{CandidateMove, MoveOrdering};
use super::threads::{NODES_PER_UPDATE, SearchThreads};
use crate::limit::SearchBudget;
use crate::minimax::SearchContext;
use crate::table::{Table, TableEntry};
use palestra_core::{Evaluator, Game, Side, Symmetry, TieRule, Transition};

/// Minimum depth of a table entry: at depth 1 all children are leaves, and searching them again costs less.
const MIN_TABLE_DEPTH: u32 = 2;

/// The root of a search and its settings.
pub(super) struct RootContext<'a, G: Game, E: Evaluator<G>> {
    pub(super) context: SearchContext<'a, G, E>,
    pub(super) root: &'a G::Position,
    pub(super) accumulator: &'a E::Accumulator,
    /// The legal moves of the root, in the game's order.
    pub(super) moves: &'a [G::Move],
    pub(super) ties: TieRule,
    /// Whether positions that are images of each other share a table entry.
    pub(super) is_symmetric: bool,
    pub(super) search_threads: &'a SearchThreads,
}

impl<G: Game, E: Evaluator<G>> Clone for RootContext<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Evaluator<G>> Copy for RootContext<'_, G, E> {}

/// What is constant during one iteration.
pub(super) struct PassContext<'a, G: Game, E: Evaluator<G>> {
    pub(super) root_context: RootContext<'a, G, E>,
    pub(super) table: &'a Table,
}

impl<G: Game, E: Evaluator<G>> PassContext<'_, G, E> {
    /// Looks a position up in the table.
    #[inline(always)]
    pub(super) fn probe(&self, at: &G::Position) -> Probe {
        let (key, symmetry) = if self.root_context.is_symmetric {
            self.root_context.context.game.symmetric_key(at)
        } else {
            (self.root_context.context.game.key(at), Symmetry::NONE)
        };
        // Values are for the side to move at the root; values for the other side have different keys.
        let key = match self.root_context.context.view {
            Side::First => key,
            Side::Second => key ^ 0x9e37_79b9_7f4a_7c15,
        };
        Probe { key, symmetry, entry: self.table.get(key) }
    }

    /// The number that stands for a move in the table: its index in the game's order, or, where images share an entry,
    /// the history index of its image in the position that the key was made from.
    #[inline(always)]
    pub(super) fn encode_move(&self, mv: G::Move, index: u16, symmetry: Symmetry) -> u16 {
        if self.root_context.is_symmetric {
            self.root_context
                .context
                .game
                .history_index(self.root_context.context.game.mirror_move(mv, symmetry)) as u16
        } else {
            index
        }
    }

    /// The index in `moves` of the move with this number in the table.
    #[inline(always)]
    pub(super) fn decode_move(&self, code: u16, moves: &[G::Move], symmetry: Symmetry) -> Option<usize> {
        if self.root_context.is_symmetric {
            moves.iter().position(|&mv| self.encode_move(mv, 0, symmetry) == code)
        } else {
            Some(usize::from(code)).filter(|&index| index < moves.len())
        }
    }
}

/// The result of a table lookup.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    key: u64,
    pub(super) symmetry: Symmetry,
    pub(super) entry: Option<TableEntry>,
}

/// The result of one search of all root moves.
pub(super) enum PassResult {
    /// Index of the best move, and its value.
    Done(usize, f64),
    /// The value is outside the window.
    Outside,
    /// The limits were used up before the first move was searched.
    Stopped,
    /// The limits were used up; index and value of the best move so far.
    StoppedAt(usize, f64),
}

/// Searches the tree below a root on one thread.
#[derive(Clone, Debug)]
pub(super) struct SearchWorker<M> {
    pub(super) order: MoveOrdering<M>,
    budget: SearchBudget,
    /// Number of nodes at which the budget is checked next.
    next_check: u64,
    stopped: bool,
    /// Whether a position was evaluated before the end of the game: then a deeper search may have another value.
    pub(super) horizon: bool,
    pub(super) nodes: u64,
    /// The part of `nodes` that was added to the shared count.
    nodes_reported: u64,
}

impl<M: Copy + Eq> SearchWorker<M> {
    pub(super) fn new() -> SearchWorker<M> {
        SearchWorker {
            order: MoveOrdering::new(),
            budget: SearchBudget::UNLIMITED,
            next_check: 0,
            stopped: false,
            horizon: false,
            nodes: 0,
            nodes_reported: 0,
        }
    }

    /// Resets the state for a new search.
    pub(super) fn begin(&mut self, budget: SearchBudget) {
        self.order.begin();
        self.budget = budget;
        self.next_check = 0;
        self.stopped = false;
        self.nodes = 0;
        self.nodes_reported = 0;
    }

    /// Whether the limits are used up; from then on every call returns at once, and values are meaningless.
    #[inline(always)]
    fn is_stopped(&mut self, search_threads: &SearchThreads) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits(search_threads);
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self, search_threads: &SearchThreads) {
        let nodes = search_threads.add(self.nodes - self.nodes_reported);
        self.nodes_reported = self.nodes;
        self.stopped = self.stopped || search_threads.is_done() || self.budget.is_spent(nodes);
        self.next_check = self.budget.next_check_at(self.nodes);
        if search_threads.n_threads > 1 {
            self.next_check = self.next_check.min(self.nodes + NODES_PER_UPDATE);
        }
    }

    /// The value of `at`, which has not ended, at `depth` plies: exact inside the window, else a bound. `probe` is the
    /// table lookup of `at`, which did not answer.
    fn value<G, E>(
        &mut self,
        pass: &PassContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        (depth, ply): (u32, u32),
        window: [f64; 2],
        probe: Probe,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if self.is_stopped(pass.root_context.search_threads) {
            return 0.0;
        }
        let context = &pass.root_context.context;
        let horizon_before = std::mem::take(&mut self.horizon);
        let (from, to) = self.order.push(context, at, accumulator, ply);
        if let Some(entry) = probe.entry
            && let Some(index) = pass.decode_move(entry.best, self.order.pushed(), probe.symmetry)
        {
            self.order.promote(from + index);
        }
        let side = context.game.to_move(at);
        let mut node = Node::new(side == context.view, window);
        let mut best = None;
        for i in from..to {
            let candidate = self.order.pick(i, to);
            self.nodes += 1;
            let mut after = at.clone();
            context.game.play(&mut after, candidate.mv);
            let step = Transition { at, mv: candidate.mv, after: &after };
            let value = match context.terminal_value(&step, accumulator) {
                Some(value) => value,
                None => self.child(pass, &step, accumulator, (depth - 1, ply + 1), &node, i == from),
            };
            if self.stopped {
                break;
            }
            if node.take(value) {
                best = Some(candidate);
            }
            if node.is_cut() {
                self.order.record_cutoff(context.game, candidate.mv, side, depth, ply);
                break;
            }
        }
        self.order.truncate(from);
        if !self.stopped {
            let is_final = !self.horizon;
            let (value, bound) = (node.best, node.bound());
            let encode = |best: CandidateMove<M>| pass.encode_move(best.mv, best.index(), probe.symmetry);
            let best = best.map_or(u16::MAX, encode);
            pass.table.put(probe.key, TableEntry { value, bound, depth: depth as u16, best, is_final });
        }
        self.horizon |= horizon_before;
        node.best
    }

    /// The value of a child that has not ended: the first child with the full window, the others with a null window,
    /// and with the full window again only where the null window shows that the child is better.
    #[inline(always)]
    fn child<G, E>(
        &mut self,
        pass: &PassContext<'_, G, E>,
        step: &Transition<'_, G>,
        accumulator: &E::Accumulator,
        (depth, ply): (u32, u32),
        parent: &Node,
        is_first: bool,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let advanced = || pass.root_context.context.advanced(step.at, accumulator, step.mv);
        if depth < MIN_TABLE_DEPTH {
            // With the full window at once: a null window would not cut off sooner.
            return self.frontier(&pass.root_context.context, step.after, &advanced(), parent.window);
        }
        let mut probe = pass.probe(step.after);
        let answers = |window| probe.entry.is_some_and(|entry| entry.answers(depth, window));
        if let Some(entry) = probe.entry.filter(|_| answers(parent.window)) {
            self.horizon |= !entry.is_final;
            return entry.value;
        }
        let accumulator = advanced();
        let null = parent.null_window();
        // An entry that answers the null window but not the full one has a value inside the full window.
        if !is_first && !answers(null) {
            let value = self.value(pass, step.after, &accumulator, (depth, ply), null, probe);
            if self.stopped || value <= parent.window[0] || value >= parent.window[1] {
                return value;
            }
            probe.entry = pass.table.get(probe.key);
        }
        self.value(pass, step.after, &accumulator, (depth, ply), parent.window, probe)
    }

    /// The value of a position at depth 1: all children are leaves.
    #[inline(always)]
    fn frontier<G, E>(
        &mut self,
        context: &SearchContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let mut node = Node::new(context.game.to_move(at) == context.view, window);
        let mut n_leaves = 0;
        let mut horizon = false;
        for &mv in self.order.moves(context.game, at) {
            n_leaves += 1;
            let mut after = at.clone();
            context.game.play(&mut after, mv);
            let step = Transition { at, mv, after: &after };
            node.take(match context.terminal_value(&step, accumulator) {
                Some(value) => value,
                None => {
                    horizon = true;
                    context.evaluator.child_value(context.game, &step, accumulator, context.view)
                }
            });
            if node.is_cut() {
                break;
            }
        }
        self.nodes += n_leaves;
        self.horizon |= horizon;
        node.best
    }

    /// Searches all root moves to `depth` plies, in the order given.
    pub(super) fn search_root<G, E>(
        &mut self,
        pass: &PassContext<'_, G, E>,
        order: &[usize],
        depth: u32,
        window: [f64; 2],
    ) -> PassResult
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let context = &pass.root_context.context;
        let mut best: Option<(usize, f64)> = None;
        for &index in order {
            // A move that wins ties becomes the best with an equal value, any other only with a larger one.
            let floor = best.map_or(window[0], |(other, value)| {
                let wins_ties = pass.root_context.ties.wins_tie(index, other);
                if wins_ties { value.next_down() } else { value }
            });
            let parent = Node::new(true, [floor, window[1]]);
            let mv = pass.root_context.moves[index];
            let mut after = pass.root_context.root.clone();
            context.game.play(&mut after, mv);
            let step = Transition { at: pass.root_context.root, mv, after: &after };
            let value = match context.terminal_value(&step, pass.root_context.accumulator) {
                Some(value) => value,
                None if depth == 1 => {
                    self.horizon = true;
                    let accumulator = pass.root_context.accumulator;
                    context.evaluator.child_value(context.game, &step, accumulator, context.view)
                }
                None => self.child(
                    pass,
                    &step,
                    pass.root_context.accumulator,
                    (depth - 1, 1),
                    &parent,
                    best.is_none(),
                ),
            };
            if self.stopped {
                return best
                    .map_or(PassResult::Stopped, |(index, value)| PassResult::StoppedAt(index, value));
            }
            if value > floor {
                best = Some((index, value));
            }
            if value >= window[1] && window[1] < f64::INFINITY {
                return PassResult::Outside;
            }
        }
        best.map_or(PassResult::Outside, |(index, value)| PassResult::Done(index, value))
    }
}
