//! Retrograde analysis: exact values of all positions of a game, from its endings backward.
//!
//! Each pass examines the positions that are not decided yet. A position is won if a move leads to one that is lost for
//! the other side, and lost if all moves lead to positions that are won for the other side; the number of the pass that
//! decides it is the number of plies until the win. A position that no pass decides is a draw, or the game goes on for
//! ever.

use super::graph::WON;
use palestra_core::{ExactGraph, Game, Progress};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Number of positions in a block, the unit of work of a thread.
const BLOCK: usize = 1 << 12;

/// Maximum number of positions: an edge is a `u32` with a position number and one bit, and two more numbers stand for
/// ended children.
pub(super) const MAX_NUMBERS: usize = (1 << 31) - 2;

/// Memory and threads of the analysis.
#[derive(Clone, Copy, Debug)]
pub(super) struct RetrogradeResources {
    /// Bytes for lists of moves. Blocks whose lists do not fit are listed again in every pass.
    pub(super) bytes: usize,
    /// Number of threads.
    pub(super) n_threads: usize,
}

/// The values by position number, or `None` if the analysis was stopped. Numbers without a position, or of an ended
/// position, have the value 0.
pub(super) fn values<G: Game, X: ExactGraph<G>>(
    graph: &X,
    game: &G,
    n_numbers: usize,
    resources: RetrogradeResources,
    progress: &Progress,
) -> Option<Vec<i16>> {
    let lister = EdgeLister { graph, game, n_numbers };
    // The two additional numbers are a drawn child and a lost child.
    let mut values = vec![0; n_numbers + 2];
    values[n_numbers + 1] = -(WON as i16);
    let n_blocks = n_numbers.div_ceil(BLOCK);
    let numbers = |block: usize| block * BLOCK..n_numbers.min((block + 1) * BLOCK);
    let bytes_left = AtomicUsize::new(resources.bytes);
    let lists = in_blocks(n_blocks, resources.n_threads, progress, |block| {
        progress.add(numbers(block).len() as u64);
        let lists = lister.lists(numbers(block), |_| true);
        let fits = bytes_left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(lists.bytes()));
        fits.is_ok().then_some(lists)
    })?;
    for plies in 1..WON as i16 {
        let decided = in_blocks(n_blocks, resources.n_threads, progress, |block| {
            let is_open = |number: usize| values[number] == 0;
            match &lists[block] {
                _ if !numbers(block).any(is_open) => Vec::new(),
                Some(lists) => lists.decided(numbers(block), &values, progress),
                None => lister.lists(numbers(block), is_open).decided(numbers(block), &values, progress),
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

/// Runs `work` on each block and returns the results in the order of the blocks; `None` if the analysis was stopped.
fn in_blocks<T: Send>(
    n_blocks: usize,
    n_threads: usize,
    progress: &Progress,
    work: impl Fn(usize) -> T + Sync,
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let block = next.fetch_add(1, Relaxed);
            if block >= n_blocks || progress.is_stopped() {
                return done;
            }
            done.push((block, work(block)));
            progress.set_fraction((block + 1) as f64 / n_blocks as f64);
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

/// Edges of the positions of a block.
#[derive(Debug, Default)]
struct EdgeLists {
    /// Twice the number of the child, plus one where the same side moves again.
    edges: Vec<u32>,
    /// Index in `edges` after the last edge of each position.
    ends: Vec<u32>,
}

impl EdgeLists {
    fn bytes(&self) -> usize {
        size_of::<EdgeLists>() + size_of::<u32>() * (self.edges.capacity() + self.ends.capacity())
    }

    /// The positions that this pass decides: 1 if won, -1 if lost.
    fn decided(&self, numbers: Range<usize>, values: &[i16], progress: &Progress) -> Vec<(u32, i8)> {
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
        progress.add(n_open);
        decided
    }
}

/// Whether the known values of the children make a position won (1) or lost (-1).
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

/// Lists the edges of positions.
struct EdgeLister<'a, G, X> {
    graph: &'a X,
    game: &'a G,
    n_numbers: usize,
}

impl<G: Game, X: ExactGraph<G>> EdgeLister<'_, G, X> {
    /// The edges of the positions for which `is_needed`; no edges for the others.
    fn lists(&self, numbers: Range<usize>, is_needed: impl Fn(usize) -> bool) -> EdgeLists {
        let mut lists = EdgeLists::default();
        let mut moves = Vec::new();
        for number in numbers {
            if is_needed(number) {
                self.list(number, &mut moves, &mut lists.edges);
            }
            lists.ends.push(lists.edges.len() as u32);
        }
        lists.edges.shrink_to_fit();
        lists.ends.shrink_to_fit();
        lists
    }

    /// Appends the edges of a position. Ended children are reduced to what decides: a winning one replaces all other
    /// edges; all drawn ones become one edge; losing ones are left out, because they matter only where there is no
    /// other child.
    fn list(&self, number: usize, moves: &mut Vec<G::Move>, edges: &mut Vec<u32>) {
        let [drawn, lost] = [self.n_numbers, self.n_numbers + 1].map(|number| 2 * number as u32);
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
