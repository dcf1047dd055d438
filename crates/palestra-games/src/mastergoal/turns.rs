//! Generation of complete turns: the move of a piece (N5 to N11), then the kicks (in `kicks.rs`).

use super::field::{ORDER, RAYS, Square};
use super::kicks::KickSearch;
use super::rules::{BallHolder, Mastergoal, Position, Turn};
use super::turn_board::{TurnBoard, arms};

/// Maximum number of kicks in a turn: three passes and the last kick (N12).
pub(super) const MAX_KICKS: usize = 4;

/// Maximum number of steps of a team: five pieces, eight directions, two distances.
const MAX_STEPS: usize = 5 * 8 * 2;

/// The move of a piece, before any kick.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceStep {
    pub(super) piece: usize,
    pub(super) to: Square,
    /// Whether its team holds the ball afterwards.
    pub(super) gains: bool,
}

/// Calls `take` with every legal turn, until it returns `false`. Pieces come most advanced first, then by column;
/// squares by direction, forward first, near before far; then the ball's last square, fewest kicks first.
///
/// Goals or the turn limit must not have ended the game.
pub(super) fn find(game: &Mastergoal, at: &Position, mut take: impl FnMut(Turn) -> bool) {
    let mut board = TurnBoard::new(game, at);
    let (steps, n_steps) = steps(game, &mut board, at.ball);
    let mut kicks = None;
    for step in &steps[..n_steps] {
        let from = board.own()[step.piece];
        if !step.gains {
            if !take(Turn { from, to: step.to, kicks: [Square::NONE; MAX_KICKS] }) {
                return;
            }
            continue;
        }
        board.shift(step.piece, step.to);
        let kicks = kicks.get_or_insert_with(KickSearch::new);
        let is_complete = kicks.find(&board, at.ball, |kicks| take(Turn { from, to: step.to, kicks }));
        board.shift(step.piece, from);
        if !is_complete {
            return;
        }
    }
}

/// Whether there is a legal turn at all (N20).
pub(super) fn exists(game: &Mastergoal, at: &Position) -> bool {
    let mut exists = false;
    find(game, at, |_| {
        exists = true;
        false
    });
    exists
}

/// The legal moves of pieces, with N8 and N9.
pub(super) fn steps(
    game: &Mastergoal,
    board: &mut TurnBoard,
    ball: Square,
) -> ([PieceStep; MAX_STEPS], usize) {
    let side = board.side;
    let is_neutral = board.holder(ball) == BallHolder::Neutral;
    let mut steps = [PieceStep { piece: 0, to: Square::NONE, gains: false }; MAX_STEPS];
    let mut n_steps = 0;
    let mut any_gains = false;
    for piece in 0..board.n_pieces {
        let from = board.own()[piece];
        // N8: a piece next to a neutral ball stays next to it.
        let stays = is_neutral && from.distance(ball) == 1;
        for direction in ORDER[side.index()] {
            for &to in &RAYS[from.index()][direction][..2] {
                // N5: a piece moves over and onto empty squares of the field only.
                if !to.is_some() || !to.is_field() || to == ball || board.occupied.has(to) {
                    break;
                }
                if !may_stand(board, piece, from, to) || stays && to.distance(ball) != 1 {
                    continue;
                }
                let gains = gains_ball(board, piece, from, to, ball);
                any_gains |= gains;
                steps[n_steps] = PieceStep { piece, to, gains };
                n_steps += 1;
            }
        }
    }
    // N9: a neutral ball in the own half must be taken if possible.
    if game.must_claim && is_neutral && any_gains && matches!(ball.own_row(side), 1..=6) {
        let mut n_kept = 0;
        for i in 0..n_steps {
            if steps[i].gains {
                steps[n_kept] = steps[i];
                n_kept += 1;
            }
        }
        n_steps = n_kept;
    }
    (steps, n_steps)
}

/// N6 and N11: no piece on its own corners, none on an arm except the keeper on its own, and no keeper with a piece on
/// its arms.
#[inline]
fn may_stand(board: &TurnBoard, piece: usize, from: Square, to: Square) -> bool {
    let side = board.side;
    if to.is_corner_of(side) {
        return false;
    }
    if !board.has_keeper {
        return true;
    }
    if board.is_keeper(piece) {
        let is_free = |arm: Square| !arm.is_some() || arm == from || !board.occupied.has(arm);
        !board.is_arm_of(side.other(), to) && arms(side, to).into_iter().all(is_free)
    } else {
        !board.is_arm(to)
    }
}

/// Whether the side to move holds the ball after the move of its piece (N7, N12).
#[inline]
fn gains_ball(board: &mut TurnBoard, piece: usize, from: Square, to: Square, ball: Square) -> bool {
    let side = board.side;
    if board.is_keeper(piece) {
        // The arms move with the keeper.
        board.shift(piece, to);
        let gains = board.holder(ball) == BallHolder::Team(side);
        board.shift(piece, from);
        return gains;
    }
    if board.is_arm(ball) {
        return board.is_arm_of(side, ball);
    }
    let others = board.near(side, ball) & !(1 << piece);
    others.count_ones() + u32::from(to.distance(ball) == 1) > board.near(side.other(), ball).count_ones()
}

/// Whether some field piece can take one step after which its team does not hold the ball: enough to know that there is
/// a legal turn, and much cheaper than generating one.
#[inline]
pub(super) fn has_quiet_step(game: &Mastergoal, at: &Position) -> bool {
    let side = at.to_move;
    let (own, opponent) = (at.n_near_ball(side), at.n_near_ball(side.other()));
    // N8 and N9 restrict moves near a neutral ball, and N7 gives a ball on an arm to the keeper.
    if own == opponent && own > 0 || game.arm_of(at, at.ball).is_some() {
        return false;
    }
    let is_taken =
        |square: Square| square == at.ball || at.teams[0].contains(&square) || at.teams[1].contains(&square);
    let n_field = game.level.n_pieces() - usize::from(game.level.has_keeper());
    // Plain loops: nested closures are called rather than inlined, and this runs for every position of a game.
    for from in at.pieces(side).take(n_field) {
        let others = own - u32::from(from.distance(at.ball) == 1);
        for &direction in &ORDER[side.index()] {
            let to = RAYS[from.index()][direction][0];
            let is_open = to.is_some() && to.is_field() && !to.is_corner_of(side) && !is_taken(to);
            if is_open
                && others + u32::from(to.distance(at.ball) == 1) <= opponent
                && game.arm_of(at, to).is_none()
            {
                return true;
            }
        }
    }
    false
}
