//! The numbers that evaluations weigh: what each means, how it is read off a board, and how it changes with a
//! move.

use super::accumulator::IslandTotals;
use super::scan::{BoardScan, DivisionsVersion};
use palestra_core::{Feature, Side};

/// One number a side sees in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LadrillosTerm {
    Score,
    OwnPoints,
    OwnExpansion,
    RivalExpansion,
    OwnReach,
    RivalReach,
    Distance,
    FromWalls,
    DivisionsOne,
    DivisionsTwo,
    Nothing,
    Enclosed,
    Mirror,
    Closing,
}

/// Terms that are read off the whole board after the move.
pub(super) const WHOLE_BOARD_TERMS: &[LadrillosTerm] =
    &[LadrillosTerm::Enclosed, LadrillosTerm::Mirror, LadrillosTerm::Closing];

/// The features that are sets of their own and may be added to others.
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
        let counted = |name, meaning, high| Feature::new(name, meaning, 0, high);
        let taken_off = |name, meaning, high| Feature { unit: -1.0, ..Feature::new(name, meaning, 0, high) };
        match self {
            LadrillosTerm::Score => Feature::new(
                "score",
                "own points less the rival's: islands by the square of their cells",
                -squares,
                squares,
            ),
            LadrillosTerm::OwnPoints => {
                counted("score", "own points: islands by the square of their cells", squares)
            }
            LadrillosTerm::OwnExpansion => counted(
                "own-expansion",
                "each free cell once, by the size of the largest own island that touches it",
                squares,
            ),
            LadrillosTerm::RivalExpansion => taken_off(
                "enemy-expansion",
                "each free cell once, by the size of the largest rival island that touches it",
                squares,
            ),
            LadrillosTerm::OwnReach => {
                counted("own-expansion", "own islands: size times free cells that touch the island", squares)
            }
            LadrillosTerm::RivalReach => taken_off(
                "enemy-expansion",
                "rival islands: size times free cells that touch the island",
                squares,
            ),
            LadrillosTerm::Distance => counted(
                "distance",
                "own cells by row, column, or board side less row or column, whichever is least, counted from 0",
                cells * side,
            ),
            LadrillosTerm::FromWalls => {
                taken_off("distance", "own cells by how far the nearest wall is", cells * side)
            }
            LadrillosTerm::DivisionsOne => counted(
                "divisions",
                "walls whose middle one own island joins to the middle of the board, times the board's side",
                4 * side,
            ),
            LadrillosTerm::DivisionsTwo => counted(
                "divisions",
                "half walls that one own island joins to the middle of the board, times the board's side",
                8 * side,
            ),
            LadrillosTerm::Nothing => {
                counted("p5", "without effect: always 0, the program did not use this weight", 0)
            }
            LadrillosTerm::Enclosed => {
                counted("enclosed", "rival cells with no free and some own neighbor", cells)
            }
            LadrillosTerm::Mirror => counted(
                "mirror",
                "own cells opposite a rival's across the middle: bricks answered by symmetry",
                cells,
            ),
            LadrillosTerm::Closing => taken_off(
                "closing",
                "free cells that the rival's largest island can get to around own bricks",
                cells,
            ),
        }
    }

    /// Whether it is the same however the board is turned. The study's distance measures farther from two walls than
    /// from the others, and its second divisions leave out a corner where the rows are odd.
    pub(super) fn is_symmetric(self) -> bool {
        !matches!(self, LadrillosTerm::Distance | LadrillosTerm::DivisionsTwo)
    }

    /// What the tallies of both sides say, and which change of a brick by `mover` goes on top.
    pub(super) fn term_update(self, tallies: &[IslandTotals; 2], view: Side, mover: Side) -> TermUpdate {
        let (own, rival) = (&tallies[view.index()], &tallies[view.other().index()]);
        // The mover's numbers change in another way than the other side's.
        let by = |side: Side, of_mover, of_other| if side == mover { of_mover } else { of_other };
        let plus = |base, change| TermUpdate { base, change, sign: 1 };
        match self {
            LadrillosTerm::Score => TermUpdate {
                base: own.points - rival.points,
                change: change_kind::POINTS,
                sign: if view == mover { 1 } else { -1 },
            },
            LadrillosTerm::OwnPoints => plus(own.points, by(view, change_kind::POINTS, change_kind::NOTHING)),
            LadrillosTerm::OwnExpansion => {
                plus(own.expansion, by(view, change_kind::EXPANSION, change_kind::EXPANSION_OTHER))
            }
            LadrillosTerm::RivalExpansion => {
                plus(rival.expansion, by(view.other(), change_kind::EXPANSION, change_kind::EXPANSION_OTHER))
            }
            LadrillosTerm::OwnReach => {
                plus(own.reach, by(view, change_kind::REACH, change_kind::REACH_OTHER))
            }
            LadrillosTerm::RivalReach => {
                plus(rival.reach, by(view.other(), change_kind::REACH, change_kind::REACH_OTHER))
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

    pub(super) fn scan<const C: usize>(self, scan: &BoardScan<C>, view: Side) -> i32 {
        let rival = view.other();
        match self {
            LadrillosTerm::Score => scan.points(view) - scan.points(rival),
            LadrillosTerm::OwnPoints => scan.points(view),
            LadrillosTerm::OwnExpansion => scan.expansion(view),
            LadrillosTerm::RivalExpansion => scan.expansion(rival),
            LadrillosTerm::OwnReach => scan.reach(view),
            LadrillosTerm::RivalReach => scan.reach(rival),
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

/// How a feature of a child is made: from the parent's number and one of the changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TermUpdate {
    pub(super) base: i32,
    /// A [`slot`].
    pub(super) change: usize,
    pub(super) sign: i32,
}

/// Where the kinds of changes stand in [`StoneEffects`]. `OTHER` is the side that did not move.
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
