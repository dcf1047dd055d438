//! Exact values of all positions of a game at once, from its endings backward.
//!
//! Pass after pass looks at the positions that are not decided yet. One is won if a move leads to one that is lost
//! for the other side, and lost if all moves lead to ones that are won for it; the pass that finds out is the number
//! of plies until the game is won. What no pass decides is neither: there the side that would lose can go on for
//! ever, or the game is drawn.

use super::SolverProgress;
use super::graph::WON;
use palestra_core::{ExactGraph, Game};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Numbers that one thread deals with before it takes more.
const BLOCK: usize = 1 << 12;

/// The most numbers there may be: an edge is a number and a bit, and two more places have numbers of their own.
pub(super) const MAX_NUMBERS: usize = (1 << 31) - 2;

/// What the analysis may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct RetrogradeResources {
    /// Bytes for lists of moves. What does not fit is listed again in every pass.
    pub(super) bytes: usize,
    /// Threads.
    pub(super) n_threads: usize,
}

/// The value of every number, or `None` if it was told to stop. Numbers without a position, or with an ended one,
/// are 0.
pub(super) fn values<G: Game, X: ExactGraph<G>>(
    graph: &X,
    game: &G,
    n_numbers: usize,
    means: RetrogradeResources,
    course: &SolverProgress,
) -> Option<Vec<i16>> {
    let lister = EdgeLister { graph, game, n_numbers };
    // The two more places are a drawn child and a lost one.
    let mut values = vec![0; n_numbers + 2];
    values[n_numbers + 1] = -(WON as i16);
    let n_blocks = n_numbers.div_ceil(BLOCK);
    let numbers = |block: usize| block * BLOCK..n_numbers.min((block + 1) * BLOCK);
    let room = AtomicUsize::new(means.bytes);
    let lists = in_blocks(n_blocks, means.n_threads, course, |block| {
        course.add_nodes(numbers(block).len() as u64);
        let lists = lister.lists(numbers(block), |_| true);
        let has_room = room.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(lists.bytes()));
        has_room.is_ok().then_some(lists)
    })?;
    for plies in 1..WON as i16 {
        let decided = in_blocks(n_blocks, means.n_threads, course, |block| {
            let is_open = |number: usize| values[number] == 0;
            match &lists[block] {
                _ if !numbers(block).any(is_open) => Vec::new(),
                Some(lists) => lists.decided(numbers(block), &values, course),
                None => lister.lists(numbers(block), is_open).decided(numbers(block), &values, course),
            }
        })?;
        let mut n_decided = 0;
        for (number, sign) in decided.into_iter().flatten() {
            values[number as usize] = i16::from(sign) * (WON as i16 - plies);
            n_decided += 1;
        }
        if n_decided == 0 {
            break;
        }
    }
    values.truncate(n_numbers);
    Some(values)
}

/// What the work on each block gives, in the order of the blocks; `None` if it was told to stop.
fn in_blocks<T: Send>(
    n_blocks: usize,
    n_threads: usize,
    course: &SolverProgress,
    work: impl Fn(usize) -> T + Sync,
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let block = next.fetch_add(1, Relaxed);
            if block >= n_blocks || course.is_stopped() {
                return done;
            }
            done.push((block, work(block)));
            course.set_fraction((block + 1) as f64 / n_blocks as f64);
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(worker)).collect();
        let mut done = worker();
        others.into_iter().for_each(|other| done.extend(other.join().expect("listing moves does not panic")));
        done
    });
    done.sort_unstable_by_key(|(block, _)| *block);
    (done.len() == n_blocks).then(|| done.into_iter().map(|(_, result)| result).collect())
}

/// Where the moves of a block of positions lead.
#[derive(Debug, Default)]
struct EdgeLists {
    /// Numbers of children times two, plus one where the same side moves again.
    edges: Vec<u32>,
    /// Where the edges of each position end.
    ends: Vec<u32>,
}

impl EdgeLists {
    fn bytes(&self) -> usize {
        size_of::<EdgeLists>() + size_of::<u32>() * (self.edges.capacity() + self.ends.capacity())
    }

    /// The positions that are not decided yet and now are: 1 if won, -1 if lost.
    fn decided(&self, numbers: Range<usize>, values: &[i16], course: &SolverProgress) -> Vec<(u32, i8)> {
        let mut decided = Vec::new();
        let mut begin = 0;
        let mut n_open = 0;
        for (number, &end) in numbers.zip(&self.ends) {
            let edges = &self.edges[begin..end as usize];
            begin = end as usize;
            if values[number] == 0 {
                n_open += 1;
                decided.extend(sign(edges, values).map(|sign| (number as u32, sign)));
            }
        }
        course.add_nodes(n_open);
        decided
    }
}

/// Whether a position is won (1) or lost (-1) by what is known of its children.
fn sign(edges: &[u32], values: &[i16]) -> Option<i8> {
    let mut is_lost = true;
    for &edge in edges {
        let value = values[edge as usize / 2];
        let value = if edge % 2 == 1 { value } else { -value };
        if value > 0 {
            return Some(1);
        }
        is_lost &= value < 0;
    }
    is_lost.then_some(-1)
}

/// Lists moves.
struct EdgeLister<'a, G, X> {
    graph: &'a X,
    game: &'a G,
    n_numbers: usize,
}

impl<G: Game, X: ExactGraph<G>> EdgeLister<'_, G, X> {
    /// The moves of those positions that are wanted; of the others none.
    fn lists(&self, numbers: Range<usize>, is_wanted: impl Fn(usize) -> bool) -> EdgeLists {
        let mut lists = EdgeLists::default();
        let mut moves = Vec::new();
        for number in numbers {
            if is_wanted(number) {
                self.list(number, &mut moves, &mut lists.edges);
            }
            lists.ends.push(lists.edges.len() as u32);
        }
        lists.edges.shrink_to_fit();
        lists.ends.shrink_to_fit();
        lists
    }

    /// Appends the edges of a position. Of ended children only what decides is kept: one that wins, alone; that some
    /// are drawn; and nothing of those that lose, since they count only where there is no other.
    fn list(&self, number: usize, moves: &mut Vec<G::Move>, edges: &mut Vec<u32>) {
        let [drawn, lost] = [self.n_numbers, self.n_numbers + 1].map(|place| 2 * place as u32);
        let at = self.graph.position(self.game, number);
        let Some(at) = at.filter(|at| self.game.ending(at).is_none()) else {
            edges.push(drawn);
            return;
        };
        let first = edges.len();
        let side = self.game.to_move(&at);
        moves.clear();
        self.game.moves(&at, moves);
        let mut has_drawn = false;
        for &mv in &*moves {
            let mut child = at.clone();
            self.game.play(&mut child, mv);
            match self.game.ending(&child).map(|ending| ending.winner) {
                None => {
                    let again = self.game.to_move(&child) == side;
                    edges.push(2 * self.graph.number(self.game, &child) as u32 + u32::from(again));
                }
                Some(None) => has_drawn = true,
                Some(Some(winner)) if winner == side => {
                    edges.truncate(first);
                    edges.push(lost);
                    return;
                }
                Some(Some(_)) => {}
            }
        }
        if has_drawn {
            edges.push(drawn);
        }
    }
}
