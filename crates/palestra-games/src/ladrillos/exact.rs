//! Exact values. The value of a position is its final margin: own points minus the opponent's.
//!
//! The rest of a game depends only on the cells where a brick still fits and on the islands that touch them: their
//! side, their size and which of these cells they touch. That is the state; all other islands only add to the margin.
//! Sizes are counted in bricks, so one point here is four points of the game.

use super::rules::{Brick, Ladrillos, Position};
use palestra_core::{
    Child, ExactRoot, ExactTree, Game, OrderedMove, Seed, Side, StateKey, StaticBounds, TreeRoot, TreeRules,
};

/// Maximum number of cells where a brick still fits.
const MAX_CELLS: usize = 64;
/// Maximum number of islands of one side that touch them.
const MAX_ISLANDS: usize = 24;
/// Number of symmetries of a square.
const SYMMETRIES: usize = 8;

/// The solver's tree of a position.
pub(super) struct LadrillosTree;

impl<const W: usize, const C: usize, const L: usize> ExactTree<Ladrillos<W, C, L>> for LadrillosTree {
    type Rules = Rules;

    fn root(&self, game: &Ladrillos<W, C, L>, at: &Position<W, C, L>) -> Option<ExactRoot<Rules>> {
        let mut moves = Vec::new();
        game.moves(at, &mut moves);
        let rules = Rules::new(game.n, &moves)?;
        let mut islands = [Islands::NONE; 2];
        for side in Side::BOTH {
            islands[side.index()] = rules.islands(at, side, game.stride())?;
        }
        let [own, other] = [islands[at.to_move.index()], islands[at.to_move.other().index()]];
        let state =
            rules.keyed(State { usable: rules.usable, own, other, key: StateKey::default(), symmetry: 0 });
        let bricks_to_come = usize::from(rules.max_bricks(rules.usable).div_ceil(2) as u16);
        if usize::from(own.n.max(other.n)) + bricks_to_come > MAX_ISLANDS {
            return None;
        }
        // On an even board that a half turn maps to itself with sides swapped, the other side can answer each brick
        // with its image, so that the side to move cannot win.
        let highest = if game.n.is_multiple_of(2) && is_antisymmetric(game, at) { 0 } else { i32::MAX };
        Some(ExactRoot::Tree(TreeRoot { rules, state, highest, so_far: at.margin(at.to_move), scale: 4 }))
    }

    fn ending_value(&self, _game: &Ladrillos<W, C, L>, at: &Position<W, C, L>) -> i32 {
        at.margin(at.to_move)
    }

    fn in_reach(&self, game: &Ladrillos<W, C, L>, at: &Position<W, C, L>) -> bool {
        game.free(at).count() <= 36
    }
}

/// Whether a half turn of the board swaps the two sides' bricks.
fn is_antisymmetric<const W: usize, const C: usize, const L: usize>(
    game: &Ladrillos<W, C, L>,
    at: &Position<W, C, L>,
) -> bool {
    let n = game.n;
    let cells = || (0..n).flat_map(|row| (0..n).map(move |column| [row, column]));
    let has = |side: usize, [row, column]: [usize; 2]| at.bricks[side].get(game.place(row, column));
    cells().all(|[row, column]| has(0, [row, column]) == has(1, [n - 1 - row, n - 1 - column]))
}

/// The cells where a brick still fits at the root, numbered in the board's order, and the bricks on them.
#[derive(Debug)]
pub(super) struct Rules {
    usable: u64,
    /// The dark cells of a chessboard.
    dark: u64,
    /// Row and column.
    cells: Vec<[u8; 2]>,
    neighbors: [u64; MAX_CELLS],
    bricks: Vec<PlacedBrick>,
    /// For every cell, its random number in each symmetry.
    codes: Vec<[u64; SYMMETRIES]>,
    /// The same with other random numbers.
    more_codes: Vec<[u64; SYMMETRIES]>,
}

/// A brick's cells and the cells around it.
#[derive(Clone, Copy, Debug)]
struct PlacedBrick {
    cells: u64,
    around: u64,
}

/// The islands of one side that touch usable cells.
#[derive(Clone, Copy, Debug)]
struct Islands {
    n: u8,
    bricks: [u8; MAX_ISLANDS],
    /// The usable cells that each island touches.
    touch: [u64; MAX_ISLANDS],
}

impl Islands {
    const NONE: Islands = Islands { n: 0, bricks: [0; MAX_ISLANDS], touch: [0; MAX_ISLANDS] };

    #[inline]
    fn push(&mut self, bricks: u8, touch: u64) {
        self.bricks[usize::from(self.n)] = bricks;
        self.touch[usize::from(self.n)] = touch;
        self.n += 1;
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = (u8, u64)> + '_ {
        let n = usize::from(self.n);
        self.bricks[..n].iter().copied().zip(self.touch[..n].iter().copied())
    }

    /// Bricks of the island that joins one more brick on these cells with all islands that touch them, and the points
    /// of these islands before.
    #[inline]
    fn joined(&self, cells: u64) -> (i32, i32) {
        let mut bricks = 1;
        let mut points = 0;
        for (size, touch) in self.iter() {
            if touch & cells != 0 {
                bricks += i32::from(size);
                points += i32::from(size).pow(2);
            }
        }
        (bricks, points)
    }

    /// Points gained by a brick on these cells.
    #[inline]
    fn gain(&self, cells: u64) -> i32 {
        let (bricks, points) = self.joined(cells);
        bricks * bricks - points
    }

    /// Upper bound of the points gained by `n_bricks` bricks: all islands joined into one.
    #[inline]
    fn max_gain(&self, n_bricks: u32) -> i32 {
        let (bricks, points) = self.joined(u64::MAX);
        (bricks - 1 + n_bricks as i32).pow(2) - points
    }
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    usable: u64,
    own: Islands,
    other: Islands,
    key: StateKey,
    /// The symmetry of the key.
    symmetry: u8,
}

impl Rules {
    fn new(n: usize, moves: &[Brick]) -> Option<Rules> {
        let cells_of = |brick: &Brick| {
            let [row, column] = [brick.row, brick.column];
            [[row, column], if brick.upright { [row + 1, column] } else { [row, column + 1] }]
        };
        let mut cells: Vec<[u8; 2]> = moves.iter().flat_map(cells_of).collect();
        cells.sort_unstable();
        cells.dedup();
        if cells.len() > MAX_CELLS || moves.len() > usize::from(u8::MAX) {
            return None;
        }
        let bit = |cell: &[u8; 2]| cells.binary_search(cell).map_or(0, |i| 1u64 << i);
        let mut neighbors = [0; MAX_CELLS];
        for (i, &[row, column]) in cells.iter().enumerate() {
            let around = [
                [row + 1, column],
                [row, column + 1],
                [row.wrapping_sub(1), column],
                [row, column.wrapping_sub(1)],
            ];
            neighbors[i] = around.iter().fold(0, |bits, cell| bits | bit(cell));
        }
        let placed = |brick: &Brick| {
            let cells = cells_of(brick).iter().fold(0, |bits, cell| bits | bit(cell));
            PlacedBrick { cells, around: bits_of(cells).fold(0, |bits, i| bits | neighbors[i]) & !cells }
        };
        let codes = |salt: u64| {
            cells.iter().map(|&cell| images(cell, n).map(|image| Seed(salt).child(image).0)).collect()
        };
        Some(Rules {
            usable: cells.iter().fold(0, |bits, cell| bits | bit(cell)),
            dark: cells
                .iter()
                .filter(|[row, column]| (row + column) % 2 == 0)
                .fold(0, |bits, cell| bits | bit(cell)),
            bricks: moves.iter().map(placed).collect(),
            neighbors,
            codes: codes(1),
            more_codes: codes(2),
            cells,
        })
    }

    /// The islands of a side that touch usable cells; `None` if there are too many.
    fn islands<const W: usize, const C: usize, const L: usize>(
        &self,
        at: &Position<W, C, L>,
        side: Side,
        stride: usize,
    ) -> Option<Islands> {
        let mut touch = vec![0u64; L];
        for (i, &[row, column]) in self.cells.iter().enumerate() {
            let place = usize::from(row) * stride + usize::from(column) + stride;
            for neighbor in [place - stride, place.wrapping_sub(1), place + 1, place + stride] {
                let label = at.labels.get(neighbor).copied().unwrap_or(0);
                if super::rules::is_of(label, side.index()) {
                    touch[usize::from(label)] |= 1 << i;
                }
            }
        }
        let live = touch.into_iter().enumerate().filter(|&(_, touch)| touch != 0);
        let mut islands = Islands::NONE;
        for (label, touch) in live {
            if usize::from(islands.n) == MAX_ISLANDS {
                return None;
            }
            islands.push((at.sizes[label] / 2) as u8, touch);
        }
        Some(islands)
    }

    /// Upper bound of the number of bricks that can still be laid: each covers a dark and a light cell.
    #[inline]
    fn max_bricks(&self, usable: u64) -> u32 {
        (usable & self.dark).count_ones().min((usable & !self.dark).count_ones())
    }

    /// The state with its key: the smallest of the codes of the eight symmetries.
    #[inline]
    fn keyed(&self, mut state: State) -> State {
        let mut codes = sum(&self.codes, state.usable);
        for (islands, salt) in [(&state.own, 0u64), (&state.other, 0x9E37_79B9)] {
            for (bricks, touch) in islands.iter() {
                let size = salt.wrapping_add(u64::from(bricks)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                let touched = sum(&self.codes, touch);
                for i in 0..SYMMETRIES {
                    codes[i] = codes[i].wrapping_add(product(touched[i], size));
                }
            }
        }
        let symmetry = (1..SYMMETRIES).fold(0, |min, i| if codes[i] < codes[min] { i } else { min });
        state.symmetry = symmetry as u8;
        state.key = StateKey { main: codes[symmetry], more: self.more_code(&state, symmetry) };
        state
    }

    fn more_code(&self, state: &State, symmetry: usize) -> u16 {
        let sum =
            |cells: u64| bits_of(cells).fold(0u64, |sum, i| sum.wrapping_add(self.more_codes[i][symmetry]));
        let mut code = sum(state.usable);
        for (islands, salt) in [(&state.own, 0u64), (&state.other, 0x9E37_79B9)] {
            for (bricks, touch) in islands.iter() {
                let size = salt.wrapping_add(u64::from(bricks)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                code = code.wrapping_add(product(sum(touch), size));
            }
        }
        (code >> 32) as u16
    }
}

/// The indexes of the set bits.
#[inline]
fn bits_of(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let i = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            i
        })
    })
}

/// The sums of the codes of these cells.
#[inline]
fn sum(codes: &[[u64; SYMMETRIES]], cells: u64) -> [u64; SYMMETRIES] {
    let mut sums = [0u64; SYMMETRIES];
    for cell in bits_of(cells) {
        for i in 0..SYMMETRIES {
            sums[i] = sums[i].wrapping_add(codes[cell][i]);
        }
    }
    sums
}

/// A number that depends on all bits of both: the product of the halves of their sum (as in the hash NH of UMAC).
#[inline]
fn product(code: u64, size: u64) -> u64 {
    let sum = code.wrapping_add(size);
    let (low, high) = (sum as u32, (sum >> 32) as u32);
    u64::from(low.wrapping_add(size as u32 | 1)) * u64::from(high)
}

/// The images of a cell under the eight symmetries of a board.
fn images([row, column]: [u8; 2], n: usize) -> [u64; SYMMETRIES] {
    let last = n as u64 - 1;
    let [i, j] = [u64::from(row), u64::from(column)];
    let pairs = [
        [i, j],
        [i, last - j],
        [last - i, j],
        [last - i, last - j],
        [j, i],
        [j, last - i],
        [last - j, i],
        [last - j, last - i],
    ];
    pairs.map(|[i, j]| i * n as u64 + j)
}

impl TreeRules for Rules {
    type State = State;
    type Facts = ();
    /// A brick's number.
    type Step = u8;

    #[inline]
    fn static_bounds(&self, state: &State, _goal: i32) -> StaticBounds<()> {
        let n_bricks = self.max_bricks(state.usable);
        if n_bricks <= 1 {
            let bricks = self.bricks.iter().filter(|brick| brick.cells & !state.usable == 0);
            let value = bricks.map(|brick| state.own.gain(brick.cells)).max().unwrap_or(0);
            return StaticBounds { lowest: value, highest: value, facts: () };
        }
        StaticBounds {
            lowest: -state.other.max_gain(n_bricks / 2),
            highest: state.own.max_gain(n_bricks.div_ceil(2)),
            facts: (),
        }
    }

    #[inline]
    fn key(&self, state: &State) -> StateKey {
        state.key
    }

    #[inline]
    fn remaining(&self, state: &State) -> u32 {
        self.max_bricks(state.usable)
    }

    #[inline]
    fn steps(&self, state: &State, _facts: &(), out: &mut Vec<OrderedMove<u8>>) {
        let symmetry = usize::from(state.symmetry);
        for (i, brick) in self.bricks.iter().enumerate() {
            if brick.cells & !state.usable != 0 {
                continue;
            }
            // Own gain, the gain that it denies the opponent, and free cells to grow into.
            let n_free = (brick.around & state.usable).count_ones() as i32;
            let order = 2 * state.own.gain(brick.cells) + state.other.gain(brick.cells) + 2 * n_free;
            let code =
                bits_of(brick.cells).fold(0u64, |sum, cell| sum.wrapping_add(self.codes[cell][symmetry]));
            out.push(OrderedMove { order, number: (code >> 56) as u8, step: i as u8 });
        }
    }

    #[inline]
    fn play(&self, state: &State, step: &u8) -> Child<State> {
        let brick = self.bricks[usize::from(*step)];
        let mut usable = state.usable & !brick.cells;
        for i in bits_of(brick.around & usable) {
            if self.neighbors[i] & usable == 0 {
                usable &= !(1 << i);
            }
        }
        let (bricks, points) = state.own.joined(brick.cells);
        let mut own = Islands::NONE;
        let mut around = brick.around;
        for (size, touch) in state.own.iter() {
            if touch & brick.cells != 0 {
                around |= touch;
            } else if touch & usable != 0 {
                own.push(size, touch & usable);
            }
        }
        if around & usable != 0 {
            own.push(bricks as u8, around & usable);
        }
        let mut other = Islands::NONE;
        for (size, touch) in state.other.iter() {
            if touch & usable != 0 {
                other.push(size, touch & usable);
            }
        }
        let next = State { usable, own: other, other: own, key: StateKey::default(), symmetry: 0 };
        let next = if self.uses_table(self.max_bricks(usable)) { self.keyed(next) } else { next };
        Child { state: next, gain: bricks * bricks - points, again: false }
    }

    #[inline]
    fn is_near_root(&self, left: u32) -> bool {
        left > 6
    }

    #[inline]
    fn uses_table(&self, left: u32) -> bool {
        left > 1
    }
}
