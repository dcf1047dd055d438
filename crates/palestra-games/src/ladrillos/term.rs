//! The terms of evaluations: what each means, how it is computed from a board, and how it changes with a move.

use super::accumulator::IslandTotals;
use super::scan::{BoardScan, DivisionsVersion};
use palestra_core::{Feature, Side};

/// One feature of a position, from the viewpoint of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LadrillosTerm {
    Score,
    OwnPoints,
    OwnExpansion,
    OpponentExpansion,
    OwnReach,
    OpponentReach,
    Distance,
    FromWalls,
    DivisionsOne,
    DivisionsTwo,
    Nothing,
    Enclosed,
    Mirror,
    Closing,
}

/// Terms that are computed from the whole board after the move.
pub(super) const WHOLE_BOARD_TERMS: &[LadrillosTerm] =
    &[LadrillosTerm::Enclosed, LadrillosTerm::Mirror, LadrillosTerm::Closing];

/// The features that are feature sets by themselves and may be added to others.
pub(super) fn single_term(name: &str) -> Option<LadrillosTerm> {
    match name {
        "enclosed" => Some(LadrillosTerm::Enclosed),
        "mirror" => Some(LadrillosTerm::Mirror),
        "closing" => Some(LadrillosTerm::Closing),
        _ => None,
    }
}

impl LadrillosTerm {
    pub(super) fn feature(self, n: usize) -> Feature {
        let side = n as i32;
        let cells = side * side;
        let squares = cells * cells;
        let plus = |name, meaning, high| Feature::new(name, meaning, 0, high);
        let minus = |name, meaning, high| Feature { unit: -1.0, ..Feature::new(name, meaning, 0, high) };
        match self {
            LadrillosTerm::Score => Feature::new(
                "score",
                "own points minus the opponent's, where an island has the square of its cells",
                -squares,
                squares,
            ),
            LadrillosTerm::OwnPoints => {
                plus("score", "own points, where an island has the square of its cells", squares)
            }
            LadrillosTerm::OwnExpansion => plus(
                "own-expansion",
                "sum over free cells of the size of the largest own island that touches the cell",
                squares,
            ),
            LadrillosTerm::OpponentExpansion => minus(
                "enemy-expansion",
                "sum over free cells of the size of the largest opponent island that touches the cell",
                squares,
            ),
            LadrillosTerm::OwnReach => plus(
                "own-expansion",
                "sum over own islands of size times free cells that touch the island",
                squares,
            ),
            LadrillosTerm::OpponentReach => minus(
                "enemy-expansion",
                "sum over opponent islands of size times free cells that touch the island",
                squares,
            ),
            LadrillosTerm::Distance => plus(
                "distance",
                "sum over own cells of min(row, column, N - row, N - column), counted from 0",
                cells * side,
            ),
            LadrillosTerm::FromWalls => {
                minus("distance", "sum over own cells of the distance to the nearest wall", cells * side)
            }
            LadrillosTerm::DivisionsOne => plus(
                "divisions",
                "walls whose middle part is joined to the middle of the board by one own island, times N",
                4 * side,
            ),
            LadrillosTerm::DivisionsTwo => plus(
                "divisions",
                "half walls that are joined to the middle of the board by one own island, times N",
                8 * side,
            ),
            LadrillosTerm::Nothing => {
                plus("p5", "without effect: always 0, because the program did not use this weight", 0)
            }
            LadrillosTerm::Enclosed => {
                plus("enclosed", "opponent cells with no free neighbor and at least one own neighbor", cells)
            }
            LadrillosTerm::Mirror => plus(
                "mirror",
                "own cells whose image under a half turn of the board is the opponent's",
                cells,
            ),
            LadrillosTerm::Closing => minus(
                "closing",
                "free cells that the opponent's largest island can reach around own bricks",
                cells,
            ),
        }
    }

    /// Whether it has the same value under all symmetries of the board. The study's distance is larger from two of the
    /// walls, and its second version of divisions leaves out a corner where the number of rows is odd.
    pub(super) fn is_symmetric(self) -> bool {
        !matches!(self, LadrillosTerm::Distance | LadrillosTerm::DivisionsTwo)
    }

    /// The value by the totals of both sides, and which change of a brick of `to_move` is added to it.
    pub(super) fn term_update(self, totals: &[IslandTotals; 2], view: Side, to_move: Side) -> TermUpdate {
        let (own, opponent) = (&totals[view.index()], &totals[view.other().index()]);
        // The totals of the side to move change in another way than those of the other side.
        let by = |side: Side, of_mover, of_other| if side == to_move { of_mover } else { of_other };
        let plus = |base, change| TermUpdate { base, change, sign: 1 };
        match self {
            LadrillosTerm::Score => TermUpdate {
                base: own.points - opponent.points,
                change: change_kind::POINTS,
                sign: if view == to_move { 1 } else { -1 },
            },
            LadrillosTerm::OwnPoints => plus(own.points, by(view, change_kind::POINTS, change_kind::NOTHING)),
            LadrillosTerm::OwnExpansion => {
                plus(own.expansion, by(view, change_kind::EXPANSION, change_kind::EXPANSION_OTHER))
            }
            LadrillosTerm::OpponentExpansion => plus(
                opponent.expansion,
                by(view.other(), change_kind::EXPANSION, change_kind::EXPANSION_OTHER),
            ),
            LadrillosTerm::OwnReach => {
                plus(own.reach, by(view, change_kind::REACH, change_kind::REACH_OTHER))
            }
            LadrillosTerm::OpponentReach => {
                plus(opponent.reach, by(view.other(), change_kind::REACH, change_kind::REACH_OTHER))
            }
            LadrillosTerm::Distance => {
                plus(own.distance, by(view, change_kind::DISTANCE, change_kind::NOTHING))
            }
            LadrillosTerm::FromWalls => {
                plus(own.from_walls, by(view, change_kind::FROM_WALLS, change_kind::NOTHING))
            }
            LadrillosTerm::DivisionsOne => {
                plus(own.divisions[0], by(view, change_kind::DIVISIONS_ONE, change_kind::NOTHING))
            }
            LadrillosTerm::DivisionsTwo => {
                plus(own.divisions[1], by(view, change_kind::DIVISIONS_TWO, change_kind::NOTHING))
            }
            LadrillosTerm::Nothing
            | LadrillosTerm::Enclosed
            | LadrillosTerm::Mirror
            | LadrillosTerm::Closing => plus(0, change_kind::NOTHING),
        }
    }

    /// The value computed from a scan of the board.
    pub(super) fn scan<const C: usize>(self, scan: &BoardScan<C>, view: Side) -> i32 {
        let opponent = view.other();
        match self {
            LadrillosTerm::Score => scan.points(view) - scan.points(opponent),
            LadrillosTerm::OwnPoints => scan.points(view),
            LadrillosTerm::OwnExpansion => scan.expansion(view),
            LadrillosTerm::OpponentExpansion => scan.expansion(opponent),
            LadrillosTerm::OwnReach => scan.reach(view),
            LadrillosTerm::OpponentReach => scan.reach(opponent),
            LadrillosTerm::Distance => scan.distance(view),
            LadrillosTerm::FromWalls => scan.wall_distance(view),
            LadrillosTerm::DivisionsOne => scan.divisions(view, DivisionsVersion::One),
            LadrillosTerm::DivisionsTwo => scan.divisions(view, DivisionsVersion::Two),
            LadrillosTerm::Nothing => 0,
            LadrillosTerm::Enclosed => scan.enclosed(view),
            LadrillosTerm::Mirror => scan.mirror(view),
            LadrillosTerm::Closing => scan.closing(view),
        }
    }
}

/// How a feature of a child is computed: the parent's value and one of the changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TermUpdate {
    pub(super) base: i32,
    /// One of [`change_kind`].
    pub(super) change: usize,
    pub(super) sign: i32,
}

/// Indexes of the kinds of changes. `OTHER` is for the side that does not move.
pub(super) mod change_kind {
    pub(crate) const NOTHING: usize = 0;
    pub(crate) const POINTS: usize = 1;
    pub(crate) const EXPANSION: usize = 2;
    pub(crate) const EXPANSION_OTHER: usize = 3;
    pub(crate) const DISTANCE: usize = 4;
    pub(crate) const DIVISIONS_ONE: usize = 5;
    pub(crate) const DIVISIONS_TWO: usize = 6;
    pub(crate) const FROM_WALLS: usize = 7;
    pub(crate) const REACH: usize = 8;
    pub(crate) const REACH_OTHER: usize = 9;
    pub(crate) const COUNT: usize = 10;
}
