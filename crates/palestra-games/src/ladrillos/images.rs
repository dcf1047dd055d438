//! The eight symmetries of a square board.

use super::rules::Brick;
use palestra_core::{Seed, Side, Symmetry};
use std::sync::Arc;

/// Number of symmetries, the identity included.
pub(super) const COUNT: usize = 8;

/// The image of a cell: mirrored vertically, then horizontally, then across the diagonal, one bit of `symmetry` each.
fn image(n: usize, [row, column]: [usize; 2], symmetry: usize) -> [usize; 2] {
    let row = if symmetry & 1 != 0 { n - 1 - row } else { row };
    let column = if symmetry & 2 != 0 { n - 1 - column } else { column };
    if symmetry & 4 != 0 { [column, row] } else { [row, column] }
}

/// The image of a brick.
pub(super) fn mirror_brick(n: usize, brick: Brick, Symmetry(symmetry): Symmetry) -> Brick {
    let cells = [[0, 0], if brick.upright { [1, 0] } else { [0, 1] }]
        .map(|[down, right]| [usize::from(brick.row) + down, usize::from(brick.column) + right])
        .map(|cell| image(n, cell, usize::from(symmetry)));
    let [a, b] = cells;
    let [row, column] = a.min(b);
    Brick { row: row as u8, column: column as u8, upright: a[1] == b[1] }
}

/// A random number for each cell, side and symmetry. The exclusive or of the numbers of a position's cells is the key
/// of its image (Zobrist 1970); the keys of all images are computed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ZobristNumbers {
    /// By side, then by place.
    numbers: [Arc<[[u64; COUNT]]>; 2],
}

impl ZobristNumbers {
    pub(super) fn new(n: usize) -> ZobristNumbers {
        let number =
            |side: usize, [row, column]: [usize; 2]| Seed(side as u64).child((row * n + column) as u64).0;
        let numbers = |side: usize| {
            (0..n * (n + 1))
                .map(|place| [place / (n + 1), place % (n + 1)])
                .map(|cell| {
                    let is_cell = cell[1] < n;
                    std::array::from_fn(|i| if is_cell { number(side, image(n, cell, i)) } else { 0 })
                })
                .collect()
        };
        ZobristNumbers { numbers: [numbers(0), numbers(1)] }
    }

    /// The smallest key of all images, and the symmetry of that image.
    #[inline]
    pub(super) fn key(&self, cells: impl Iterator<Item = (usize, usize)>, to_move: Side) -> (u64, Symmetry) {
        let mut keys = [Seed(2).child(to_move.index() as u64).0; COUNT];
        for (side, place) in cells {
            let numbers = &self.numbers[side][place];
            for (key, number) in keys.iter_mut().zip(numbers) {
                *key ^= number;
            }
        }
        let (mut smallest, mut symmetry) = (keys[0], 0);
        for (i, &key) in keys.iter().enumerate().skip(1) {
            (smallest, symmetry) = if key < smallest { (key, i as u8) } else { (smallest, symmetry) };
        }
        (smallest, Symmetry(symmetry))
    }
}
