//! The rules around a turn: kick-off, the result of a turn, and how a game ends. `turns.rs` generates turns.

use super::field::Square;
use super::turn_board::arms;
use super::turns;
use palestra_core::{Ending, Game, Side};
use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Maximum number of pieces of a team.
pub(super) const MAX_PIECES: usize = 5;

/// The four levels of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MastergoalLevel {
    One,
    Two,
    TwoPlusOne,
    Three,
}

impl MastergoalLevel {
    pub(super) const ALL: [MastergoalLevel; 4] =
        [MastergoalLevel::One, MastergoalLevel::Two, MastergoalLevel::TwoPlusOne, MastergoalLevel::Three];

    pub(super) fn name(self) -> &'static str {
        match self {
            MastergoalLevel::One => "1",
            MastergoalLevel::Two => "2",
            MastergoalLevel::TwoPlusOne => "2+1",
            MastergoalLevel::Three => "3",
        }
    }

    /// Keepers exist at levels 2+1 and 3 only (N10).
    pub(super) fn has_keeper(self) -> bool {
        matches!(self, MastergoalLevel::TwoPlusOne | MastergoalLevel::Three)
    }

    pub(super) fn n_pieces(self) -> usize {
        match self {
            MastergoalLevel::One => 1,
            MastergoalLevel::Two => 2,
            MastergoalLevel::TwoPlusOne => 3,
            MastergoalLevel::Three => 5,
        }
    }

    /// Default number of turns after which the game ends (N19).
    pub(super) fn usual_limit(self) -> u16 {
        match self {
            MastergoalLevel::One | MastergoalLevel::Two => 40,
            MastergoalLevel::TwoPlusOne | MastergoalLevel::Three => 60,
        }
    }
}

/// Mastergoal at one of its levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mastergoal {
    pub(super) level: MastergoalLevel,
    /// Number of goals that win (N17).
    pub(super) goals: u8,
    /// Number of turns of both sides after which the game ends (N19).
    pub(super) limit: u16,
    /// Own row in which keepers start (N4).
    pub(super) keeper_row: u8,
    /// Whether a neutral ball in the own half must be taken if possible (N9).
    pub(super) must_claim: bool,
}

/// The squares of a team's pieces, the keeper last where there is one; the rest is [`Square::NONE`].
pub(super) type Team = [Square; MAX_PIECES];

/// A position of Mastergoal. Field pieces are interchangeable: equal positions may list them in different orders.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(super) teams: [Team; 2],
    pub(super) ball: Square,
    pub(super) to_move: Side,
    pub(super) goals: [u8; 2],
    /// Number of turns played; `None` in searches, which ignore the limit.
    pub(super) turns: Option<u16>,
}

/// A complete turn: a piece moves, and the ball is kicked until it comes to rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub(super) from: Square,
    pub(super) to: Square,
    /// Squares where the ball lands, kick by kick; the rest is [`Square::NONE`].
    pub(super) kicks: [Square; turns::MAX_KICKS],
}

impl Turn {
    /// The squares of the kicks.
    pub(super) fn kicks(&self) -> impl Iterator<Item = Square> + '_ {
        self.kicks.iter().copied().take_while(|square| square.is_some())
    }

    /// The square where the ball comes to rest, if it is kicked.
    #[inline]
    pub(super) fn last_kick(&self) -> Option<Square> {
        self.kicks().last()
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.kicks().try_for_each(|square| write!(f, "*{square}"))
    }
}

impl Mastergoal {
    /// The squares of a team at kick-off (N4).
    fn line_up(&self, side: Side) -> Team {
        let keeper = usize::from(self.keeper_row);
        let squares: &[(usize, usize)] = match self.level {
            MastergoalLevel::One => &[(4, 5)],
            MastergoalLevel::Two => &[(4, 5), (2, 5)],
            MastergoalLevel::TwoPlusOne => &[(5, 2), (5, 8), (keeper, 5)],
            MastergoalLevel::Three => &[(6, 2), (6, 8), (4, 3), (4, 7), (keeper, 5)],
        };
        let mut team = [Square::NONE; MAX_PIECES];
        for (square, &(row, column)) in team.iter_mut().zip(squares) {
            let row = if side == Side::First { row } else { 14 - row };
            *square = Square::new(row, column);
        }
        team
    }

    /// The position at kick-off (N4).
    pub(super) fn kick_off(&self, to_move: Side, goals: [u8; 2], turns: Option<u16>) -> Position {
        let teams = Side::BOTH.map(|side| self.line_up(side));
        Position { teams, ball: Square::new(7, 5), to_move, goals, turns }
    }

    /// The reason if goals or the turn limit have ended the game.
    #[inline]
    fn end_reason(&self, at: &Position) -> Option<&'static str> {
        if at.goals[0] >= self.goals || at.goals[1] >= self.goals {
            return Some("goal");
        }
        at.turns.is_some_and(|turns| turns >= self.limit).then_some("turn limit")
    }
}

impl Position {
    /// The squares of a team's pieces.
    #[inline(always)]
    pub(super) fn pieces(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        self.teams[side.index()].iter().copied().take_while(|square| square.is_some())
    }

    /// Number of a team's pieces next to the ball.
    #[inline(always)]
    pub(super) fn n_near_ball(&self, side: Side) -> u32 {
        self.pieces(side).filter(|piece| piece.distance(self.ball) == 1).count() as u32
    }

    /// The ending by the score (N17, N20).
    fn result(&self, reason: &'static str) -> Ending {
        let [first, second] = self.goals;
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        Ending { winner, margin: u32::from(first.abs_diff(second)), reason }
    }

    /// The teams with field pieces sorted, so that their order does not matter. The keeper, where there is one, stays
    /// last.
    fn canonical(&self, has_keeper: bool) -> [Team; 2] {
        self.teams.map(|mut team| {
            let n_pieces = team.iter().take_while(|square| square.is_some()).count();
            team[..n_pieces - usize::from(has_keeper)].sort_unstable();
            team
        })
    }

    /// Teams of three or five have a keeper; smaller ones do not.
    fn has_keeper(&self) -> bool {
        self.teams[0][2].is_some()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let has_keeper = self.has_keeper();
        (self.ball, self.to_move, self.goals, self.turns)
            == (other.ball, other.to_move, other.goals, other.turns)
            && self.canonical(has_keeper) == other.canonical(has_keeper)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for team in self.canonical(self.has_keeper()) {
            let word = team.iter().fold(0u64, |word, square| word << 8 | u64::from(square.0));
            state.write_u64(word);
        }
        let turns = self.turns.map_or(u64::MAX, u64::from);
        let [first, second] = self.goals.map(u64::from);
        state.write_u64(
            u64::from(self.ball.0) << 32 | first << 16 | second << 8 | self.to_move.index() as u64,
        );
        state.write_u64(turns);
    }
}

impl Game for Mastergoal {
    type Position = Position;
    type Move = Turn;

    fn start(&self) -> Position {
        self.kick_off(Side::First, [0, 0], Some(0))
    }

    #[inline]
    fn to_move(&self, at: &Position) -> Side {
        at.to_move
    }

    fn moves(&self, at: &Position, out: &mut Vec<Turn>) {
        if self.end_reason(at).is_none() {
            turns::find(self, at, |turn| {
                out.push(turn);
                true
            });
        }
    }

    #[inline]
    fn play(&self, at: &mut Position, turn: Turn) {
        let side = at.to_move;
        if let Some(piece) = at.teams[side.index()].iter_mut().find(|square| **square == turn.from) {
            *piece = turn.to;
        }
        at.turns = at.turns.map(|turns| turns + 1);
        at.to_move = side.other();
        let Some(ball) = turn.last_kick() else { return };
        at.ball = ball;
        if ball.goal_of().is_some() {
            // N17: after a goal that does not decide the game the side that conceded kicks off.
            at.goals[side.index()] += 1;
            if at.goals[side.index()] < self.goals {
                *at = self.kick_off(side.other(), at.goals, at.turns);
            }
        } else if self.level.has_keeper() && ball.is_special_for(side) {
            at.to_move = side; // N18
        }
    }

    #[inline]
    fn ending(&self, at: &Position) -> Option<Ending> {
        if let Some(reason) = self.end_reason(at) {
            return Some(at.result(reason));
        }
        // N20: nearly always there is a move without a kick, which is found quickly.
        let can_move = turns::has_quiet_step(self, at) || turns::exists(self, at);
        (!can_move).then(|| at.result("no legal turn"))
    }

    fn history_index(&self, turn: Turn) -> usize {
        turn.last_kick().unwrap_or(turn.to).index()
    }

    /// Goals first, then kicks.
    fn order_hint(&self, _at: &Position, turn: Turn) -> i32 {
        match turn.last_kick() {
            Some(square) if square.goal_of().is_some() => 1000,
            Some(_) => 1,
            None => 0,
        }
    }

    fn unclocked<'a>(&self, at: &'a Position) -> Cow<'a, Position> {
        Cow::Owned(Position { turns: None, ..*at })
    }
}

/// The holder of the ball (N7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BallHolder {
    Team(Side),
    /// Both teams have the same number of pieces next to it, at least one.
    Neutral,
    /// No piece is next to it.
    Free,
}

impl BallHolder {
    /// N7: the team whose keeper's arm the ball is on; otherwise the team with more pieces next to it.
    #[inline(always)]
    pub(super) fn of(arm_of: Option<Side>, [first, second]: [u32; 2]) -> BallHolder {
        match arm_of {
            Some(side) => BallHolder::Team(side),
            None if first > second => BallHolder::Team(Side::First),
            None if first < second => BallHolder::Team(Side::Second),
            None if first > 0 => BallHolder::Neutral,
            None => BallHolder::Free,
        }
    }
}

impl Mastergoal {
    /// The side whose keeper has an arm on this square (N10).
    #[inline(always)]
    pub(super) fn arm_of(&self, at: &Position, square: Square) -> Option<Side> {
        let keeper = |side: Side| at.teams[side.index()][self.level.n_pieces() - 1];
        let is_arm = |side: &Side| self.level.has_keeper() && arms(*side, keeper(*side)).contains(&square);
        Side::BOTH.into_iter().find(is_arm)
    }

    /// The holder of the ball.
    #[inline]
    pub(super) fn holder(&self, at: &Position) -> BallHolder {
        BallHolder::of(self.arm_of(at, at.ball), Side::BOTH.map(|side| at.n_near_ball(side)))
    }
}
