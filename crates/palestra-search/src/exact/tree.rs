//! Exact values of games in which no position can recur.
//!
//! Every search has a null window: it decides whether a value is at least a goal. The bounds that it finds stay in the
//! table and make the next search cheaper. Several threads run the same search: each marks the positions that it is
//! searching, and the others try different moves first (after T. Kerrigan's simplified ABDADA).

use super::table::{Bounds, BoundsTable};
use palestra_core::{Child, OrderedMove, Progress, StateKey, TreeRoot, TreeRules};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Number of slots for the positions that threads are searching.
const N_BUSY_SLOTS: usize = 1 << 12;

/// Number of nodes between two checks of the stop flag.
const NODES_PER_CHECK: u64 = 1 << 10;

/// Progress is measured on positions less than this number of plies from the root.
const PROGRESS_PLIES: usize = 4;

/// Proves bounds of values, with a table that all threads share.
#[derive(Debug)]
pub struct Prover {
    /// Bounds that were proved.
    pub table: BoundsTable,
    /// Number of threads that search together.
    pub n_threads: usize,
    busy: Vec<AtomicU64>,
}

impl Prover {
    /// A prover with an empty table of at most `bytes` bytes.
    pub fn new(bytes: usize, n_threads: usize) -> Prover {
        let busy = (0..N_BUSY_SLOTS).map(|_| AtomicU64::new(0)).collect();
        Prover { table: BoundsTable::new(bytes), n_threads, busy }
    }

    /// The slot that marks a position while a thread searches it.
    #[inline]
    fn busy_slot(&self, key: StateKey) -> &AtomicU64 {
        &self.busy[(key.main.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % N_BUSY_SLOTS]
    }

    /// The value of the position of a tree, or `None` if the search was stopped.
    pub fn value<R: TreeRules>(&self, root: &TreeRoot<R>, progress: &Progress) -> Option<i32> {
        let position_value = |tree: i32| root.so_far + root.scale * tree;
        let bounds = root.rules.static_bounds(&root.state, 0);
        let (mut low, mut high) = (bounds.lowest, bounds.highest.min(root.highest));
        while low < high {
            progress.set_bounds(position_value(low), position_value(high));
            let goal = root.rules.next_goal(low, high);
            let bound = self.at_least(&root.rules, &root.state, goal, progress)?;
            if bound >= goal { low = bound } else { high = bound }
        }
        progress.set_bounds(position_value(low), position_value(high));
        Some(position_value(low))
    }

    /// Whether the value of the position of a tree is at least `value`, or `None` if the search was stopped.
    pub fn reaches<R: TreeRules>(&self, root: &TreeRoot<R>, value: i32, progress: &Progress) -> Option<bool> {
        // The smallest value of the tree with which the position reaches `value`.
        let goal = (value - root.so_far).div_euclid(root.scale)
            + i32::from((value - root.so_far).rem_euclid(root.scale) > 0);
        let bounds = root.rules.static_bounds(&root.state, goal);
        match () {
            () if bounds.lowest >= goal => Some(true),
            () if bounds.highest.min(root.highest) < goal => Some(false),
            () => Some(self.at_least(&root.rules, &root.state, goal, progress)? >= goal),
        }
    }

    /// A bound of a state's value: a lower bound if it is at least `goal`, else an upper bound.
    fn at_least<R: TreeRules>(
        &self,
        rules: &R,
        state: &R::State,
        goal: i32,
        progress: &Progress,
    ) -> Option<i32> {
        let done = AtomicBool::new(false);
        let worker = |index| Worker {
            rules,
            prover: self,
            progress,
            done: &done,
            index,
            stack: Vec::with_capacity(4096),
            nodes: 0,
            n_evicted: 0,
            fraction_done: 0.0,
            stopped: false,
        };
        if self.n_threads < 2 || !rules.is_near_root(rules.remaining(state)) {
            return worker(0).run(state, goal);
        }
        let bounds: Vec<Option<i32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.n_threads)
                .map(|index| {
                    let mut worker = worker(index);
                    scope.spawn(move || worker.run(state, goal))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
        });
        self.busy.iter().for_each(|slot| slot.store(0, Relaxed));
        bounds.into_iter().flatten().next()
    }
}

struct Worker<'a, R: TreeRules> {
    rules: &'a R,
    prover: &'a Prover,
    progress: &'a Progress,
    /// Whether a thread has the result.
    done: &'a AtomicBool,
    /// Index of the thread; thread 0 reports progress.
    index: usize,
    /// The moves of all positions of the current line.
    stack: Vec<OrderedMove<R::Step>>,
    nodes: u64,
    /// Number of table entries evicted since the last report.
    n_evicted: usize,
    /// Finished fraction of the tree, measured near the root.
    fraction_done: f64,
    stopped: bool,
}

impl<R: TreeRules> Worker<'_, R> {
    fn run(&mut self, state: &R::State, goal: i32) -> Option<i32> {
        let bound = self.search(state, goal, 0, 1.0);
        self.progress.add(self.nodes % NODES_PER_CHECK);
        if self.stopped {
            return None;
        }
        self.done.store(true, Relaxed);
        Some(bound)
    }

    /// As [`Prover::at_least`]; meaningless once stopped. `share` is the fraction of the whole tree that this subtree
    /// counts for in the progress.
    #[inline]
    fn search(&mut self, state: &R::State, goal: i32, ply: usize, share: f64) -> i32 {
        let fraction_after = self.fraction_done + share;
        let bound = self.search_tree(state, goal, ply, share);
        if ply < PROGRESS_PLIES && self.index == 0 {
            self.fraction_done = fraction_after;
            self.progress.set_fraction(fraction_after);
        }
        bound
    }

    fn search_tree(&mut self, state: &R::State, goal: i32, ply: usize, share: f64) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.report();
        }
        let statics = self.rules.static_bounds(state, goal);
        let (mut low, mut high) = (statics.lowest, statics.highest);
        if low >= goal {
            return low;
        }
        if high < goal {
            return high;
        }
        let left = self.rules.remaining(state);
        let uses_table = self.rules.uses_table(left);
        let mut key = StateKey::default();
        let mut slot = 0;
        let mut best_move = u8::MAX;
        if uses_table {
            key = self.rules.key(state);
            let known;
            (known, slot) = self.prover.table.find(key);
            if let Some(bounds) = known {
                low = low.max(i32::from(bounds.low));
                high = high.min(i32::from(bounds.high));
                if low >= goal {
                    return low;
                }
                if high < goal {
                    return high;
                }
                best_move = bounds.mv;
            }
        }
        let from = self.stack.len();
        self.rules.steps(state, &statics.facts, &mut self.stack);
        let is_near_root = self.rules.is_near_root(left);
        let nodes_before = self.nodes;
        let cut = if is_near_root { self.known_cut(state, from, goal) } else { None };
        let (bound, number) = match cut {
            Some(cut) => cut,
            None => {
                prefer_table_move(&mut self.stack[from..], best_move);
                self.try_children(state, from, goal, is_near_root, ply, share)
            }
        };
        self.stack.truncate(from);
        if self.stopped {
            return 0;
        }
        if uses_table {
            let bound = bound as i16;
            let work = (self.nodes - nodes_before + 1).ilog2() as u8 + 1;
            let bounds = if i32::from(bound) >= goal {
                Bounds { low: bound, high: high as i16, mv: number, work }
            } else {
                Bounds { low: low as i16, high: bound, mv: best_move, work }
            };
            self.n_evicted += usize::from(self.prover.table.put_at(slot, key, bounds));
        }
        if bound >= goal { bound } else { bound.min(high) }
    }

    /// A child that reaches the goal according to the table: the bound and the number of its move.
    #[inline]
    fn known_cut(&mut self, state: &R::State, from: usize, goal: i32) -> Option<(i32, u8)> {
        for ordered in &self.stack[from..] {
            let child = self.rules.play(state, &ordered.step);
            let Some(bounds) = self.prover.table.get(self.rules.key(&child.state)) else { continue };
            let lowest = if child.again { i32::from(bounds.low) } else { -i32::from(bounds.high) };
            if child.gain + lowest >= goal {
                return Some((child.gain + lowest, ordered.number));
            }
        }
        None
    }

    /// Searches the children from `from` on until one reaches the goal. Returns the bound and the number of that move,
    /// or `u8::MAX`.
    fn try_children(
        &mut self,
        state: &R::State,
        from: usize,
        goal: i32,
        is_near_root: bool,
        ply: usize,
        share: f64,
    ) -> (i32, u8) {
        let to = self.stack.len();
        // A division takes as long as a node, so it is done only where progress is measured.
        let share = if ply < PROGRESS_PLIES { share / (to - from) as f64 } else { 0.0 };
        let mut best = i32::MIN;
        if !is_near_root || self.prover.n_threads < 2 {
            for i in from..to {
                select_next(&mut self.stack[i..to]);
                let OrderedMove { step, number, .. } = self.stack[i];
                let bound = self.try_child(&self.rules.play(state, &step), goal, ply, share);
                if bound >= goal || self.stopped {
                    return (bound, number);
                }
                best = best.max(bound);
            }
            return (best, u8::MAX);
        }
        // Two rounds: children that another thread is searching wait for the second one.
        let mut deferred = 0u64;
        for round in 0..2 {
            for i in from..to {
                let bit = 1u64.checked_shl((i - from) as u32).unwrap_or(0);
                if round == 0 {
                    select_next(&mut self.stack[i..to]);
                } else if deferred & bit == 0 {
                    continue;
                }
                let OrderedMove { step, number, .. } = self.stack[i];
                let child = self.rules.play(state, &step);
                let key = self.rules.key(&child.state);
                if round == 0 && i > from && bit != 0 && self.is_busy(key) {
                    deferred |= bit;
                    continue;
                }
                self.mark(key, key.main);
                let bound = self.try_child(&child, goal, ply, share);
                self.mark(key, 0);
                if bound >= goal || self.stopped {
                    return (bound, number);
                }
                best = best.max(bound);
            }
        }
        (best, u8::MAX)
    }

    #[inline]
    fn try_child(&mut self, child: &Child<R::State>, goal: i32, ply: usize, share: f64) -> i32 {
        if child.again {
            child.gain + self.search(&child.state, goal - child.gain, ply + 1, share)
        } else {
            child.gain - self.search(&child.state, child.gain - goal + 1, ply + 1, share)
        }
    }

    fn is_busy(&self, key: StateKey) -> bool {
        self.prover.busy_slot(key).load(Relaxed) == key.main
    }

    fn mark(&self, key: StateKey, with: u64) {
        self.prover.busy_slot(key).store(with, Relaxed);
    }

    #[cold]
    fn report(&mut self) {
        self.progress.add(NODES_PER_CHECK);
        self.prover.table.record_evictions(std::mem::take(&mut self.n_evicted));
        self.stopped |= self.progress.is_stopped() || self.done.load(Relaxed);
    }
}

/// Moves the first of the moves with the largest `order` to the front. Most positions need only one or two moves, so
/// the rest stays unsorted.
#[inline]
fn select_next<S: Copy>(moves: &mut [OrderedMove<S>]) {
    let mut next = 0;
    for i in 1..moves.len() {
        if moves[i].order > moves[next].order {
            next = i;
        }
    }
    moves[..=next].rotate_right(1);
}

/// Gives the best move of the table the largest `order`.
#[inline]
fn prefer_table_move<S>(moves: &mut [OrderedMove<S>], best_move: u8) {
    if best_move != u8::MAX {
        moves
            .iter_mut()
            .filter(|ordered| ordered.number == best_move)
            .for_each(|ordered| ordered.order = i32::MAX);
    }
}
