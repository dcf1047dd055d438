//! Finding complete turns: the piece's move (N5 to N11), then the ball's way (in `kicks.rs`).

use super::field::{ORDER, RAYS, Square};
use super::kicks::KickSearch;
use super::rules::{BallHolder, Mastergoal, Position, Turn};
use super::turn_board::{TurnBoard, arms};

/// Most kicks in a turn: three passes and the last one (N12).
pub(super) const MAX_KICKS: usize = 4;

/// The most steps a team has: five pieces, eight directions, two distances.
const MOST_STEPS: usize = 5 * 8 * 2;

/// One piece's move, before any kick.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceStep {
    pub(super) piece: usize,
    pub(super) to: Square,
    /// Whether it gives its team the ball.
    pub(super) gains: bool,
}

/// Hands every legal turn to `take`, until it answers `false`. Pieces come most advanced first, then by column;
/// squares by direction, forward first, near before far; then the ball's last square, fewest kicks first.
///
/// The game has not been ended by goals or by the clock.
pub(super) fn find(game: &Mastergoal, at: &Position, mut take: impl FnMut(Turn) -> bool) {
    let mut scene = TurnBoard::new(game, at);
    let (steps, n_steps) = steps(game, &mut scene, at.ball);
    let mut kicks = None;
    for step in &steps[..n_steps] {
        let from = scene.own()[step.piece];
        if !step.gains {
            if !take(Turn { from, to: step.to, kicks: [Square::NONE; MAX_KICKS] }) {
                return;
            }
            continue;
        }
        scene.shift(step.piece, step.to);
        let kicks = kicks.get_or_insert_with(KickSearch::new);
        let wants_more = kicks.find(&scene, at.ball, |kicks| take(Turn { from, to: step.to, kicks }));
        scene.shift(step.piece, from);
        if !wants_more {
            return;
        }
    }
}

/// Whether there is a legal turn at all (N20).
pub(super) fn exists(game: &Mastergoal, at: &Position) -> bool {
    let mut found = false;
    find(game, at, |_| {
        found = true;
        false
    });
    found
}

/// The legal moves of pieces, with N8 and N9.
pub(super) fn steps(
    game: &Mastergoal,
    scene: &mut TurnBoard,
    ball: Square,
) -> ([PieceStep; MOST_STEPS], usize) {
    let side = scene.side;
    let is_neutral = scene.holder(ball) == BallHolder::Neutral;
    let mut steps = [PieceStep { piece: 0, to: Square::NONE, gains: false }; MOST_STEPS];
    let mut n_steps = 0;
    let mut any_gains = false;
    for piece in 0..scene.n_pieces {
        let from = scene.own()[piece];
        // N8: a piece next to a neutral ball stays next to it.
        let stays = is_neutral && from.distance(ball) == 1;
        for direction in ORDER[side.index()] {
            for &to in &RAYS[from.index()][direction][..2] {
                // N5: a piece moves over and onto empty squares of the field only; the line ends where it ends.
                if !to.is_some() || !to.is_field() || to == ball || scene.occupied.has(to) {
                    break;
                }
                if !may_stand(scene, piece, from, to) || stays && to.distance(ball) != 1 {
                    continue;
                }
                let gains = gains_ball(scene, piece, from, to, ball);
                any_gains |= gains;
                steps[n_steps] = PieceStep { piece, to, gains };
                n_steps += 1;
            }
        }
    }
    // N9: a neutral ball in the own half must be taken where it can be.
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

/// N6 and N11: no piece on its own corners, none but the keeper on its arms, no keeper whose arms would lie on
/// a piece.
#[inline]
fn may_stand(scene: &TurnBoard, piece: usize, from: Square, to: Square) -> bool {
    let side = scene.side;
    if to.is_corner_of(side) {
        return false;
    }
    if !scene.has_keeper {
        return true;
    }
    if scene.is_keeper(piece) {
        let is_free = |arm: Square| !arm.is_some() || arm == from || !scene.occupied.has(arm);
        !scene.is_arm_of(side.other(), to) && arms(side, to).into_iter().all(is_free)
    } else {
        !scene.is_arm(to)
    }
}

/// Whether the ball belongs to the side to move once its piece has gone there (N7, N12).
#[inline]
fn gains_ball(scene: &mut TurnBoard, piece: usize, from: Square, to: Square, ball: Square) -> bool {
    let side = scene.side;
    if scene.is_keeper(piece) {
        // Its arms move along.
        scene.shift(piece, to);
        let gains = scene.holder(ball) == BallHolder::Team(side);
        scene.shift(piece, from);
        return gains;
    }
    if scene.is_arm(ball) {
        return scene.is_arm_of(side, ball);
    }
    let others = scene.near(side, ball) & !(1 << piece);
    others.count_ones() + u32::from(to.distance(ball) == 1) > scene.near(side.other(), ball).count_ones()
}

/// Whether some field piece can plainly step to a square where the ball does not become its team's: enough to know
/// that the game goes on, and much cheaper than finding a turn.
#[inline]
pub(super) fn has_quiet_step(game: &Mastergoal, at: &Position) -> bool {
    let side = at.to_move;
    let near = |side| at.pieces(side).filter(|piece| piece.distance(at.ball) == 1).count();
    let (own, rival) = (near(side), near(side.other()));
    // N8 and N9 bind pieces near a neutral ball; an arm decides for itself.
    if own == rival && own > 0 || game.arm_of(at, at.ball).is_some() {
        return false;
    }
    let is_taken =
        |square: Square| square == at.ball || at.teams[0].contains(&square) || at.teams[1].contains(&square);
    let n_field = game.level.n_pieces() - usize::from(game.level.has_keeper());
    // Plain loops: closures in each other are called rather than inlined, for every position of a game.
    for from in at.pieces(side).take(n_field) {
        let others = own - usize::from(from.distance(at.ball) == 1);
        for &direction in &ORDER[side.index()] {
            let to = RAYS[from.index()][direction][0];
            let is_open = to.is_some() && to.is_field() && !to.is_corner_of(side) && !is_taken(to);
            if is_open
                && others + usize::from(to.distance(at.ball) == 1) <= rival
                && game.arm_of(at, to).is_none()
            {
                return true;
            }
        }
    }
    false
}
