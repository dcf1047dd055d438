//! Exact values of games whose positions never come back.
//!
//! Every search asks one question, whether a value is at least so much (a null window); bounds found on the way are
//! kept in the table and make the next question cheaper. Several threads ask the same question: each marks the
//! positions it is at work on, and the others try different moves first (after T. Kerrigan's simplified ABDADA).

use super::SolverProgress;
use super::table::{Bounds, BoundsTable};
use palestra_core::{Child, OrderedMove, StateKey, TreeRoot, TreeRules};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Places for the positions that threads are at work on.
const BUSY: usize = 1 << 12;

/// Nodes between two looks at the flag that says stop.
const NODES_PER_LOOK: u64 = 1 << 10;

/// Plies from the root over which progress is measured.
const MEASURED: usize = 4;

/// A table, and the threads that fill it.
#[derive(Debug)]
pub struct Prover {
    /// What is known.
    pub table: BoundsTable,
    /// Threads that search together.
    pub n_threads: usize,
    busy: Vec<AtomicU64>,
}

impl Prover {
    /// A prover with an empty table of so many bytes.
    pub fn new(bytes: usize, n_threads: usize) -> Prover {
        let busy = (0..BUSY).map(|_| AtomicU64::new(0)).collect();
        Prover { table: BoundsTable::new(bytes), n_threads, busy }
    }

    /// Where a position is marked while a thread is at work on it.
    #[inline]
    fn busy_slot(&self, key: StateKey) -> &AtomicU64 {
        &self.busy[(key.main.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % BUSY]
    }

    /// The value of a tree, or `None` if it was told to stop.
    pub fn value<R: TreeRules>(&self, root: &TreeRoot<R>, course: &SolverProgress) -> Option<i32> {
        let shown = |tree: i32| root.so_far + root.scale * tree;
        let look = root.rules.static_bounds(&root.state, 0);
        let (mut low, mut high) = (look.lowest, look.highest.min(root.highest));
        while low < high {
            course.set_bounds(shown(low), shown(high));
            let goal = root.rules.next_goal(low, high);
            let found = self.at_least(&root.rules, &root.state, goal, course)?;
            if found >= goal { low = found } else { high = found }
        }
        course.set_bounds(shown(low), shown(high));
        Some(shown(low))
    }

    /// Whether the value of a tree is at least so much, or `None` if it was told to stop.
    pub fn reaches<R: TreeRules>(
        &self,
        root: &TreeRoot<R>,
        value: i32,
        course: &SolverProgress,
    ) -> Option<bool> {
        // The smallest value of the tree that is worth as much.
        let goal = (value - root.so_far).div_euclid(root.scale)
            + i32::from((value - root.so_far).rem_euclid(root.scale) > 0);
        let look = root.rules.static_bounds(&root.state, goal);
        match () {
            () if look.lowest >= goal => Some(true),
            () if look.highest.min(root.highest) < goal => Some(false),
            () => Some(self.at_least(&root.rules, &root.state, goal, course)? >= goal),
        }
    }

    /// A bound of a state's value: at least `goal`, then the value is no smaller; or less, then it is no larger.
    fn at_least<R: TreeRules>(
        &self,
        rules: &R,
        state: &R::State,
        goal: i32,
        course: &SolverProgress,
    ) -> Option<i32> {
        let done = AtomicBool::new(false);
        let worker = |number| Worker {
            rules,
            prover: self,
            course,
            done: &done,
            number,
            stack: Vec::with_capacity(4096),
            nodes: 0,
            n_lost: 0,
            done_part: 0.0,
            stopped: false,
        };
        if self.n_threads < 2 || !rules.is_near_root(rules.remaining(state)) {
            return worker(0).answer(state, goal);
        }
        let answers: Vec<Option<i32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.n_threads)
                .map(|number| {
                    let mut worker = worker(number);
                    scope.spawn(move || worker.answer(state, goal))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("a search does not panic")).collect()
        });
        self.busy.iter().for_each(|place| place.store(0, Relaxed));
        answers.into_iter().flatten().next()
    }
}

struct Worker<'a, R: TreeRules> {
    rules: &'a R,
    prover: &'a Prover,
    course: &'a SolverProgress,
    /// Somebody has the answer.
    done: &'a AtomicBool,
    number: usize,
    /// The moves of all positions from the root to here.
    stack: Vec<OrderedMove<R::Step>>,
    nodes: u64,
    /// Entries of the table that were lost since the last report.
    n_lost: usize,
    /// How much of the tree near the root has been dealt with.
    done_part: f64,
    stopped: bool,
}

impl<R: TreeRules> Worker<'_, R> {
    fn answer(&mut self, state: &R::State, goal: i32) -> Option<i32> {
        let found = self.search(state, goal, 0, 1.0);
        self.course.add_nodes(self.nodes % NODES_PER_LOOK);
        if self.stopped {
            return None;
        }
        self.done.store(true, Relaxed);
        Some(found)
    }

    /// As [`Prover::at_least`]; meaningless once stopped. `share` is how much of the whole this tree is.
    #[inline]
    fn search(&mut self, state: &R::State, goal: i32, ply: usize, share: f64) -> i32 {
        let part = self.done_part + share;
        let found = self.search_tree(state, goal, ply, share);
        if ply < MEASURED && self.number == 0 {
            self.done_part = part;
            self.course.set_fraction(part);
        }
        found
    }

    fn search_tree(&mut self, state: &R::State, goal: i32, ply: usize, share: f64) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            self.report();
        }
        let look = self.rules.static_bounds(state, goal);
        let (mut low, mut high) = (look.lowest, look.highest);
        if low >= goal {
            return low;
        }
        if high < goal {
            return high;
        }
        let left = self.rules.remaining(state);
        let is_kept = self.rules.uses_table(left);
        let mut key = StateKey::default();
        let mut place = 0;
        let mut best_move = u8::MAX;
        if is_kept {
            key = self.rules.key(state);
            let known;
            (known, place) = self.prover.table.find(key);
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
        self.rules.steps(state, &look.facts, &mut self.stack);
        let is_high = self.rules.is_near_root(left);
        let nodes_before = self.nodes;
        let cut = if is_high { self.known_cut(state, from, goal) } else { None };
        let (found, number) = match cut {
            Some(cut) => cut,
            None => {
                prefer(&mut self.stack[from..], best_move);
                self.try_children(state, from, goal, is_high, ply, share)
            }
        };
        self.stack.truncate(from);
        if self.stopped {
            return 0;
        }
        if is_kept {
            let found = found as i16;
            let work = (self.nodes - nodes_before + 1).ilog2() as u8 + 1;
            let bounds = if i32::from(found) >= goal {
                Bounds { low: found, high: high as i16, mv: number, work }
            } else {
                Bounds { low: low as i16, high: found, mv: best_move, work }
            };
            self.n_lost += usize::from(self.prover.table.put_at(place, key, bounds));
        }
        if found >= goal { found } else { found.min(high) }
    }

    /// Whether the table already knows of a child that reaches the goal.
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

    /// Searches the children from `from` on until one reaches the goal.
    fn try_children(
        &mut self,
        state: &R::State,
        from: usize,
        goal: i32,
        is_high: bool,
        ply: usize,
        share: f64,
    ) -> (i32, u8) {
        let to = self.stack.len();
        // A division costs as much as a look at a position: below, nobody asks.
        let share = if ply < MEASURED { share / (to - from) as f64 } else { 0.0 };
        let mut best = i32::MIN;
        if !is_high || self.prover.n_threads < 2 {
            for i in from..to {
                bring_next(&mut self.stack[i..to]);
                let OrderedMove { step, number, .. } = self.stack[i];
                let found = self.try_child(&self.rules.play(state, &step), goal, ply, share);
                if found >= goal || self.stopped {
                    return (found, number);
                }
                best = best.max(found);
            }
            return (best, u8::MAX);
        }
        // Twice: children that another thread is at work on wait for the second round.
        let mut waiting = 0u64;
        for round in 0..2 {
            for i in from..to {
                let bit = 1u64.checked_shl((i - from) as u32).unwrap_or(0);
                if round == 0 {
                    bring_next(&mut self.stack[i..to]);
                } else if waiting & bit == 0 {
                    continue;
                }
                let OrderedMove { step, number, .. } = self.stack[i];
                let child = self.rules.play(state, &step);
                let key = self.rules.key(&child.state);
                if round == 0 && i > from && bit != 0 && self.is_busy(key) {
                    waiting |= bit;
                    continue;
                }
                self.mark(key, key.main);
                let found = self.try_child(&child, goal, ply, share);
                self.mark(key, 0);
                if found >= goal || self.stopped {
                    return (found, number);
                }
                best = best.max(found);
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
        self.course.add_nodes(NODES_PER_LOOK);
        self.prover.table.record_evictions(std::mem::take(&mut self.n_lost));
        self.stopped |= self.course.is_stopped() || self.done.load(Relaxed);
    }
}

/// Brings the move to try next to the front: the known best one, then by the order the rules gave, equals as they
/// came. Most positions need only one or two, so the rest stays unsorted.
#[inline]
fn bring_next<S: Copy>(moves: &mut [OrderedMove<S>]) {
    let mut next = 0;
    for i in 1..moves.len() {
        if moves[i].order > moves[next].order {
            next = i;
        }
    }
    moves[..=next].rotate_right(1);
}

/// Puts the known best move before all others.
#[inline]
fn prefer<S>(moves: &mut [OrderedMove<S>], best_move: u8) {
    if best_move != u8::MAX {
        moves
            .iter_mut()
            .filter(|ordered| ordered.number == best_move)
            .for_each(|ordered| ordered.order = i32::MAX);
    }
}
