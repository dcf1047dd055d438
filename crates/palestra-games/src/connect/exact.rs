//! Exact values on boards of one machine word.
//!
//! The value of a position is the number of stones that the winner has left when the game ends, the winning one
//! included: 22 minus the winner's stones on 7 × 6. Positive if the side to move wins, 0 for a draw.

use super::rules::{Connect, Position};
use palestra_core::{
    Child, ExactRoot, ExactTree, Game, OrderedMove, StateKey, StaticBounds, TreeRoot, TreeRules,
};

/// The solver's tree of a board: of one constant size and run, or with zeros of any size.
pub(super) struct ConnectTree<const COLUMNS: usize, const ROWS: usize, const RUN: usize>;

/// The rules on a board of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<const COLUMNS: usize, const ROWS: usize, const RUN: usize> {
    n_columns: u32,
    /// Bits from one column to the next.
    stride: u32,
    run: usize,
    /// The lowest cell of each column.
    bottom: u64,
    /// All cells.
    board: u64,
    /// The cells with an odd number of cells above them.
    lead: u64,
    /// Stones on the board when the game is drawn.
    full: u32,
    /// Columns from the middle outward.
    columns: [u8; 32],
}

/// The stones of the side to move and all stones, and the same mirrored.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    own: u64,
    occupied: u64,
    mirrored_own: u64,
    mirrored: u64,
    /// The cells where the other side would complete a run.
    threats: u64,
}

/// A stone to drop.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoneDrop {
    stone: u64,
    /// The cells where the side that drops it would then complete a run.
    threats: u64,
    column: u8,
}

/// Number of columns whose moves are computed together.
const LANES: usize = 8;

impl<
    const W: usize,
    const N: usize,
    const K: usize,
    const COLUMNS: usize,
    const ROWS: usize,
    const RUN: usize,
> ExactTree<Connect<W, N, K>> for ConnectTree<COLUMNS, ROWS, RUN>
{
    type Rules = Rules<COLUMNS, ROWS, RUN>;

    fn root(&self, game: &Connect<W, N, K>, at: &Position<W>) -> Option<ExactRoot<Self::Rules>> {
        let rules =
            Rules::new(game.n_columns, game.n_rows, game.run, at.occupied().count() + u32::from(at.left));
        let own = at.stones[at.to_move.index()].words()[0];
        let occupied = at.occupied().words()[0];
        if rules.completing(own, occupied) & (occupied + rules.bottom) != 0 {
            return Some(ExactRoot::Known(rules.win_value(occupied.count_ones())));
        }
        let state = rules.state(own, occupied);
        Some(ExactRoot::Tree(TreeRoot { rules, state, highest: i32::MAX, so_far: 0, scale: 1 }))
    }

    fn ending_value(&self, game: &Connect<W, N, K>, at: &Position<W>) -> i32 {
        let placed = at.occupied().count() as i32;
        let all = placed + i32::from(at.left);
        match game.ending(at).and_then(|ending| ending.winner) {
            None => 0,
            Some(winner) => {
                let value = (all + 2 - placed) / 2;
                if winner == at.to_move { value } else { -value }
            }
        }
    }

    fn in_reach(&self, game: &Connect<W, N, K>, at: &Position<W>) -> bool {
        game.n_cells() <= 42 || game.n_cells() - at.occupied().count() as usize <= 34
    }
}

impl<const COLUMNS: usize, const ROWS: usize, const RUN: usize> Rules<COLUMNS, ROWS, RUN> {
    fn new(n_columns: usize, n_rows: usize, run: usize, full: u32) -> Self {
        let stride = n_rows as u32 + 1;
        let column = |i: usize| 1u64 << (i as u32 * stride);
        let bottom = (0..n_columns).fold(0, |bits, i| bits | column(i));
        let rows = |first: usize| (first..n_rows).step_by(2).fold(0, |bits, row| bits | bottom << row);
        let mut columns: Vec<u8> = (0..n_columns as u8).collect();
        columns.sort_by_key(|&i| (2 * i32::from(i) + 1 - n_columns as i32).abs());
        columns.resize(32, 0);
        Rules {
            n_columns: n_columns as u32,
            stride,
            run,
            bottom,
            board: rows(0) | rows(1),
            lead: rows(n_rows % 2),
            full,
            columns: columns.try_into().expect("resized to 32"),
        }
    }

    #[inline(always)]
    fn stride(&self) -> u32 {
        if ROWS > 0 { ROWS as u32 + 1 } else { self.stride }
    }

    #[inline(always)]
    fn n_columns(&self) -> u32 {
        if COLUMNS > 0 { COLUMNS as u32 } else { self.n_columns }
    }

    #[inline(always)]
    fn run(&self) -> usize {
        if RUN > 0 { RUN } else { self.run }
    }

    fn state(&self, own: u64, occupied: u64) -> State {
        let other = own ^ occupied;
        State {
            own,
            occupied,
            mirrored_own: self.mirror(own),
            mirrored: self.mirror(occupied),
            threats: self.completing(other, occupied),
        }
    }

    fn mirror(&self, bits: u64) -> u64 {
        let column = self.bottom_column();
        (0..self.n_columns()).fold(0, |mirrored, i| {
            mirrored | (bits >> (i * self.stride()) & column) << ((self.n_columns() - 1 - i) * self.stride())
        })
    }

    /// The leftmost column with the bit above it.
    fn bottom_column(&self) -> u64 {
        (1 << self.stride()) - 1
    }

    /// The empty cells where one more of these stones completes a run.
    #[inline]
    fn completing(&self, stones: u64, occupied: u64) -> u64 {
        let cells = if self.run() == 4 { self.completing_four(stones) } else { self.completing_any(stones) };
        cells & (self.board ^ occupied)
    }

    #[inline]
    fn completing_four(&self, stones: u64) -> u64 {
        // Vertical: only the cell on top can be missing.
        let mut cells = stones << 1 & stones << 2 & stones << 3;
        for step in [self.stride(), self.stride() - 1, self.stride() + 1] {
            let pairs = stones << step & stones << (2 * step);
            cells |= pairs & stones << (3 * step);
            cells |= pairs & stones >> step;
            let pairs = stones >> step & stones >> (2 * step);
            cells |= pairs & stones << step;
            cells |= pairs & stones >> (3 * step);
        }
        cells
    }

    /// The same for several moves at once.
    #[inline]
    fn completing_lanes(&self, stones: [u64; LANES]) -> [u64; LANES] {
        if self.run() != 4 {
            return stones.map(|stones| self.completing_any(stones));
        }
        let mut cells = stones.map(|stones| stones << 1 & stones << 2 & stones << 3);
        for step in [self.stride(), self.stride() - 1, self.stride() + 1] {
            for i in 0..LANES {
                let up = stones[i] << step;
                let down = stones[i] >> step;
                let pairs_up = up & stones[i] << (2 * step);
                let pairs_down = down & stones[i] >> (2 * step);
                cells[i] |= pairs_up & (stones[i] << (3 * step) | down);
                cells[i] |= pairs_down & (stones[i] >> (3 * step) | up);
            }
        }
        cells
    }

    /// The same for a run of any length.
    fn completing_any(&self, stones: u64) -> u64 {
        let mut cells = 0;
        let shifted = |by: i64| match by {
            0..64 => stones << by,
            -63..0 => stones >> -by,
            _ => 0,
        };
        for step in [1, self.stride(), self.stride() - 1, self.stride() + 1] {
            for missing in 0..self.run() as i64 {
                let others = (0..self.run() as i64).filter(|&i| i != missing);
                cells |= others.fold(u64::MAX, |all, i| all & shifted((missing - i) * i64::from(step)));
            }
        }
        cells
    }

    /// Whether these cells contain a run.
    #[inline]
    fn has_run(&self, cells: u64) -> bool {
        [1, self.stride(), self.stride() - 1, self.stride() + 1].into_iter().any(|step| {
            let mut starts = cells;
            let mut known = 1;
            while known < self.run() {
                let more = known.min(self.run() - known);
                starts &= starts.checked_shr(more as u32 * step).unwrap_or(0);
                known += more;
            }
            starts != 0
        })
    }

    /// Upper bound for the side to move where every column has an even number of empty cells: the other side can always
    /// answer in the same column, and each side then gets every second cell (Allis's claimeven). If the cells of the
    /// side to move contain no run, it cannot win; if those of the other side do, it loses. `i32::MAX` is no bound.
    fn claimeven_bound(&self, own: u64, other: u64) -> i32 {
        let empty = self.board ^ (own | other);
        match () {
            () if self.full < self.board.count_ones() => i32::MAX,
            () if self.has_run(own | empty & self.lead) => i32::MAX,
            () if self.has_run(other | empty & !self.lead) => -1,
            () => 0,
        }
    }

    #[inline]
    fn code(&self, state: &State) -> u64 {
        state.own + state.occupied + self.bottom
    }

    #[inline]
    fn mirrored_code(&self, state: &State) -> u64 {
        state.mirrored_own + state.mirrored + self.bottom
    }

    /// Whether these threats, of the side that is not to move, cannot all be answered: two at once, or one directly
    /// above the other.
    #[inline]
    fn is_winning(&self, occupied: u64, threats: u64) -> bool {
        let open = (occupied + self.bottom) & threats;
        (open & open.wrapping_sub(1)) | (open << 1 & threats) != 0
    }

    /// The cell that the side to move must take; `None` if there is no threat, if it cannot be answered or if at most
    /// three moves remain.
    #[inline]
    fn only_answer(&self, state: &State) -> Option<u64> {
        let open = (state.occupied + self.bottom) & self.board;
        let forced = open & state.threats;
        let is_only = forced != 0 && forced & (forced - 1) == 0 && forced << 1 & state.threats == 0;
        (is_only && self.remaining(state) > 3).then_some(forced)
    }

    /// The position after a stone; `threats` are those of the side that drops it.
    #[inline]
    fn drop_stone(&self, state: &State, stone: u64, column: u8, threats: u64) -> State {
        let across = (self.n_columns() - 1) as i32 - 2 * i32::from(column);
        let by = across.unsigned_abs() * self.stride();
        let mirrored = if across >= 0 { stone << by } else { stone >> by };
        State {
            own: state.own ^ state.occupied,
            occupied: state.occupied | stone,
            mirrored_own: state.mirrored_own ^ state.mirrored,
            mirrored: state.mirrored | mirrored,
            threats,
        }
    }

    /// Value for the side to move if it wins with its next stone, with `placed` stones on the board.
    #[inline]
    fn win_value(&self, placed: u32) -> i32 {
        (self.full as i32 + 1 - placed as i32) >> 1
    }
}

impl<const COLUMNS: usize, const ROWS: usize, const RUN: usize> TreeRules for Rules<COLUMNS, ROWS, RUN> {
    type State = State;
    /// Cells of the moves after which the other side does not win at once.
    type Facts = u64;
    type Step = StoneDrop;

    #[inline]
    fn static_bounds(&self, state: &State, goal: i32) -> StaticBounds<u64> {
        let placed = state.occupied.count_ones();
        let left = self.full - placed;
        let open = (state.occupied + self.bottom) & self.board;
        let exact = |value| StaticBounds { lowest: value, highest: value, facts: 0 };
        // No state below the root has a run to complete: the search skips moves that allow one.
        let forced = open & state.threats;
        let mut safe = open;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return exact(-self.win_value(placed + 1));
            }
            safe = forced;
        }
        safe &= !(state.threats >> 1);
        if safe == 0 {
            return exact(-self.win_value(placed + 1));
        }
        if left <= 2 {
            return exact(0);
        }
        let mut lowest = -self.win_value(placed + 3);
        let mut highest = self.win_value(placed + 2);
        if goal == 0 || goal == 1 {
            // Columns with an odd number of empty cells.
            let odd = open & !self.lead;
            let other = state.own ^ state.occupied;
            if odd == 0 {
                highest = highest.min(self.claimeven_bound(state.own, other));
            } else if odd & (odd - 1) == 0 && safe & odd != 0 {
                // After a stone in the odd column, the bound holds for the other side.
                lowest = lowest.max(self.claimeven_bound(other, state.own | odd).saturating_neg());
            }
        }
        StaticBounds { lowest, highest, facts: safe }
    }

    #[inline]
    fn key(&self, state: &State) -> StateKey {
        StateKey { main: self.code(state).min(self.mirrored_code(state)), more: 0 }
    }

    #[inline]
    fn remaining(&self, state: &State) -> u32 {
        self.full - state.occupied.count_ones()
    }

    #[inline]
    fn steps(&self, state: &State, safe: &u64, out: &mut Vec<OrderedMove<StoneDrop>>) {
        let flip = self.code(state) > self.mirrored_code(state);
        for columns in self.columns[..self.n_columns() as usize].chunks(LANES) {
            let mut stones = [0; LANES];
            for (stone, &column) in stones.iter_mut().zip(columns) {
                *stone = safe & self.bottom_column() << (u32::from(column) * self.stride());
            }
            let threats = self.completing_lanes(stones.map(|stone| state.own | stone));
            let empty = self.board ^ state.occupied;
            for (i, &column) in columns.iter().enumerate() {
                if stones[i] != 0 {
                    let threats = threats[i] & (empty ^ stones[i]);
                    let number = if flip { self.n_columns() as u8 - 1 - column } else { column };
                    let step = StoneDrop { stone: stones[i], threats, column };
                    if self.is_winning(state.occupied | stones[i], threats) {
                        // No move is better, so no other is needed.
                        out.push(OrderedMove { order: i32::MAX, number, step });
                        return;
                    }
                    out.push(OrderedMove { order: threats.count_ones() as i32, number, step });
                }
            }
        }
    }

    #[inline]
    fn play(&self, state: &State, step: &StoneDrop) -> Child<State> {
        let mut state = self.drop_stone(state, step.stone, step.column, step.threats);
        let mut again = false;
        // Forced answers are played at once.
        while let Some(stone) = self.only_answer(&state) {
            let column = (stone.trailing_zeros() / self.stride()) as u8;
            let occupied = state.occupied | stone;
            let threats = self.completing(state.own | stone, occupied);
            if self.is_winning(occupied, threats) {
                break;
            }
            state = self.drop_stone(&state, stone, column, threats);
            again = !again;
        }
        Child { state, gain: 0, again }
    }

    /// First decides who wins, then bisects.
    fn next_goal(&self, low: i32, high: i32) -> i32 {
        match () {
            () if low < 0 && high > 0 => 1,
            () if low < 0 && high == 0 => 0,
            () => low + (high - low) / 2 + 1,
        }
    }

    #[inline]
    fn is_near_root(&self, left: u32) -> bool {
        left > 16
    }
    #[inline]
    fn uses_table(&self, left: u32) -> bool {
        left > 6
    }
}
