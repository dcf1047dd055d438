//! The four features of the Connect-4 study, for boards of any size.

use super::MAX_SIDE;
use super::rules::{Column, Connect, Position};
use crate::bitboard::Bitboard;
use palestra_core::{
    Convention, Feature, FeatureSet, Side, SumPrecision, TerminalValue, TieRule, Transition,
};

/// The step from a cell to the one above it.
const UPWARD: usize = 1;

/// Number of rows that count as low.
const N_LOW_ROWS: usize = 4;

/// The feature set `threes`. It is one-sided: the opponent's stones count in `blocks` only.
#[derive(Clone, Debug)]
pub(super) struct ThreesFeatures<const W: usize> {
    features: [Feature; 4],
    middle: Bitboard<W>,
    low: Bitboard<W>,
    /// The bottom cell of every column.
    bottom: Bitboard<W>,
    board: Bitboard<W>,
}

impl<const W: usize> ThreesFeatures<W> {
    pub(super) fn new<const N: usize, const K: usize>(game: &Connect<W, N, K>) -> ThreesFeatures<W> {
        let cells = |includes: &dyn Fn(usize, usize) -> bool| {
            let mut cells = Bitboard::EMPTY;
            for column in 0..game.n_columns {
                for row in (0..game.n_rows).filter(|&row| includes(column, row)) {
                    cells.set(game.bit(column, row));
                }
            }
            cells
        };
        let max = game.n_cells() as i32;
        let feature = |name, meaning, high, unit| Feature { unit, ..Feature::new(name, meaning, 0, high) };
        // The columns at most one from the middle: three of seven, two of eight.
        let is_middle = |column: usize| (2 * column + 1).abs_diff(game.n_columns) <= 2;
        ThreesFeatures {
            features: [
                feature("threes", "windows one shorter than a win that hold own stones only", 4 * max, 100.0),
                feature(
                    "blocks",
                    "columns where the opponent would win at once",
                    game.n_columns as i32,
                    -100.0,
                ),
                feature("middle", "own stones in the middle columns", max, 100.0),
                feature("low", "own stones in the four lowest rows", max, 100.0),
            ],
            middle: cells(&|column, _| is_middle(column)),
            low: cells(&|_, row| row < N_LOW_ROWS),
            bottom: cells(&|_, row| row == 0),
            board: cells(&|_, _| true),
        }
    }

    /// Windows of `length` cells in all directions that hold these stones only.
    #[inline(always)]
    fn windows(stones: &Bitboard<W>, steps: [usize; 4], length: usize) -> u32 {
        if length == 0 {
            return 0;
        }
        steps.into_iter().map(|step| stones.runs(step, length).count()).sum()
    }

    /// Cells where one more stone completes a line of `run`, with some stones directly before and the rest directly
    /// after it. Correct for playable cells only: above those there are no stones, so in the vertical direction only
    /// stones below are considered.
    #[inline(always)]
    fn completing(stones: &Bitboard<W>, steps: [usize; 4], run: usize) -> Bitboard<W> {
        let mut cells = Bitboard::EMPTY;
        for step in steps {
            // runs[k]: cells where k + 1 stones in a row begin.
            let mut runs = [*stones; MAX_SIDE];
            for k in 1..run - 1 {
                runs[k] = runs[k - 1].both(&stones.down(k * step));
            }
            let ends = |k: usize| runs[k - 1].up(k * step);
            if step == UPWARD {
                cells = cells.union(&ends(run - 1));
                continue;
            }
            for before in 0..run {
                let behind = run - 1 - before;
                let begins = |k: usize| runs[k - 1].down(step);
                let fits = match (before, behind) {
                    (0, k) => begins(k),
                    (k, 0) => ends(k),
                    (k, rest) => ends(k).both(&begins(rest)),
                };
                cells = cells.union(&fits);
            }
        }
        cells
    }

    /// Cells where one more stone of this color wins, occupied or not.
    #[inline(always)]
    fn winning_cells<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &Bitboard<W>,
        run: usize,
    ) -> Bitboard<W> {
        if run == 1 { self.board } else { Self::completing(stones, game.steps(), run) }
    }

    /// Cells where a stone can be dropped now.
    #[inline(always)]
    fn playable(&self, occupied: &Bitboard<W>) -> Bitboard<W> {
        self.bottom.union(&occupied.up(1)).both(&self.board).without(occupied)
    }

    /// The features of `view`, given the opponent's winning cells and the number of own windows.
    #[inline(always)]
    fn values(&self, at: &Position<W>, view: Side, opponent_wins: &Bitboard<W>, windows: u32) -> [i32; 4] {
        let own = &at.stones[view.index()];
        [
            windows as i32,
            opponent_wins.both(&self.playable(&at.occupied())).count() as i32,
            own.both(&self.middle).count() as i32,
            own.both(&self.low).count() as i32,
        ]
    }

    #[inline(always)]
    fn threats_for_run<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &Bitboard<W>,
        run: usize,
    ) -> SideThreats<W> {
        let longest = game.n_columns.max(game.n_rows);
        SideThreats {
            wins: if game.can_win() { self.winning_cells(game, stones, run) } else { Bitboard::EMPTY },
            windows: if run <= longest + 1 { Self::windows(stones, game.steps(), run - 1) } else { 0 },
        }
    }

    /// Winning cells and windows of a color, computed from the board.
    #[inline(always)]
    fn threats_of<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &Bitboard<W>,
    ) -> SideThreats<W> {
        // With a constant run the compiler unrolls the loops; the study played with four.
        match game.run {
            4 => self.threats_for_run(game, stones, 4),
            run => self.threats_for_run(game, stones, run),
        }
    }

    /// The same after a stone on cell `i`, computed from those before it.
    fn threats_after<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        before: &SideThreats<W>,
        stones: &Bitboard<W>,
        i: usize,
    ) -> SideThreats<W> {
        let mut after = *stones;
        after.set(i);
        SideThreats {
            wins: before.wins.union(&self.new_winning_cells(game, &after, i)),
            windows: before.windows + self.windows_through(game, stones, i),
        }
    }

    /// Number of stones in a row after cell `i`, `i` itself not counted, and the cell after the last of them.
    #[inline]
    fn walk(stones: &Bitboard<W>, i: usize, step: isize) -> (usize, usize) {
        let mut length = 0;
        let mut j = i.wrapping_add_signed(step);
        while j < 64 * W && stones.get(j) {
            length += 1;
            j = j.wrapping_add_signed(step);
        }
        (length, j)
    }

    /// Number of windows that a stone of this color on cell `i` adds.
    fn windows_through<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &Bitboard<W>,
        i: usize,
    ) -> u32 {
        let size = game.run - 1;
        if size == 0 {
            return 0;
        }
        let windows = |length: usize| (length + 1).saturating_sub(size) as u32;
        let lengths = game.steps().map(|step| {
            let step = step as isize;
            (Self::walk(stones, i, -step).0, Self::walk(stones, i, step).0)
        });
        lengths.into_iter().map(|(a, b)| windows(a + 1 + b) - windows(a) - windows(b)).sum()
    }

    /// The winning cells that the stone on cell `i` creates: the cells at the ends of the lines through it.
    fn new_winning_cells<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &Bitboard<W>,
        i: usize,
    ) -> Bitboard<W> {
        let mut cells = Bitboard::EMPTY;
        for step in game.steps().map(|step| step as isize) {
            let ways = [(step, Self::walk(stones, i, step)), (-step, Self::walk(stones, i, -step))];
            let length = 1 + ways[0].1.0 + ways[1].1.0;
            for (way, (_, end)) in ways {
                let is_cell = end < 64 * W && self.board.get(end);
                if is_cell && length + 1 + Self::walk(stones, end, way).0 >= game.run {
                    cells.set(end);
                }
            }
        }
        cells
    }
}

/// Winning cells and windows of one color.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideThreats<const W: usize> {
    /// Cells where one more stone wins, occupied or not.
    wins: Bitboard<W>,
    /// Number of windows one shorter than a win.
    windows: u32,
}

impl<const W: usize, const N: usize, const K: usize> FeatureSet<Connect<W, N, K>> for ThreesFeatures<W> {
    /// Used on boards of several words only. A board of one word is evaluated as fast as an accumulator is updated, and
    /// what siblings have in common is computed once, because the compiler sees that it does not change.
    type Accumulator = [SideThreats<W>; 2];

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Connect<W, N, K>, at: &Position<W>, view: Side, out: &mut [i32]) {
        let [own, opponent] =
            [view, view.other()].map(|side| self.threats_of(game, &at.stones[side.index()]));
        out.copy_from_slice(&self.values(at, view, &opponent.wins, own.windows));
    }

    fn begin(&self, game: &Connect<W, N, K>, at: &Position<W>) -> [SideThreats<W>; 2] {
        Side::BOTH.map(|side| self.threats_of(game, &at.stones[side.index()]))
    }

    #[inline]
    fn advance(
        &self,
        game: &Connect<W, N, K>,
        threats: &mut [SideThreats<W>; 2],
        at: &Position<W>,
        mv: Column,
    ) {
        if W == 1 {
            return;
        }
        let side = at.to_move.index();
        threats[side] = self.threats_after(game, &threats[side], &at.stones[side], game.landing(at, mv));
    }

    #[inline]
    fn extract_incremental(
        &self,
        game: &Connect<W, N, K>,
        at: &Position<W>,
        threats: &[SideThreats<W>; 2],
        view: Side,
        out: &mut [i32],
    ) {
        if W == 1 {
            return self.extract(game, at, view, out);
        }
        let (own, opponent) = (threats[view.index()], threats[view.other().index()]);
        out.copy_from_slice(&self.values(at, view, &opponent.wins, own.windows));
    }

    /// Only the stones of the side to move change. Of each side either the windows or the winning cells are needed;
    /// each call is within its branch, so that the compiler leaves out the unused half.
    #[inline(always)]
    fn extract_child(
        &self,
        game: &Connect<W, N, K>,
        step: &Transition<'_, Connect<W, N, K>>,
        threats: &[SideThreats<W>; 2],
        view: Side,
        out: &mut [i32],
    ) {
        let side = step.at.to_move.index();
        let other = &step.at.stones[1 - side];
        let values = if W > 1 {
            let mut threats = *threats;
            self.advance(game, &mut threats, step.at, step.mv);
            self.values(step.after, view, &threats[view.other().index()].wins, threats[view.index()].windows)
        } else if side == view.index() {
            let windows = self.threats_of(game, &step.after.stones[side]).windows;
            self.values(step.after, view, &self.threats_of(game, other).wins, windows)
        } else {
            let wins = self.threats_of(game, &step.after.stones[side]).wins;
            self.values(step.after, view, &wins, self.threats_of(game, other).windows)
        };
        out.copy_from_slice(&values);
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    /// The study's conventions: 20000 for a win, the rightmost of equal moves, sums truncated to whole numbers.
    fn convention(&self) -> Convention {
        Convention {
            endings: TerminalValue::SearchOnly(20_000.0),
            ties: TieRule::Last,
            sum: SumPrecision::Whole,
            ..Convention::default()
        }
    }
}
