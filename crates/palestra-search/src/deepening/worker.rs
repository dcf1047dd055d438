//! What looks at positions below the root: alpha-beta with a table.

use super::node::Node;
use super::order::{CandidateMove, MoveOrdering};
use super::threads::{NODES_PER_UPDATE, SearchThreads};
use crate::limit::SearchBudget;
use crate::minimax::SearchContext;
use crate::table::{Table, TableEntry};
use palestra_core::{Evaluator, Game, Side, Symmetry, TieRule, Transition};

/// Below this depth a position is not worth a place in the table: its children are leaves.
const LEAST_DEPTH: u32 = 2;

/// What is looked at, and how.
pub(super) struct RootContext<'a, G: Game, E: Evaluator<G>> {
    pub(super) context: SearchContext<'a, G, E>,
    pub(super) root: &'a G::Position,
    pub(super) accumulator: &'a E::Accumulator,
    /// The root's moves, in the game's order.
    pub(super) moves: &'a [G::Move],
    pub(super) ties: TieRule,
    /// Whether positions that are images of each other share an entry of the table.
    pub(super) is_symmetric: bool,
    pub(super) search_threads: &'a SearchThreads,
}

impl<G: Game, E: Evaluator<G>> Clone for RootContext<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Evaluator<G>> Copy for RootContext<'_, G, E> {}

/// What stays the same throughout one pass.
pub(super) struct PassContext<'a, G: Game, E: Evaluator<G>> {
    pub(super) root_context: RootContext<'a, G, E>,
    pub(super) table: &'a Table,
}

impl<G: Game, E: Evaluator<G>> PassContext<'_, G, E> {
    /// What the table knows of a position.
    #[inline(always)]
    pub(super) fn probe(&self, at: &G::Position) -> Probe {
        let (key, symmetry) = if self.root_context.is_symmetric {
            self.root_context.context.game.symmetric_key(at)
        } else {
            (self.root_context.context.game.key(at), Symmetry::NONE)
        };
        // Positions are valued for one side; the other side's values are other entries.
        let key = match self.root_context.context.view {
            Side::First => key,
            Side::Second => key ^ 0x9e37_79b9_7f4a_7c15,
        };
        Probe { key, symmetry, entry: self.table.get(key) }
    }

    /// What the table calls a move: its place in the game's order, or where images share an entry its slot in the
    /// image that the key was made from.
    #[inline(always)]
    pub(super) fn encode_move(&self, mv: G::Move, place: u16, symmetry: Symmetry) -> u16 {
        if self.root_context.is_symmetric {
            self.root_context
                .context
                .game
                .history_index(self.root_context.context.game.mirror_move(mv, symmetry)) as u16
        } else {
            place
        }
    }

    /// The place of the move that the table calls so, among all moves of a position.
    #[inline(always)]
    pub(super) fn decode_move(&self, name: u16, moves: &[G::Move], symmetry: Symmetry) -> Option<usize> {
        if self.root_context.is_symmetric {
            moves.iter().position(|&mv| self.encode_move(mv, 0, symmetry) == name)
        } else {
            Some(usize::from(name)).filter(|&place| place < moves.len())
        }
    }
}

/// A position as the table knows it.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    key: u64,
    pub(super) symmetry: Symmetry,
    pub(super) entry: Option<TableEntry>,
}

/// What came of a look at all root moves.
pub(super) enum PassResult {
    /// The best move's place and its value.
    Done(usize, f64),
    /// The value lies outside the window.
    Outside,
    /// The limits were used up before the first move was through.
    Stopped,
    /// They were used up; the best so far.
    StoppedAt(usize, f64),
}

/// Looks at the tree below a root, on one thread.
#[derive(Clone, Debug)]
pub(super) struct SearchWorker<M> {
    pub(super) order: MoveOrdering<M>,
    budget: SearchBudget,
    /// How many nodes there are when the budget is asked next.
    pause: u64,
    stopped: bool,
    /// Whether some position since was valued although its game goes on: then looking deeper may change things.
    pub(super) horizon: bool,
    pub(super) nodes: u64,
    /// How many of them the crew knows about.
    nodes_told: u64,
}

impl<M: Copy + Eq> SearchWorker<M> {
    pub(super) fn new() -> SearchWorker<M> {
        SearchWorker {
            order: MoveOrdering::new(),
            budget: SearchBudget::UNLIMITED,
            pause: 0,
            stopped: false,
            horizon: false,
            nodes: 0,
            nodes_told: 0,
        }
    }

    /// Starts anew, within these limits.
    pub(super) fn begin(&mut self, budget: SearchBudget) {
        self.order.begin();
        self.budget = budget;
        self.pause = 0;
        self.stopped = false;
        self.nodes = 0;
        self.nodes_told = 0;
    }

    /// Whether the limits are used up; from then on everything returns at once, and no value counts.
    #[inline(always)]
    fn is_stopped(&mut self, crew: &SearchThreads) -> bool {
        if self.nodes >= self.pause {
            self.ask(crew);
        }
        self.stopped
    }

    #[cold]
    fn ask(&mut self, crew: &SearchThreads) {
        let nodes = crew.add(self.nodes - self.nodes_told);
        self.nodes_told = self.nodes;
        self.stopped = self.stopped || crew.is_done() || self.budget.is_spent(nodes);
        self.pause = self.budget.next_check_at(self.nodes);
        if crew.n_threads > 1 {
            self.pause = self.pause.min(self.nodes + NODES_PER_UPDATE);
        }
    }

    /// The value of `at`, which has not ended, looking `depth` plies ahead: exact inside the window, else a bound.
    /// The table has been asked already, and had no answer.
    fn value<G, E>(
        &mut self,
        task: &PassContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        (depth, ply): (u32, u32),
        window: [f64; 2],
        probe: Probe,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if self.is_stopped(task.root_context.search_threads) {
            return 0.0;
        }
        let look = &task.root_context.context;
        let horizon_before = std::mem::take(&mut self.horizon);
        let (from, to) = self.order.push(look, at, memo, ply);
        if let Some(entry) = probe.entry
            && let Some(place) = task.decode_move(entry.best, self.order.pushed(), probe.symmetry)
        {
            self.order.favor(from + place);
        }
        let side = look.game.to_move(at);
        let mut node = Node::new(side == look.view, window);
        let mut best = None;
        for i in from..to {
            let choice = self.order.pick(i, to);
            self.nodes += 1;
            let mut after = at.clone();
            look.game.play(&mut after, choice.mv);
            let step = Transition { at, mv: choice.mv, after: &after };
            let value = match look.terminal_value(&step, memo) {
                Some(value) => value,
                None => self.child(task, &step, memo, (depth - 1, ply + 1), &node, i == from),
            };
            if self.stopped {
                break;
            }
            if node.take(value) {
                best = Some(choice);
            }
            if node.is_cut() {
                self.order.record_cutoff(look.game, choice.mv, side, depth, ply);
                break;
            }
        }
        self.order.truncate(from);
        if !self.stopped {
            let is_final = !self.horizon;
            let (value, bound) = (node.best, node.bound());
            let name = |choice: CandidateMove<M>| task.encode_move(choice.mv, choice.place(), probe.symmetry);
            let best = best.map_or(u16::MAX, name);
            task.table.put(probe.key, TableEntry { value, bound, depth: depth as u16, best, is_final });
        }
        self.horizon |= horizon_before;
        node.best
    }

    /// The value of a child that has not ended: the first one with the whole window, any other with an empty one,
    /// and again only where that shows that it matters.
    #[inline(always)]
    fn child<G, E>(
        &mut self,
        task: &PassContext<'_, G, E>,
        step: &Transition<'_, G>,
        memo: &E::Accumulator,
        (depth, ply): (u32, u32),
        parent: &Node,
        is_first: bool,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let advanced = || task.root_context.context.advanced(step.at, memo, step.mv);
        if depth < LEAST_DEPTH {
            // Whole at once: what cuts an empty window cuts this one as soon.
            return self.frontier(&task.root_context.context, step.after, &advanced(), parent.window);
        }
        let mut probe = task.probe(step.after);
        let answers = |window| probe.entry.is_some_and(|entry| entry.answers(depth, window));
        if let Some(entry) = probe.entry.filter(|_| answers(parent.window)) {
            self.horizon |= !entry.is_final;
            return entry.value;
        }
        let memo = advanced();
        let null = parent.null_window();
        // What the table answers for the empty window alone lies inside the whole one.
        if !is_first && !answers(null) {
            let value = self.value(task, step.after, &memo, (depth, ply), null, probe);
            if self.stopped || value <= parent.window[0] || value >= parent.window[1] {
                return value;
            }
            probe.entry = task.table.get(probe.key);
        }
        self.value(task, step.after, &memo, (depth, ply), parent.window, probe)
    }

    /// The value of a position whose children are leaves.
    #[inline(always)]
    fn frontier<G, E>(
        &mut self,
        look: &SearchContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let mut node = Node::new(look.game.to_move(at) == look.view, window);
        let mut n_leaves = 0;
        let mut horizon = false;
        for &mv in self.order.moves(look.game, at) {
            n_leaves += 1;
            let mut after = at.clone();
            look.game.play(&mut after, mv);
            let step = Transition { at, mv, after: &after };
            node.take(match look.terminal_value(&step, memo) {
                Some(value) => value,
                None => {
                    horizon = true;
                    look.evaluator.child_value(look.game, &step, memo, look.view)
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

    /// One look at all root moves, `depth` plies deep, in the order given; the best one's place in the game's
    /// order and its value, or nothing where the value lies outside the window or the limits are used up.
    pub(super) fn search_root<G, E>(
        &mut self,
        task: &PassContext<'_, G, E>,
        order: &[usize],
        depth: u32,
        window: [f64; 2],
    ) -> PassResult
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let look = &task.root_context.context;
        let mut best: Option<(usize, f64)> = None;
        for &place in order {
            // What it takes to become the best: as much, if it comes first where that decides.
            let floor = best.map_or(window[0], |(other, value)| {
                let wins_ties = (place < other) == (task.root_context.ties == TieRule::First);
                if wins_ties { value.next_down() } else { value }
            });
            let parent = Node::new(true, [floor, window[1]]);
            let mv = task.root_context.moves[place];
            let mut after = task.root_context.root.clone();
            look.game.play(&mut after, mv);
            let step = Transition { at: task.root_context.root, mv, after: &after };
            let value = match look.terminal_value(&step, task.root_context.accumulator) {
                Some(value) => value,
                None if depth == 1 => {
                    self.horizon = true;
                    look.evaluator.child_value(look.game, &step, task.root_context.accumulator, look.view)
                }
                None => self.child(
                    task,
                    &step,
                    task.root_context.accumulator,
                    (depth - 1, 1),
                    &parent,
                    best.is_none(),
                ),
            };
            if self.stopped {
                return best
                    .map_or(PassResult::Stopped, |(place, value)| PassResult::StoppedAt(place, value));
            }
            if value > floor {
                best = Some((place, value));
            }
            if value >= window[1] && window[1] < f64::INFINITY {
                return PassResult::Outside;
            }
        }
        best.map_or(PassResult::Outside, |(place, value)| PassResult::Done(place, value))
    }
}
