//! A second implementation of the rules, directly from their text: it follows every path of the ball and looks at all
//! pieces for every question. Slow: the reference that tests compare the generator with.

use super::field::Square;
use super::rules::{Mastergoal, MastergoalLevel, Position};
use palestra_core::Side;
use std::collections::BTreeSet;

/// A piece's square, its destination, and the ball's squares.
pub(super) type Path = (Square, Square, Vec<Square>);

/// All complete turns, with all paths of the ball and all first kickers.
pub(super) struct Turns {
    pub(super) paths: BTreeSet<Path>,
    /// Piece, destination, first kicker and last square of the ball; the latter two are `None` without a kick.
    pub(super) plays: BTreeSet<(Square, Square, Option<Square>, Option<Square>)>,
    /// Moves of pieces with at least one complete turn.
    pub(super) steps: BTreeSet<(Square, Square)>,
}

struct Board<'a> {
    game: &'a Mastergoal,
    teams: [Vec<Square>; 2],
    ball: Square,
    side: Side,
}

const STEPS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The square `n` steps away, if it is on the field or in a goal.
fn square_at(from: Square, (up, across): (i32, i32), n: i32) -> Option<Square> {
    let (row, column) = (from.row() as i32 + up * n, from.column() as i32 + across * n);
    let is_field = (1..=13).contains(&row) && (0..=10).contains(&column);
    let is_goal = (row == 0 || row == 14) && (3..=7).contains(&column);
    (is_field || is_goal).then(|| Square::new(row as usize, column as usize))
}

fn next_to(a: Square, b: Square) -> bool {
    let difference = |a: usize, b: usize| a.abs_diff(b);
    difference(a.row(), b.row()).max(difference(a.column(), b.column())) == 1
}

/// Own row, 0 to 14.
fn own_row(square: Square, side: Side) -> usize {
    if side == Side::First { square.row() } else { 14 - square.row() }
}

fn in_big_area(square: Square, side: Side) -> bool {
    (1..=4).contains(&own_row(square, side)) && (1..=9).contains(&square.column())
}

fn in_small_area(square: Square, side: Side) -> bool {
    (1..=2).contains(&own_row(square, side)) && (2..=8).contains(&square.column())
}

fn is_goal(square: Square) -> bool {
    square.row() == 0 || square.row() == 14
}

fn is_own_corner(square: Square, side: Side) -> bool {
    own_row(square, side) == 1 && (square.column() == 0 || square.column() == 10)
}

impl Board<'_> {
    fn has_keeper(&self) -> bool {
        matches!(self.game.level, MastergoalLevel::TwoPlusOne | MastergoalLevel::Three)
    }

    fn keeper(&self, side: Side) -> Option<Square> {
        if self.has_keeper() { self.teams[side.index()].last().copied() } else { None }
    }

    /// N10.
    fn arms(&self, side: Side) -> Vec<Square> {
        let Some(keeper) = self.keeper(side).filter(|&keeper| in_big_area(keeper, side)) else {
            return Vec::new();
        };
        let beside = [-1, 1].map(|across| square_at(keeper, (0, across), 1));
        beside.into_iter().flatten().filter(|&square| in_big_area(square, side)).collect()
    }

    fn occupied(&self, square: Square) -> bool {
        self.teams.iter().flatten().any(|&piece| piece == square)
    }

    fn count(&self, side: Side, square: Square) -> usize {
        self.teams[side.index()].iter().filter(|&&piece| next_to(piece, square)).count()
    }

    /// N7: the holder of a ball on this square.
    fn owner(&self, square: Square) -> Option<Side> {
        let by_arm = Side::BOTH.into_iter().find(|&side| self.arms(side).contains(&square));
        let [first, second] = Side::BOTH.map(|side| self.count(side, square));
        by_arm.or(if first > second {
            Some(Side::First)
        } else if second > first {
            Some(Side::Second)
        } else {
            None
        })
    }

    fn is_neutral(&self) -> bool {
        self.owner(self.ball).is_none() && self.count(self.side, self.ball) > 0
    }

    /// N5, N6, N8, N11.
    fn may_step(&self, piece: usize, direction: (i32, i32), n: i32) -> Option<Square> {
        let side = self.side;
        let from = self.teams[side.index()][piece];
        for i in 1..=n {
            let square = square_at(from, direction, i)?;
            if is_goal(square) || square == self.ball || self.occupied(square) {
                return None;
            }
        }
        let to = square_at(from, direction, n)?;
        if is_own_corner(to, side) {
            return None;
        }
        if self.is_neutral() && next_to(from, self.ball) && !next_to(to, self.ball) {
            return None;
        }
        let is_keeper = self.has_keeper() && piece + 1 == self.teams[0].len();
        if self.arms(side.other()).contains(&to) || !is_keeper && self.arms(side).contains(&to) {
            return None;
        }
        if is_keeper {
            let after = self.stepped(piece, to);
            if after.arms(side).iter().any(|&arm| after.occupied(arm)) {
                return None;
            }
        }
        Some(to)
    }

    fn stepped(&self, piece: usize, to: Square) -> Board<'_> {
        let mut teams = self.teams.clone();
        teams[self.side.index()][piece] = to;
        Board { game: self.game, teams, ball: self.ball, side: self.side }
    }

    /// N13.
    fn is_blocked(&self, square: Square) -> bool {
        let opponent = self.side.other();
        let at_home = |side: Side| self.keeper(side) == Some(square) && in_big_area(square, side);
        let in_small_area = self.teams[opponent.index()].contains(&square) && in_small_area(square, opponent);
        self.has_keeper()
            && (Side::BOTH.into_iter().any(at_home) || self.arms(opponent).contains(&square) || in_small_area)
    }

    /// Follows every path of the ball from its square; `kickers` may kick it.
    fn kick(
        &self,
        ball: Square,
        kickers: &[Square],
        path: &mut Vec<Square>,
        see: &mut dyn FnMut(&[Square], Square),
    ) {
        for &kicker in kickers {
            for direction in STEPS {
                for n in 1..=4 {
                    let Some(to) = square_at(ball, direction, n) else { break };
                    let flown_over = (1..n).filter_map(|i| square_at(ball, direction, i));
                    if flown_over.into_iter().any(|square| self.is_blocked(square)) {
                        break;
                    }
                    path.push(to);
                    self.land(kicker, to, path, see);
                    path.pop();
                }
            }
        }
    }

    /// N12, N14 to N17.
    fn land(
        &self,
        kicker: Square,
        to: Square,
        path: &mut Vec<Square>,
        see: &mut dyn FnMut(&[Square], Square),
    ) {
        if is_goal(to) {
            if own_row(to, self.side) == 14 {
                see(path, kicker);
            }
            return;
        }
        if self.occupied(to) || is_own_corner(to, self.side) {
            return;
        }
        let others: Vec<Square> = self.teams[self.side.index()]
            .iter()
            .copied()
            .filter(|&piece| piece != kicker && next_to(piece, to))
            .collect();
        match self.owner(to) {
            Some(owner) if owner == self.side => {
                if !others.is_empty() && path.len() < 4 {
                    self.kick(to, &others, path, see);
                }
            }
            Some(_) => {}
            None => {
                if !in_big_area(to, self.side) && !next_to(kicker, to) {
                    see(path, kicker);
                }
            }
        }
    }
}

/// All complete turns of a position that neither a goal nor the turn limit has ended.
pub(super) fn turns(game: &Mastergoal, at: &Position) -> Turns {
    let teams = Side::BOTH.map(|side| at.pieces(side).collect::<Vec<_>>());
    let board = Board { game, teams, ball: at.ball, side: at.to_move };
    let mut allowed = Vec::new();
    for piece in 0..board.teams[0].len() {
        for direction in STEPS {
            for n in 1..=2 {
                if let Some(to) = board.may_step(piece, direction, n) {
                    allowed.push((piece, to, board.stepped(piece, to).owner(at.ball) == Some(at.to_move)));
                }
            }
        }
    }
    // N9.
    let own_half = (1..=6).contains(&own_row(at.ball, at.to_move));
    if game.must_claim && board.is_neutral() && own_half && allowed.iter().any(|(_, _, gains)| *gains) {
        allowed.retain(|(_, _, gains)| *gains);
    }
    let mut turns = Turns { paths: BTreeSet::new(), plays: BTreeSet::new(), steps: BTreeSet::new() };
    for (piece, to, gains) in allowed {
        let from = board.teams[at.to_move.index()][piece];
        if !gains {
            turns.steps.insert((from, to));
            turns.paths.insert((from, to, Vec::new()));
            turns.plays.insert((from, to, None, None));
            continue;
        }
        let after = board.stepped(piece, to);
        let own = after.teams[at.to_move.index()].clone();
        for first in own.into_iter().filter(|&kicker| next_to(kicker, at.ball)) {
            after.kick(at.ball, &[first], &mut Vec::new(), &mut |path, _| {
                turns.steps.insert((from, to));
                turns.paths.insert((from, to, path.to_vec()));
                turns.plays.insert((from, to, Some(first), path.last().copied()));
            });
        }
    }
    turns
}
