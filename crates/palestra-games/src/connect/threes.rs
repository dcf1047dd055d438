//! The four features of the Connect-4 study, for boards of any size.

use super::bits::Bits;
use super::rules::{Column, Connect, Position};
use palestra_core::{Convention, Feature, FeatureSet, Side, Ties};

/// Rows that count as low.
const N_LOW_ROWS: usize = 4;

/// The feature set `threes`. One-sided: the rival enters through `blocks` alone.
#[derive(Clone, Debug)]
pub(super) struct Threes<const W: usize> {
    features: [Feature; 4],
    middle: Bits<W>,
    low: Bits<W>,
    /// The bottom cell of every column.
    bottom: Bits<W>,
    board: Bits<W>,
}

impl<const W: usize> Threes<W> {
    pub(super) fn new<const N: usize>(game: &Connect<W, N>) -> Threes<W> {
        let cells = |wanted: &dyn Fn(usize, usize) -> bool| {
            let mut cells = Bits::EMPTY;
            for column in 0..game.n_columns {
                for row in (0..game.n_rows).filter(|&row| wanted(column, row)) {
                    cells.set(game.bit(column, row));
                }
            }
            cells
        };
        let most = game.n_cells() as i32;
        let feature = |name, meaning, high, unit| Feature { name, meaning, low: 0, high, unit };
        // The columns within one of the middle: three of seven, two of eight.
        let is_middle = |column: usize| (2 * column + 1).abs_diff(game.n_columns) <= 2;
        Threes {
            features: [
                feature(
                    "threes",
                    "windows one shorter than a win that hold own stones only",
                    4 * most,
                    100.0,
                ),
                feature("blocks", "columns where the rival would win at once", game.n_columns as i32, -100.0),
                feature("middle", "own stones in the middle columns", most, 100.0),
                feature("low", "own stones in the four lowest rows", most, 100.0),
            ],
            middle: cells(&|column, _| is_middle(column)),
            low: cells(&|_, row| row < N_LOW_ROWS),
            bottom: cells(&|_, row| row == 0),
            board: cells(&|_, _| true),
        }
    }

    /// Windows of `length` cells in all directions that hold these stones only.
    #[inline(always)]
    fn windows(stones: &Bits<W>, steps: [usize; 4], length: usize) -> u32 {
        if length == 0 {
            return 0;
        }
        steps.into_iter().map(|step| stones.runs(step, length).count()).sum()
    }

    /// Cells, empty or not, where one more stone completes a line of `run`: with `k` stones before it and
    /// the rest behind, for every `k`.
    #[inline(always)]
    fn completing(stones: &Bits<W>, steps: [usize; 4], run: usize) -> Bits<W> {
        let mut found = Bits::EMPTY;
        for step in steps {
            // before[k]: cells with at least k stones just before them; after[k] likewise behind them.
            let mut before = [Bits::<W>::EMPTY; 33];
            let mut after = [Bits::<W>::EMPTY; 33];
            for k in 1..run {
                let (b, a) = (stones.up(k * step), stones.down(k * step));
                before[k] = if k == 1 { b } else { before[k - 1].both(&b) };
                after[k] = if k == 1 { a } else { after[k - 1].both(&a) };
            }
            for k in 0..run {
                let rest = run - 1 - k;
                let both = match (k, rest) {
                    (0, _) => after[rest],
                    (_, 0) => before[k],
                    _ => before[k].both(&after[rest]),
                };
                found = found.union(&both);
            }
        }
        found
    }

    /// Cells where one more stone of this color wins, taken or not.
    #[inline(always)]
    fn winning_cells<const N: usize>(&self, game: &Connect<W, N>, stones: &Bits<W>, run: usize) -> Bits<W> {
        if run == 1 { self.board } else { Self::completing(stones, game.steps(), run) }
    }

    /// Cells where a stone can be dropped now.
    #[inline(always)]
    fn playable(&self, occupied: &Bits<W>) -> Bits<W> {
        self.bottom.union(&occupied.up(1)).both(&self.board).without(occupied)
    }

    #[inline(always)]
    fn count<const N: usize>(
        &self,
        game: &Connect<W, N>,
        at: &Position<W>,
        view: Side,
        run: usize,
    ) -> [i32; 4] {
        let (own, rival) = (&at.stones[view.index()], &at.stones[view.other().index()]);
        let wins = self.winning_cells(game, rival, run);
        [
            Self::windows(own, game.steps(), run - 1) as i32,
            wins.both(&self.playable(&at.occupied())).count() as i32,
            own.both(&self.middle).count() as i32,
            own.both(&self.low).count() as i32,
        ]
    }

    /// Own stones in a row from cell `i` on, `i` itself not counted, and the cell behind the last of them.
    #[inline]
    fn walk(stones: &Bits<W>, i: usize, step: isize) -> (usize, usize) {
        let mut length = 0;
        let mut j = i.wrapping_add_signed(step);
        while j < 64 * W && stones.get(j) {
            length += 1;
            j = j.wrapping_add_signed(step);
        }
        (length, j)
    }

    /// How many windows a stone of this color on cell `i` adds.
    fn windows_through<const N: usize>(&self, game: &Connect<W, N>, stones: &Bits<W>, i: usize) -> i32 {
        let size = game.run - 1;
        if size == 0 {
            return 0;
        }
        let windows = |length: usize| (length + 1).saturating_sub(size) as i32;
        let lengths = game.steps().map(|step| {
            let step = step as isize;
            (Self::walk(stones, i, -step).0, Self::walk(stones, i, step).0)
        });
        lengths.into_iter().map(|(a, b)| windows(a + 1 + b) - windows(a) - windows(b)).sum()
    }

    /// The cells where this color wins only since its stone on cell `i`: the empty ends of the lines there.
    fn new_winning_cells<const N: usize>(&self, game: &Connect<W, N>, stones: &Bits<W>, i: usize) -> Bits<W> {
        let mut found = Bits::EMPTY;
        for step in game.steps().map(|step| step as isize) {
            let ways = [(step, Self::walk(stones, i, step)), (-step, Self::walk(stones, i, -step))];
            let length = 1 + ways[0].1.0 + ways[1].1.0;
            for (way, (_, end)) in ways {
                let is_cell = end < 64 * W && self.board.get(end);
                if is_cell && length + 1 + Self::walk(stones, end, way).0 >= game.run {
                    found.set(end);
                }
            }
        }
        found
    }
}

impl<const W: usize, const N: usize> FeatureSet<Connect<W, N>> for Threes<W> {
    type Memo = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    #[inline]
    fn extract(&self, game: &Connect<W, N>, at: &Position<W>, view: Side, out: &mut [i32]) {
        // With the run known to the compiler the loops unroll; four is what the study played.
        let values = match game.run {
            4 => self.count(game, at, view, 4),
            run => self.count(game, at, view, run),
        };
        out.copy_from_slice(&values);
    }

    fn begin(&self, _game: &Connect<W, N>, _at: &Position<W>) {}

    #[inline]
    fn advance(&self, _game: &Connect<W, N>, _memo: &mut (), _at: &Position<W>, _mv: Column) {}

    /// One look at the board, then only what lies around each new stone.
    fn extract_children(
        &self,
        game: &Connect<W, N>,
        at: &Position<W>,
        _memo: &(),
        view: Side,
        moves: &[Column],
        out: &mut Vec<i32>,
    ) {
        let n = moves.len();
        out.clear();
        out.resize(4 * n, 0);
        let before = self.count(game, at, view, game.run);
        let occupied = at.occupied();
        let rival_wins = self.winning_cells(game, &at.stones[view.other().index()], game.run);
        for (child, &Column(column)) in moves.iter().enumerate() {
            let column = usize::from(column);
            let i = game.bit(column, game.height(&occupied, column));
            let mut occupied_after = occupied;
            occupied_after.set(i);
            let playable = self.playable(&occupied_after);
            let mut values = before;
            if at.to_move == view {
                values[0] += self.windows_through(game, &at.stones[view.index()], i);
                values[1] = rival_wins.both(&playable).count() as i32;
                values[2] += i32::from(self.middle.get(i));
                values[3] += i32::from(self.low.get(i));
            } else {
                let mut stones = at.stones[at.to_move.index()];
                stones.set(i);
                let wins = rival_wins.union(&self.new_winning_cells(game, &stones, i));
                values[1] = wins.both(&playable).count() as i32;
            }
            for (f, value) in values.into_iter().enumerate() {
                out[f * n + child] = value;
            }
        }
    }

    /// The study's constants: 20000 for a win, the rightmost of equals, sums cut to whole numbers.
    fn convention(&self) -> Convention {
        Convention { win: 20_000.0, ties: Ties::Last, whole: true }
    }
}
