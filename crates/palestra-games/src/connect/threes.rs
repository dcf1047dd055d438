//! The four features of the Connect-4 study, for boards of any size.

use super::MAX_SIDE;
use super::bits::ConnectBitboard;
use super::rules::{Column, Connect, Position};
use palestra_core::{
    Convention, Feature, FeatureSet, Side, SumPrecision, TerminalValue, TieRule, Transition,
};

/// The step from a cell to the one above it.
const UPWARD: usize = 1;

/// Rows that count as low.
const N_LOW_ROWS: usize = 4;

/// The feature set `threes`. One-sided: the rival enters through `blocks` alone.
#[derive(Clone, Debug)]
pub(super) struct ThreesFeatures<const W: usize> {
    features: [Feature; 4],
    middle: ConnectBitboard<W>,
    low: ConnectBitboard<W>,
    /// The bottom cell of every column.
    bottom: ConnectBitboard<W>,
    board: ConnectBitboard<W>,
}

impl<const W: usize> ThreesFeatures<W> {
    pub(super) fn new<const N: usize, const K: usize>(game: &Connect<W, N, K>) -> ThreesFeatures<W> {
        let cells = |wanted: &dyn Fn(usize, usize) -> bool| {
            let mut cells = ConnectBitboard::EMPTY;
            for column in 0..game.n_columns {
                for row in (0..game.n_rows).filter(|&row| wanted(column, row)) {
                    cells.set(game.bit(column, row));
                }
            }
            cells
        };
        let most = game.n_cells() as i32;
        let feature = |name, meaning, high, unit| Feature { unit, ..Feature::new(name, meaning, 0, high) };
        // The columns within one of the middle: three of seven, two of eight.
        let is_middle = |column: usize| (2 * column + 1).abs_diff(game.n_columns) <= 2;
        ThreesFeatures {
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
    fn windows(stones: &ConnectBitboard<W>, steps: [usize; 4], length: usize) -> u32 {
        if length == 0 {
            return 0;
        }
        steps.into_iter().map(|step| stones.runs(step, length).count()).sum()
    }

    /// Cells where one more stone completes a line of `run`: with some stones right before it and the rest right
    /// behind. Of cells that cannot be played now it may be wrong: nothing ever lies above a playable one, so
    /// upward only stones before it are looked for.
    #[inline(always)]
    fn completing(stones: &ConnectBitboard<W>, steps: [usize; 4], run: usize) -> ConnectBitboard<W> {
        let mut found = ConnectBitboard::EMPTY;
        for step in steps {
            // runs[k]: cells where k + 1 stones in a row begin.
            let mut runs = [*stones; MAX_SIDE];
            for k in 1..run - 1 {
                runs[k] = runs[k - 1].both(&stones.down(k * step));
            }
            let ends = |k: usize| runs[k - 1].up(k * step);
            if step == UPWARD {
                found = found.union(&ends(run - 1));
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
                found = found.union(&fits);
            }
        }
        found
    }

    /// Cells where one more stone of this color wins, taken or not.
    #[inline(always)]
    fn winning_cells<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &ConnectBitboard<W>,
        run: usize,
    ) -> ConnectBitboard<W> {
        if run == 1 { self.board } else { Self::completing(stones, game.steps(), run) }
    }

    /// Cells where a stone can be dropped now.
    #[inline(always)]
    fn playable(&self, occupied: &ConnectBitboard<W>) -> ConnectBitboard<W> {
        self.bottom.union(&occupied.up(1)).both(&self.board).without(occupied)
    }

    /// The features of `view`, where the rival wins on certain cells and own windows are counted already.
    #[inline(always)]
    fn values(
        &self,
        at: &Position<W>,
        view: Side,
        rival_wins: &ConnectBitboard<W>,
        windows: u32,
    ) -> [i32; 4] {
        let own = &at.stones[view.index()];
        [
            windows as i32,
            rival_wins.both(&self.playable(&at.occupied())).count() as i32,
            own.both(&self.middle).count() as i32,
            own.both(&self.low).count() as i32,
        ]
    }

    #[inline(always)]
    fn facts<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &ConnectBitboard<W>,
        run: usize,
    ) -> SideThreats<W> {
        let longest = game.n_columns.max(game.n_rows);
        SideThreats {
            wins: if game.can_win() { self.winning_cells(game, stones, run) } else { ConnectBitboard::EMPTY },
            windows: if run <= longest + 1 { Self::windows(stones, game.steps(), run - 1) } else { 0 },
        }
    }

    /// Winning cells and windows of a color, read off the board.
    #[inline(always)]
    fn look<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &ConnectBitboard<W>,
    ) -> SideThreats<W> {
        // With the run known to the compiler the loops unroll; four is what the study played.
        match game.run {
            4 => self.facts(game, stones, 4),
            run => self.facts(game, stones, run),
        }
    }

    /// The same after a stone on cell `i`.
    fn look_after<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        before: &SideThreats<W>,
        stones: &ConnectBitboard<W>,
        i: usize,
    ) -> SideThreats<W> {
        let mut after = *stones;
        after.set(i);
        SideThreats {
            wins: before.wins.union(&self.new_winning_cells(game, &after, i)),
            windows: before.windows + self.windows_through(game, stones, i),
        }
    }

    /// Own stones in a row from cell `i` on, `i` itself not counted, and the cell behind the last of them.
    #[inline]
    fn walk(stones: &ConnectBitboard<W>, i: usize, step: isize) -> (usize, usize) {
        let mut length = 0;
        let mut j = i.wrapping_add_signed(step);
        while j < 64 * W && stones.get(j) {
            length += 1;
            j = j.wrapping_add_signed(step);
        }
        (length, j)
    }

    /// How many windows a stone of this color on cell `i` adds.
    fn windows_through<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &ConnectBitboard<W>,
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

    /// The cells where this color wins only since its stone on cell `i`: the empty ends of the lines there.
    fn new_winning_cells<const N: usize, const K: usize>(
        &self,
        game: &Connect<W, N, K>,
        stones: &ConnectBitboard<W>,
        i: usize,
    ) -> ConnectBitboard<W> {
        let mut found = ConnectBitboard::EMPTY;
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

/// What is known of one color's stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideThreats<const W: usize> {
    /// Cells where one more stone wins, taken or not.
    wins: ConnectBitboard<W>,
    /// Windows one shorter than a win.
    windows: u32,
}

impl<const W: usize, const N: usize, const K: usize> FeatureSet<Connect<W, N, K>> for ThreesFeatures<W> {
    /// Used on boards of several words only. One word is read as quickly as a memo, and what siblings share of it
    /// is read once, because the compiler sees that it does not change.
    type Accumulator = [SideThreats<W>; 2];

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Connect<W, N, K>, at: &Position<W>, view: Side, out: &mut [i32]) {
        let [own, rival] = [view, view.other()].map(|side| self.look(game, &at.stones[side.index()]));
        out.copy_from_slice(&self.values(at, view, &rival.wins, own.windows));
    }

    fn begin(&self, game: &Connect<W, N, K>, at: &Position<W>) -> [SideThreats<W>; 2] {
        Side::BOTH.map(|side| self.look(game, &at.stones[side.index()]))
    }

    #[inline]
    fn advance(
        &self,
        game: &Connect<W, N, K>,
        facts: &mut [SideThreats<W>; 2],
        at: &Position<W>,
        mv: Column,
    ) {
        if W == 1 {
            return;
        }
        let mover = at.to_move.index();
        facts[mover] = self.look_after(game, &facts[mover], &at.stones[mover], game.landing(at, mv));
    }

    #[inline]
    fn extract_incremental(
        &self,
        game: &Connect<W, N, K>,
        at: &Position<W>,
        facts: &[SideThreats<W>; 2],
        view: Side,
        out: &mut [i32],
    ) {
        if W == 1 {
            return self.extract(game, at, view, out);
        }
        let (own, rival) = (facts[view.index()], facts[view.other().index()]);
        out.copy_from_slice(&self.values(at, view, &rival.wins, own.windows));
    }

    /// Only the mover's stones change; of each side, one look tells either the windows or the winning cells. Each look
    /// stands within its branch: the compiler then leaves out the half that nobody asks for.
    #[inline(always)]
    fn extract_child(
        &self,
        game: &Connect<W, N, K>,
        step: &Transition<'_, Connect<W, N, K>>,
        facts: &[SideThreats<W>; 2],
        view: Side,
        out: &mut [i32],
    ) {
        let mover = step.at.to_move.index();
        let waiting = &step.at.stones[1 - mover];
        let values = if W > 1 {
            let mut facts = *facts;
            self.advance(game, &mut facts, step.at, step.mv);
            self.values(step.after, view, &facts[view.other().index()].wins, facts[view.index()].windows)
        } else if mover == view.index() {
            let windows = self.look(game, &step.after.stones[mover]).windows;
            self.values(step.after, view, &self.look(game, waiting).wins, windows)
        } else {
            let wins = self.look(game, &step.after.stones[mover]).wins;
            self.values(step.after, view, &wins, self.look(game, waiting).windows)
        };
        out.copy_from_slice(&values);
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    /// The study's constants: 20000 for a win, the rightmost of equals, sums cut to whole numbers.
    fn convention(&self) -> Convention {
        Convention {
            endings: TerminalValue::SearchOnly(20_000.0),
            ties: TieRule::Last,
            sum: SumPrecision::Whole,
            ..Convention::default()
        }
    }
}
