//! Three feature sets: three features of the pawns, one feature for each square, and one for each square and phase.

use crate::rules::{Board, Breakthrough, PawnMove};
use palestra::core::{Feature, FeatureSet, Side};
use std::sync::LazyLock;

/// The feature set `progress`.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    features: [Feature; 3],
}

impl Progress {
    pub(crate) fn new(game: &Breakthrough) -> Progress {
        let n_pawns = 2 * i32::from(game.side);
        let n_rows = i32::from(game.side) - 1;
        Progress {
            features: [
                Feature::new("pawns", "own pawns minus the opponent's", -n_pawns, n_pawns),
                Feature::new(
                    "rows",
                    "rows that own pawns have walked, minus the opponent's",
                    -n_pawns * n_rows,
                    n_pawns * n_rows,
                ),
                Feature::new("loose", "own pawns that can be captured", 0, n_pawns),
            ],
        }
    }
}

impl FeatureSet<Breakthrough> for Progress {
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Breakthrough, at: &Board, view: Side, out: &mut [i32]) {
        let [own, other] = [view, view.other()].map(|side| squares(at.pawns[side.index()]));
        let walked = |square: u8, side: Side| match side {
            Side::First => i32::from(square / game.side),
            Side::Second => i32::from(game.side - 1 - square / game.side),
        };
        let rows = |squares: &[u8], side| squares.iter().map(|square| walked(*square, side)).sum::<i32>();
        let attacked: Vec<u8> = other
            .iter()
            .flat_map(|square| game.targets(*square, view.other()))
            .filter(|(_, is_straight)| !is_straight)
            .map(|(to, _)| to)
            .collect();
        out[0] = own.len() as i32 - other.len() as i32;
        out[1] = rows(&own, view) - rows(&other, view.other());
        out[2] = own.iter().filter(|square| attacked.contains(square)).count() as i32;
    }

    fn begin(&self, _game: &Breakthrough, _at: &Board) {}

    fn advance(&self, _game: &Breakthrough, _accumulator: &mut (), _at: &Board, _mv: PawnMove) {}
}

/// The squares of a set of bits, in order.
fn squares(mut bits: u64) -> Vec<u8> {
    let mut squares = Vec::new();
    while bits != 0 {
        squares.push(bits.trailing_zeros() as u8);
        bits &= bits - 1;
    }
    squares
}

/// The feature set `squares`: 64 features on the usual board.
#[derive(Clone, Debug)]
pub(crate) struct Squares {
    features: Vec<Feature>,
}

/// Names of features live as long as the program.
const NAMES: [&str; 64] = [
    "1a", "1b", "1c", "1d", "1e", "1f", "1g", "1h", "2a", "2b", "2c", "2d", "2e", "2f", "2g", "2h", "3a",
    "3b", "3c", "3d", "3e", "3f", "3g", "3h", "4a", "4b", "4c", "4d", "4e", "4f", "4g", "4h", "5a", "5b",
    "5c", "5d", "5e", "5f", "5g", "5h", "6a", "6b", "6c", "6d", "6e", "6f", "6g", "6h", "7a", "7b", "7c",
    "7d", "7e", "7f", "7g", "7h", "8a", "8b", "8c", "8d", "8e", "8f", "8g", "8h",
];

impl Squares {
    pub(crate) fn new(game: &Breakthrough) -> Squares {
        let n = usize::from(game.side);
        let meaning =
            "1 for an own pawn on this square of the own side's view, -1 for the opponent's on its own";
        let feature = |i: usize| Feature::new(NAMES[8 * (i / n) + i % n], meaning, -1, 1);
        Squares { features: (0..n * n).map(feature).collect() }
    }
}

impl FeatureSet<Breakthrough> for Squares {
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Breakthrough, at: &Board, view: Side, out: &mut [i32]) {
        out.fill(0);
        for (side, value) in [(view, 1), (view.other(), -1)] {
            for square in squares(at.pawns[side.index()]) {
                // Rows count from the side's own row.
                let (row, column) = (square / game.side, square % game.side);
                let row = if side == Side::First { row } else { game.side - 1 - row };
                out[usize::from(row * game.side + column)] += value;
            }
        }
    }

    fn begin(&self, _game: &Breakthrough, _at: &Board) {}

    fn advance(&self, _game: &Breakthrough, _accumulator: &mut (), _at: &Board, _mv: PawnMove) {}
}

/// Parts of a game, by the number of captured pawns.
const N_PHASES: usize = 4;

/// Names of the squares in each phase: `2-1a`. Filled once, because names live as long as the program.
static PHASE_NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    (0..N_PHASES).flat_map(|phase| NAMES.iter().map(move |name| format!("{phase}-{name}"))).collect()
});

/// The feature set `phases`: `squares` with other weights in each phase, 256 features on the usual board.
#[derive(Clone, Debug)]
pub(crate) struct Phases {
    squares: Squares,
    features: Vec<Feature>,
}

impl Phases {
    pub(crate) fn new(game: &Breakthrough) -> Phases {
        let n = usize::from(game.side);
        let meaning = "the same as in squares, 0 in other phases; a phase is a quarter of the pawns captured";
        let name = |phase: usize, i: usize| PHASE_NAMES[64 * phase + 8 * (i / n) + i % n].as_str();
        let feature = |phase| (0..n * n).map(move |i| Feature::new(name(phase, i), meaning, -1, 1));
        Phases { squares: Squares::new(game), features: (0..N_PHASES).flat_map(feature).collect() }
    }
}

impl FeatureSet<Breakthrough> for Phases {
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Breakthrough, at: &Board, view: Side, out: &mut [i32]) {
        out.fill(0);
        let n_pawns = at.pawns.iter().map(|pawns| pawns.count_ones() as usize).sum::<usize>();
        let n_at_start = 4 * usize::from(game.side);
        let phase = (N_PHASES * (n_at_start - n_pawns) / n_at_start).min(N_PHASES - 1);
        let n_squares = self.squares.features.len();
        self.squares.extract(game, at, view, &mut out[phase * n_squares..][..n_squares]);
    }

    fn begin(&self, _game: &Breakthrough, _at: &Board) {}

    fn advance(&self, _game: &Breakthrough, _accumulator: &mut (), _at: &Board, _mv: PawnMove) {}
}
