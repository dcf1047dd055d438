//! All features computed cell by cell from their definitions (rules, section 3), with islands found from the cells: the
//! reference that tests compare the incremental features of `accumulator.rs` with.

use super::rules::{Ladrillos, Position};
use palestra_core::Side;

/// Content of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlaceContent {
    Wall,
    Free,
    Of(Side),
}

/// The board with walls around it, and its islands. Places have the same indexes as a position's labels.
pub(super) struct BoardScan<const C: usize> {
    n: usize,
    contents: [PlaceContent; C],
    /// First place, in reading order, of the island at each place; 0, which is a wall, for none.
    islands: [u16; C],
    /// Number of cells of the island whose first place this is; 0 elsewhere.
    sizes: [i32; C],
}

/// The two versions of the feature `divisions`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DivisionsVersion {
    /// The middle of each wall.
    One,
    /// Both halves of each wall.
    Two,
}

impl DivisionsVersion {
    /// The rows, and also the columns, of the middle: first and end (exclusive).
    pub(super) fn middle(self, n: usize) -> [usize; 2] {
        let root = (n as f64).sqrt();
        let from = ((n as f64 - root) / 2.0).floor();
        let to = match self {
            DivisionsVersion::One => ((n as f64 + root) / 2.0).ceil(),
            DivisionsVersion::Two => (from + root).ceil(),
        };
        [from as usize, to as usize]
    }

    /// The parts of each wall, as ranges of the index along it: one or two.
    pub(super) fn parts(self, n: usize) -> impl Iterator<Item = [usize; 2]> {
        let [first, second] = match self {
            DivisionsVersion::One => [Some(self.middle(n)), None],
            // If n is odd, the last index is in neither half.
            DivisionsVersion::Two => [Some([0, n / 2]), Some([n / 2, n / 2 * 2])],
        };
        first.into_iter().chain(second)
    }
}

impl<const C: usize> BoardScan<C> {
    pub(super) fn new<const W: usize, const L: usize>(
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
    ) -> BoardScan<C> {
        let mut scan =
            BoardScan { n: game.n, contents: [PlaceContent::Wall; C], islands: [0; C], sizes: [0; C] };
        for row in 0..game.n {
            for column in 0..game.n {
                let content = game.owner(at, row, column).map_or(PlaceContent::Free, PlaceContent::Of);
                let place = scan.place(row, column);
                scan.contents[place] = content;
            }
        }
        scan
    }

    /// Finds the islands, which most features need.
    pub(super) fn with_islands(mut self) -> BoardScan<C> {
        let mut stack = [0; C];
        for place in self.places() {
            if matches!(self.contents[place], PlaceContent::Of(_)) && self.islands[place] == 0 {
                let is_own = |next: usize| self.contents[next] == self.contents[place];
                self.sizes[place] = flood_fill(self.n, place, &mut self.islands, &mut stack, is_own);
            }
        }
        self
    }

    fn place(&self, row: usize, column: usize) -> usize {
        (row + 1) * (self.n + 1) + column
    }

    /// All places of the board in reading order, with the padding after each row.
    fn places(&self) -> std::ops::Range<usize> {
        self.place(0, 0)..self.place(self.n, 0)
    }

    fn free_places(&self) -> impl Iterator<Item = usize> {
        self.places().filter(|&place| self.contents[place] == PlaceContent::Free)
    }

    fn places_of(&self, side: Side) -> impl Iterator<Item = usize> {
        self.places().filter(move |&place| self.contents[place] == PlaceContent::Of(side))
    }

    /// The islands of a side, by their first place.
    fn islands_of(&self, side: Side) -> impl Iterator<Item = usize> {
        self.places_of(side).filter(|&place| self.sizes[place] > 0)
    }

    /// Sum of the squared sizes of a side's islands.
    pub(super) fn points(&self, side: Side) -> i32 {
        self.islands_of(side).map(|island| self.sizes[island].pow(2)).sum()
    }

    /// Sum over free cells of the size of the side's largest island that touches the cell.
    pub(super) fn expansion(&self, side: Side) -> i32 {
        let size = |next: usize| match self.contents[next] {
            PlaceContent::Of(owner) if owner == side => self.sizes[usize::from(self.islands[next])],
            _ => 0,
        };
        self.free_places().map(|place| neighbors(self.n, place).map(size).into_iter().fold(0, i32::max)).sum()
    }

    /// Sum over the islands of a side of size times the number of free cells that touch the island.
    pub(super) fn reach(&self, side: Side) -> i32 {
        let n_free = self.free_neighbors();
        self.islands_of(side).map(|island| self.sizes[island] * n_free[island]).sum()
    }

    /// The number of free cells that touch each island, by its first place.
    fn free_neighbors(&self) -> [i32; C] {
        let mut n_free = [0; C];
        for place in self.free_places() {
            let around = neighbors(self.n, place).map(|next| self.islands[next]);
            for k in 0..4 {
                let is_new = !around[..k].contains(&around[k]);
                n_free[usize::from(around[k])] += i32::from(is_new);
            }
        }
        n_free
    }

    /// The value that heurb maximizes: the sum over islands of size squared times free neighbors, own minus the
    /// opponent's.
    #[cfg(test)]
    pub(super) fn pressure(&self, view: Side) -> i64 {
        let n_free = self.free_neighbors();
        let sum = |side| -> i64 {
            let value = |island: usize| i64::from(self.sizes[island].pow(2) * n_free[island]);
            self.islands_of(side).map(value).sum()
        };
        sum(view) - sum(view.other())
    }

    /// Sum over a side's cells of min(i, j, n − i, n − j), as the program computes it.
    pub(super) fn distance(&self, side: Side) -> i32 {
        self.sum_over(side, |i, j| i.min(j).min(self.n - i).min(self.n - j))
    }

    /// Sum over a side's cells of the rows or columns between the cell and the nearest wall.
    pub(super) fn wall_distance(&self, side: Side) -> i32 {
        self.sum_over(side, |i, j| i.min(j).min(self.n - 1 - i).min(self.n - 1 - j))
    }

    fn sum_over(&self, side: Side, value: impl Fn(usize, usize) -> usize) -> i32 {
        let mut sum = 0;
        for row in 0..self.n {
            for column in 0..self.n {
                if self.contents[self.place(row, column)] == PlaceContent::Of(side) {
                    sum += value(row, column) as i32;
                }
            }
        }
        sum
    }

    /// Number of parts of walls that are joined to the middle by one island of the side, times n.
    pub(super) fn divisions(&self, side: Side, version: DivisionsVersion) -> i32 {
        let n = self.n;
        let [from, to] = version.middle(n);
        let island =
            |place: usize| (self.contents[place] == PlaceContent::Of(side)).then(|| self.islands[place]);
        let is_in_middle = |label: u16| {
            let mut middle = (from..to).flat_map(|i| (from..to).map(move |j| (i, j)));
            middle.any(|(i, j)| island(self.place(i, j)) == Some(label))
        };
        let mut joined = 0;
        for [from, to] in version.parts(n) {
            let on = |wall: &dyn Fn(usize) -> usize| {
                i32::from((from..to).filter_map(|k| island(wall(k))).any(is_in_middle))
            };
            joined += on(&|k| self.place(0, k)) + on(&|k| self.place(n - 1, k));
            joined += on(&|k| self.place(k, 0)) + on(&|k| self.place(k, n - 1));
        }
        joined * n as i32
    }

    /// Number of opponent cells with no free neighbor and at least one own neighbor.
    pub(super) fn enclosed(&self, view: Side) -> i32 {
        let is_enclosed = |&place: &usize| {
            let around = neighbors(self.n, place).map(|next| self.contents[next]);
            !around.contains(&PlaceContent::Free) && around.contains(&PlaceContent::Of(view))
        };
        self.places_of(view.other()).filter(is_enclosed).count() as i32
    }

    /// Number of own cells whose image under a half turn of the board is the opponent's.
    pub(super) fn mirror(&self, view: Side) -> i32 {
        let image = |place: usize| self.place(0, 0) + self.place(self.n - 1, self.n - 1) - place;
        let is_answered = |&place: &usize| self.contents[image(place)] == PlaceContent::Of(view.other());
        self.places_of(view).filter(is_answered).count() as i32
    }

    /// Number of free cells that the opponent's largest islands can reach over cells that are not own.
    pub(super) fn closing(&self, view: Side) -> i32 {
        let opponent = view.other();
        let largest = self.islands_of(opponent).map(|island| self.sizes[island]).max().unwrap_or(0);
        let (mut reached, mut stack) = ([0; C], [0; C]);
        for island in self.islands_of(opponent).filter(|&island| self.sizes[island] == largest) {
            if reached[island] == 0 {
                let may_enter = |next: usize| {
                    ![PlaceContent::Wall, PlaceContent::Of(view)].contains(&self.contents[next])
                };
                flood_fill(self.n, island, &mut reached, &mut stack, may_enter);
            }
        }
        self.free_places().filter(|&place| reached[place] != 0).count() as i32
    }
}

/// The places next to a place of the board.
#[inline(always)]
fn neighbors(n: usize, place: usize) -> [usize; 4] {
    [place - n - 1, place - 1, place + 1, place + n + 1]
}

/// Marks all places that can be reached from `from` with its number, and counts them. Marked places are not entered.
/// `stack` is a buffer.
fn flood_fill<const C: usize>(
    n: usize,
    from: usize,
    marks: &mut [u16; C],
    stack: &mut [u16; C],
    may_enter: impl Fn(usize) -> bool,
) -> i32 {
    let (mut height, mut n_marked) = (1, 1);
    stack[0] = from as u16;
    marks[from] = from as u16;
    while height > 0 {
        height -= 1;
        for next in neighbors(n, usize::from(stack[height])) {
            if marks[next] == 0 && may_enter(next) {
                marks[next] = from as u16;
                stack[height] = next as u16;
                height += 1;
                n_marked += 1;
            }
        }
    }
    n_marked
}
