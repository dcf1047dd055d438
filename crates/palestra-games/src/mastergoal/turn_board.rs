//! A position prepared for turn generation: occupied squares, neighbors of each square, the keepers' arms.

use super::field::{SQUARES, Square, SquareSet, neighbors};
use super::rules::{BallHolder, MAX_PIECES, Mastergoal, Position, Team};
use palestra_core::Side;

/// The board during the generation of turns.
///
/// The pieces of the side to move are sorted, most advanced first and then by column, so that their order does not
/// depend on the position's list and is the same for both teams.
#[derive(Clone, Debug)]
pub(super) struct TurnBoard {
    pub(super) side: Side,
    pub(super) has_keeper: bool,
    pub(super) n_pieces: usize,
    pub(super) teams: [Team; 2],
    /// Index of each team's keeper; past the end where there is none.
    keepers: [usize; 2],
    pub(super) occupied: SquareSet,
    /// The pieces of each team next to each square, one bit each.
    near: [[u8; SQUARES]; 2],
    /// The arms of each team's keeper: the squares left and right of it (N10).
    arms: [[Square; 2]; 2],
}

impl TurnBoard {
    pub(super) fn new(game: &Mastergoal, at: &Position) -> TurnBoard {
        let n_pieces = game.level.n_pieces();
        let has_keeper = game.level.has_keeper();
        let keeper = if has_keeper { n_pieces - 1 } else { MAX_PIECES };
        let mut board = TurnBoard {
            side: at.to_move,
            has_keeper,
            n_pieces,
            teams: [[Square::NONE; MAX_PIECES]; 2],
            keepers: [keeper; 2],
            occupied: SquareSet::default(),
            near: [[0; SQUARES]; 2],
            arms: [[Square::NONE; 2]; 2],
        };
        let own = at.to_move.index();
        let mut order = at.teams;
        order[own][..n_pieces]
            .sort_unstable_by_key(|square| (14 - square.own_row(at.to_move), square.column()));
        if has_keeper {
            let from = at.teams[own][keeper];
            board.keepers[own] = order[own].iter().position(|&square| square == from).unwrap_or(keeper);
        }
        for side in Side::BOTH {
            for piece in 0..n_pieces {
                board.put(side, piece, order[side.index()][piece]);
            }
        }
        board
    }

    /// The pieces of the side to move, in order.
    #[inline(always)]
    pub(super) fn own(&self) -> &[Square] {
        &self.teams[self.side.index()][..self.n_pieces]
    }

    /// Whether this piece of the side to move is its keeper.
    #[inline(always)]
    pub(super) fn is_keeper(&self, piece: usize) -> bool {
        self.keepers[self.side.index()] == piece
    }

    /// The square of a team's keeper, at levels that have one.
    #[inline(always)]
    pub(super) fn keeper(&self, side: Side) -> Square {
        self.teams[side.index()][self.keepers[side.index()]]
    }

    /// Puts a piece on a square.
    #[inline]
    fn put(&mut self, side: Side, piece: usize, square: Square) {
        self.teams[side.index()][piece] = square;
        self.occupied.add(square);
        neighbors(square).for_each(|near| self.near[side.index()][near.index()] |= 1 << piece);
        if self.keepers[side.index()] == piece {
            self.arms[side.index()] = arms(side, square);
        }
    }

    /// Moves a piece of the side to move.
    #[inline]
    pub(super) fn shift(&mut self, piece: usize, to: Square) {
        let side = self.side.index();
        let from = self.teams[side][piece];
        self.occupied.remove(from);
        neighbors(from).for_each(|near| self.near[side][near.index()] &= !(1 << piece));
        self.put(self.side, piece, to);
    }

    /// The pieces of a team next to a square, one bit each.
    #[inline(always)]
    pub(super) fn near(&self, side: Side, square: Square) -> u8 {
        self.near[side.index()][square.index()]
    }

    /// Whether a square is an arm of a team's keeper (N10).
    #[inline(always)]
    pub(super) fn is_arm_of(&self, side: Side, square: Square) -> bool {
        self.arms[side.index()].contains(&square)
    }

    /// Whether a square is an arm of either keeper.
    #[inline(always)]
    pub(super) fn is_arm(&self, square: Square) -> bool {
        self.has_keeper && (self.is_arm_of(Side::First, square) || self.is_arm_of(Side::Second, square))
    }

    /// The arms of a team's keeper.
    pub(super) fn arms_of(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        self.arms[side.index()].iter().copied().filter(|square| square.is_some())
    }

    /// The holder of a ball on this square (N7).
    #[inline]
    pub(super) fn holder(&self, square: Square) -> BallHolder {
        let arm_of = Side::BOTH.into_iter().find(|&side| self.has_keeper && self.is_arm_of(side, square));
        let counts = Side::BOTH.map(|side| self.near(side, square).count_ones());
        BallHolder::of(arm_of, counts)
    }
}

/// A keeper's arms: the squares left and right of it inside its own big area, while it is in the area itself (N10).
#[inline]
pub(super) fn arms(side: Side, keeper: Square) -> [Square; 2] {
    if !keeper.is_in_big_area_of(side) {
        return [Square::NONE; 2];
    }
    [keeper.0 - 1, keeper.0 + 1].map(|arm| {
        let arm = Square(arm);
        if arm.is_in_big_area_of(side) { arm } else { Square::NONE }
    })
}
