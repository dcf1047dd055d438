//! The numbers that evaluations weigh: what each means, how it is read off a board, and how it changes with a
//! move.

use super::scan::{Scan, Version};
use super::scene::Tally;
use palestra_core::{Feature, Side};

/// One number a side sees in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Term {
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
pub(super) const LOOKS: &[Term] = &[Term::Enclosed, Term::Mirror, Term::Closing];

/// The features that are sets of their own and may be added to others.
pub(super) fn single_term(name: &str) -> Option<Term> {
    match name {
        "enclosed" => Some(Term::Enclosed),
        "mirror" => Some(Term::Mirror),
        "closing" => Some(Term::Closing),
        _ => None,
    }
}

impl Term {
    pub(super) fn feature(self, n: usize) -> Feature {
        let side = n as i32;
        let cells = side * side;
        let squares = cells * cells;
        let counted = |name, meaning, high| Feature::new(name, meaning, 0, high);
        let taken_off = |name, meaning, high| Feature { unit: -1.0, ..Feature::new(name, meaning, 0, high) };
        match self {
            Term::Score => Feature::new(
                "score",
                "own points less the rival's: islands by the square of their cells",
                -squares,
                squares,
            ),
            Term::OwnPoints => counted("score", "own points: islands by the square of their cells", squares),
            Term::OwnExpansion => counted(
                "own-expansion",
                "each free cell once, by the size of the largest own island that touches it",
                squares,
            ),
            Term::RivalExpansion => taken_off(
                "enemy-expansion",
                "each free cell once, by the size of the largest rival island that touches it",
                squares,
            ),
            Term::OwnReach => {
                counted("own-expansion", "own islands: size times free cells that touch the island", squares)
            }
            Term::RivalReach => taken_off(
                "enemy-expansion",
                "rival islands: size times free cells that touch the island",
                squares,
            ),
            Term::Distance => counted(
                "distance",
                "own cells by row, column, or board side less row or column, whichever is least, counted from 0",
                cells * side,
            ),
            Term::FromWalls => {
                taken_off("distance", "own cells by how far the nearest wall is", cells * side)
            }
            Term::DivisionsOne => counted(
                "divisions",
                "walls whose middle one own island joins to the middle of the board, times the board's side",
                4 * side,
            ),
            Term::DivisionsTwo => counted(
                "divisions",
                "half walls that one own island joins to the middle of the board, times the board's side",
                8 * side,
            ),
            Term::Nothing => {
                counted("p5", "without effect: always 0, the program did not use this weight", 0)
            }
            Term::Enclosed => counted("enclosed", "rival cells with no free and some own neighbor", cells),
            Term::Mirror => counted(
                "mirror",
                "own cells opposite a rival's across the middle: bricks answered by symmetry",
                cells,
            ),
            Term::Closing => taken_off(
                "closing",
                "free cells that the rival's largest island can get to around own bricks",
                cells,
            ),
        }
    }

    /// Whether it is the same however the board is turned. The study's distance measures farther from two walls than
    /// from the others, and its second divisions leave out a corner where the rows are odd.
    pub(super) fn is_symmetric(self) -> bool {
        !matches!(self, Term::Distance | Term::DivisionsTwo)
    }

    /// What the tallies of both sides say, and which change of a brick by `mover` goes on top.
    pub(super) fn recipe(self, tallies: &[Tally; 2], view: Side, mover: Side) -> Recipe {
        let (own, rival) = (&tallies[view.index()], &tallies[view.other().index()]);
        // The mover's numbers change in another way than the other side's.
        let by = |side: Side, of_mover, of_other| if side == mover { of_mover } else { of_other };
        let plus = |base, change| Recipe { base, change, sign: 1 };
        match self {
            Term::Score => Recipe {
                base: own.points - rival.points,
                change: slot::POINTS,
                sign: if view == mover { 1 } else { -1 },
            },
            Term::OwnPoints => plus(own.points, by(view, slot::POINTS, slot::NOTHING)),
            Term::OwnExpansion => plus(own.expansion, by(view, slot::EXPANSION, slot::EXPANSION_OTHER)),
            Term::RivalExpansion => {
                plus(rival.expansion, by(view.other(), slot::EXPANSION, slot::EXPANSION_OTHER))
            }
            Term::OwnReach => plus(own.reach, by(view, slot::REACH, slot::REACH_OTHER)),
            Term::RivalReach => plus(rival.reach, by(view.other(), slot::REACH, slot::REACH_OTHER)),
            Term::Distance => plus(own.distance, by(view, slot::DISTANCE, slot::NOTHING)),
            Term::FromWalls => plus(own.from_walls, by(view, slot::FROM_WALLS, slot::NOTHING)),
            Term::DivisionsOne => plus(own.divisions[0], by(view, slot::DIVISIONS_ONE, slot::NOTHING)),
            Term::DivisionsTwo => plus(own.divisions[1], by(view, slot::DIVISIONS_TWO, slot::NOTHING)),
            Term::Nothing | Term::Enclosed | Term::Mirror | Term::Closing => plus(0, slot::NOTHING),
        }
    }

    pub(super) fn scan<const C: usize>(self, scan: &Scan<C>, view: Side) -> i32 {
        let rival = view.other();
        match self {
            Term::Score => scan.points(view) - scan.points(rival),
            Term::OwnPoints => scan.points(view),
            Term::OwnExpansion => scan.expansion(view),
            Term::RivalExpansion => scan.expansion(rival),
            Term::OwnReach => scan.reach(view),
            Term::RivalReach => scan.reach(rival),
            Term::Distance => scan.distance(view),
            Term::FromWalls => scan.wall_distance(view),
            Term::DivisionsOne => scan.divisions(view, Version::One),
            Term::DivisionsTwo => scan.divisions(view, Version::Two),
            Term::Nothing => 0,
            Term::Enclosed => scan.enclosed(view),
            Term::Mirror => scan.mirror(view),
            Term::Closing => scan.closing(view),
        }
    }
}

/// How a feature of a child is made: from the parent's number and one of the changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    pub(super) base: i32,
    /// A [`slot`].
    pub(super) change: usize,
    pub(super) sign: i32,
}

/// Where the kinds of changes stand in [`Changes`]. `OTHER` is the side that did not move.
pub(super) mod slot {
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
