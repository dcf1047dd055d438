//! The plain way to every feature: cell by cell from the definitions (rules, section 3), with islands found
//! anew. The quick way of `scene.rs` and `outlook.rs` is held to it.

use super::rules::{Ladrillos, Position};
use palestra_core::Side;

/// The board as rows and columns, with the islands walked through.
pub(super) struct Scan<const C: usize> {
    n: usize,
    owners: [Option<Side>; C],
    /// The first cell of each cell's island, in reading order; `NONE` on a free cell.
    islands: [u16; C],
    /// The cells of the island that begins on a cell.
    sizes: [i32; C],
}

const NONE: u16 = u16::MAX;

/// The middle of the board and of its walls, as the two versions of the feature `divisions` see them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    /// The middle of each wall.
    One,
    /// Both halves of each wall.
    Two,
}

impl Version {
    /// The rows that are the middle, and columns likewise: from, to (not included).
    pub(super) fn middle(self, n: usize) -> [usize; 2] {
        let root = (n as f64).sqrt();
        let from = ((n as f64 - root) / 2.0).floor();
        let to = match self {
            Version::One => ((n as f64 + root) / 2.0).ceil(),
            Version::Two => (from + root).ceil(),
        };
        [from as usize, to as usize]
    }

    /// The parts of the walls, each as a range of the index along the wall.
    pub(super) fn parts(self, n: usize) -> Vec<[usize; 2]> {
        match self {
            Version::One => vec![self.middle(n)],
            // Where n is odd, the last index is in no half.
            Version::Two => vec![[0, n / 2], [n / 2, n / 2 * 2]],
        }
    }
}

impl<const C: usize> Scan<C> {
    pub(super) fn new<const W: usize, const L: usize>(
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
    ) -> Scan<C> {
        let n = game.n;
        let mut scan = Scan { n, owners: [None; C], islands: [NONE; C], sizes: [0; C] };
        for row in 0..n {
            for column in 0..n {
                scan.owners[row * n + column] = game.owner(at, row, column);
            }
        }
        scan
    }

    /// Finds the islands, which most features need.
    pub(super) fn with_islands(mut self) -> Scan<C> {
        for cell in self.cells() {
            if self.owners[cell].is_some() && self.islands[cell] == NONE {
                let is_own = |next: usize| self.owners[next] == self.owners[cell];
                self.sizes[cell] = walk(self.n, cell, &mut self.islands, is_own);
            }
        }
        self
    }

    fn cells(&self) -> impl Iterator<Item = usize> + use<C> {
        0..self.n * self.n
    }

    fn cells_of(&self, side: Side) -> impl Iterator<Item = usize> {
        self.cells().filter(move |&cell| self.owners[cell] == Some(side))
    }

    fn is_free(&self, cell: usize) -> bool {
        self.owners[cell].is_none()
    }

    /// The islands of a side, by their first cell.
    fn islands_of(&self, side: Side) -> impl Iterator<Item = usize> {
        self.cells_of(side).filter(|&cell| usize::from(self.islands[cell]) == cell)
    }

    /// Sum over a side's islands of the square of their cells.
    pub(super) fn points(&self, side: Side) -> i32 {
        self.islands_of(side).map(|island| self.sizes[island].pow(2)).sum()
    }

    /// Every free cell once, with the size of the largest island of the side that touches it.
    pub(super) fn expansion(&self, side: Side) -> i32 {
        let largest = |cell| {
            let touching = beside(self.n, cell).filter(|&next| self.owners[next] == Some(side));
            touching.map(|next| self.sizes[usize::from(self.islands[next])]).max().unwrap_or(0)
        };
        self.cells().filter(|&cell| self.is_free(cell)).map(largest).sum()
    }

    /// Over the islands of a side: size times the number of free cells that touch the island.
    pub(super) fn reach(&self, side: Side) -> i32 {
        let openings = self.openings();
        self.islands_of(side).map(|island| self.sizes[island] * openings[island]).sum()
    }

    /// The number of free cells that touch each island, by its first cell.
    fn openings(&self) -> [i32; C] {
        let mut openings = [0; C];
        for cell in self.cells().filter(|&cell| self.is_free(cell)) {
            let mut seen = [NONE; 4];
            for (k, next) in beside(self.n, cell).enumerate() {
                let island = self.islands[next];
                if island != NONE && !seen.contains(&island) {
                    openings[usize::from(island)] += 1;
                    seen[k] = island;
                }
            }
        }
        openings
    }

    /// What heurb maximizes: over all islands, size squared times free neighbors, own less the rival's.
    #[cfg(test)]
    pub(super) fn pressure(&self, view: Side) -> i64 {
        let openings = self.openings();
        let sum = |side| -> i64 {
            let value = |island: usize| i64::from(self.sizes[island].pow(2) * openings[island]);
            self.islands_of(side).map(value).sum()
        };
        sum(view) - sum(view.other())
    }

    /// Over a side's cells: min(i, j, n − i, n − j), as the program has it.
    pub(super) fn distance(&self, side: Side) -> i32 {
        let of = |cell: usize| {
            let (i, j) = (cell / self.n, cell % self.n);
            i.min(j).min(self.n - i).min(self.n - j) as i32
        };
        self.cells_of(side).map(of).sum()
    }

    /// Over a side's cells: rows or columns between the cell and the nearest wall.
    pub(super) fn from_walls(&self, side: Side) -> i32 {
        let of = |cell: usize| {
            let (i, j) = (cell / self.n, cell % self.n);
            i.min(j).min(self.n - 1 - i).min(self.n - 1 - j) as i32
        };
        self.cells_of(side).map(of).sum()
    }

    /// Parts of walls that one island of the side joins to the middle, times n.
    pub(super) fn divisions(&self, side: Side, version: Version) -> i32 {
        let n = self.n;
        let [from, to] = version.middle(n);
        let own = |cell: usize| (self.owners[cell] == Some(side)).then(|| self.islands[cell]);
        let in_middle = |island: u16| {
            let mut middle = (from..to).flat_map(|i| (from..to).map(move |j| i * n + j));
            middle.any(|cell| own(cell) == Some(island))
        };
        // Along the top, bottom, left and right wall.
        let walls: [&dyn Fn(usize) -> usize; 4] =
            [&|k| k, &|k| (n - 1) * n + k, &|k| k * n, &|k| k * n + n - 1];
        let mut joined = 0;
        for wall in walls {
            for [from, to] in version.parts(n) {
                joined += i32::from((from..to).filter_map(|k| own(wall(k))).any(in_middle));
            }
        }
        joined * n as i32
    }

    /// Rival cells with no free neighbor and at least one own neighbor.
    pub(super) fn enclosed(&self, view: Side) -> i32 {
        let is_enclosed = |&cell: &usize| {
            beside(self.n, cell).all(|next| !self.is_free(next))
                && beside(self.n, cell).any(|next| self.owners[next] == Some(view))
        };
        self.cells_of(view.other()).filter(is_enclosed).count() as i32
    }

    /// Own cells whose image under a half turn of the board is the rival's.
    pub(super) fn mirror(&self, view: Side) -> i32 {
        let image = |cell: usize| self.n * self.n - 1 - cell;
        self.cells_of(view).filter(|&cell| self.owners[image(cell)] == Some(view.other())).count() as i32
    }

    /// Free cells that the rival's largest islands can get to over cells that are not own.
    pub(super) fn closing(&self, view: Side) -> i32 {
        let rival = view.other();
        let largest = self.islands_of(rival).map(|island| self.sizes[island]).max().unwrap_or(0);
        let mut found = [NONE; C];
        for island in self.islands_of(rival).filter(|&island| self.sizes[island] == largest) {
            if found[island] == NONE {
                walk(self.n, island, &mut found, |next| self.owners[next] != Some(view));
            }
        }
        self.cells().filter(|&cell| found[cell] != NONE && self.is_free(cell)).count() as i32
    }
}

/// Marks all cells that can be reached from one with its number, and counts them. Marked cells are not
/// entered.
fn walk<const C: usize>(
    n: usize,
    from: usize,
    marks: &mut [u16; C],
    may_enter: impl Fn(usize) -> bool,
) -> i32 {
    let mut stack = [0; C];
    let (mut height, mut n_found) = (1, 1);
    stack[0] = from;
    marks[from] = from as u16;
    while height > 0 {
        height -= 1;
        for next in beside(n, stack[height]) {
            if marks[next] == NONE && may_enter(next) {
                marks[next] = from as u16;
                stack[height] = next;
                height += 1;
                n_found += 1;
            }
        }
    }
    n_found
}

/// The neighbors of a cell, where cells are numbered row by row without gaps.
pub(super) fn beside(n: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / n, cell % n);
    let up = (row > 0).then(|| cell - n);
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < n).then(|| cell + 1);
    let down = (row + 1 < n).then(|| cell + n);
    [up, left, right, down].into_iter().flatten()
}
